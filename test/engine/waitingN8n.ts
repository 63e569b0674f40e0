import { EventEmitter } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest';
import type { Settings } from '../../playground/emulator/settings.ts';
import { useEmulator } from './emulator.ts';
import { forgetBuiltNodes, type Process, processes } from './engineModules.ts';
import type { RunOptions, RunResult } from './harness.ts';
import { nodesAreIdle, skipTime } from './pauses.ts';

type Fields = Record<string, unknown>;

/** An execution that waits, as its user would see it. */
export type Waiting = RunResult & {
	/** What is parked, and comes out when the time is over. */
	parked: IDataObject;
	/** What came out with a reply. */
	output: () => INodeExecutionData | undefined;
	/** Resolves with the first reply that resumes it. */
	resumed: Promise<INodeExecutionData>;
	/** How many deliveries wanted to resume it. */
	resumptions: () => number;
};

type Execution = {
	run: RunResult;
	resume: (data: INodeExecutionData[][]) => void;
	hasGoneOn: () => boolean;
	/** The processes that its deliveries come to, in turn. */
	receivers: Process[];
};

/** What answers deliveries to an address of its own. */
type Listener = (delivery: {
	query: Record<string, string>;
	body: unknown;
}) => Promise<{ status: number }>;

const readBody = async (request: IncomingMessage): Promise<unknown> => {
	let text = '';
	for await (const chunk of request) text += String(chunk);
	return JSON.parse(text);
};

/** As far as a webhook needs Express's. */
const createResponse = (raw: ServerResponse) => {
	const response = Object.assign(new EventEmitter(), {
		statusCode: 200,
		isSent: false,
		status(code: number) {
			response.statusCode = code;
			return response;
		},
		send(body: unknown) {
			response.isSent = true;
			raw.statusCode = response.statusCode;
			raw.end(typeof body === 'string' ? body : JSON.stringify(body));
			response.emit('finish');
			return response;
		},
	});
	return response;
};

let passedMs = 0;

const passTime = (ms: number): void => {
	passedMs += ms;
	skipTime(ms);
	vi.useRealTimers();
	vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + passedMs, shouldAdvanceTime: true });
};

