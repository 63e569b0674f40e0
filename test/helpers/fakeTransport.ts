import type { Answer, ApiRequest, NoAnswer, Transport } from '../seams.ts';

export type Reply = Answer | NoAnswer;

/** An answer with a JSON body. */
export const json = (
	body: unknown,
	status = 200,
	headers: Record<string, string> = {},
): Answer => ({ kind: 'answer', status, headers, text: JSON.stringify(body) });

/** An answer whose body is sent as it is. */
export const text = (body: string, status = 200): Answer => ({
	kind: 'answer',
	status,
	headers: {},
	text: body,
});

/** Silence. */
export const noAnswer = (code = 'ECONNRESET', wasSent = true): NoAnswer => ({
	kind: 'noAnswer',
	code,
	wasSent,
});

/** The service in a test: `respond` answers, `requests` are what it was asked, in order of arrival. */
export const fakeTransport = (
	respond: (request: ApiRequest, index: number) => Reply | Promise<Reply>,
) => {
	const requests: ApiRequest[] = [];
	const transport: Transport = async (request) => {
		requests.push(request);
		return await respond(request, requests.length - 1);
	};
	return { transport, requests };
};

/** Gives these answers one after the other; a request too many fails the test. */
export const answering = (...replies: Reply[]) =>
	fakeTransport(({ method, path }, index) => {
		const reply = replies[index];
		if (!reply) throw new Error(`Request ${index + 1} was not expected: ${method} ${path}`);
		return reply;
	});
