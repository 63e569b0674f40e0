import { catalogueList, catalogueMember } from '../../catalogue.ts';
import { v1FieldRefusal, v1Refusal } from '../../http/refusal.ts';
import type { List, Member } from '../../model.ts';
import { nextNumber, type State } from '../../state.ts';
import { v1DateTime } from '../../timestamps.ts';
import type { V1Call } from '../dialect.ts';
import { required, requiredInteger, type V1Fields } from '../values.ts';

const SEEDED_AT = '2025-03-14 02:26:05';

const seededMember = (index: number, status: Member['status']): Member => ({
	msisdn: catalogueMember(index),
	first_name: null,
	last_name: null,
	created_at: SEEDED_AT,
	status,
	values: {},
});

export function seedLists(state: State): void {
	const { lists, listMembers } = state.settings;
	state.lists.clear();
	for (let index = 0; index < lists; index += 1) {
		const { active: usual, deleted, ...list } = catalogueList(index);
		const active = index === 0 && listMembers !== null ? listMembers : usual;
		const members = Array.from({ length: active + deleted }, (_, place) =>
			seededMember(place, place < active ? 'active' : 'deleted'),
		);
		const byNumber = new Map(members.map((member) => [member.msisdn, member]));
		state.lists.set(list.id, { ...list, members: byNumber });
	}
}

export function findList({ state, fields }: V1Call): List {
	const list = state.lists.get(requiredInteger(fields, 'list_id'));
	if (list) return list;
	throw v1FieldRefusal('NOT_FOUND', 'List with this ID does not exist');
}

const slots = Array.from({ length: 10 }, (_, index) => `field_${index + 1}`);

/** `field_1` to `field_10`, as far as they are given. */
export const fieldsGiven = (fields: V1Fields): Record<string, string> =>
	Object.fromEntries(
		slots.flatMap((slot) => (fields[slot] === undefined ? [] : [[slot, fields[slot]]])),
	);

export function createList(state: State, fields: V1Fields): List {
	const name = required(fields, 'name');
	if ([...state.lists.values()].some((list) => list.name === name)) {
		throw v1Refusal(400, 'KEY_EXISTS');
	}
	const created = v1DateTime(new Date());
	const id = nextNumber(state);
	const list: List = { id, name, created, fields: fieldsGiven(fields), members: new Map() };
	state.lists.set(id, list);
	return list;
}

export const membersOf = ({ members }: List, status?: Member['status']): Member[] =>
	[...members.values()].filter((member) => status === undefined || member.status === status);

/** Pairs as v1 writes them: an object, or with `response_style=array` a list of name and value. */
export const inStyle = (pairs: Record<string, string>, style: string | undefined) =>
	style === 'array' ? Object.entries(pairs).map(([name, value]) => ({ name, value })) : pairs;

/** An empty array without custom fields, an object by slot with them: the service does the same. */
const fieldsShown = ({ fields }: List, style: string | undefined) =>
	Object.keys(fields).length === 0 ? [] : inStyle(fields, style);

export const createdRecord = (list: List, style: string | undefined) => ({
	id: list.id,
	name: list.name,
	created: list.created,
	members_active: membersOf(list, 'active').length,
	fields: fieldsShown(list, style),
});

export const listRecord = (list: List, style: string | undefined) => ({
	...createdRecord(list, style),
	members_total: list.members.size,
});

/** Custom fields stand by name, not by slot, and are left out where the list has none. */
export function memberRecord(list: List, member: Member, style: string | undefined) {
	const { msisdn, first_name, last_name, created_at, status, values } = member;
	const named = Object.entries(list.fields).map(([slot, name]) => [name, values[slot] ?? '']);
	return {
		list_id: list.id,
		msisdn,
		first_name,
		last_name,
		created_at,
		status: status === 'deleted' ? 'inactive' : status,
		...(named.length > 0 && { fields: inStyle(Object.fromEntries(named), style) }),
	};
}
