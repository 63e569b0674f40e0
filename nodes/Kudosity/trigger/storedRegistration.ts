import { z } from 'zod/v4';

const registrationSchema = z.object({
	/** The id that the service gave our webhook. A hint: what counts is the webhook's own URL. */
	webhookId: z.string().optional().catch(undefined),
	/** Recognises the token that was registered, also after the credential's key was changed. */
	tokenDigest: z.string().optional().catch(undefined),
	/** Whether it was made by "Listen for test event". */
	isTest: z.boolean().optional().catch(undefined),
});
export type Registration = z.infer<typeof registrationSchema>;

export const registrationFields = Object.keys(registrationSchema.shape);

/** What registering left in the node's static data, which n8n keeps with the workflow in its database. */
export const readRegistration = (staticData: unknown): Registration =>
	registrationSchema.safeParse(staticData).data ?? {};
