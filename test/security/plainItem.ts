import type { INodeExecutionData } from 'n8n-workflow';

/** Events are cut at 50 levels; their copy in the item may lie a few deeper. */
const deepest = 60;

const problemsIn = (value: unknown, path: string, depth: number): string[] => {
	if (depth > deepest) return [`${path} is too deep`];
	if (value === null || typeof value === 'string' || typeof value === 'boolean') return [];
	if (typeof value === 'number') return Number.isFinite(value) ? [] : [`${path} is ${value}`];
	if (typeof value !== 'object') return [`${path} is ${typeof value}`];
	const prototype: unknown = Object.getPrototypeOf(value);
	if (prototype !== Object.prototype && prototype !== Array.prototype) {
		return [`${path} is no plain object`];
	}
	return Object.entries(value).flatMap(([key, inner]) =>
		['__proto__', 'constructor', 'prototype'].includes(key)
			? [`${path} has ${key}`]
			: problemsIn(inner, `${path}.${key}`, depth + 1),
	);
};

/** Why n8n would store something else than the item. */
export const problemsOfItem = ({ json }: INodeExecutionData): string[] =>
	problemsIn(json, 'json', 0);
