import { z } from 'zod/v4';
import { emissionSchema, emit, type Emission } from '../events/samples.ts';
import { channels, eventTypes } from '../events/events.ts';
import { activateFault, faultKinds, faultRuleSchema, type FaultRule } from '../http/faults.ts';
import { Refusal } from '../http/refusal.ts';
import { clickLink, optOutByLink, receiveText } from '../messages/contactActions.ts';
import { changeStatus, findLinks, optedOutContacts } from '../messages/messages.ts';
import { changeSettings, resetState } from '../seed.ts';
import { settingsPatchSchema, type Settings } from '../settings.ts';
import { type State } from '../state.ts';
import type { OutboundMessage } from '../model.ts';
import { action } from './action.ts';
import { log, waiter } from './logs.ts';

const MEMORY_NOTE = 'Everything here is held in memory and lost when the emulator stops.';

const overview = (state: State) => ({
	service: 'Kudosity emulator',
	note: MEMORY_NOTE,
	revision: state.changes.revision(),
	counts: {
		requests: state.requests.all().length,
		messages: state.messages.all().length,
		inbound: state.inbound.all().length,
		rcsMessages: state.chatMessages.RCS.length,
		webhooks: state.webhooks.size,
		deliveries: state.deliveries.all().length,
		faults: state.faults.length,
		optOuts: state.optOuts.size,
	} as Record<string, number>,
	settings: state.settings,
});

function findMessage(state: State, id: string): OutboundMessage {
	const message = state.messagesById.get(id);
	if (message) return message;
	throw new Refusal(404, { error: 'No such message' });
}

const look = <Output>(
	route: `GET /${string}` | `DELETE /${string}`,
	run: (state: State) => Output,
) => action(route, { takes: () => ({}), input: z.object({}), run });
const byId = z.strictObject({ id: z.string() });
const fromContact = byId.extend({ from: z.string().optional() });

const inboundSchema = z.strictObject({
	from: z.string(),
	to: z.string(),
	text: z.string().default(''),
	channel: z.enum(channels).default('SMS'),
	media: z.array(z.strictObject({ name: z.string(), content: z.string() })).optional(),
	accountId: z.string().optional(),
	at: z.iso.datetime().optional(),
});

const faultRules = z.union([z.array(faultRuleSchema), faultRuleSchema.transform((rule) => [rule])]);

/** Everything that tests can inspect and control. The client is generated from this table. */
export const actions = {
	overview: look('GET /', overview),
	kinds: look('GET /kinds', () => ({ eventTypes, faultKinds })),
	/** Deletes all data and restores the initial settings, with these overrides. */
	reset: action('POST /reset', {
		takes: (settings: Partial<Settings> = {}) => settings,
		input: settingsPatchSchema,
		run(state, settings) {
			resetState(state, settings);
			return overview(state);
		},
	}),
	settings: action('PATCH /settings', {
		takes: (settings: Partial<Settings>) => settings,
		input: settingsPatchSchema,
		run: changeSettings,
	}),

	addFault: action('POST /faults', {
		takes: (...rules: FaultRule[]) => rules,
		input: faultRules,
		run(state, rules) {
			const added = rules.map(activateFault);
			state.faults.push(...added);
			state.changes.notify();
			return added;
		},
	}),
	faults: look('GET /faults', ({ faults }) => faults),
	clearFaults: look('DELETE /faults', (state) => {
		state.faults = [];
		state.changes.notify();
		return state.faults;
	}),

	requests: log('requests'),
	/** One entry per accepted message, i.e. what the caller pays for. */
	messages: log('messages'),
	/** One entry per recipient of each accepted message, on every channel. */
	accepted: log('accepted'),
	inboundMessages: log('inbound'),
	deliveries: log('deliveries'),
	webhooks: log('webhooks'),
	waitForRequests: waiter('requests'),
	waitForMessages: waiter('messages'),
	waitForAccepted: waiter('accepted'),
	waitForInbound: waiter('inbound'),
	waitForDeliveries: waiter('deliveries'),
	waitForWebhooks: waiter('webhooks'),
	optOuts: look('GET /opt-outs', optedOutContacts),

	message: action('GET /messages/:id', {
		takes: (id: string) => ({ id }),
		input: byId,
		run: (state, { id }) => ({ ...findMessage(state, id), links: findLinks(state, id) }),
	}),
	/** A recipient replies; STOP opts out. `from` selects one of several recipients of a v1 message. */
	reply: action('POST /messages/:id/reply', {
		takes: (id: string, text: string, from?: string) => ({ id, text, from }),
		input: fromContact.extend({ text: z.string() }),
		run(state, { id, text, from }) {
			const { accountId, channel, sender, recipient } = findMessage(state, id);
			const answered = channel === 'MMS' ? 'SMS' : channel;
			const inbound = { accountId, channel: answered, from: from ?? recipient } as const;
			return receiveText(state, { ...inbound, to: sender, text });
		},
	}),
	/** A recipient opens the opt-out link. */
	optOut: action('POST /messages/:id/opt-out', {
		takes: (id: string, from?: string) => ({ id, from }),
		input: fromContact,
		run(state, { id, from }) {
			const message = findMessage(state, id);
			const contact = from ?? message.recipient;
			optOutByLink(state, message, contact);
			return { optedOut: contact };
		},
	}),
	/** A recipient opens the first tracked link. */
	click: action('POST /messages/:id/click', {
		takes: (id: string) => ({ id }),
		input: byId,
		run(state, { id }) {
			const message = findMessage(state, id);
			const link = findLinks(state, id).find(({ kind }) => kind === 'click');
			if (!link) throw new Refusal(409, { error: 'This message carries no tracked link' });
			clickLink(state, message, link);
			return { hits: link.hits };
		},
	}),
	/** Moves a message to any status and sends the event. Default: for all recipients. */
	setStatus: action('POST /messages/:id/status', {
		takes: (id: string, status: string, description?: string, recipient?: string) => ({
			id,
			status,
			description,
			recipient,
		}),
		input: byId.extend({
			status: z.string(),
			description: z.string().optional(),
			recipient: z.string().optional(),
		}),
		run(state, { id, ...change }) {
			const message = findMessage(state, id);
			changeStatus(state, message, change);
			return message;
		},
	}),
	/** Receives a text or MMS that answers no message. */
	inbound: action('POST /inbound', {
		takes: (inbound: z.input<typeof inboundSchema>) => inbound,
		input: inboundSchema,
		run: (state, { accountId = state.settings.accounts[0]?.id ?? '', ...inbound }) =>
			receiveText(state, { accountId, ...inbound }),
	}),
	/** Sends an event, or any raw body, without a cause in the emulator. */
	emit: action('POST /events', {
		takes: (emission: Emission) => emission,
		input: emissionSchema,
		run: emit,
	}),
};
