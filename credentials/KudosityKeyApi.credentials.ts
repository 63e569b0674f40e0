import type {
	ICredentialDataDecryptedObject,
	ICredentialType,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';
import { apiKeyHeader } from '../nodes/Kudosity/api/credential';
import { defaultCountryField } from '../nodes/Kudosity/fields/phone/countries';

export class KudosityKeyApi implements ICredentialType {
	name = 'kudosityKeyApi';

	displayName = 'Kudosity Key API';

	icon = {
		light: 'file:../icons/kudosity.svg',
		dark: 'file:../icons/kudosity.dark.svg',
	} as const;

	documentationUrl =
		'https://github.com/n8n-nodes-kudosity-messaging/n8n-nodes-kudosity-messaging#credentials';

	properties: INodeProperties[] = [
		{
			displayName: 'For SMS, MMS, WhatsApp, RCS and the triggers',
			name: 'notice',
			type: 'notice',
			default: '',
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			description: 'The key shown under API Settings in your Kudosity account',
		},
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			required: true,
			default: 'https://api.transmitmessage.com',
			description: 'Leave unchanged unless Kudosity gave you a different URL',
		},
		defaultCountryField,
	];

	/**
	 * Adds the key to a request and forbids redirects. Throws if the base URL isn't safe for the key (see
	 * `safeBaseUrl`). This class has no `test`, because the nodes test the credential with more precise error messages
	 * than n8n's (see docs/adr/0009).
	 */
	authenticate = async (
		credential: ICredentialDataDecryptedObject,
		request: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> => {
		const headers = { ...request.headers, ...apiKeyHeader(credential).headers };
		return { ...request, headers, disableFollowRedirect: true };
	};
}
