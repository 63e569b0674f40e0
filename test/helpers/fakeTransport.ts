import type { Answer, ApiRequest, NoAnswer, Transport } from '../seams.ts';

export type Reply = Answer | NoAnswer;

/** An answer with a JSON body. */
export const json = (
	body: unknown,
	status = 200,
	headers: Record<string, string> = {},
): Answer => ({ kind: 'answer', status, headers, text: JSON.stringify(body) });

/** An answer with a raw text body. */
export const text = (body: string, status = 200): Answer => ({
	kind: 'answer',
	status,
	headers: {},
	text: body,
});

/** No answer, by default a connection reset after the request was sent. */
export const noAnswer = (code = 'ECONNRESET', wasSent = true): NoAnswer => ({
	kind: 'noAnswer',
	code,
	wasSent,
});

/** A fake service: `respond` answers, and `requests` has what it received, in order of arrival. */
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

/** Gives these answers in turn. One request too many fails the test. */
export const answering = (...replies: Reply[]) =>
	fakeTransport(({ method, path }, index) => {
		const reply = replies[index];
		if (!reply) throw new Error(`Request ${index + 1} was not expected: ${method} ${path}`);
		return reply;
	});
