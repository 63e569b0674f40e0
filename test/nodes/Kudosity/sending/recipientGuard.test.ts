import { expect, it } from 'vitest';
import { checkRecipients } from '../../../../nodes/Kudosity/sending/recipientGuard.ts';

it.each([{ allowedRecipients: () => true }, { maxPerExecution: 5 }, { maxPerRecipient: 5 }])(
	'holds back what goes to a contact list, of which nobody knows whom it reaches: %o',
	(options) => {
		expect(() => checkRecipients(undefined, options)).toThrow(
			'cannot be checked for a contact list',
		);
		expect(() => checkRecipients(['61491570006'], options)).not.toThrow();
	},
);

it('lets contact lists pass where there is no guard', () => {
	expect(() => checkRecipients(undefined, { maxParts: 1 })).not.toThrow();
});
