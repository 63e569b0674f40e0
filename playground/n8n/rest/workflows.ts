import { z } from 'zod/v4';
import { until } from '../until.ts';
import { RestError, type Session } from './session.ts';

/** n8n tries a failing activation five times, with pauses of 15 s in total. */

const credentialReferenceSchema = z.object({ id: z.string().nullable(), name: z.string() });

const nodeSchema = z.looseObject({
	id: z.string(),
	name: z.string(),
	type: z.string(),
	typeVersion: z.number(),
	position: z.tuple([z.number(), z.number()]),
	parameters: z.record(z.string(), z.unknown()),
	webhookId: z.string().optional(),
	credentials: z.record(z.string(), credentialReferenceSchema).optional(),
});

/** A workflow in the editor's export format. */
export const workflowSchema = z.looseObject({
	name: z.string(),
	nodes: z.array(nodeSchema),
	connections: z.record(z.string(), z.unknown()),
	settings: z.record(z.string(), z.unknown()).nullish(),
	pinData: z.record(z.string(), z.unknown()).nullish(),
});

const savedWorkflowSchema = workflowSchema.extend({
	id: z.string(),
	active: z.boolean(),
	versionId: z.string(),
});

const publicationSchema = z.looseObject({
	status: z.enum(['in_progress', 'not_published', 'published', 'partial', 'failed']),
	triggers: z.array(z.looseObject({ errorMessage: z.string().nullish() })),
});

export type WorkflowNode = z.infer<typeof nodeSchema>;
export type Workflow = z.infer<typeof workflowSchema>;
export type SavedWorkflow = z.infer<typeof savedWorkflowSchema>;
type Publication = z.infer<typeof publicationSchema>;

const listedWorkflowsSchema = z.array(
	z.looseObject({ id: z.string(), name: z.string(), active: z.boolean() }),
);

/** n8n accepted a workflow for publishing, but could not activate its triggers. */
class ActivationError extends Error {
	override name = 'ActivationError';
}

const failureReason = ({ triggers }: Publication): string =>
	triggers.flatMap(({ errorMessage }) => errorMessage ?? []).join('; ') || 'no reason given';

const body = ({ name, nodes, connections, settings, pinData }: Workflow) => ({
	name,
	nodes,
	connections,
	settings: settings ?? {},
	pinData: pinData ?? {},
});

export const workflowCalls = ({ call }: Session) => {
	const readWorkflow = async (id: string): Promise<SavedWorkflow> =>
		await call('GET', `/workflows/${id}`, savedWorkflowSchema);

	/** n8n 2 publishes in the background. n8n 1 is done when it answers, and lacks this route. */
	const publication = async (id: string): Promise<Publication | undefined> => {
		try {
			return await call('GET', `/workflows/${id}/publication-status`, publicationSchema);
		} catch (error) {
			if (error instanceof RestError && error.status === 404) return undefined;
			throw error;
		}
	};

	/** Resolves to undefined if there is no publication to wait for. */
	const waitForPublication = async (id: string, wanted: Publication['status'][]) => {
		const what = `workflow ${id} to be ${wanted.join(' or ')}`;
		const { outcome } = await until({ what }, async () => {
			const current = await publication(id);
			const isOver = current === undefined || wanted.includes(current.status);
			return isOver ? { outcome: current } : undefined;
		});
		return outcome;
	};

	const deactivate = async (id: string): Promise<void> => {
		await call('POST', `/workflows/${id}/deactivate`, z.unknown(), {});
		await waitForPublication(id, ['not_published']);
	};

	return {
		readWorkflow,

		createWorkflow: async (workflow: Workflow): Promise<SavedWorkflow> =>
			// n8n 1 requires `active`.
			await call('POST', '/workflows', savedWorkflowSchema, { ...body(workflow), active: false }),

		/** Saves a new draft. The published version stays unchanged until `activate`. */
		updateWorkflow: async (id: string, workflow: Workflow): Promise<SavedWorkflow> =>
			await call('PATCH', `/workflows/${id}`, savedWorkflowSchema, body(workflow)),

		listWorkflows: async () => await call('GET', '/workflows', listedWorkflowsSchema),

		/**
		 * Publishes the saved version and waits until its triggers run.
		 *
		 * @throws ActivationError with the trigger's own message, or RestError with n8n's.
		 */
		activate: async (id: string): Promise<void> => {
			const { versionId } = await readWorkflow(id);
			await call('POST', `/workflows/${id}/activate`, z.unknown(), { versionId });
			const outcome = await waitForPublication(id, ['published', 'partial', 'failed']);
			if (outcome !== undefined && outcome.status !== 'published') {
				throw new ActivationError(failureReason(outcome));
			}
		},

		/** Unpublishes and waits until the triggers have been removed. */
		deactivate,

		deleteWorkflow: async (id: string): Promise<void> => {
			const { active } = await readWorkflow(id);
			if (active) await deactivate(id);
			await call('POST', `/workflows/${id}/archive`, z.unknown(), {});
			await call('DELETE', `/workflows/${id}`, z.unknown());
		},
	};
};
