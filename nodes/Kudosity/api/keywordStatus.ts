import { getKeywords, keywordStatuses } from './endpoints/keyword';
import { inAnyCase } from './inAnyCase';
import type { Service } from './service';

/** Whether a keyword is open, as an update says it; undefined for one that is not found. */
export const keywordStatus = async (
	{ list }: Service,
	{ keyword, number }: { keyword: string; number: string },
): Promise<(typeof keywordStatuses)[number] | undefined> => {
	for await (const one of list(getKeywords, { number })) {
		if (one.number === number && inAnyCase([keyword], String(one.keyword))) {
			return inAnyCase(keywordStatuses, String(one.status));
		}
	}
	return undefined;
};
