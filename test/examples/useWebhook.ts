import { beforeAll } from 'vitest';
import type { WorkflowNode } from '../../playground/n8n/rest/workflows.ts';
import { useExample } from './useExample.ts';

const secret = { name: 'X-Token', value: 'made-up-for-this-test' };

/** An example that starts with a webhook, with a credential for that. `post` resolves to the status of the answer. */
export const useWebhook = (
	file: string,
	way: string,
	change: (node: WorkflowNode) => WorkflowNode = (node) => node,
) => {
	let credentials: WorkflowNode['credentials'];
	const example = useExample({
		file,
		change: (node) => (node.name === way ? { ...node, credentials } : change(node)),
	});
	beforeAll(async () => {
		const type = 'httpHeaderAuth';
		const { id, name } = await example.rest.createCredential({ name: file, type, data: secret });
		credentials = { [type]: { id, name } };
	});
	const post = async (body: object, token = secret.value) => {
		const response = await fetch(`${example.url}/webhook/${example.webhookId(way)}`, {
			method: 'POST',
			headers: { 'content-type': 'application/json', [secret.name]: token },
			body: JSON.stringify(body),
		});
		return response.status;
	};
	return { example, post };
};
