import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { z } from 'zod/v4';

const requestSchema = z.looseObject({
	messages: z.array(z.looseObject({ role: z.string(), content: z.unknown() })),
	tools: z
		.array(
			z.looseObject({ function: z.looseObject({ name: z.string(), parameters: z.unknown() }) }),
		)
		.default([]),
});

type ChatRequest = z.infer<typeof requestSchema>;
type ToolArguments = Record<string, unknown>;
/**
 * Calls one after the other; those of a list are made at once. An agent makes only the calls of tools that it has, and
 * those that name no tool.
 */
type Script = Array<ToolArguments | ToolArguments[]>;

/** Of the tool that `$tool` names, or else of the first one. */
const callOf = ({ $tool, ...args }: ToolArguments, first: string, index: number) => ({
	id: `call_${index}`,
	type: 'function',
	function: { name: $tool ?? first, arguments: JSON.stringify(args) },
});

/** The calls that are made at once after so many answers. */
const callsAfter = (answered: number, script: Script): ToolArguments[] | undefined => {
	let before = 0;
	for (const calls of script.map((step) => [step].flat())) {
		if (before >= answered) return calls;
		before += calls.length;
	}
	return undefined;
};

const answerTo = (request: ChatRequest, script: Script, content: string) => {
	const answered = request.messages.filter(({ role }) => role === 'tool').length;
	const names = request.tools.map((tool) => tool.function.name);
	const isOfAgent = ({ $tool }: ToolArguments) =>
		$tool === undefined || names.includes(String($tool));
	const next = callsAfter(
		answered,
		script.filter((step) => [step].flat().every(isOfAgent)),
	);
	const name = names[0] ?? '';
	const calls = next?.map((call, index) => callOf(call, name, answered + index));
	const message =
		calls === undefined
			? { role: 'assistant', content }
			: { role: 'assistant', content: null, tool_calls: calls };
	return {
		id: 'chat-1',
		object: 'chat.completion',
		created: 0,
		model: 'scripted',
		choices: [{ index: 0, finish_reason: next === undefined ? 'stop' : 'tool_calls', message }],
		usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
	};
};

/** A chat model that follows a script: it calls the agent's first tool with these arguments, one after the other. */
export const startChatModel = async () => {
	const requests: ChatRequest[] = [];
	let calls: Script = [];
	let lastWords = '';
	const server = createServer(async (request, response) => {
		const parsed = requestSchema.parse(await json(request));
		requests.push(parsed);
		response.setHeader('content-type', 'application/json');
		response.end(JSON.stringify(answerTo(parsed, calls, lastWords)));
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const address = server.address();
	const port = typeof address === 'object' ? address?.port : undefined;
	return {
		url: `http://127.0.0.1:${port}/v1`,
		/** What the agent has sent, the newest last. */
		requests,
		/** Forgets what was sent. After the calls, the model says these words. */
		follow: (script: Script, words = 'Done') => {
			calls = script;
			lastWords = words;
			requests.length = 0;
		},
		close: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
};
