import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Json } from '../fixtures/events/index.ts';

/** As it ships: what tsx makes of the sources takes half as long again. */
const built = createRequire(join(import.meta.dirname, '../../dist/nodes/Kudosity/'));

const { describeFile, readMedia }: typeof import('../../nodes/Kudosity/events/media.ts') =
	built('./events/media.js');
const { shouldStart }: typeof import('../../nodes/Kudosity/trigger/delivery.ts') =
	built('./trigger/delivery.js');
const { handleDelivery }: typeof import('../../nodes/Kudosity/n8n/delivery.ts') =
	built('./n8n/delivery.js');
const { simplifyEvent }: typeof import('../../nodes/Kudosity/events/simplify.ts') =
	built('./events/simplify.js');
const {
	createToken,
	digestOf,
	isExpectedToken,
}: typeof import('../../nodes/Kudosity/events/tokens.ts') = built('./events/tokens.js');
const { eventTypes }: typeof import('../../nodes/Kudosity/api/endpoints/webhook.ts') = built(
	'./api/endpoints/webhook.js',
);

const token = createToken('bench-key', {
	workflowId: 'workflow-1',
	nodeId: 'node-1',
	path: '6f0c6a52-0d52-4d8c-9f3c-1d0a7f0f2b11/webhook',
});
const expectedDigests = [digestOf(token)];
const rules = { events: [...eventTypes], statuses: [], onlyFinalStatuses: false };

/** Everything from the body of the delivery to the item's JSON. */
export const receive = async (body: unknown): Promise<Json> => {
	const request = { headers: { 'content-type': 'application/json' }, body };
	let json: Json | undefined;
	await handleDelivery({ getRequestObject: () => request } as never, {
		isAuthorized: async () => isExpectedToken(token, expectedDigests),
		accept: async (received) => {
			const starts = shouldStart(received, rules);
			if (!starts || !received.event) return {};
			const media = readMedia(received.body).map(describeFile);
			const record = simplifyEvent(received.event);
			json = media.length > 0 ? { ...record, media } : record;
			return {};
		},
	});
	if (!json) throw new Error('The event was lost');
	return json;
};
