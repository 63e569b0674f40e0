import { editKeyword, keywordStatuses } from '../../api/endpoints/keyword';
import { accountNumber } from '../../fields/accountNumber';
import { options } from '../../fields/collection';
import { field } from '../../fields/field';
import { forwarding, forwardingValues } from '../../fields/forwarding';
import { maybeOneOf } from '../../fields/readers/choice';
import { somethingOf } from '../../fields/somethingOf';
import { defineOperation } from '../../runtime/operation';
import { keyword, reference } from './keyword';

const status = field(
	{
		displayName: 'Status',
		name: 'status',
		type: 'options',
		options: [
			{ name: 'Closed', value: 'Closed', description: 'Messages with the keyword do nothing' },
			{ name: 'Open', value: 'Open' },
		],
		default: 'Open',
		description: 'Whether messages with the keyword have an effect',
	},
	maybeOneOf(keywordStatuses),
);

/** POST /edit-keyword.json. */
export const update = defineOperation({
	value: 'update',
	name: 'Update',
	action: 'Update keyword',
	description: 'Change, open or close a keyword. What is not set stays as it is.',
	fields: [keyword, accountNumber, options(status, reference, ...forwarding)],
	run: async ({ call }, { keyword, number, options }) => {
		const { status, reference } = options;
		const changes = somethingOf({ status, reference, ...forwardingValues(options) });
		return await call(editKeyword, { keyword, number, ...changes });
	},
});
