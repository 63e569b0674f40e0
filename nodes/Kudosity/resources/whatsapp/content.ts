import type { Json } from '../../lib/json';
import { field, type InputOf, refuse, shownWhen } from '../../fields/field';
import { nameField } from '../../fields/collections';
import { isText, jsonObject, oneOf, optionalText, requiredText } from '../../fields/readers';

const contentTypes = ['text', 'template', 'custom'] as const;

const contentType = field(
	{
		displayName: 'Content Type',
		name: 'contentType',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'Custom',
				value: 'custom',
				description: "A message as Meta's Cloud API describes it, e.g. with a picture",
			},
			{
				name: 'Template',
				value: 'template',
				description: 'A template that WhatsApp has approved. It may begin a conversation.',
			},
			{
				name: 'Text',
				value: 'text',
				description: 'A free text, within 24 hours after the person wrote to you',
			},
		],
		default: 'text',
		description:
			'What to send. WhatsApp takes a free text only within 24 hours after the person wrote to you; at any other time, use a template.',
	},
	oneOf(contentTypes),
);

const message = field(
	{
		displayName: 'Message',
		name: 'message',
		type: 'string',
		typeOptions: { rows: 4 },
		required: true,
		default: '',
		placeholder: 'e.g. Hi Sam, your order is ready',
		description: 'The text to send',
	},
	requiredText,
);

const templateName = nameField({
	displayName: 'Template Name',
	name: 'templateName',
	placeholder: 'e.g. order_confirmation',
	description: 'The exact name of a template that WhatsApp has approved for your account',
});

/** Parameters are positional, so a missing one would shift all that follow. */
const parameterAt = (value: unknown, index: number): string =>
	isText(value) && String(value).trim() !== ''
		? String(value)
		: refuse(
				`has no text at position ${index + 1}`,
				'Enter a value for each place of the template, or check that the expressions deliver them',
			);

const parameters = (value: unknown): string[] => {
	if (value === undefined || value === null || value === '') return [];
	return (Array.isArray(value) ? value : [value]).map(parameterAt);
};

const templateParameters = field(
	{
		displayName: 'Template Parameters',
		name: 'templateParameters',
		type: 'string',
		typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Template Parameter' },
		default: [],
		placeholder: 'e.g. Sam',
		description:
			'The texts that fill the places {{1}}, {{2}} and so on of the template, in their order: as many as it has places',
	},
	parameters,
);

const templateLocale = field(
	{
		displayName: 'Template Locale',
		name: 'templateLocale',
		type: 'string',
		default: '',
		placeholder: 'e.g. en_US',
		description: 'The language of the template, as WhatsApp names it. Empty means en.',
	},
	(value) => optionalText(value)?.trim(),
);

const parties = ['to', 'recipient', 'from', 'sender'];

/** The sending limits only check the Recipient field; a recipient inside the content would bypass them. */
const withoutParties = (value: unknown): Json => {
	const message = jsonObject(value);
	const party = Object.keys(message).find((name) => parties.includes(name.trim().toLowerCase()));
	return party === undefined
		? message
		: refuse(`has '${party}'`, 'Take it out: the message goes to Recipient, from Sender');
};

const content = field(
	{
		displayName: 'Content',
		name: 'content',
		type: 'json',
		typeOptions: { rows: 6 },
		required: true,
		default: '{\n  "type": "image",\n  "image": { "link": "https://example.com/picture.jpg" }\n}',
		description:
			"The message as Meta's Cloud API describes it, without recipient and sender. A template with a picture goes here as well.",
	},
	withoutParties,
);

/** The content type, and the fields of each type. */
export const contentFields = [
	contentType,
	shownWhen({ contentType: ['text'] }, message),
	shownWhen({ contentType: ['template'] }, templateName),
	shownWhen({ contentType: ['template'] }, templateParameters),
	shownWhen({ contentType: ['template'] }, templateLocale),
	shownWhen({ contentType: ['custom'] }, content),
] as const;

/** The content as the service expects it, nested under the name of its type. */
export const contentOf = (input: InputOf<typeof contentFields>) => {
	const { templateName: name, templateParameters: parameters, templateLocale: locale } = input;
	switch (input.contentType) {
		case 'text':
			return { text: { message: input.message } };
		case 'template':
			return { template: { name, parameters, locale } };
		case 'custom':
			return { custom: input.content };
	}
};
