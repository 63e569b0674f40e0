import { field, type InputOf } from './field';
import { oneOf } from './readers/choice';
import { wholeNumber } from './readers/number';
import { refuse } from './refusal';

const minuteMs = 60_000;
const unitMs = { minutes: minuteMs, hours: 60 * minuteMs, days: 24 * 60 * minuteMs } as const;
const units = ['minutes', 'hours', 'days'] as const;

const waitAmount = field(
	{
		displayName: 'Wait For',
		name: 'waitAmount',
		type: 'number',
		typeOptions: { minValue: 1, numberPrecision: 0 },
		required: true,
		default: 24,
		description:
			'How long to wait for the reply. When it is over, the workflow goes on with <code>timedOut: true</code>, at most a minute later.',
	},
	(value) =>
		wholeNumber({ min: 1, max: 10_000 })(value) ??
		refuse('is empty', 'Enter how long to wait at most, e.g. 24'),
);

const waitUnit = field(
	{
		displayName: 'Wait Unit',
		name: 'waitUnit',
		type: 'options',
		options: [
			{ name: 'Days', value: 'days' },
			{ name: 'Hours', value: 'hours' },
			{ name: 'Minutes', value: 'minutes' },
		],
		default: 'hours',
		description: 'The unit of the time to wait',
	},
	oneOf(units),
);

/** How long to wait at most; a wait without an end could never be tidied up. */
export const waitLimit = [waitAmount, waitUnit] as const;

/** Milliseconds. */
export const waitMsOf = ({
	waitAmount: amount,
	waitUnit: unit,
}: InputOf<typeof waitLimit>): number => amount * unitMs[unit];
