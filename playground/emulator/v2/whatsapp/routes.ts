import { normaliseNumber } from '../../messages/phoneNumber.ts';
import { fieldsOf, type Validation } from '../body.ts';
import { getMessage, listMessages } from '../chat/list.ts';
import { sendMessage, textContent, type ChatContent } from '../chat/send.ts';
import type { V2Call, V2Route } from '../dialect.ts';

const MAX_TEXT_LENGTH = 4096;

/** The first sender of the account unless told. */
function readSender({ state, fields }: V2Call, { issues }: Validation): string {
	const { whatsappSenders } = state.settings;
	const [usual] = whatsappSenders;
	if (usual === undefined) {
		const message = 'no WhatsApp sender found for this account';
		issues.push({ name: 'account_id', message });
		return '';
	}
	if (fields.sender === undefined || fields.sender === null || fields.sender === '') return usual;
	const sender = normaliseNumber(String(fields.sender)) ?? '';
	if (!whatsappSenders.includes(sender))
		issues.push({ name: 'sender', message: 'Sender not found' });
	return sender;
}

const isTexts = (value: unknown): value is string[] =>
	Array.isArray(value) && value.every((one) => typeof one === 'string');

function readTemplate(content: unknown, { issues }: Validation): ChatContent | undefined {
	const { name, parameters = [], locale } = fieldsOf(content);
	if (typeof name !== 'string' || name === '') {
		issues.push({ name: 'content', message: 'content.template.name is required' });
		return undefined;
	}
	if (!isTexts(parameters)) {
		const message = 'content.template.parameters must be an array of strings';
		issues.push({ name: 'content', message });
		return undefined;
	}
	const text = [`Template ${name}`, ...parameters].join(', ');
	return { text, content: { name, parameters, ...(typeof locale === 'string' && { locale }) } };
}

function readCustom(content: unknown, { issues }: Validation): ChatContent | undefined {
	const custom = fieldsOf(content);
	if (Object.keys(custom).length > 0) return { text: JSON.stringify(custom), content: custom };
	issues.push({ name: 'content', message: 'content.custom is required' });
	return undefined;
}

const sendWhatsapp = sendMessage({
	channel: 'WHATSAPP',
	readSender,
	contents: { text: textContent(MAX_TEXT_LENGTH), template: readTemplate, custom: readCustom },
});

export const whatsappRoutes: V2Route[] = [
	{ method: 'POST', path: '/v2/whatsapp/messages', run: sendWhatsapp },
	{ method: 'GET', path: '/v2/whatsapp/messages', run: listMessages('WHATSAPP') },
	{ method: 'GET', path: '/v2/whatsapp/messages/{id}', run: getMessage('WHATSAPP') },
];
