import { deleteWebhook } from '../api/endpoints/webhook';
import type { Service } from '../api/service';
import { ApiError } from '../api/errors';

/** A webhook that is gone already is what was wanted. */
export const removeWebhook = async (service: Service, id: string): Promise<void> => {
	await service.call(deleteWebhook, { id }).catch((error: unknown) => {
		if (!(error instanceof ApiError && error.fields.status === 404)) throw error;
	});
};
