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

const issue = z
	.looseObject({ name: z.string().optional(), field: z.string().optional(), message: z.string() })
	.transform(({ name, field, message }): FieldIssue => ({ field: name ?? field ?? '', message }));

/** RFC 9457 problem details. The service wraps them in `error`, its error registry shows them bare. */
const problem = z.object({
	title: z.string(),
	detail: z.string().optional(),
	issues: z.array(issue).optional().catch(undefined),
});

const v1SuccessCode = 'SUCCESS';

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
	const coded = codeError.safeParse(body);
	if (coded.success) {
		return coded.data.error.code === v1SuccessCode ? undefined : fromCode(coded.data.error);
	}
	const wrapped = z.object({ error: problem }).safeParse(body);
	const bare = wrapped.success ? wrapped.data.error : problem.safeParse(body).data;
	if (bare) return { code: bare.title, detail: bare.detail, issues: bare.issues };
	const text = z.object({ error: z.string() }).safeParse(body).data?.error;
	return text === undefined || text === '' ? undefined : { code: text, detail: text };
};
