import { describeFile, readMedia } from '../../nodes/Kudosity/events/media.ts';
import { admitEvent } from '../../nodes/Kudosity/trigger/admitEvent.ts';
import { openDelivery } from '../../nodes/Kudosity/runtime/openDelivery.ts';
import { simplifyEvent } from '../../nodes/Kudosity/events/simplify.ts';
import { createToken, digestOf, isExpectedToken } from '../../nodes/Kudosity/events/token.ts';
import { eventTypes } from '../../nodes/Kudosity/api/schemas/webhook.schema.ts';
import type { Json } from '../fixtures/events/index.ts';

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
