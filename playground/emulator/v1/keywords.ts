import { v1FieldRefusal, v1Refusal } from '../http/refusal.ts';
import type { Keyword } from '../model.ts';
import { nextNumber } from '../state.ts';
import { DAY_MS, required, type V1Call, type V1Fields, v1Page, type V1Route } from './dialect.ts';
import { ownsNumber } from './numbers.ts';

/** Omits the ID. Unset fields are empty. */
const keywordRecord = ({ keyword, number, status, billing_date, settings }: Keyword) => ({
	keyword,
	reference: settings.reference ?? '',
	number,
	list_id: settings.list_id ? Number(settings.list_id) : '',
	welcome_message: settings.welcome_message ?? '',
	member_message: settings.members_message ?? '',
	forward_url: settings.forward_url ?? '',
	forward_sms: settings.forward_sms ?? '',
	forward_email: settings.forward_email ?? '',
	status,
	billing_date,
});

const readKey = (fields: V1Fields) => ({
	keyword: required(fields, 'keyword').toUpperCase(),
	number: required(fields, 'number').replace(/^\+/, ''),
});

export function findKeyword({ state, fields }: V1Call): Keyword | undefined {
	const { keyword, number } = readKey(fields);
	return state.keywords.find((one) => one.keyword === keyword && one.number === number);
}

const MAX_REFERENCE_LENGTH = 100;

function refuseReference({ reference = '' }: V1Fields): void {
	if (reference.length <= MAX_REFERENCE_LENGTH) return;
	const description = `Field 'reference' is longer than ${MAX_REFERENCE_LENGTH} characters`;
	throw v1FieldRefusal('FIELD_INVALID', description);
}

/** Default when adding and editing, as documented: active. */
const readActivation = ({ activate = '' }: V1Fields): Keyword['status'] =>
	/^(?:false|0|no)$/i.test(activate) ? 'closed' : 'open';

function addKeyword(call: V1Call) {
	const { state, fields } = call;
	const key = readKey(fields);
	if (!ownsNumber(state, key.number)) {
		throw v1FieldRefusal('FIELD_INVALID', 'This number is not leased to you.');
	}
	if (findKeyword(call)) throw v1Refusal(400, 'KEY_EXISTS');
	refuseReference(fields);
	const added: Keyword = {
		...key,
		id: nextNumber(state),
		status: readActivation(fields),
		billing_date: new Date(Date.now() + 30 * DAY_MS).toISOString().slice(0, 10),
		settings: fields,
	};
	state.keywords.push(added);
	return keywordRecord(added);
}

function editKeyword(call: V1Call) {
	const keyword = findKeyword(call);
	if (!keyword) throw v1FieldRefusal('NOT_FOUND', 'Keyword does not exist');
	refuseReference(call.fields);
	keyword.settings = { ...keyword.settings, ...call.fields };
	const { status = readActivation(call.fields) } = call.fields;
	if (!/^(?:open|closed)$/i.test(status)) {
		throw v1FieldRefusal('FIELD_INVALID', "Field 'status' must be Open or Closed");
	}
	keyword.status = status.toLowerCase() as Keyword['status'];
	return keywordRecord(keyword);
}

function getKeywords(call: V1Call) {
	const number = call.fields.number?.replace(/^\+/, '');
	const rows = call.state.keywords.filter((one) => !number || one.number === number);
	return v1Page(call, { key: 'keywords', total: 'keywords_total', rows }, keywordRecord);
}

export const keywordRoutes: V1Route[] = [
	{ method: 'POST', path: '/add-keyword.json', run: addKeyword },
	{ method: 'POST', path: '/edit-keyword.json', run: editKeyword },
	{ method: 'POST', path: '/get-keywords.json', run: getKeywords },
];
