/** A list that forgets its oldest entries; they are dropped in blocks so that adding stays cheap. */
export interface BoundedLog<Entry> {
	add(entry: Entry): Entry;
	all(): readonly Entry[];
}

export function createBoundedLog<Entry>(limit: number): BoundedLog<Entry> {
	const entries: Entry[] = [];
	const slack = Math.ceil(limit / 10);
	return {
		add(entry) {
			entries.push(entry);
			if (entries.length > limit + slack) entries.splice(0, entries.length - limit);
			return entry;
		},
		all: () => entries,
	};
}
