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
		defaultCountryField,
	];

	/** Refuses unsafe addresses and redirects. The test is a function of the nodes, whose messages say more. */
	authenticate = async (
		credential: ICredentialDataDecryptedObject,
		request: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> => ({
		...request,
		...basicAuth(credential),
		disableFollowRedirect: true,
	});
}