/** n8n's endpoint for executions that wait, over HTTP, in front of the engine; and an emulator that delivers to it. */
export const useWaitingN8n = (settings: Partial<Settings> = {}) => {
	const service = useEmulator(settings);
	const executions = new Map<string, Execution>();
	const listeners = new Map<string, Listener>();
	const answers: number[] = [];
	/** The statuses that n8n answers in place of its own, in turn: it can fail after the node has said what to do. */
	const failures: number[] = [];
	let url = '';
	let isDown = false;
	let isHanging = false;

	const server = createServer((request, raw) => {
		void (async () => {
			const { pathname, searchParams } = new URL(request.url ?? '', 'http://n8n');
			const response = createResponse(raw);
			raw.once('finish', () => answers.push(raw.statusCode));
			if (isDown) return void response.status(503).send('down');
			const query = Object.fromEntries(searchParams);
			const listener = listeners.get(pathname);
			if (listener) {
				const { status } = await listener({ query, body: await readBody(request) });
				return void response.status(status).send('');
			}
			const execution = executions.get(pathname.split('/')[2] ?? '');
			if (!execution) return void response.status(409).send('not waiting');
			// Two processes have n8n's database alone to tell them that it has gone on.
			const { receivers, hasGoneOn } = execution;
			const isLate = () => receivers.length > 1 && hasGoneOn();
			if (isLate()) return void response.send('no action required');
			const [receiver] = receivers;
			if (receiver) receivers.push(...receivers.splice(0, 1));
			const body = await readBody(request);
			const incoming = { method: 'POST', headers: request.headers, query, body };
			const data = await execution.run.receive(incoming, response, receiver);
			const failure = failures.shift() ?? (data.workflowData && isLate() ? 500 : undefined);
			if (failure !== undefined) return void response.status(failure).send('failed');
			if (data.workflowData && isHanging) return;
			if (data.workflowData) execution.resume(data.workflowData as INodeExecutionData[][]);
			if (!response.isSent) response.send(data.webhookResponse);
		})();
	});
	beforeAll(async () => {
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	});
	beforeEach(() => {
		// What the nodes have just read of the account is of the test before.
		passTime(10_000);
		executions.clear();
		listeners.clear();
		answers.length = 0;
		failures.length = 0;
		isDown = false;
		isHanging = false;
	});
	afterEach(async () => {
		vi.useRealTimers();
		// What a node tidies up after its answer is not for the next test.
		await nodesAreIdle();
	});
	afterAll(() => void server.close());

	const sender = '61491570156';
	const contact = '61491573770';
	const fields = {
		message: 'Yes or no?',
		sender,
		recipient: contact,
		responseType: 'freeText',
	};

	/** Runs the operation once; what does not wait has `error`. */
	const run = async (
		parameters: Fields = {},
		options: Partial<RunOptions> = {},
		name = 'sms/sendAndWait',
	) => {
		// The faked date stands still for 20 ms at a time; of two questions, one is the newer.
		vi.setSystemTime(Date.now() + 1);
		return await service.run(name, { ...fields, ...parameters } as never, {
			n8nUrl: url,
			...options,
		});
	};

	const park = (result: RunResult, receivers: Process[] = []): Waiting => {
		let output: INodeExecutionData | undefined;
		let resumptions = 0;
		const resumed = new Promise<INodeExecutionData>((resolve) => {
			const resume = ([items = []]: INodeExecutionData[][]) => {
				resumptions += 1;
				output ??= items[0];
				if (items[0]) resolve(items[0]);
			};
			const hasGoneOn = () => resumptions > 0;
			executions.set(result.executionId, { run: result, resume, hasGoneOn, receivers });
		});
		return {
			...result,
			parked: result.run.data.executionData?.nodeExecutionStack[0]?.data.main?.[0]?.[0]?.json ?? {},
			output: () => output,
			resumptions: () => resumptions,
			resumed,
		};
	};
	return {
		service,
		fields,
		run,
		park,
		/** Its address. */
		url: () => url,
		listen: (path: string, listener: Listener) => void listeners.set(path, listener),
		/** The person who was asked writes, to where the question came from. */
		reply: async (text: string, from = contact, to = sender) =>
			await service.control.inbound({ from, to, text }),
		/** Resolves when the service has delivered as often. */
		delivered: async (count: number) => await service.control.waitForDeliveries({}, { count }),
		/** Resolves when the account has as many webhooks left. */
		webhooksLeft: async (count: number) => {
			while ((await service.control.webhooks()).length !== count) {
				await service.control.waitForRequests({ method: 'DELETE' }, { count: 1 });
			}
		},
		/** Asks, and waits. */
		ask: async (parameters: Fields = {}, options: Partial<RunOptions> = {}, name?: string) =>
			park(await run(parameters, options, name)),
		/** n8n forgets it: it was stopped, or deleted. */
		cancel: ({ executionId }: RunResult) => void executions.delete(executionId),
		/** What ran before never comes again. */
		passTime,
		/** Until it restarts, n8n lets nothing go on, and answers no reply that would. */
		hang: () => void (isHanging = true),
		/** n8n is not there for a while. */
		goDown: () => void (isDown = true),
		/** It is there again, in a new process: only what waits is still known, from its database. */
		restart: () => {
			for (const [id, { hasGoneOn }] of executions) if (hasGoneOn()) executions.delete(id);
			for (const process of processes) forgetBuiltNodes(process);
			isDown = false;
			isHanging = false;
		},
		failNext: (...statuses: number[]) => void failures.push(...statuses),
		answers: () => answers,
	};
};
