import { getKeywords, keywordStatuses } from './endpoints/keyword';
import type { Service } from './service';

/** Whether a keyword is open, as an update says it; undefined for one that is not found. */
export const keywordStatus = async (
	{ list }: Service,
	{ keyword, number }: { keyword: string; number: string },
): Promise<(typeof keywordStatuses)[number] | undefined> => {
	const isIt = (name: unknown) => String(name).toLowerCase() === keyword.toLowerCase();
	for await (const one of list(getKeywords, { number })) {
		if (one.number === number && isIt(one.keyword)) {
			return keywordStatuses.find(
				(known) => known.toLowerCase() === String(one.status).toLowerCase(),
			);
		}
	}
	return undefined;
};
