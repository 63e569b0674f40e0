import type { CredentialData } from '../engine/harness.ts';
import type { useWaitingN8n, Waiting } from '../engine/waitingN8n.ts';
import type { Random } from '../faults/campaign.ts';
import { operationsByName } from '../helpers/exampleFields.ts';
import { eventPlaces, eventWith, valueAt } from './eventPlaces.ts';
import { problemsOfItem } from './plainItem.ts';

const asking = Object.entries(operationsByName).flatMap(([name, { asks }]) =>
	asks ? [{ name, events: asks.events as unknown[] }] : [],
);

const askingFor = (sample: string) =>
	asking.filter(({ events }) => events.includes(valueAt(sample, 'event_type')));

/** Every field of every event that can answer a question. */
export const replyPlaces = eventPlaces.filter(([sample]) => askingFor(sample).length > 0);

/** Who wrote the sample, and to which number of ours. */
const partiesOf = (sample: string) => {
	const first = (...paths: string[]) =>
		String(paths.map((path) => valueAt(sample, path)).find((value) => value !== undefined));
	return {
		recipient: first('mo.sender', 'opt_out.source_message.recipient').replace('+', ''),
		sender: first('mo.recipient', 'opt_out.source_message.sender'),
	};
};

/** Yes is an answer to each. */
const kinds = [
	{ responseType: 'freeText' },
	{ responseType: 'approval' },
	{ responseType: 'choice', choices: ['Yes', 'Tuesday'] },
];

/** A question of any kind that the sample can be a reply to. */
const questionFor = (sample: string, random: Random) => ({
	name: random.pick(askingFor(sample)).name,
	fields: {
		...partiesOf(sample),
		...random.pick(kinds),
		options: {
			onUnexpectedReply: random.pick(['keepWaiting', 'continue']),
			...(random.chance(0.5) && { unexpectedReplyMessage: 'YES, please?' }),
		},
	},
});

/** JSON as a network can carry it: its numbers can be beyond measure. */
const asBody = (event: unknown): string =>
	JSON.stringify(event, (_, value: unknown) =>
		typeof value === 'number' && !Number.isFinite(value) ? `<${value < 0 ? '-' : ''}1e999>` : value,
	).replace(/"<(-?1e999)>"/g, '$1');

type Reply = { question: Waiting; url: string; response: Response };

const problemsOf = async ({ question, url, response }: Reply): Promise<string[]> => {
	if (response.status !== 200) return [`answers ${response.status}`];
	const { waiting } = (await response.json()) as { waiting: unknown };
	const item = question.output();
	if (waiting !== !item) return [`says waiting: ${String(waiting)}`];
	if (!item) return [];
	const { replied, timedOut, optedOut, contact, sender } = item.json;
	const { parked } = question;
	const isOfOthers = contact !== parked.contact || sender !== parked.sender;
	const ends = [replied, timedOut, optedOut].filter((end) => end === true);
	const shown = JSON.stringify(item);
	const secrets = [...new URL(url).searchParams.values()];
	return [
		...(ends.length === 1 && timedOut === false ? [] : [`ends in ${ends.length} ways`]),
		...(isOfOthers ? [`takes the answer of ${String(contact)} to ${String(sender)}`] : []),
		...(question.resumptions() === 1 ? [] : ['goes on more than once']),
		...(secrets.some((secret) => shown.includes(secret)) ? ['shows its address'] : []),
		...problemsOfItem(item),
	];
};

/** Has a question open at any time: when one was answered, the next event goes to another. */
export const createQuestions = async (
	n8n: ReturnType<typeof useWaitingN8n>,
	{ sample, random, credentials }: { sample: string; random: Random; credentials: CredentialData },
) => {
	const { control } = n8n.service;
	const { name, fields } = questionFor(sample, random);
	const { sender, recipient } = fields;
	await control.settings({ rcsAgents: [sender] });
	const ask = async () => {
		const question = await n8n.ask(fields, { credentials }, name);
		const webhooks = await control.webhooks();
		return { question, webhook: webhooks.find(({ id }) => id === question.parked.webhookId)! };
	};
	let asked = await ask();
	const open = async () => (asked.question.output() ? (asked = await ask()) : asked);
	let replies = 0;

	return {
		/** What somebody would complain about when the sample comes with this value in the place. */
		deliver: async (path: string, value: unknown) => {
			const { question, webhook } = await open();
			const { id, url } = webhook;
			// A message that answered one question answers no other.
			const own = { webhook_id: id, 'mo.id': `reply-${id}-${++replies}` };
			const response = await fetch(url, {
				method: 'POST',
				headers: { 'content-type': 'application/json' },
				body: asBody(eventWith(sample, path, value, own)),
			});
			return { item: question.output(), problems: await problemsOf({ question, url, response }) };
		},
		/** What comes out when the person says Yes, and to whom else messages went. */
		end: async () => {
			const { question } = await open();
			const channel = name.split('/')[0]!.toUpperCase() as 'SMS';
			await control.inbound({ channel, from: recipient, to: sender, text: 'Yes' });
			const { json } = await question.resumed;
			const accepted = await control.accepted();
			return { json, others: accepted.filter((message) => message.recipient !== recipient) };
		},
	};
};
