import { v1FieldRefusal, v1Refusal } from '../http/refusal.ts';
import { hasOptedOut, recordOptOut } from '../messages/messages.ts';
import type { List, Member } from '../model.ts';
import { v1DateTime } from '../timestamps.ts';
import { requiredMobile, type V1Call, type V1Route } from './dialect.ts';
import { pickCustomFields, findList, memberRecord } from './lists.ts';

const notInList = 'Contact with such mobile does not exist in this list';

function findMember(list: List, msisdn: string): Member {
	const member = list.members.get(msisdn);
	if (member && member.status !== 'deleted') return member;
	throw v1FieldRefusal('NOT_FOUND', notInList);
}

function refuseKnown(call: V1Call, known: Member | undefined, msisdn: string): void {
	if (known?.status === 'active') {
		throw v1FieldRefusal('KEY_EXISTS', 'Contact with such mobile already exists');
	}
	if (known?.status === 'optout' || hasOptedOut(call.state, call.account.id, msisdn)) {
		throw v1Refusal(400, 'OPTOUT');
	}
	if (known) throw v1Refusal(400, 'DUPLICATE_DELETED');
}

function addMember(call: V1Call) {
	const { fields } = call;
	const list = findList(call);
	const msisdn = requiredMobile(fields);
	refuseKnown(call, list.members.get(msisdn), msisdn);
	const member: Member = {
		msisdn,
		first_name: fields.first_name ?? '',
		last_name: fields.last_name ?? '',
		created_at: v1DateTime(new Date()),
		status: 'active',
		values: pickCustomFields(fields),
	};
	list.members.set(msisdn, member);
	return memberRecord(list, member, fields.response_style);
}

/** Fields that are left out do not change. */
function editMember(call: V1Call) {
	const { fields } = call;
	const list = findList(call);
	const member = findMember(list, requiredMobile(fields));
	member.first_name = fields.first_name ?? member.first_name;
	member.last_name = fields.last_name ?? member.last_name;
	Object.assign(member.values, pickCustomFields(fields));
	return memberRecord(list, member, fields.response_style);
}

function getMember(call: V1Call) {
	const list = findList(call);
	const member = findMember(list, requiredMobile(call.fields));
	return memberRecord(list, member, call.fields.response_style);
}

/** The requested list if the contact is in it, or with `0` or none requested, all lists of the contact. */
function listsWith(call: V1Call, msisdn: string): Array<{ list: List; member: Member }> {
	const asked = call.fields.list_id;
	const lists = asked && asked !== '0' ? [findList(call)] : [...call.state.lists.values()];
	const found = lists.flatMap((list) => {
		const member = list.members.get(msisdn);
		return member && member.status !== 'deleted' ? [{ list, member }] : [];
	});
	if (found.length === 0) throw v1FieldRefusal('NOT_FOUND', notInList);
	return found;
}

function deleteMember(call: V1Call) {
	const found = listsWith(call, requiredMobile(call.fields));
	for (const { member } of found) member.status = 'deleted';
	return { list_ids: found.map(({ list }) => list.id) };
}

/** With the global opt-out, one list counts for all. */
function optOutMember(call: V1Call) {
	const msisdn = requiredMobile(call.fields);
	const found = listsWith(call, msisdn);
	for (const { member } of found) member.status = 'optout';
	const isGlobal = call.state.settings.globalOptOut || (call.fields.list_id ?? '0') === '0';
	if (isGlobal) recordOptOut(call.state, call.account.id, msisdn);
	call.state.changes.notify();
	return { list_ids: found.map(({ list }) => list.id) };
}

export const contactRoutes: V1Route[] = [
	{ method: 'POST', path: '/add-to-list.json', run: addMember },
	{ method: 'POST', path: '/edit-list-member.json', run: editMember },
	{ method: 'POST', path: '/get-contact.json', run: getMember },
	{ method: 'POST', path: '/delete-from-list.json', run: deleteMember },
	{ method: 'POST', path: '/optout-list-member.json', run: optOutMember },
];
