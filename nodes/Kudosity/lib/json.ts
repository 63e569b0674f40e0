export type Json = Record<string, unknown>;

/**
 * The maximum nesting depth. Real data has six levels. n8n stores items recursively, so a few thousand levels would
 * overflow its stack.
 */
export const maxDepth = 50;

export function isJson(value: unknown): value is Json {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Whether an object is a plain one rather than a date, an error or another class instance. Objects from n8n's sandboxes
 * come from another realm, so their prototype can't be compared with `Object.prototype`.
 */
function isPlain(value: object): boolean {
	const prototype: unknown = Object.getPrototypeOf(value);
	return prototype === null || Object.getPrototypeOf(prototype) === null;
}

export function parseJson(text: string): { value: unknown } | undefined {
	try {
		return { value: JSON.parse(text) };
	} catch {
		return undefined;
	}
}

export function omitUndefined(values: Json): Json {
	const kept: Json = {};
	for (const key of Object.keys(values)) {
		const value = values[key];
		if (value !== undefined) kept[key] = value;
	}
	return kept;
}

/**
 * Returns the value with each of its strings changed, or the value itself if nothing changes. Strings that are nested
 * too deeply remain unchanged.
 */
export function mapTexts(
	value: unknown,
	change: (text: string) => string,
	levels = maxDepth,
	known = new WeakMap<object, unknown>(),
): unknown {
	if (typeof value === 'string') return change(value);
	if (typeof value !== 'object' || value === null || levels === 0) return value;
	if (!Array.isArray(value) && !isPlain(value)) return value;
	if (known.has(value)) return known.get(value);
	known.set(value, value);
	const texts = Object.entries(value).map(
		([key, inner]) => [key, mapTexts(inner, change, levels - 1, known)] as const,
	);
	if (texts.every(([key, text]) => text === (value as Json)[key])) return value;
	const changed = Array.isArray(value) ? texts.map(([, text]) => text) : Object.fromEntries(texts);
	known.set(value, changed);
	return changed;
}

/**
 * Whether arrays and objects are nested more than `levels` deep. Looks no deeper than that, so deep nesting can't
 * overflow the stack.
 */
export function isDeeperThan(levels: number, value: unknown): boolean {
	if (typeof value !== 'object' || value === null) return false;
	if (levels === 0) return true;
	return Object.values(value).some((inner) => isDeeperThan(levels - 1, inner));
}

/** Keys that could pollute a prototype if a workflow's own code copies the object. */
export const unsafeKeys = ['__proto__', 'constructor', 'prototype'];

const ownValue = (object: Json, key: string): unknown =>
	Object.hasOwn(object, key) ? object[key] : undefined;

/**
 * Copies an object and sets the value at the end of a path. A value along the path that isn't an object is replaced.
 */
export function withValueAt(object: Json, [key = '', ...rest]: string[], value: unknown): Json {
	const inner = ownValue(object, key);
	if (rest.length === 0) return { ...object, [key]: value };
	return { ...object, [key]: withValueAt(isJson(inner) ? inner : {}, rest, value) };
}

/** Whether setting a value at the end of a path would replace an existing value. */
export function isTaken(object: Json, [key = '', ...rest]: string[]): boolean {
	const inner = ownValue(object, key);
	if (inner === undefined) return false;
	return rest.length > 0 && isJson(inner) ? isTaken(inner, rest) : true;
}

const notes = {
	deep: `nested deeper than ${maxDepth} levels: the inner part is output as text`,
	key: 'a key reserved by JavaScript was left out',
	number: 'a number that is too large is output as null',
};

function asText(value: object): string {
	try {
		return JSON.stringify(value);
	} catch {
		return '[too deeply nested to be shown]';
	}
}

type Note = (text: string) => void;

function cleanFields(fields: object, level: number, note: Note): object {
	const entries = Object.entries(fields);
	const kept = entries.filter(([key]) => !unsafeKeys.includes(key));
	if (kept.length < entries.length) note(notes.key);
	return Object.fromEntries(kept.map(([key, value]) => [key, clean(value, level + 1, note)]));
}

function clean(value: unknown, level: number, note: Note): unknown {
	if (typeof value === 'number' && !Number.isFinite(value)) {
		// n8n would show 1e400 as Infinity, but store it as null.
		note(notes.number);
		return null;
	}
	if (typeof value !== 'object' || value === null) return value;
	if (level > maxDepth) {
		note(notes.deep);
		return asText(value);
	}
	return Array.isArray(value)
		? value.map((inner) => clean(inner, level + 1, note))
		: cleanFields(value, level, note);
}

/**
 * Makes JSON safe for n8n and for workflows. Returns the object itself if nothing has to change, otherwise a cleaned
 * copy.
 */
export function toSafeJson(body: Json): { value: Json; issues: string[] } {
	const issues = new Set<string>();
	const cleaned = cleanFields(body, 1, (text) => void issues.add(text));
	return { value: issues.size > 0 ? (cleaned as Json) : body, issues: [...issues] };
}
