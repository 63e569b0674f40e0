import { textOrNone } from '../api/endpoint';
import { getBalance } from '../api/endpoints/account';
import { getKeywords } from '../api/endpoints/keyword';
import { getNumbers } from '../api/endpoints/number';
import { getSmses } from '../api/endpoints/sms';
import { fieldsOf, getWebhooks, type ListedWebhook } from '../api/endpoints/webhook';
import { isRefusedOnTheWay, isTransient } from '../api/errors';
import { graceMs } from '../events/openQuestions';
import { endMsIn } from '../events/questionName';
import { settle, toArray } from '../lib/async';
import type { Json } from '../lib/json';
import { epochMsOf } from '../lib/time';
import { defineOperation, type Services } from '../fields/operation';
import { howToBeReached } from '../n8n/credentials';
import { textOfFailure } from '../n8n/nodeErrors';

/** The result of a check. `ok` is null if the check is inconclusive. */
type Finding = [ok: boolean | null, message: string, whatToDo?: string];

/**
 * Awaits `reading`, runs each check on the result, and returns one item per check. If reading fails, every item reports
 * the failure. `ok` is then false in the first item and null in the others. If the failure is temporary, or comes from
 * a server between n8n and Kudosity, `ok` is null in all of them.
 *
 * @throws any error that isn't a failed request
 */
async function checkAll<Read>(
	reading: Promise<Read>,
	checks: Record<string, (read: Read) => Finding | Promise<Finding>>,
): Promise<Json[]> {
	const items: Json[] = [];
	const failed = (reason: unknown): Finding => {
		const { message, description } = textOfFailure(reason);
		const isOpen = isTransient(reason) || isRefusedOnTheWay(reason);
		return [items.length === 0 && !isOpen ? false : null, message, description];
	};
	for (const [name, check] of Object.entries(checks)) {
		const result = await settle(reading.then(check));
		const finding = result.status === 'fulfilled' ? result.value : failed(result.reason);
		const [ok, message, whatToDo = ''] = finding;
		items.push({ check: name, ok, message, whatToDo });
	}
	return items;
}

const listed = (things: unknown[]): string =>
	things.length === 0 ? '0' : `${things.length} (${things.slice(0, 20).join(', ')})`;

export const checkAccountSetup = defineOperation({
	value: 'checkSetup',
	name: 'Check Setup',
	action: 'Check account setup',
	description:
		'Check the key and the secret, the balance, the numbers and the keywords. Nothing is sent or changed.',
	fields: [],
	run: async ({ call, list }) =>
		await checkAll(call(getBalance), {
			secret: () => [true, 'Kudosity accepts the key and the secret'],
			balance: ({ balance, currency }) => [
				balance > 0,
				`The balance is ${balance} ${textOrNone(currency) ?? ''}`.trim(),
				balance > 0 ? '' : 'Top up the account, or Kudosity may reject messages',
			],
			numbers: async () => {
				const numbers = await toArray(list(getNumbers, { filter: 'owned' }));
				const message = `Your numbers: ${listed(numbers.map(({ number }) => number))}`;
				return numbers.length > 0
					? [true, message]
					: [
							null,
							message,
							"To get replies, lease a number. If you only send, a sender name is enough. In Australia, register the name with Kudosity first: phones show unregistered names as “Unverified”. Sender names can't receive STOP, so commercial texts from a sender name need [opt-out-link]",
						];
			},
			keywords: async () => {
				const keywords = await toArray(list(getKeywords));
				const names = keywords.map((each) => [each.keyword, each.number, each.status].join(' '));
				return [true, `Your keywords: ${listed(names)}`];
			},
		}),
});

/**
 * Whether a webhook that an n8n created is orphaned, i.e. nothing is listening to it anymore. This is the webhook of a
 * question that has ended, or of a trigger's test, which only lasts two minutes. Both get the extra time `graceMs`.
 */
function isLeftOver(webhook: ListedWebhook, nowMs: number): boolean {
	const { name = '', url = '' } = fieldsOf(webhook);
	// The name alone isn't enough, because the published webhook of a node named “Replies (test)” has the same ending.
	const isTest = name.startsWith('n8n: ') && url.includes('/webhook-test/');
	return (isTest ? epochMsOf(String(webhook.updated_at)) : endMsIn(name)) + graceMs < nowMs;
}

async function checkWebhooks({ call, clock, receiver }: Services): Promise<Finding> {
	const [{ url: address }, webhooks] = [await receiver(), await call(getWebhooks)];
	const leftovers = webhooks.filter((each) => isLeftOver(each, clock.calendarNow()));
	const current = webhooks.filter((each) => !leftovers.includes(each));
	const ours = current.filter((each) => fieldsOf(each).url?.startsWith(address));
	const names = (some: ListedWebhook[]) =>
		listed(some.map((each) => `“${fieldsOf(each).name ?? ''}” with ID ${String(each.id)}`));
	const message = `Webhooks in the account: ${webhooks.length}. From this n8n instance: ${names(ours)}. Left over: ${names(leftovers)}`;
	if (leftovers.length > 0)
		return [false, message, 'Delete the leftover webhooks with Webhook → Delete'];
	return ours.length > 0
		? [true, message]
		: [null, message, 'To get events, publish a workflow with a Kudosity Trigger'];
}

const checkSenders = (sent: Array<Record<string, unknown>>): Finding =>
	sent.length > 0
		? [true, `Recently used senders: ${listed([...new Set(sent.map(({ sender }) => sender))])}`]
		: [null, 'No SMS has been sent yet', 'Send one to your own phone with SMS → Send'];

const checkAddress = ({ url, isReachable }: Awaited<ReturnType<Services['receiver']>>): Finding =>
	isReachable
		? [true, `Kudosity can use this n8n instance's address, ${url}`]
		: [
				false,
				`Kudosity can't use this n8n instance's address, ${url}, because it is not a public https address`,
				`${howToBeReached}. The Kudosity Polling Trigger doesn't need a public address`,
			];

export const checkWebhookSetup = defineOperation({
	value: 'checkSetup',
	name: 'Check Setup',
	action: 'Check webhook setup',
	description:
		"Check the key, the senders, the account's webhooks, and whether Kudosity can use this n8n instance's address. Nothing is sent or changed.",
	fields: [],
	run: async (services) => [
		...(await checkAll(
			toArray(services.list(getSmses, { direction: 'OUT', order_by: 'CREATED_AT_DESC' }, 100)),
			{
				key: () => [true, 'Kudosity accepts the key'],
				senders: checkSenders,
				webhooks: async () => await checkWebhooks(services),
			},
		)),
		...(await checkAll(services.receiver(), { address: checkAddress })),
	],
});
