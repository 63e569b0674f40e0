import { v1FieldRefusal } from '../http/refusal.ts';
import { hasOptedOut } from '../messages/messages.ts';
import { normalizeNumber } from '../messages/phoneNumber.ts';
import type { Import, List, Member } from '../model.ts';
import { v1DateTime } from '../timestamps.ts';
import { readCountry, required, type V1Call, type V1Route } from './dialect.ts';
import { createList, pickCustomFields, findList } from './lists.ts';

const cells = /,(?:"((?:[^"]|"")*)"|([^,]*))/g;

const splitRow = (row: string): string[] =>
	[...`,${row}`.matchAll(cells)].map(
		([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '',
	);

/** Rows as objects keyed by the header row. Cells cannot contain line breaks. */
function parseCsv(text: string): Array<Record<string, string>> {
	const [head = '', ...rows] = text
		.replace(/^\uFEFF/, '')
		.split(/\r?\n/)
		.filter((row) => row.trim() !== '');
	const headers = splitRow(head).map((header) => header.trim());
	return rows.map((row) => {
		const values = splitRow(row);
		return Object.fromEntries(headers.map((header, index) => [header, values[index] ?? '']));
	});
}

const nothingYet: Import = {
	status: 'in progress',
	importlength: 0,
	completed: 0,
	duplicates: 0,
	skipped: 0,
	optout: 0,
	imported: 0,
};

/** Only URLs on this machine are fetched. */
function readFileUrl(call: V1Call): string {
	const url = required(call.fields, 'file_url');
	const isLocal = URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
	if (isLocal && ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(url).hostname)) return url;
	throw v1FieldRefusal('FIELD_INVALID', "Field 'file_url' must be an address on this machine");
}

const plainName = (header: string) => header.toLowerCase().replace(/[\s_]/g, '');

/** Reads a contact from a row. Columns map to slots by the names of the list's fields. */
function readRow(list: List, row: Record<string, string>) {
	const values: Record<string, string> = {};
	const names: Pick<Partial<Member>, 'first_name' | 'last_name'> = {};
	for (const [header, value] of Object.entries(row)) {
		const plain = plainName(header);
		if (plain === 'firstname') names.first_name = value;
		if (plain === 'lastname') names.last_name = value;
		const slot = Object.entries(list.fields).find(([, name]) => plainName(name) === plain)?.[0];
		if (slot) values[slot] = value;
	}
	return { values, names };
}

/** Adds a row, or returns why not. */
function importRow(call: V1Call, list: List, row: Record<string, string>, seen: Set<string>) {
	const mobile = Object.entries(row).find(([header]) => plainName(header) === 'mobile')?.[1] ?? '';
	const msisdn = normalizeNumber(mobile, readCountry(call.fields));
	if (!msisdn) return 'skipped';
	if (seen.has(msisdn)) return 'duplicates';
	seen.add(msisdn);
	const known = list.members.get(msisdn);
	if (known?.status === 'optout' || hasOptedOut(call.state, call.account.id, msisdn))
		return 'optout';
	const { values, names } = readRow(list, row);
	list.members.set(msisdn, {
		msisdn,
		first_name: names.first_name ?? known?.first_name ?? null,
		last_name: names.last_name ?? known?.last_name ?? null,
		created_at: known?.created_at ?? v1DateTime(new Date()),
		status: 'active',
		values: { ...known?.values, ...values },
	});
	return 'imported';
}

function finish(call: V1Call, list: List, rows: Array<Record<string, string>>): void {
	const seen = new Set<string>();
	const progress: Import = { ...nothingYet, importlength: rows.length, completed: rows.length };
	for (const row of rows) progress[importRow(call, list, row, seen)] += 1;
	list.import = { ...progress, status: 'completed' };
	call.state.changes.notify();
}

async function readRows(url: string) {
	const response = await fetch(url, { redirect: 'error' });
	if (!response.ok) throw new Error(`Status ${response.status}`);
	const rows = parseCsv(await response.text());
	const hasMobile = Object.keys(rows[0] ?? {}).some((header) => plainName(header) === 'mobile');
	if (!hasMobile) throw new Error('No column "mobile"');
	return rows;
}

async function runImport(call: V1Call, list: List, url: string): Promise<void> {
	const { timers, settings } = call.state;
	try {
		const rows = await readRows(url);
		if (call.state.timers !== timers) return;
		list.import = { ...nothingYet, importlength: rows.length };
		timers.after(settings.importMs, () => finish(call, list, rows));
	} catch {
		list.import = { ...nothingYet, status: 'failed' };
	}
}

/** The answer only means that the import was accepted. */
function startImport(call: V1Call) {
	const { state, fields } = call;
	const url = readFileUrl(call);
	readCountry(fields);
	const list = fields.list_id ? findList(call) : createList(state, fields);
	Object.assign(list.fields, pickCustomFields(fields));
	list.import = nothingYet;
	void runImport(call, list, url);
	return { list_id: list.id };
}

function getProgress(call: V1Call) {
	const list = findList(call);
	if (list.import) return { list_id: list.id, ...list.import };
	throw v1FieldRefusal('NOT_FOUND', 'No import into this list exists');
}

export const importRoutes: V1Route[] = [
	{ method: 'POST', path: '/add-contacts-bulk.json', run: startImport },
	{ method: 'POST', path: '/add-contacts-bulk-progress.json', run: getProgress },
];
