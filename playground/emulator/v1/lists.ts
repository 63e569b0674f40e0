import { catalogueList, catalogueMember } from '../catalogue.ts';
import { v1FieldRefusal, v1Refusal } from '../http/refusal.ts';
import type { List, Member } from '../model.ts';
import { nextNumber, type State } from '../state.ts';
import { v1DateTime } from '../timestamps.ts';
import {
	required,
	requiredInteger,
	type V1Call,
	type V1Fields,
	v1Page,
	type V1Route,
} from './dialect.ts';

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
		const { active: usual, deleted, optedOut, ...list } = catalogueList(index);
		const active = index === 0 && listMembers !== null ? listMembers : usual;
		const statuses: Array<Member['status']> = [
			...Array<'active'>(active).fill('active'),
			...Array<'deleted'>(deleted).fill('deleted'),
			...Array<'optout'>(optedOut).fill('optout'),
		];
		const members = statuses.map((status, place) => seededMember(place, status));
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

/** Those of `field_1` to `field_10` that are given. */
export const pickCustomFields = (fields: V1Fields): Record<string, string> =>
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
	const list: List = { id, name, created, fields: pickCustomFields(fields), members: new Map() };
	state.lists.set(id, list);
	return list;
}

export const filterMembers = ({ members }: List, status?: Member['status']): Member[] =>
	[...members.values()].filter((member) => status === undefined || member.status === status);

/** Pairs in v1 format: an object, or with `response_style=array` a list of names and values. */
export const formatPairs = (pairs: Record<string, string>, style: string | undefined) =>
	style === 'array' ? Object.entries(pairs).map(([name, value]) => ({ name, value })) : pairs;

/** As in the service, an object by slot, but an empty array when there are no custom fields. */
const formatFields = ({ fields }: List, style: string | undefined) =>
	Object.keys(fields).length === 0 ? [] : formatPairs(fields, style);

const createdRecord = (list: List, style: string | undefined) => ({
	id: list.id,
	name: list.name,
	created: list.created,
	members_active: filterMembers(list, 'active').length,
	fields: formatFields(list, style),
});

const listRecord = (list: List, style: string | undefined) => ({
	...createdRecord(list, style),
	members_total: list.members.size,
});

/** Custom fields are keyed by name, not by slot, and absent if the list has none. */
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
		...(named.length > 0 && { fields: formatPairs(Object.fromEntries(named), style) }),
	};
}

function getLists(call: V1Call) {
	const lists = [...call.state.lists.values()];
	const newRow = (index: number): List => ({ ...catalogueList(index), members: new Map() });
	const list = { key: 'lists', total: 'lists_total', rows: lists, newRow };
	return v1Page(call, list, (row) => listRecord(row, call.fields.response_style));
}

const wantedStatuses: Record<string, string[]> = {
	active: ['active'],
	inactive: ['optout', 'deleted'],
	optout: ['optout'],
};

function getList(call: V1Call) {
	const { members, response_style: style } = call.fields;
	const list = findList(call);
	const record = createdRecord(list, style);
	if (members === 'none') return { members_total: list.members.size, ...record };
	const statuses = wantedStatuses[members ?? ''];
	const rows = filterMembers(list).filter(({ status }) => !statuses || statuses.includes(status));
	const page = v1Page(call, { key: 'members', total: 'members_total', rows }, (member) =>
		memberRecord(list, member, style),
	);
	// The total counts every member, including those not requested.
	return { ...page, members_total: list.members.size, ...record };
}

function addField(call: V1Call) {
	const list = findList(call);
	const given = pickCustomFields(call.fields);
	if (Object.keys(given).length === 0) throw v1Refusal(400, 'MISSING_PARAM');
	Object.assign(list.fields, given);
	const named = Object.entries(given).map(([slot, value]) => ({
		name: slot.replace('field_', 'custom_'),
		value,
	}));
	if (call.fields.response_style === 'array') return { fields: named, id: list.id };
	return { ...Object.fromEntries(named.map(({ name, value }) => [name, value])), id: list.id };
}

function removeList(call: V1Call) {
	call.state.lists.delete(findList(call).id);
	return {};
}

export const listRoutes: V1Route[] = [
	{ method: 'GET', path: '/get-lists.json', run: getLists },
	{ method: 'POST', path: '/get-list.json', run: getList },
	{
		method: 'POST',
		path: '/add-list.json',
		run: ({ state, fields }) => createdRecord(createList(state, fields), fields.response_style),
	},
	{ method: 'POST', path: '/remove-list.json', run: removeList },
	{ method: 'POST', path: '/add-field-to-list.json', run: addField },
];
