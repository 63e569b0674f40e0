import { normalizeNumber } from '../messages/phoneNumber.ts';
import { type ChatContent, getMessage, listMessages, sendMessage, textContent } from './chat.ts';
import { toFields, type V2Call, type V2Route, type Validation } from './dialect.ts';

const MAX_TEXT_LENGTH = 4096;

/** Default: the account's first sender. */
function readSender({ state, fields }: V2Call, { issues }: Validation): string {
	const { whatsappSenders } = state.settings;
	const [usual] = whatsappSenders;
	if (usual === undefined) {
		const message = 'no WhatsApp sender found for this account';
		issues.push({ name: 'account_id', message });
		return '';
	}
	if (fields.sender === undefined || fields.sender === null || fields.sender === '') return usual;
	const sender = normalizeNumber(String(fields.sender)) ?? '';
	if (!whatsappSenders.includes(sender))
		issues.push({ name: 'sender', message: 'Sender not found' });
	return sender;
}

const isStringArray = (value: unknown): value is string[] =>
	Array.isArray(value) && value.every((one) => typeof one === 'string');

function readTemplate(content: unknown, { issues }: Validation): ChatContent | undefined {
	const { name, parameters = [], locale } = toFields(content);
	if (typeof name !== 'string' || name === '') {
		issues.push({ name: 'content', message: 'content.template.name is required' });
		return undefined;
	}
	if (!isStringArray(parameters)) {
		const message = 'content.template.parameters must be an array of strings';
		issues.push({ name: 'content', message });
		return undefined;
	}
	const text = [`Template ${name}`, ...parameters].join(', ');
	return { text, content: { name, parameters, ...(typeof locale === 'string' && { locale }) } };
}

function readCustom(content: unknown, { issues }: Validation): ChatContent | undefined {
	const custom = toFields(content);
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
