import type { FastifyInstance } from 'fastify';
import { z } from 'zod/v4';
import { clickLink, optOutByLink, receiveText } from './contactActions.ts';
import { emissionSchema, emit } from './emission.ts';
import { eventTypes } from './events.ts';
import { activateFault, faultKinds, faultRuleSchema } from './faults.ts';
import { changeStatus } from './lifecycle.ts';
import { Refusal } from './refusal.ts';
import { settingsPatchSchema, type Settings } from './settings.ts';
import { optedOutContacts, type OutboundMessage, type State } from './state.ts';
import { linksOf } from './trackedLinks.ts';
import { entryMatcher, logEntries, logNames, waitFor, waitQuerySchema } from './waiting.ts';

export interface ControlActions {
	reset(settings: Partial<Settings>): void;
	changeSettings(settings: Partial<Settings>): void;
}

const MEMORY_NOTE = 'Everything here is held in memory and lost when the emulator stops.';

function parse<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
	const parsed = schema.safeParse(value ?? {});
	if (parsed.success) return parsed.data;
	throw new Refusal(400, { error: z.prettifyError(parsed.error) });
}

const overview = (state: State) => ({
	service: 'Kudosity emulator',
	note: MEMORY_NOTE,
	revision: state.changes.revision(),
	counts: {
		requests: state.requests.all().length,
		messages: state.messages.all().length,
		inbound: state.inbound.all().length,
		rcsMessages: state.rcsMessages.length,
		webhooks: state.webhooks.size,
		deliveries: state.deliveries.all().length,
		faults: state.faults.length,
		optOuts: state.optOuts.size,
	},
	settings: state.settings,
});

function findMessage(state: State, id: string): OutboundMessage {
	const message = state.messagesById.get(id);
	if (message) return message;
	throw new Refusal(404, { error: 'No such message' });
}

interface ById {
	Params: { id: string };
}

const replySchema = z.strictObject({ text: z.string(), from: z.string().optional() });
const contactSchema = z.strictObject({ from: z.string().optional() });
const statusSchema = z.strictObject({ status: z.string(), description: z.string().optional() });
const inboundSchema = z.strictObject({
	from: z.string(),
	to: z.string(),
	text: z.string().default(''),
	channel: z.enum(['SMS', 'MMS', 'RCS']).default('SMS'),
	media: z.array(z.strictObject({ name: z.string(), content: z.string() })).optional(),
	accountId: z.string().optional(),
});

function addLogs(app: FastifyInstance, state: State): void {
	for (const name of logNames) {
		app.get<{ Querystring: Record<string, string> }>(`/control/${name}`, async (request) => {
			const { last, ...wanted } = request.query;
			const entries = logEntries(state, name).filter(entryMatcher(wanted));
			return last === undefined ? entries : entries.slice(-Number(last));
		});
	}
	app.get('/control/opt-outs', async () => optedOutContacts(state));
	app.get('/control/kinds', async () => ({ eventTypes, faultKinds }));
	app.get('/control/wait', async (request, reply) => {
		const outcome = await waitFor(state, parse(waitQuerySchema, request.query));
		if (!outcome.reached) reply.code(408);
		return outcome;
	});
}

function addMessageActions(app: FastifyInstance, state: State): void {
	app.get<ById>('/control/messages/:id', async ({ params }) => {
		const message = findMessage(state, params.id);
		return { ...message, links: linksOf(state, message.id) };
	});
	app.post<ById>('/control/messages/:id/reply', async ({ params, body }) => {
		const { accountId, channel, sender, recipient } = findMessage(state, params.id);
		const { text, from = recipient } = parse(replySchema, body);
		const answered = channel === 'RCS' ? channel : 'SMS';
		return receiveText(state, { accountId, channel: answered, from, to: sender, text });
	});
	app.post<ById>('/control/messages/:id/opt-out', async ({ params, body }) => {
		const message = findMessage(state, params.id);
		const { from = message.recipient } = parse(contactSchema, body);
		optOutByLink(state, message, from);
		return { optedOut: from };
	});
	app.post<ById>('/control/messages/:id/click', async ({ params }) => {
		const message = findMessage(state, params.id);
		const link = linksOf(state, message.id).find(({ kind }) => kind === 'click');
		if (!link) throw new Refusal(409, { error: 'This message carries no tracked link' });
		clickLink(state, message, link);
		return { hits: link.hits };
	});
	app.post<ById>('/control/messages/:id/status', async ({ params, body }) => {
		const message = findMessage(state, params.id);
		changeStatus(state, message, parse(statusSchema, body));
		return message;
	});
}

function addFaults(app: FastifyInstance, state: State): void {
	app.get('/control/faults', async () => state.faults);
	app.post('/control/faults', async ({ body }) => {
		const rules = Array.isArray(body) ? body : [body];
		const added = rules.map((rule) => activateFault(parse(faultRuleSchema, rule)));
		state.faults.push(...added);
		state.changes.notify();
		return added;
	});
	app.delete('/control/faults', async () => {
		state.faults = [];
		state.changes.notify();
		return state.faults;
	});
}

/** The switches behind the emulator; they need no credentials and are not logged. */
export function addControlRoutes(app: FastifyInstance, state: State, actions: ControlActions) {
	app.get('/control', async () => overview(state));
	app.post('/control/reset', async ({ body }) => {
		actions.reset(parse(settingsPatchSchema, body));
		return overview(state);
	});
	app.get('/control/settings', async () => state.settings);
	app.patch('/control/settings', async ({ body }) => {
		actions.changeSettings(parse(settingsPatchSchema, body));
		return state.settings;
	});
	app.post('/control/inbound', async ({ body }) => {
		const { accountId = state.settings.accounts[0]?.id ?? '', ...inbound } = parse(
			inboundSchema,
			body,
		);
		return receiveText(state, { accountId, ...inbound });
	});
	app.post('/control/events', async ({ body }) => emit(state, parse(emissionSchema, body)));
	addLogs(app, state);
	addMessageActions(app, state);
	addFaults(app, state);
}
