import { z } from 'zod/v4';
import { idString } from './common.schema';

/** The way of a message, in this order. */
export const rcsProgress = ['QUEUED', 'SENT', 'DELIVERED', 'READ'] as const;

/** Statuses as polling reports them: REJECTED, UNDELIVERABLE and expiry all read FAILED here. */
export const rcsStatuses = [...rcsProgress, 'FAILED'] as const;

/** Presets count in the account's time zone; `all` means the last 365 days. */
export const rcsDateRanges = [
	'all',
	'custom_date',
	'last_month',
	'last_thirty',
	'last_week',
] as const;
export type RcsDateRange = (typeof rcsDateRanges)[number];

export const rcsMessageSchema = z.looseObject({
	id: idString,
	account_id: idString.optional(),
	recipient: idString.optional(),
	status: z.string(),
});
export type RcsMessage = z.infer<typeof rcsMessageSchema>;

export const rcsAnswerSchema = z.looseObject({ data: rcsMessageSchema });

const pagination = z.looseObject({
	next_cursor: idString.nullish(),
	has_next: z.boolean().nullish(),
});

export const rcsPageSchema = z.looseObject({
	data: z.looseObject({ messages: z.array(rcsMessageSchema).nullish() }),
	meta: z.looseObject({ pagination: pagination.nullish() }).nullish(),
});
export type RcsPage = z.infer<typeof rcsPageSchema>;
