import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { RequestEntry, Webhook } from '../../playground/emulator/control/client.ts';
import type { useEmulator } from '../engine/emulator.ts';
import type { CredentialData } from '../engine/harness.ts';
import { createTrigger, tokenOf, type Answer } from '../engine/triggerNode.ts';
import { sampleEvent, sampleNames } from '../fixtures/events/index.ts';
import { goodValuesFor, triggerPlaces, type Place } from './attackPoints.ts';
import { createBooks, knownOf, problemsOfError, problemsOfRequest } from './attackRun.ts';
import { asParsedJson } from './hostileValues.ts';
import { createMeaning } from './meaning.ts';
import { problemsOfItem } from './plainItem.ts';

type Fields = Record<string, unknown>;
type Service = ReturnType<typeof useEmulator>;
type Delivered = { eventType: string; answer: Answer };

/** What there is to see of a trigger that was published, heard an event of each kind, and was unpublished. */
export type TriggerLife = {
	/** Why it was not published. */
	error?: Error & { context?: Fields };
	/** Those that it had. */
	webhooks: Webhook[];
	/** Those that are left at the end. */
	left: Webhook[];
	delivered: Delivered[];
	warnings: unknown[][];
	requests: RequestEntry[];
};

/** What the workflow has: an expression that becomes the value, or the value itself where n8n takes no expression. */
const entered = ({ type, noDataExpression }: INodeProperties, value: unknown): unknown =>
	noDataExpression || type === 'collection' ? asParsedJson(value) : '={{ $vars.value }}';

/** Each event as the service delivers it: by a webhook that asks for it. */
const deliver = async (
	trigger: Awaited<ReturnType<typeof createTrigger>>,
	webhooks: Webhook[],
): Promise<Delivered[]> => {
	const delivered: Delivered[] = [];
	for (const [eventType, sample] of Object.entries(sampleNames)) {
		const webhook = webhooks.find(({ filter }) => filter?.event_type?.includes(eventType));
		if (!webhook) continue;
		const body = { ...sampleEvent(sample), webhook_id: webhook.id };
		const answer = await trigger.receive({ body, query: { token: tokenOf(webhook.url) } });
		delivered.push({ eventType, answer });
	}
	return delivered;
};

export const createTriggerRuns = (
	service: Service,
	credentials: CredentialData,
	{ place, good }: { place: Place; good: Fields },
) => {
	const books = createBooks(service);
	const run = async (fields: Fields, value?: unknown): Promise<TriggerLife> => {
		await books();
		const parameters = fields as IDataObject;
		const trigger = await createTrigger({ credentials, parameters, variables: { value } });
		const error = await trigger.activate().then(
			() => undefined,
			(reason: Error) => reason,
		);
		const webhooks = await service.control.webhooks();
		const delivered = await deliver(trigger, webhooks);
		await trigger.deactivate();
		const left = await service.control.webhooks();
		const { requests } = await books();
		return { error, webhooks, left, delivered, warnings: trigger.warnings, requests };
	};
	return {
		/** With each good value that the place, and those in it, can have. */
		runHonestly: async (): Promise<TriggerLife[]> => {
			const lives = [await run(good)];
			const inside = triggerPlaces.filter((each) => each.place.startsWith(place.place));
			for (const { property, fieldsWith } of inside) {
				for (const value of goodValuesFor(property)) lives.push(await run(fieldsWith(good, value)));
			}
			return lives;
		},
		runWith: async (value: unknown): Promise<TriggerLife> =>
			await run(place.fieldsWith(good, entered(place.property, value)), value),
	};
};

/** A request, whatever the ID of its webhook. */
const routeOf = ({ method, path }: RequestEntry): string =>
	`${method} ${path.replace(/[\da-f]{8}-[\da-f-]{27}/, '{id}')}`;

/** By the filter Status, Skip Outdated Statuses or Only Final Statuses. */
const canBeLeftOut = (eventType: string): boolean => eventType.endsWith('_STATUS');

const problemsOfDelivery = ({ eventType, answer }: Delivered): string[] => {
	const { status, started, outputs } = answer;
	const items = outputs.flat();
	return [
		...(status === 200 ? [] : [`answers ${status} to ${eventType}`]),
		...(started || canBeLeftOut(eventType) ? [] : [`loses ${eventType}`]),
		...(items.length === Number(started) ? [] : [`has ${items.length} items of ${eventType}`]),
		...items.flatMap(problemsOfItem),
	];
};

const problemsOfWebhook = ({ url, filter }: Webhook, urls: Set<string>): string[] => [
	...(urls.has(url) ? [] : [`registers ${url}`]),
	...(filter?.event_type?.length ? [] : [`has no event types: ${JSON.stringify(filter)}`]),
];

/** What n8n itself says to an expression that it denies: a value of the trigger's can be one. */
const deniedByN8n = /^access to env vars denied$/;

/** What somebody would complain about, by what happened with good values. */
export const problemsOfLife = (life: TriggerLife, honest: TriggerLife[], value: unknown) => {
	const { error, webhooks, left, delivered, requests } = life;
	const usual = honest.flatMap((each) => each.requests);
	const routes = new Set(usual.map(routeOf));
	const known = knownOf({ requests: usual, accepted: [] }, [/./]);
	const meaning = createMeaning([value]);
	const urls = new Set(honest.flatMap((each) => each.webhooks).map(({ url }) => url));
	return [
		...(error && !deniedByN8n.test(error.message)
			? problemsOfError({ error: error.message, details: { code: error.context?.code } })
			: []),
		...(error && webhooks.length > 0 ? ['is refused, and leaves a webhook'] : []),
		...(error || webhooks.length > 0 ? [] : ['has no webhook']),
		...(left.length > 0 ? ['leaves a webhook'] : []),
		...requests.filter((each) => !routes.has(routeOf(each))).map((each) => `asks ${routeOf(each)}`),
		...requests.flatMap((request) => problemsOfRequest(request, { known, meaning })),
		...webhooks.flatMap((webhook) => problemsOfWebhook(webhook, urls)),
		...delivered.flatMap(problemsOfDelivery),
	];
};
