import { deepestLevel, isDeeperThan, isJson, type Json } from '../../api/json';
import { refuse } from '../refusal';

const parsed = (value: unknown): unknown => {
	if (typeof value !== 'string') return value;
	try {
		return JSON.parse(value);
	} catch {
		return undefined;
	}
};

/** A JSON object with something in it, or the text of one. */
export const jsonObject = (value: unknown): Json => {
	const object = parsed(value);
	if (!isJson(object)) {
		return refuse('is not a JSON object', 'Use an object in braces, e.g. {"type": "image"}');
	}
	if (isDeeperThan(deepestLevel, object)) {
		return refuse('is nested too deeply', `Use at most ${deepestLevel} levels`);
	}
	return Object.keys(object).length > 0
		? object
		: refuse('is empty', 'Enter at least one key, e.g. {"type": "image"}');
};
