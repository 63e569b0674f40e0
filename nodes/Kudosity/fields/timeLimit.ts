import { field } from './field';
import { wholeNumber } from './readers/number';

/** How many seconds an operation waits at most. */
export const timeLimit = (defaultSeconds: number, description: string) =>
	field(
		{
			displayName: 'Time Limit (Seconds)',
			name: 'timeoutSeconds',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: defaultSeconds,
			description,
		},
		wholeNumber({ min: 1, max: 86_400 }),
	);
