const cells = /,(?:"((?:[^"]|"")*)"|([^,]*))/g;

const splitRow = (row: string): string[] =>
	[...`,${row}`.matchAll(cells)].map(
		([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '',
	);

/** Rows by the names in the first one. A cell cannot hold a line break. */
export function parseCsv(text: string): Array<Record<string, string>> {
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
