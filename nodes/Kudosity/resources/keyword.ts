import {
	addKeyword,
	editKeyword,
	getKeywords,
	keywordStatus,
	keywordStatuses,
} from '../api/endpoints/keyword';
import { accountNumber, accountNumberFilter, requireChange } from '../fields/recordFields';
import { forwarding, forwardingValues } from '../fields/addresses';
import { filters, options, switchField } from '../fields/collections';
import { field, type InputOf, refuse, required, textField } from '../fields/field';
import { readLimit, listing } from '../fields/listing';
import { atMostLong, optionalInAnyCase, optional, trimmedText } from '../fields/readers';
import { keyedSemaphore } from '../lib/async';
import { defineOperation, type Resource } from '../fields/operation';

/** Reads a keyword. It must be a single word, because the service only matches the first word of a message. */
function readKeyword(value: unknown): string {
	const text = trimmedText(value);
	return /^\S{1,50}$/.test(text)
		? text
		: refuse('is not a single word', 'Use a single word of up to 50 characters, e.g. JOIN');
}

const keywordField = textField(readKeyword, {
	displayName: 'Keyword',
	name: 'keyword',
	required: true,
	placeholder: 'e.g. JOIN',
	description:
		'The word that incoming messages have to start with. Upper and lower case are treated the same.',
});

const reference = textField(optional(atMostLong(100)), {
	displayName: 'Reference',
	name: 'reference',
	placeholder: 'e.g. spring-campaign',
	description: 'Your own reference, up to 100 characters',
});

const number = accountNumberFilter('Only keywords on this number');

export const getAll = defineOperation({
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many keywords',
	description: 'Get your keywords and what each of them does',
	fields: [...listing, filters(number)],
	run: ({ list }, { filters, ...input }) => list(getKeywords, filters, readLimit(input)),
});

const activate = switchField({
	displayName: 'Activate',
	name: 'activate',
	default: true,
	description: 'Whether to open the keyword right away',
});

export const create = defineOperation({
	value: 'create',
	name: 'Create',
	action: 'Create keyword',
	description:
		'Add a keyword to one of your numbers, to forward or reply to messages that start with it. Keywords may cost extra, depending on your plan.',
	fields: [keywordField, accountNumber, options(required(activate), reference, ...forwarding)],
	once: true,
	run: async ({ call }, { keyword, number, options }) => {
		const { activate, reference } = options;
		const values = { keyword, number, activate, reference, ...forwardingValues(options) };
		return await call(addKeyword, values, { deliversTo: options.forwardUrl });
	},
});

const status = field(optionalInAnyCase(keywordStatuses), {
	displayName: 'Status',
	name: 'status',
	type: 'options',
	options: [
		{ name: 'Closed', value: 'Closed', description: 'Messages with the keyword have no effect' },
		{ name: 'Open', value: 'Open' },
	],
	default: 'Open',
	description: "Open keywords react to messages; closed keywords don't",
});

const changeable = [status, reference, ...forwarding] as const;

const changesOf = ({ status, reference, ...others }: Partial<InputOf<typeof changeable>>) => ({
	status,
	reference,
	...forwardingValues(others),
});

/**
 * Runs updates of the same keyword one at a time, so none of them writes back a status that another one has just
 * changed.
 */
const keywordMutex = keyedSemaphore(1).runUnlessCancelled;

export const update = defineOperation({
	value: 'update',
	name: 'Update',
	action: 'Update keyword',
	description:
		'Update, open or close a keyword. Options you add replace the current settings, which other apps may use. Other settings stay unchanged.',
	fields: [keywordField, accountNumber, options(...changeable)],
	check: ({ options }) => void requireChange(changesOf(options)),
	run: async ({ clock, ...service }, { keyword, number, options }) =>
		await keywordMutex(clock, `${number} ${keyword.toLowerCase()}`, async () => {
			const changes = changesOf(options);
			// If no status is sent, the service opens the keyword, so the current status is sent.
			const status = changes.status ?? (await keywordStatus(service, { keyword, number }));
			const values = { keyword, number, ...changes, status };
			return await service.call(editKeyword, values, { deliversTo: options.forwardUrl });
		}),
});

export const keyword: Resource = {
	value: 'keyword',
	name: 'Keyword',
	description: 'Words that people text to one of your numbers',
	connection: 'basic',
	operations: [getAll, create, update],
};
