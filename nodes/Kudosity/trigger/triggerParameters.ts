import { z } from 'zod/v4';
import { anything } from '../api/schemas/common.schema';
import { InputError } from '../api/errors';
import { eventTypes, type WebhookFilter } from '../api/schemas/webhook.schema';

const flatten = (value: unknown): unknown[] =>
	Array.isArray(value) ? value.flatMap(flatten) : [value];

const scalar = z.union([z.string(), z.number()]).transform(String);

const cleaned = (texts: string[]): string[] => [
	...new Set(texts.map((text) => text.trim()).filter((text) => text !== '')),
];

/** One text, a list of them, or what an expression makes of either; empty ones do not count. */
const texts = anything.transform((value) =>
	cleaned(flatten(value ?? []).flatMap((part) => scalar.safeParse(part).data ?? [])),
);

/** For values that hold no comma themselves, so that a comma can separate them. */
const commaSeparated = texts.transform((values) =>
	cleaned(values.flatMap((value) => value.split(','))),
);

const parametersSchema = z.object({
	events: commaSeparated.pipe(
		z.array(z.string()).transform((values) => eventTypes.filter((type) => values.includes(type))),
	),
	filters: z.object({
		sender: commaSeparated,
		messageRef: texts,
		status: commaSeparated,
		campaignId: commaSeparated,
	}),
	simplify: z.boolean().catch(true),
	options: z.object({
		downloadMedia: z.boolean().catch(true),
		mediaProperty: z.string().trim().min(1).catch('media'),
		outputs: z.enum(['single', 'byEvent']).catch('single'),
		onlyFinalStatuses: z.boolean().catch(false),
		dropRepeatedStatuses: z.boolean().catch(false),
	}),
});
export type TriggerParameters = z.output<typeof parametersSchema>;

export const triggerParameterNames = Object.keys(parametersSchema.shape) as Array<
	keyof typeof parametersSchema.shape
>;

/** Reads the fields of the trigger. What is left out or cannot be, gets its default; never throws. */
export const readTriggerParameters = (values: {
	[name in (typeof triggerParameterNames)[number]]?: unknown;
}): TriggerParameters =>
	parametersSchema.parse({
		...values,
		filters: values.filters ?? {},
		options: values.options ?? {},
	});

/**
 * The service's filter. It always names event types: without them it would deliver all.
 *
 * @throws InputError when no event is chosen
 */
export const filterOf = ({ events, filters }: TriggerParameters): WebhookFilter => {
	if (events.length === 0) {
		throw new InputError("'Events' is empty", 'Choose at least one event to start on');
	}
	const fields: Record<string, string[]> = {
		event_type: events,
		sender: filters.sender,
		message_ref: filters.messageRef,
		status: filters.status.map((status) => status.toUpperCase()),
		campaign_id: filters.campaignId,
	};
	return Object.fromEntries(Object.entries(fields).filter(([, values]) => values.length > 0));
};
