import { trimmedText } from '../../fields/readers/text';
import { resourceLocator } from '../../fields/resourceLocator';

export const agent = resourceLocator(
	{
		displayName: 'Sender',
		name: 'sender',
		noun: 'sender',
		searchListMethod: 'searchSenders',
		placeholder: 'e.g. DemoSender',
		description:
			'The ID of an RCS agent of your account. RCS messages have no number as their sender. The list has the agents used lately.',
		isTypedFirst: true,
	},
	trimmedText,
);
