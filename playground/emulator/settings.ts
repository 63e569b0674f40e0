import { z } from 'zod/v4';
import { playgroundAccount } from './account.ts';
import { DEFAULT_SENDER, RCS_AGENT } from './catalogue.ts';

const milliseconds = z.number().min(0);
const count = z.number().int().min(0);

export const settingsSchema = z.strictObject({
	/** All accounts share one set of numbers and lists; webhooks, messages and the limit are their own. */
	accounts: z.array(z.strictObject({ id: z.string(), apiKey: z.string(), apiSecret: z.string() })),
	/** Per account, over both APIs together; 0 = no limit. */
	requestsPerSecond: z.number().min(0),
	/** tokenBucket lets a burst pass after a pause; slidingWindow refuses request 16 in any second. */
	rateLimitKind: z.enum(['tokenBucket', 'slidingWindow']),
	/** Sent as `Retry-After` with a 429; null = no header, as documented. */
	retryAfterSeconds: z.number().min(0).nullable(),
	/** Before each request to the service is looked at. */
	latencyMs: milliseconds,
	/** Account money; each message part takes some of it. */
	balance: z.number(),
	numbersOwned: count,
	numbersAvailable: count,
	lists: count,
	/** Members of the first list, all active; null = a handful. */
	listMembers: count.nullable(),
	/** Whether an opt-out from one list counts for all lists and all sends. */
	globalOptOut: z.boolean(),
	/** How long an import of contacts stays in progress once its file was read. */
	importMs: milliseconds,
	/** RCS messages that exist after a reset, one an hour back in time from now. */
	rcsMessages: count,
	/** The numbers that WhatsApp messages can be sent from. */
	whatsappSenders: z.array(z.string()),
	/** The agents that RCS messages can be sent from. */
	rcsAgents: z.array(z.string()),
	/** Contacts that neither RCS nor WhatsApp reaches. */
	smsOnlyContacts: z.array(z.string()),
	/** How long a code for a sender lives, and how soon the same sender can be registered again. */
	verificationMs: milliseconds,
	/** v1 was seen to leave out an array that has no rows. */
	omitEmptyArrays: z.boolean(),
	/** GET /v2/sms and /v2/sms/{id} do not know a message for this long after the send; live, up to two minutes. */
	readLagMs: milliseconds,
	/** When present, SMS events say that a shared local number delivered the message. */
	routedVia: z.string().nullable(),
	/** Whether statuses advance by themselves. */
	autoStatus: z.boolean(),
	/** After acceptance: SENT, DELIVERED and, for RCS only, READ. Fewer entries stop earlier. */
	statusDelaysMs: z.array(milliseconds).max(3),
	/** Waits before delivery attempts 2, 3, … of one event. */
	retryDelaysMs: z.array(milliseconds),
	/** How long a receiver of events may take to answer. */
	deliveryTimeoutMs: milliseconds,
	/** Every event is delivered twice, byte for byte the same. */
	duplicateEvents: z.boolean(),
	/** Events of one webhook are delivered in swapped pairs. */
	shuffle: z.boolean(),
});

export type Settings = z.infer<typeof settingsSchema>;

export const settingsPatchSchema = settingsSchema.partial();

export const defaultSettings: Settings = {
	accounts: [playgroundAccount],
	requestsPerSecond: 15,
	rateLimitKind: 'tokenBucket',
	retryAfterSeconds: null,
	latencyMs: 0,
	balance: 1000,
	numbersOwned: 12,
	numbersAvailable: 30,
	lists: 3,
	listMembers: null,
	globalOptOut: true,
	importMs: 200,
	rcsMessages: 5,
	whatsappSenders: [DEFAULT_SENDER],
	rcsAgents: [RCS_AGENT],
	smsOnlyContacts: [],
	verificationMs: 30 * 60_000,
	omitEmptyArrays: false,
	readLagMs: 0,
	routedVia: null,
	autoStatus: true,
	statusDelaysMs: [300, 1500, 4000],
	retryDelaysMs: [1000, 5000, 30_000],
	deliveryTimeoutMs: 10_000,
	duplicateEvents: false,
	shuffle: false,
};
