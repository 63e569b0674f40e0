import { z } from 'zod/v4';
import { playgroundAccount } from './model.ts';
import { DEFAULT_SENDER, RCS_AGENT } from './catalogue.ts';

const milliseconds = z.number().min(0);
const count = z.number().int().min(0);

const settingsSchema = z.strictObject({
	/** All accounts share one set of numbers and lists; webhooks, messages and the limit are their own. */
	accounts: z
		.array(z.strictObject({ id: z.string(), apiKey: z.string(), apiSecret: z.string() }))
		.default([playgroundAccount]),
	/** Per account, over both APIs together; 0 = no limit. */
	requestsPerSecond: z.number().min(0).default(15),
	/** tokenBucket lets a burst pass after a pause; slidingWindow refuses request 16 in any second. */
	rateLimitKind: z.enum(['tokenBucket', 'slidingWindow']).default('tokenBucket'),
	/** Sent as `Retry-After` with a 429; null = no header, as documented. */
	retryAfterSeconds: z.number().min(0).nullable().default(null),
	/** How far the service's clock is ahead of everybody else's, for messages and the events of received ones. */
	clockAheadMs: z.number().default(0),
	/** Before each request to the service is looked at. */
	latencyMs: milliseconds.default(0),
	/** Account money; each message part takes some of it. */
	balance: z.number().default(1000),
	numbersOwned: count.default(12),
	numbersAvailable: count.default(30),
	lists: count.default(3),
	/** Members of the first list, all active; null = a handful. */
	listMembers: count.nullable().default(null),
	/** Whether an opt-out from one list counts for all lists and all sends. */
	globalOptOut: z.boolean().default(true),
	/** How long an import of contacts stays in progress once its file was read. */
	importMs: milliseconds.default(200),
	/** RCS messages that exist after a reset, one an hour back in time from now. */
	rcsMessages: count.default(5),
	/** The numbers that WhatsApp messages can be sent from. */
	whatsappSenders: z.array(z.string()).default([DEFAULT_SENDER]),
	/** The agents that RCS messages can be sent from. */
	rcsAgents: z.array(z.string()).default([RCS_AGENT]),
	/** Contacts that neither RCS nor WhatsApp reaches. */
	smsOnlyContacts: z.array(z.string()).default([]),
	/** How long a code for a sender lives, and how soon the same sender can be registered again. */
	verificationMs: milliseconds.default(30 * 60_000),
	/** v1 was seen to leave out an array that has no rows. */
	omitEmptyArrays: z.boolean().default(false),
	/** GET /v2/sms and /v2/sms/{id} do not know a message for this long after the send; live, up to two minutes. */
	readLagMs: milliseconds.default(0),
	/** When present, SMS events say that a shared local number delivered the message. */
	routedVia: z.string().nullable().default(null),
	/** Whether statuses advance by themselves. */
	autoStatus: z.boolean().default(true),
	/** After acceptance: SENT, DELIVERED and, for RCS only, READ. Fewer entries stop earlier. */
	statusDelaysMs: z.array(milliseconds).max(3).default([300, 1500, 4000]),
	/** Waits before delivery attempts 2, 3, … of one event. */
	retryDelaysMs: z.array(milliseconds).default([1000, 5000, 30_000]),
	/** How long a receiver of events may take to answer. */
	deliveryTimeoutMs: milliseconds.default(10_000),
	/** Every event is delivered twice, byte for byte the same. */
	duplicateEvents: z.boolean().default(false),
	/** Events of one webhook are delivered in swapped pairs. */
	shuffle: z.boolean().default(false),
});

export type Settings = z.output<typeof settingsSchema>;

export const defaultSettings: Settings = settingsSchema.parse({});

type Shape = typeof settingsSchema.shape;

/** Without the defaults, which would reset every setting that a patch leaves out. */
export const settingsPatchSchema = z
	.strictObject(
		Object.fromEntries(
			Object.entries(settingsSchema.shape).map(([name, field]) => [name, field.removeDefault()]),
		) as { [Name in keyof Shape]: ReturnType<Shape[Name]['removeDefault']> },
	)
	.partial();
