import { chatText } from '../../fields/message';
import type { Json } from '../../lib/json';
import { field, type InputOf, refuse, shownWhen } from '../../fields/field';
import { nameField } from '../../fields/collections';
import { isText, jsonObject, oneOf, optionalText, requiredText } from '../../fields/readers';

const contentTypes = ['text', 'template', 'custom'] as const;

const contentType = field(oneOf(contentTypes), {
	displayName: 'Content Type',
	name: 'contentType',
	type: 'options',
	noDataExpression: true,
	options: [
		{
			name: 'Custom',
			value: 'custom',
			description: "Any message of Meta's Cloud API, e.g. with a picture",
		},
		{
			name: 'Template',
			value: 'template',
			description: 'A template approved by WhatsApp. You can use it to start a conversation.',
		},
		{
			name: 'Text',
			value: 'text',
			description: "Free-form text, only within 24 hours of the contact's last message",
		},
	],
	default: 'text',
	description:
		"What to send. More than 24 hours after the contact's last message, WhatsApp only accepts templates.",
});

const message = chatText(requiredText, 'The text to send');

const templateName = nameField({
	displayName: 'Template Name',
	name: 'templateName',
	placeholder: 'e.g. order_confirmation',
	description: 'Exact name of a template that WhatsApp has approved for your account',
});

/** Parameters are positional, so a missing one would shift all that follow. */
const parameterAt = (value: unknown, index: number): string =>
	isText(value) && String(value).trim() !== ''
		? String(value)
		: refuse(
				`has no text at position ${index + 1}`,
				'Enter a value for each variable of the template, or check what the expressions return',
			);

const parameters = (value: unknown): string[] => {
	if (value === undefined || value === null || value === '') return [];
	return (Array.isArray(value) ? value : [value]).map(parameterAt);
};

const templateParameters = field(parameters, {
	displayName: 'Template Parameters',
	name: 'templateParameters',
	type: 'string',
	typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Template Parameter' },
	default: [],
	placeholder: 'e.g. Sam',
	description: 'Values for {{1}}, {{2}} and so on, in order',
});

const templateLocale = field((value) => optionalText(value)?.trim(), {
	displayName: 'Template Language',
	name: 'templateLocale',
	type: 'string',
	default: '',
	placeholder: 'e.g. en_US',
	description: 'Language code of the template, e.g. en_US. Defaults to en.',
});

const parties = ['to', 'recipient', 'from', 'sender'];

/** The sending limits only check the Recipient field; a recipient inside the content would bypass them. */
const withoutParties = (value: unknown): Json => {
	const message = jsonObject(value);
	const party = Object.keys(message).find((name) => parties.includes(name.trim().toLowerCase()));
	return party === undefined
		? message
		: refuse(`has '${party}'`, "Remove it: 'Recipient' and 'Sender' already set it");
};

const content = field(withoutParties, {
	displayName: 'Content',
	name: 'content',
	type: 'json',
	typeOptions: { rows: 6 },
	required: true,
	default: '{\n  "type": "image",\n  "image": { "link": "https://example.com/picture.jpg" }\n}',
	description:
		"The message in the format of Meta's Cloud API, without recipient and sender. Also for templates with pictures.",
});

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
