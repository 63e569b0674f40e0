import { z } from 'zod/v4';
import type { ApiErrorFields, FieldIssue } from '../errors';

const recipients = z.array(z.union([z.string(), z.number()]).transform(String)).catch([]);

/** v1, and v2 where the key is wrong: `{error: {code, description}}`; RECIPIENTS_ERROR describes with lists. */
const codeError = z.object({
	error: z.object({
		code: z.string(),
		description: z
			.union([z.string(), z.looseObject({ fails: recipients, optouts: recipients })])
			.optional()
			.catch(undefined),
	}),
});

const optionalWord = z.string().optional().catch(undefined);

const issue = z
	.looseObject({ name: optionalWord, field: optionalWord, message: z.string() })
	.transform(({ name, field, message }): FieldIssue => ({ field: name ?? field ?? '', message }));

/** An issue of another shape does not hide the others. */
const issues = z
	.array(issue.or(z.unknown().transform(() => undefined)))
	.transform((list) => list.filter((entry) => entry !== undefined))
	.optional()
	.catch(undefined);

/** RFC 9457 problem details. The service wraps them in `error`, its error registry shows them bare. */
const problem = z.object({
	title: z.string(),
	detail: optionalWord,
	issues,
	attempts_remaining: z.number().int().optional().catch(undefined),
});

const wrappedProblem = z.object({ error: problem });
const plainText = z.object({ error: z.string() });

const v1SuccessCode = 'SUCCESS';

/** Every error body has one of these; a success is looked at in no time. */
const canBeError = (body: unknown): boolean =>
	typeof body === 'object' && body !== null && ('error' in body || 'title' in body);

const fromCode = ({ code, description }: z.infer<typeof codeError>['error']) =>
	typeof description === 'object'
		? {
				code,
				failedRecipients: description.fails,
				optedOutRecipients: description.optouts,
			}
		: { code, detail: description };

/**
 * Reads any of the service's error bodies: the v1 code, the v2 problem (wrapped or bare), the plain string.
 * `undefined` when the body is none of them.
 */
export const readErrorBody = (body: unknown): Omit<ApiErrorFields, 'status'> | undefined => {
	if (!canBeError(body)) return undefined;
	const coded = codeError.safeParse(body);
	if (coded.success) {
		return coded.data.error.code === v1SuccessCode ? undefined : fromCode(coded.data.error);
	}
	const wrapped = wrappedProblem.safeParse(body);
	const bare = wrapped.success ? wrapped.data.error : problem.safeParse(body).data;
	if (bare) {
		const { title: code, detail, issues, attempts_remaining: attemptsRemaining } = bare;
		return { code, detail, issues, ...(attemptsRemaining !== undefined && { attemptsRemaining }) };
	}
	const text = plainText.safeParse(body).data?.error;
	return text === undefined || text === '' ? undefined : { code: text, detail: text };
};
