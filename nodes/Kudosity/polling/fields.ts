import { eventOptions, sender } from '../fields/webhook';
import { filters, options } from '../fields/collections';
import { field, shownWhen } from '../fields/field';
import { simplify } from '../fields/listing';
import { someOf, wholeNumber } from '../fields/readers';

/** What the service can be asked for: its other events come by webhook alone. */
export const polledEvents = ['SMS_INBOUND', 'SMS_STATUS'] as const;
export type PolledEvent = (typeof polledEvents)[number];

const descriptions: Record<PolledEvent, string> = {
	SMS_INBOUND: 'An SMS arrived at one of your numbers. One request per poll.',
	SMS_STATUS:
		'An SMS was sent, delivered or failed. Checked every five minutes, with one request per 1,000 messages.',
};

const events = field(someOf(polledEvents), {
	displayName: 'Trigger On',
	name: 'events',
	type: 'multiOptions',
	noDataExpression: true,
	options: eventOptions.flatMap((option) => {
		const event = polledEvents.find((each) => each === option.value);
		return event ? [{ ...option, description: descriptions[event] }] : [];
	}),
	required: true,
	default: ['SMS_INBOUND'],
});

const statusDays = shownWhen(
	{ '/events': ['SMS_STATUS'] },
	field(wholeNumber({ min: 1, max: 7 }), {
		displayName: 'Days to Watch',
		name: 'statusDays',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 7 },
		default: 2,
		description:
			'How many days to watch a message for new statuses, up to 7. More days take more requests.',
	}),
);

/** All fields, in the order of the panel. n8n puts Poll Times before them. */
export const fields = [
	events,
	{ ...simplify, property: { ...simplify.property, default: true } },
	filters(sender),
	options(statusDays),
] as const;
