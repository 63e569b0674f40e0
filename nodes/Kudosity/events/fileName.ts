const longestName = 200;

/**
 * A name under which a file may be stored. Whoever sends the MMS chooses its name, and n8n would take what
 * stands before a slash for a folder.
 */
export const fileNameOf = (name: string): string => {
	const last = name.split(/[/\\]/).at(-1) ?? '';
	const printable = last.replace(/[\p{Cc}\p{Cf}]/gu, '').slice(-longestName);
	return /^\.*$/.test(printable) ? 'file' : printable;
};
