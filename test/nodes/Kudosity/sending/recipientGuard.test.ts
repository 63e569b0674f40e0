import { expect, it } from 'vitest';
import { checkRecipients } from '../../../seams.ts';

const list = { listId: '1' };

it.each([{ allowedRecipients: () => true }, { maxPerExecution: 5 }, { maxPerRecipient: 5 }])(
	'holds back what goes to a contact list, of which nobody knows whom it reaches: %o',
	(options) => {
		expect(() => checkRecipients({ to: list, options })).toThrow(
			'cannot be checked for a contact list',
		);
		expect(() => checkRecipients({ to: { numbers: ['61491570006'] }, options })).not.toThrow();
	},
);

it('lets contact lists pass where there is no guard', () => {
	expect(() => checkRecipients({ to: list, options: { maxParts: 1 } })).not.toThrow();
});
