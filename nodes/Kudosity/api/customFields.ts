import { InputError } from './errors';
import { isJson } from './json';

/** A custom field of a contact list. */
export type CustomField = {
	/** 1 to 10; there can be gaps. */
	slot: number;
	name: string;
};

export const mostCustomFields = 10;

const isFilled = (value: unknown): value is string | number =>
	typeof value === 'number' || (typeof value === 'string' && value.trim() !== '');

/** `[]`, an object by slot, or a list of slot and name: the service writes them in all three forms. */
const pairsOf = (fields: unknown): Array<[unknown, unknown]> => {
	if (isJson(fields)) return Object.entries(fields);
	return [fields]
		.flat()
		.map((each: unknown) => (isJson(each) ? [each.name, each.value] : ['', each]));
};

const slotsIn = (pairs: Array<[unknown, unknown]>): CustomField[] =>
	pairs
		.map(([key, name]) => ({
			slot: Number(/^(?:field|custom)_(\d+)$/.exec(String(key))?.[1]),
			name,
		}))
		.filter((each): each is CustomField => each.slot > 0 && isFilled(each.name))
		.map(({ slot, name }) => ({ slot, name: String(name) }))
		.sort((one, other) => one.slot - other.slot);

/**
 * The custom fields of a list, from the `fields` of its record, in the order of their slots.
 *
 * @throws InputError there are some, but nobody can tell their slots: taken for free, one would be renamed
 */
export const customFieldsOf = (fields: unknown): CustomField[] => {
	const pairs = pairsOf(fields);
	const known = slotsIn(pairs);
	if (known.length === 0 && pairs.some(([, name]) => isFilled(name))) {
		throw new InputError(
			'Kudosity names custom fields of the list without their slots',
			'Nothing was written, since it could change another field. Leave custom fields out, or ask Kudosity support',
		);
	}
	return known;
};

const plain = (name: string): string => name.trim().toLowerCase();

/** Whether two names mean the same field to somebody who types them. */
export const isSameName = (one: string, other: string): boolean => plain(one) === plain(other);

/** The field of this name; one that is written exactly so comes first. */
export const findCustomField = (fields: CustomField[], name: string): CustomField | undefined =>
	fields.find((field) => field.name === name) ??
	fields.find((field) => isSameName(field.name, name));

/** The slots that no field has, the lowest first. */
export const freeSlots = (fields: CustomField[]): number[] => {
	const taken = new Set(fields.map(({ slot }) => slot));
	const all = Array.from({ length: mostCustomFields }, (_, index) => index + 1);
	return all.filter((slot) => !taken.has(slot));
};

/** What a request calls values, or names, of slots: `field_1`, `field_4`. */
export const bySlot = (pairs: Array<[slot: number, text: string]>): Record<string, string> =>
	Object.fromEntries(pairs.map(([slot, text]) => [`field_${slot}`, text]));
