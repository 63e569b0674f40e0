import { v1Refusal } from '../../http/refusal.ts';
import { catalogueList } from '../../catalogue.ts';
import type { List } from '../../model.ts';
import type { V1Call, V1Route } from '../dialect.ts';
import { v1Page } from '../page.ts';
import { importProgress, startImport } from './import.ts';
import {
	createdRecord,
	createList,
	fieldsGiven,
	findList,
	listRecord,
	memberRecord,
	membersOf,
} from './list.ts';

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
	const rows = membersOf(list).filter(({ status }) => !statuses || statuses.includes(status));
	const page = v1Page(call, { key: 'members', total: 'members_total', rows }, (member) =>
		memberRecord(list, member, style),
	);
	// The total counts every member, also those that were not asked for.
	return { ...page, members_total: list.members.size, ...record };
}

function addField(call: V1Call) {
	const list = findList(call);
	const given = fieldsGiven(call.fields);
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
	{ method: 'POST', path: '/add-contacts-bulk.json', run: startImport },
	{
		method: 'POST',
		path: '/add-contacts-bulk-progress.json',
		run: (call) => importProgress(findList(call)),
	},
];
