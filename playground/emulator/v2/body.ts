import { plainRefusal, problemRefusal, type Issue } from '../http/refusal.ts';

export type Fields = Record<string, unknown>;

/** The JSON object of a v2 request; anything else counts as an object without fields. */
export const fieldsOf = (body: unknown): Fields =>
	typeof body === 'object' && body !== null && !Array.isArray(body) ? (body as Fields) : {};

/** Collects everything that is wrong with a body, to be refused at once. */
export interface Validation {
	issues: Issue[];
	requiredText(name: string): string;
	refuseIfAny(): void;
}

export function validate(fields: Fields): Validation {
	const issues: Issue[] = [];
	return {
		issues,
		requiredText(name) {
			const value = fields[name];
			if (typeof value === 'string' && value !== '') return value;
			const isAbsent = value === undefined || value === null || value === '';
			issues.push({ name, message: `${name} ${isAbsent ? 'is required' : 'must be a string'}` });
			return '';
		},
		refuseIfAny() {
			if (issues.length > 0) throw problemRefusal(400, issues);
		},
	};
}

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

export function requireUuid(id: string, error: string): void {
	if (!uuid.test(id)) throw plainRefusal(400, error);
}
