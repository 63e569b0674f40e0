import type { INodeProperties } from 'n8n-workflow';
import type { z } from 'zod/v4';
import { messageParts } from '../../api/messageParts';
import { wholeNumber } from '../../api/schemas/recordInput.schema';

export const maxPartsOption: INodeProperties = {
	displayName: 'Max Parts',
	name: 'maxParts',
	type: 'number',
	typeOptions: { minValue: 1, numberPrecision: 0 },
	default: 1,
	description:
		'Refuses a message that would be sent, and paid, as more than this many SMS. Counted from the message as given: tracked links and opt-out placeholders change their length when the service fills them in.',
};

export const maxPartsInput = wholeNumber({ min: 1 });

/** Checks Message against Max Parts, together with all other fields before the first request. */
export const refuseTooManyParts = (
	{ message, options }: { message: string; options: { maxParts?: number } },
	context: z.RefinementCtx,
): void => {
	const { parts, encoding } = messageParts(message);
	const { maxParts = parts } = options;
	if (parts <= maxParts) return;
	context.addIssue({
		code: 'custom',
		path: ['message'],
		message: `takes ${parts} parts (${encoding}), and 'Max Parts' allows ${maxParts}`,
		params: { remedy: partsRemedies[encoding] },
	});
};

const partsRemedies = {
	'GSM-7': "Shorten the message, or raise 'Max Parts'",
	Unicode:
		"Shorten the message, leave out emoji and other characters outside of the GSM alphabet, or raise 'Max Parts'",
};
