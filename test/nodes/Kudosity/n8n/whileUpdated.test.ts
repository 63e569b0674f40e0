import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Kudosity, KudosityTrigger } from '../../../seams.ts';

const missing = (): never => {
	throw new Error("Cannot find module './delivery'");
};

/** The node's response to a delivery: its status, and what n8n is told. */
const deliver = async (node: Kudosity | KudosityTrigger) => {
	const statuses: number[] = [];
	const response = {
		status: (code: number) => (statuses.push(code), response),
		send: () => response,
	};
	const told = await node.webhook.call({
		getResponseObject: () => response,
		logger: { warn: () => undefined },
	} as never);
	return { statuses, told };
};

/** n8n renames the folder of a package that it updates, and then downloads the new version for some seconds. */
describe('a delivery while n8n updates the package', () => {
	beforeEach(() => {
		vi.doMock('../../../../nodes/Kudosity/question/receiveReply.ts', missing);
		vi.doMock('../../../../nodes/Kudosity/trigger/delivery.ts', missing);
	});
	afterEach(() => {
		vi.doUnmock('../../../../nodes/Kudosity/question/receiveReply.ts');
		vi.doUnmock('../../../../nodes/Kudosity/trigger/delivery.ts');
	});

	it.each([
		['a question, which keeps waiting', new Kudosity()],
		['a trigger', new KudosityTrigger()],
	])('is refused for a while, so that Kudosity delivers it again: %s', async (_, node) => {
		const { statuses, told } = await deliver(node);
		expect(statuses).toEqual([503]);
		expect(told).toEqual({ noWebhookResponse: true });
	});
});
