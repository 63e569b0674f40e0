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

type RichMessage = { content_type?: string | null; content?: Record<string, unknown> | null };

/** Checks `content` against the kind that `content_type` names; kinds that nobody knows pass. */
export const checkContent = (
	{ content_type: contentType, content }: RichMessage,
	context: z.RefinementCtx<RichMessage>,
): void => {
	const known = contentTypes.find((type) => type === contentType?.toUpperCase());
	if (known === undefined) return;
	const key = known.toLowerCase();
	for (const { message, path } of shapes[known].safeParse(content?.[key]).error?.issues ?? []) {
		context.addIssue({ code: 'custom', message, path: ['content', key, ...path] });
	}
};
