import type {
	ICredentialDataDecryptedObject,
	ICredentialTestRequest,
	ICredentialType,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';
import { requireSecret, safeBaseUrl } from '../nodes/Kudosity/api/credential';

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
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			description: 'From the settings of your Kudosity account, section API Settings',
		},
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			required: true,
			default: 'https://api.transmitmessage.com',
			description: 'Only change it when Kudosity tells you to',
		},
	];

	/** The key as header `x-api-key`. Never to an unsafe address, nor on from there. */
	authenticate = async (
		{ apiKey, baseUrl }: ICredentialDataDecryptedObject,
		request: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> => {
		safeBaseUrl(baseUrl);
		const headers = { ...request.headers, 'x-api-key': requireSecret(apiKey, 'API Key') };
		return { ...request, headers, disableFollowRedirect: true };
	};

	test: ICredentialTestRequest = {
		request: { baseURL: '={{$credentials.baseUrl}}', url: '/v2/sms', qs: { limit: 1 } },
		rules: [
			{
				type: 'responseCode',
				properties: {
					value: 401,
					message:
						'Kudosity did not accept this key. Compare it with the API Settings of your account',
				},
			},
			{
				type: 'responseCode',
				properties: {
					value: 403,
					message: 'Kudosity did not accept this key for its messaging API',
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
