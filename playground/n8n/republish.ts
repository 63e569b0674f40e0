import { packageName } from './pack.ts';
import type { Rest } from './rest.ts';

const triggerType = `${packageName}.kudosityTrigger`;

/**
 * Publishes the workflows with our trigger anew. The emulator forgets its webhooks when it stops, and n8n
 * does not register them again when it starts. Resolves to the names of those that could not be published.
 */
export const republishTriggers = async (rest: Rest): Promise<string[]> => {
	const failed: string[] = [];
	for (const { id, name, active } of await rest.listWorkflows()) {
		if (!active) continue;
		const { nodes } = await rest.readWorkflow(id);
		if (!nodes.some(({ type }) => type === triggerType)) continue;
		await rest.deactivate(id);
		await rest.activate(id).catch(() => failed.push(name));
	}
	return failed;
};
