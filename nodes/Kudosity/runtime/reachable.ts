import type { InputError } from '../api/errors';
import { canReach } from '../api/reachability';
import type { Connection } from '../api/transport';
import { credentialOf, type CredentialContext } from './credentials';

/** @throws what `refusal` says when the service of a credential cannot deliver to `url` */
export const requireReachable = async (
	context: CredentialContext,
	{ connection, url }: { connection: Connection; url: string },
	refusal: () => InputError,
): Promise<void> => {
	const { baseUrl } = await credentialOf(context, connection);
	if (!canReach(String(baseUrl), url)) throw refusal();
};
