import { editKeyword, keywordStatuses } from '../../api/endpoints/keyword';
import { accountNumber } from '../../fields/accountNumber';
import { options } from '../../fields/collection';
import { field, type InputOf } from '../../fields/field';
import { forwarding, forwardingValues } from '../../fields/forwarding';
import { maybeInAnyCase } from '../../fields/readers/choice';
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
	maybeInAnyCase(keywordStatuses),
);

const changeable = [status, reference, ...forwarding] as const;

const changesOf = ({ status, reference, ...others }: Partial<InputOf<typeof changeable>>) => ({
	status,
	reference,
	...forwardingValues(others),
});

/** POST /edit-keyword.json. */
export const update = defineOperation({
	value: 'update',
	name: 'Update',
	action: 'Update keyword',
	description: 'Change, open or close a keyword. What is not set stays as it is.',
	fields: [keyword, accountNumber, options(...changeable)],
	check: ({ options }) => void somethingOf(changesOf(options)),
	run: async ({ call }, { keyword, number, options }) => {
		const values = { keyword, number, ...changesOf(options) };
		return await call(editKeyword, values, { deliversTo: options.forwardUrl });
	},
});
