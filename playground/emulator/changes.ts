/** Tells listeners that something happened, at most once per turn of the event loop. */
export interface Changes {
	revision(): number;
	notify(): void;
	listen(listener: () => void): () => void;
}

export function createChanges(): Changes {
	const listeners = new Set<() => void>();
	let revision = 0;
	let isAnnounced = false;
	const announce = () => {
		isAnnounced = false;
		for (const listener of [...listeners]) listener();
	};
	return {
		revision: () => revision,
		notify() {
			revision += 1;
			if (isAnnounced || listeners.size === 0) return;
			isAnnounced = true;
			setImmediate(announce);
		},
		listen(listener) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
	};
}
