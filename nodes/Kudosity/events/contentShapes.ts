import { z } from 'zod/v4';

const file = z.looseObject({ url: z.string() });

/** What each kind of rich message carries, under the kind's own name in lower case. */
const shapes = {
	TEXT: z.looseObject({ message: z.string() }),
	IMAGE: file,
	VIDEO: file,
	AUDIO: file,
	FILE: file,
	LOCATION: z.looseObject({ lat: z.number(), long: z.number() }),
	CONTACT: z.looseObject({
		emails: z.array(z.looseObject({ email: z.string() })).nullable(),
		name: z.looseObject({}).nullable(),
		phones: z.array(z.looseObject({ phone: z.string() })).nullable(),
	}),
	REPLY: z.looseObject({ id: z.string() }),
	STICKER: file,
	BUTTON: z.looseObject({ text: z.string(), payload: z.string() }),
	REACTION: z.looseObject({ action: z.string() }),
};

/** The kinds of rich message of RCS and WhatsApp. */
const contentTypes = Object.keys(shapes) as Array<keyof typeof shapes>;

type RichMessage = {
	content_type?: string | null;
	content?: Record<string, unknown> | null;
	unreadContent?: unknown;
};

/**
 * Checks `content` against the kind that `content_type` names. Kinds that nobody knows pass, and what was checked
 * before.
 */
export const checkContent = (message: RichMessage, context: z.RefinementCtx<RichMessage>): void => {
	if ('unreadContent' in message) return;
	const { content_type: contentType, content } = message;
	const known = contentTypes.find((type) => type === contentType?.toUpperCase());
	if (known === undefined) return;
	const key = known.toLowerCase();
	for (const issue of shapes[known].safeParse(content?.[key]).error?.issues ?? []) {
		const path = ['content', key, ...issue.path];
		context.addIssue({ code: 'custom', message: issue.message, path });
	}
};
