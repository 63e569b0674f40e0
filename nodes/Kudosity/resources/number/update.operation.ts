import { editNumberOptions } from '../../api/endpoints/number';
import { accountNumber } from '../../fields/accountNumber';
import { options } from '../../fields/collection';
import { forwarding, forwardingValues } from '../../fields/forwarding';
import { somethingOf } from '../../fields/somethingOf';
import { defineOperation } from '../../runtime/operation';

/** POST /edit-number-options.json, whose answer is empty. */
export const update = defineOperation({
	value: 'update',
	name: 'Update',
	action: 'Update number',
	description:
		'Change what happens with messages that arrive at a number of the account: forward them, answer them, or add the people who write to a list. What is not set stays as it is.',
	fields: [accountNumber, options(...forwarding)],
	check: ({ options }) => void somethingOf(forwardingValues(options)),
	run: async ({ call }, { number, options }) => {
		const values = { number, ...forwardingValues(options) };
		await call(editNumberOptions, values, { deliversTo: options.forwardUrl });
		return { number, updated: true };
	},
});
