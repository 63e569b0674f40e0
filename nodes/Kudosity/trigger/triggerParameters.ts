import { z } from 'zod/v4';
import { anything } from '../api/schemas/common.schema';
import { booleanInput, commaList } from '../api/schemas/recordInput.schema';
import { eventTypes } from '../api/schemas/webhook.schema';

const flag = (fallback: boolean) =>
	booleanInput.catch(undefined).transform((value) => value ?? fallback);

const parametersSchema = z.object({
	events: commaList
		.catch([])
		.transform((values) => eventTypes.filter((type) => values.includes(type))),
	/** Only the service looks at them, so that they are read when they are registered. */
	filters: anything,
	simplify: flag(true),
	options: z
		.looseObject({})
		.catch({})
		.pipe(
			z.object({
				downloadMedia: flag(true),
				mediaProperty: z.string().trim().min(1).catch('media'),
				outputs: z.enum(['single', 'byEvent']).catch('single'),
				onlyFinalStatuses: flag(false),
				dropRepeatedStatuses: flag(false),
			}),
		),
});
export type TriggerParameters = z.output<typeof parametersSchema>;

export const triggerParameterNames = Object.keys(parametersSchema.shape) as Array<
	keyof typeof parametersSchema.shape
>;

/** Reads the fields of the trigger. What is left out or cannot be, gets its default; never throws. */
export const readTriggerParameters = (values: {
	[name in (typeof triggerParameterNames)[number]]?: unknown;
}): TriggerParameters => parametersSchema.parse(values);
