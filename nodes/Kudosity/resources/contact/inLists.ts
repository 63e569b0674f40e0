import { InputError } from '../../api/errors';
import { field, shownWhen } from '../../fields/field';
import { listId } from '../../fields/listId';
import { trueOrFalse } from '../../fields/readers/number';
import { refuse } from '../../fields/refusal';

/** An expression that delivers nothing says neither: one list would be too few, all of them too many. */
const oneOrAll = (value: unknown): boolean =>
	trueOrFalse(value) ?? refuse('is empty', 'Use true or false, or an expression that delivers one');

/** One list, or all of them: two fields, of which `listIdOf` makes one value. */
export const inLists = (description: string) =>
	[
		field(
			{ displayName: 'All Lists', name: 'allLists', type: 'boolean', default: false, description },
			oneOrAll,
		),
		shownWhen({ allLists: [false] }, listId),
	] as const;

const everyList = '0';

/**
 * The `list_id` that the service wants.
 *
 * @throws InputError when neither is chosen, which the service would take for all lists
 */
export const listIdOf = ({ allLists, listId }: { allLists?: boolean; listId?: string }): string => {
	if (allLists) return everyList;
	if (listId !== undefined) return listId;
	throw new InputError("'List' is empty", 'Choose a list, or switch All Lists on');
};
