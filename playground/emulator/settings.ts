import { z } from 'zod/v4';
import { playgroundAccount } from './model.ts';
import { DEFAULT_SENDER, RCS_AGENT } from './catalogue.ts';

const milliseconds = z.number().min(0);
const count = z.number().int().min(0);

const settingsSchema = z.strictObject({
	/** Accounts share numbers and lists. Webhooks, messages and the rate limit are per account. */
	accounts: z
		.array(z.strictObject({ id: z.string(), apiKey: z.string(), apiSecret: z.string() }))
		.default([playgroundAccount]),
	/** Per account, for both APIs together. 0 = no limit. */
	requestsPerSecond: z.number().min(0).default(15),
	/** tokenBucket allows a burst after a pause; slidingWindow refuses request 16 in any second. */
	rateLimitKind: z.enum(['tokenBucket', 'slidingWindow']).default('tokenBucket'),
	/** Sent as `Retry-After` with a 429; null = no header, as documented. */
	retryAfterSeconds: z.number().min(0).nullable().default(null),
	/** How far the service's clock is ahead of all others. */
	clockAheadMs: z.number().default(0),
	/** Delay before each request is processed. */
	latencyMs: milliseconds.default(0),
	/** Account balance. Each message part is charged to it. */
	balance: z.number().default(1000),
	numbersOwned: count.default(12),
	numbersAvailable: count.default(30),
	lists: count.default(3),
	/** Members of the first list, all active; null = a handful. */
	listMembers: count.nullable().default(null),
	/** Whether an opt-out from one list counts for all lists and all sends. */
	globalOptOut: z.boolean().default(true),
	/** How long a contact import stays in progress after its file has been read. */
	importMs: milliseconds.default(200),
	/** Number of RCS messages after a reset, dated hourly back from now. */
	rcsMessages: count.default(5),
	/** The numbers that WhatsApp messages can be sent from. */
	whatsappSenders: z.array(z.string()).default([DEFAULT_SENDER]),
	/** The agents that RCS messages can be sent from. */
	rcsAgents: z.array(z.string()).default([RCS_AGENT]),
	/** Contacts that RCS and WhatsApp cannot reach. */
	smsOnlyContacts: z.array(z.string()).default([]),
	/** How long a verification code is valid, and how long the same sender cannot be registered again. */
	verificationMs: milliseconds.default(30 * 60_000),
	/** Leave out empty arrays, as v1 was observed to do. */
	omitEmptyArrays: z.boolean().default(false),
	/** How long after a send GET /v2/sms and /v2/sms/{id} cannot find the message. Live: up to two minutes. */
	readLagMs: milliseconds.default(0),
	/** If set, SMS events report that a shared local number delivered the message. */
	routedVia: z.string().nullable().default(null),
	/** Whether statuses advance automatically. */
	autoStatus: z.boolean().default(true),
	/** Delays after acceptance until SENT, DELIVERED and, for RCS and WhatsApp, READ. Fewer entries stop earlier. */
	statusDelaysMs: z.array(milliseconds).max(3).default([300, 1500, 4000]),
	/** Delays before delivery attempts 2, 3, … of an event. */
	retryDelaysMs: z.array(milliseconds).default([1000, 5000, 30_000]),
	/** How long a receiver may take to answer an event. */
	deliveryTimeoutMs: milliseconds.default(10_000),
	/** Deliver every event twice, byte-identical. */
	duplicateEvents: z.boolean().default(false),
	/** Deliver each webhook's events in swapped pairs. */
	shuffle: z.boolean().default(false),
});

export type Settings = z.output<typeof settingsSchema>;

export const defaultSettings: Settings = settingsSchema.parse({});

type Shape = typeof settingsSchema.shape;

/** Has no defaults, because they would reset every setting missing from a patch. */
export const settingsPatchSchema = z
	.strictObject(
		Object.fromEntries(
			Object.entries(settingsSchema.shape).map(([name, field]) => [name, field.removeDefault()]),
		) as { [Name in keyof Shape]: ReturnType<Shape[Name]['removeDefault']> },
	)
	.partial();
