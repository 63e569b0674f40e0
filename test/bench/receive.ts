import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Json } from '../fixtures/events/index.ts';

/** As it ships: what tsx makes of the sources takes half as long again. */
const built = createRequire(join(import.meta.dirname, '../../dist/nodes/Kudosity/'));

const { describeFile, readMedia }: typeof import('../../nodes/Kudosity/events/media.ts') =
	built('./events/media.js');
const { admitEvent }: typeof import('../../nodes/Kudosity/trigger/admitEvent.ts') =
	built('./trigger/admitEvent.js');
const { openDelivery }: typeof import('../../nodes/Kudosity/runtime/openDelivery.ts') = built(
	'./runtime/openDelivery.js',
);
const { simplifyEvent }: typeof import('../../nodes/Kudosity/events/simplify.ts') =
	built('./events/simplify.js');
const {
	createToken,
	digestOf,
	isExpectedToken,
}: typeof import('../../nodes/Kudosity/events/token.ts') = built('./events/token.js');
const { eventTypes }: typeof import('../../nodes/Kudosity/api/schemas/webhook.schema.ts') = built(
	'./api/schemas/webhook.schema.js',
);

const token = createToken('bench-key', {
	workflowId: 'workflow-1',
	nodeId: 'node-1',
	path: '6f0c6a52-0d52-4d8c-9f3c-1d0a7f0f2b11/webhook',
});
const expectedDigests = [digestOf(token)];

/** Everything from the body of the delivery to the item's JSON. */
export const receive = async (body: unknown): Promise<Json> => {
	const request = { headers: { 'content-type': 'application/json' }, body };
	let json: Json | undefined;
	await openDelivery({ getRequestObject: () => request } as never, {
		rightOf: async () => isExpectedToken(token, expectedDigests) || undefined,
		take: async (received) => {
			const { kind } = admitEvent(received, { events: [...eventTypes] });
			if (kind !== 'accepted' || !received.event) return {};
			const media = readMedia(received.body).map(describeFile);
			const record = simplifyEvent(received.event);
			json = media.length > 0 ? { ...record, media } : record;
			return {};
		},
	});
	if (!json) throw new Error('The event was lost');
	return json;
};
