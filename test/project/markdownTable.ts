/** A table as Markdown; prettier aligns it. */
export const markdownTable = (titles: string[], rows: string[][]): string =>
	[titles, titles.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
