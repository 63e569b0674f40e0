import { RCS_AGENT } from '../../playground/emulator/catalogue.ts';
import { createControl } from '../../playground/emulator/control/client.ts';
import { smartText } from '../helpers/exampleRuns.ts';
import { runOperation } from './emulator.ts';
import type { CredentialData } from './harness.ts';

type Fields = Record<string, unknown>;

const message = { message: 'Hi', recipient: '61491573770' };

const noResponse: Record<string, () => unknown> = {
	once: () => undefined,
	status: () => noResponse,
	send: () => noResponse,
};

type Question = { name: string; fields: Fields; channel: 'SMS' | 'RCS' | 'WHATSAPP' };

/** What comes out of a question with a reply; without one, it is what the run itself gives. */
const withReply = async (
	{ name, fields, channel }: Question,
	text: string,
	credentials: CredentialData,
): Promise<Fields[]> => {
	const control = createControl(String(credentials.kudosityKeyApi?.baseUrl));
	await control.settings({ retryDelaysMs: [] });
	const { json, receive } = await runOperation(name, fields, { credentials });
	await control.inbound({ channel, from: message.recipient, to: String(fields.sender), text });
	const [entry] = await control.waitForDeliveries({ webhookId: String(json[0]?.webhookId) });
	const webhooks = await control.webhooks();
	const { url } = webhooks.find(({ id }) => id === json[0]?.webhookId)!;
	const request = {
		headers: { 'content-type': 'application/json' },
		query: Object.fromEntries(new URL(url).searchParams),
		body: JSON.parse(String(entry?.payload)),
	};
	const { workflowData } = await receive(request, noResponse);
	return [...json, ...(workflowData?.[0] ?? []).map((item) => item.json)];
};

const questionSender = { SMS: '61491570156', RCS: RCS_AGENT, WHATSAPP: '61491570006' };

/** What comes out of questions of each type, later than their runs end. */
const answered =
	(name: string, channel: Question['channel']) =>
	async (credentials: CredentialData): Promise<Fields[]> => {
		const fields = {
			...message,
			contentType: 'text',
			sender: questionSender[channel],
			waitAmount: 24,
			waitUnit: 'hours',
			options: {},
		};
		const choice = { ...fields, responseType: 'choice', choices: ['Morning', 'Afternoon'] };
		const options = {
			unexpectedReplyMessage: 'YES or NO?',
			approveWords: 'yes',
			declineWords: 'no',
			smartEncoding: true,
			...(channel !== 'SMS' && { smsFallbackMessage: smartText }),
		};
		const approval = { ...fields, message: smartText, responseType: 'approval', options };
		const free = { ...fields, responseType: 'freeText' };
		const ask = async (asked: Fields, text: string) =>
			await withReply({ name, fields: asked, channel }, text, credentials);
		return [
			...(await ask(free, 'Hi')),
			...(await ask(choice, '2')),
			...(await ask(approval, 'Yes')),
		];
	};

/** By operation. */
export const questionRecords: Record<string, (credentials: CredentialData) => Promise<Fields[]>> = {
	'sms/sendAndWait': answered('sms/sendAndWait', 'SMS'),
	'rcs/sendAndWait': answered('rcs/sendAndWait', 'RCS'),
	'whatsapp/sendAndWait': answered('whatsapp/sendAndWait', 'WHATSAPP'),
};
