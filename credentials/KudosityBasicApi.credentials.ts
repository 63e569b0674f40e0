import type {
	ICredentialDataDecryptedObject,
	ICredentialType,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';
import { basicAuth } from '../nodes/Kudosity/api/credential';
import { defaultCountryField } from '../nodes/Kudosity/fields/phone/countries';

export class KudosityBasicApi implements ICredentialType {
	name = 'kudosityBasicApi';

	displayName = 'Kudosity Key and Secret API';

	icon = {
		light: 'file:../icons/kudosity.svg',
		dark: 'file:../icons/kudosity.dark.svg',
	} as const;

	documentationUrl =
		'https://github.com/n8n-nodes-kudosity-messaging/n8n-nodes-kudosity-messaging#credentials';

	properties: INodeProperties[] = [
		{
			displayName: 'For bulk SMS, contacts, lists, numbers and reports',
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
			displayName: 'API Secret',
			name: 'apiSecret',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			description:
				'From API Settings in Kudosity. If a secret is already set there, use it: changing it breaks other apps.',
		},
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			required: true,
			default: 'https://api.transmitsms.com',
			description: 'Leave unchanged unless Kudosity gave you a different URL',
		},
		defaultCountryField,
	];

	/**
	 * Adds the key and secret to a request and forbids redirects. Throws if the base URL isn't safe for the key and
	 * secret (see `safeBaseUrl`). This class has no `test`, because the nodes test the credential with more precise
	 * error messages than n8n's (see docs/adr/0009).
	 */
	authenticate = async (
		credential: ICredentialDataDecryptedObject,
		request: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> => ({
		...request,
		...basicAuth(credential),
		disableFollowRedirect: true,
	});
}
