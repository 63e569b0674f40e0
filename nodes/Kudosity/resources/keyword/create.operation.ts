import { addKeyword } from '../../api/endpoints/keyword';
import { accountNumber } from '../../fields/accountNumber';
import { options } from '../../fields/collection';
import { field, needed } from '../../fields/field';
import { forwarding, forwardingValues } from '../../fields/forwarding';
import { trueOrFalse } from '../../fields/readers/number';
import { defineOperation } from '../../runtime/operation';
import { keyword, reference } from './keyword';

const activate = field(
	{
		displayName: 'Activate',
		name: 'activate',
		type: 'boolean',
		default: true,
		description: 'Whether the keyword is open from the start',
	},
	trueOrFalse,
);

/** POST /add-keyword.json. */
export const create = defineOperation({
	value: 'create',
	name: 'Create',
	action: 'Create keyword',
	description:
		'Add a keyword to a number of the account, so that messages that begin with it are forwarded, answered or added to a list. Keywords have a billing date: your plan may charge for them.',
	fields: [keyword, accountNumber, options(needed(activate), reference, ...forwarding)],
	once: true,
	run: async ({ call }, { keyword, number, options }) => {
		const { activate, reference } = options;
		const settings = { activate, reference, ...forwardingValues(options) };
		const values = { keyword, number, ...settings };
		return await call(addKeyword, values, { deliversTo: options.forwardUrl });
	},
});
