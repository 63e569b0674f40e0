import type { Json } from '../api/json';
import type { Input } from '../fields/field';
import { onceEach } from '../api/onceEach';

/** Reads a list once for all items that ask for the same; each gets records of its own. */
export const oncePerInput = (read: (input: Input) => Promise<Json[]>) => {
	const once = onceEach();
	return async (input: Input): Promise<Json[]> => {
		let isReader = false;
		const list = await once(JSON.stringify(input), async () => {
			isReader = true;
			return await read(input);
		});
		return isReader ? list : list.map((record) => ({ ...record }));
	};
};
