/** A page by number; the service skips `(number - 1) * size` records. */
export type NumberedPage = { number: number; size: number };

export const firstOf = ({ number, size }: NumberedPage): number => (number - 1) * size;

/**
 * The page that holds the record at `position` (from 0) and as many after it as possible. Numbers count in
 * pages of one size, so one of an odd size is what begins shortly before a given record.
 */
export const pageCovering = (position: number, largest: number): NumberedPage => {
	let best = { number: Math.floor(position / largest) + 1, size: largest };
	for (let size = largest - 1; size * 2 > largest; size--) {
		const page = { number: Math.floor(position / size) + 1, size };
		if (firstOf(page) + size > firstOf(best) + best.size) best = page;
	}
	return best;
};
