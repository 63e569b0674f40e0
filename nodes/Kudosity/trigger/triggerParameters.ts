import { eventTypes, type EventType } from '../api/schemas/webhook.schema';
import { commaList } from '../fields/readers/list';
import { trueOrFalse } from '../fields/readers/number';
import { optionalText } from '../fields/readers/text';
import { mediaPrefix } from '../runtime/itemWithFiles';

/** A value that cannot be read counts as left out: a delivery must not fail for it. */
const lenient = <Value>(read: (value: unknown) => Value | undefined, fallback: Value) => {
	const tolerant = (value: unknown): Value => {
		try {
			return read(value) ?? fallback;
		} catch {
			return fallback;
		}
	};
	return tolerant;
};

const flag = (fallback: boolean) => lenient(trueOrFalse, fallback);
const offByDefault = flag(false);
const onByDefault = flag(true);
const texts = lenient(commaList, []);
const property = lenient((value) => optionalText(value)?.trim(), mediaPrefix);

const outputs = ['single', 'byEvent'] as const;

export const triggerParameterNames = ['events', 'filters', 'simplify', 'options'] as const;

export type TriggerParameters = {
	events: EventType[];
	/** Only the service looks at them, so that they are read when they are registered. */
	filters: unknown;
	simplify: boolean;
	options: {
		downloadMedia: boolean;
		mediaProperty: string;
		outputs: (typeof outputs)[number];
		onlyFinalStatuses: boolean;
		dropRepeatedStatuses: boolean;
		/** As the filters. */
		rateLimit: unknown;
	};
};

/** Reads the fields of the trigger. What is left out or cannot be, gets its default; never throws. */
export const readTriggerParameters = (values: {
	[name in (typeof triggerParameterNames)[number]]?: unknown;
}): TriggerParameters => {
	const events = texts(values.events);
	const options = Object(values.options) as Record<string, unknown>;
	return {
		events: eventTypes.filter((type) => events.includes(type)),
		filters: values.filters,
		simplify: onByDefault(values.simplify),
		options: {
			downloadMedia: onByDefault(options.downloadMedia),
			mediaProperty: property(options.mediaProperty),
			outputs: outputs.find((each) => each === options.outputs) ?? 'single',
			onlyFinalStatuses: offByDefault(options.onlyFinalStatuses),
			dropRepeatedStatuses: offByDefault(options.dropRepeatedStatuses),
			rateLimit: options.rateLimit,
		},
	};
};
