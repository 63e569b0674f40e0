import { field } from './field';
import { wholeNumber } from './readers/number';

export const rateLimit = field(
	{
		displayName: 'Rate Limit',
		name: 'rateLimit',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: 10_000 },
		default: 0,
		description: 'Max number of events delivered each second. 0 leaves it to Kudosity.',
	},
	wholeNumber({ min: 0, max: 10_000 }),
);
