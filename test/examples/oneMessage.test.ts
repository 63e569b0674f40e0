import { describe, expect, it } from 'vitest';
import type { WorkflowNode } from '../../playground/n8n/rest/workflows.ts';
import { withOptions } from './campaignNodes.ts';
import { useExample } from './useExample.ts';

const optOuts = 'Kudosity opt-outs';

/** Each starts with one event, and texts one person about it. */
const examples = [{ file: 'form-leads.json', send: 'Send SMS' }];

/** Sends in the editor, too, and also while nobody has opted out. */
const sending =
	(send: string) =>
	(node: WorkflowNode): WorkflowNode =>
		node.name === send ? withOptions(node, { dryRun: 'never', allowEmptyList: true }) : node;

describe.each(examples)('$file', ({ file, send }) => {
	const example = useExample({ file, publish: false, change: sending(send) });

	it.each([0, 1, 300])('sends one message where %d people have opted out', async (count) => {
		const phone = (index: number) => String(61491500000 + index);
		const rows = Array.from({ length: count }, (_, index) => ({ phone: phone(index) }));
		await example.withTables({ [optOuts]: rows });
		const id = await example.start();
		const statuses = ['success', 'waiting'] as const;
		const { nodes } = await example.rest.waitForExecution(id, {
			statuses: [...statuses],
			timeoutMs: 60_000,
		});

		expect(await example.control.messages()).toHaveLength(1);
		expect(nodes[send]?.items ?? [{}]).toHaveLength(1);
	});
});
