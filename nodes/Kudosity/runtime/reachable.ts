import type { InputError } from '../api/errors';
import { canReach } from '../api/reachability';
import type { Connection } from '../api/transport';
import { credentialOf, type CredentialContext } from './credentials';

/** n8n before 2.30 reads the second name only. */
export const howToBeReached =
	'Set the environment variable N8N_WEBHOOK_URL (before n8n 2.30: WEBHOOK_URL) to the https address by which the internet reaches n8n, e.g. https://n8n.example.com/, and restart n8n';

/** @throws what `refusal` says when the service of a credential cannot deliver to `url` */
export const requireReachable = async (
	context: CredentialContext,
	{ connection, url }: { connection: Connection; url: string },
	refusal: () => InputError,
): Promise<void> => {
	const { baseUrl } = await credentialOf(context, connection);
	if (!canReach(String(baseUrl), url)) throw refusal();
};
