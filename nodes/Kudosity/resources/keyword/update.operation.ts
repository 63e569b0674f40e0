import { editKeyword, keywordStatuses } from '../../api/endpoints/keyword';
import { keywordStatus } from '../../api/keywordStatus';
import { accountNumber } from '../../fields/accountNumber';
import { options } from '../../fields/collection';
import { field, type InputOf } from '../../fields/field';
import { forwarding, forwardingValues } from '../../fields/forwarding';
import { maybeInAnyCase } from '../../fields/readers/choice';
import { somethingOf } from '../../fields/somethingOf';
import { defineOperation } from '../../runtime/operation';
import { onePerName } from '../../sending/onePerName';
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

/** Items about one keyword take turns, so that none writes back a status that another one has changed. */
const perKeyword = onePerName();

/** POST /edit-keyword.json, and /get-keywords.json for a status that is not set. */
export const update = defineOperation({
	value: 'update',
	name: 'Update',
	action: 'Update keyword',
	description: 'Change, open or close a keyword. What is not set stays as it is.',
	fields: [keyword, accountNumber, options(...changeable)],
	check: ({ options }) => void somethingOf(changesOf(options)),
	run: async ({ clock, ...service }, { keyword, number, options }) =>
		await perKeyword(clock, `${number} ${keyword.toLowerCase()}`, async () => {
			const changes = changesOf(options);
			const status = changes.status ?? (await keywordStatus(service, { keyword, number }));
			const values = { keyword, number, ...changes, status };
			return await service.call(editKeyword, values, { deliversTo: options.forwardUrl });
		}),
});
