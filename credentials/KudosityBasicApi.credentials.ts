import type {
	ICredentialDataDecryptedObject,
	ICredentialTestRequest,
	ICredentialType,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';
import { requireSecret, safeBaseUrl } from '../nodes/Kudosity/api/credential';

export class KudosityBasicApi implements ICredentialType {
	name = 'kudosityBasicApi';

	displayName = 'Kudosity Basic API';

	icon = {
		light: 'file:../icons/kudosity.svg',
		dark: 'file:../icons/kudosity.dark.svg',
	} as const;

	documentationUrl =
		'https://github.com/n8n-nodes-kudosity-messaging/n8n-nodes-kudosity-messaging#credentials';

	properties: INodeProperties[] = [
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			description: 'From the settings of your Kudosity account, section API Settings',
		},
		{
			displayName: 'API Secret',
			name: 'apiSecret',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			description:
				'You choose it yourself in the same section, and save it there. It is empty until you do.',
		},
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			required: true,
			default: 'https://api.transmitsms.com',
			description: 'Only change it when Kudosity tells you to',
		},
	];

	/** HTTP Basic: the key as user name, the secret as password. Never to an unsafe address, nor on from there. */
	authenticate = async (
		{ apiKey, apiSecret, baseUrl }: ICredentialDataDecryptedObject,
		request: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> => {
		safeBaseUrl(baseUrl);
		const auth = {
			username: requireSecret(apiKey, 'API Key'),
			password: requireSecret(apiSecret, 'API Secret'),
		};
		return { ...request, auth, disableFollowRedirect: true };
	};

	test: ICredentialTestRequest = {
		request: { baseURL: '={{$credentials.baseUrl}}', url: '/get-balance.json' },
		rules: [
			{
				type: 'responseCode',
				properties: {
					value: 401,
					message:
						'Kudosity did not accept this key and secret. Compare both with the API Settings of your account; the secret must be saved there',
				},
			},
			{
				type: 'responseCode',
				properties: {
					value: 404,
					message: 'The base URL does not lead to the Kudosity API',
				},
			},
		],
	};
}
