import { delimiter, dirname } from 'node:path';

/** The user's own n8n, Node.js and test runner settings would make this n8n another one. */
const foreignSettings =
	/^(N8N_|DB_|QUEUE_|EXECUTIONS_|CREDENTIALS_|WEBHOOK_|NODES_|NODE_FUNCTION_|NODE_OPTIONS$|NODE_ENV$|VITEST|npm_)/;

/** Nothing may call out: the playground works without the internet, and nobody is counted. */
const silence = {
	N8N_DIAGNOSTICS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
	N8N_DYNAMIC_BANNERS_ENABLED: 'false',
	N8N_HIRING_BANNER_ENABLED: 'false',
	N8N_TEMPLATES_ENABLED: 'false',
	N8N_VERIFIED_PACKAGES_ENABLED: 'false',
	N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
	N8N_PERSONALIZATION_ENABLED: 'false',
};

export type N8nSettings = {
	nodeBinary: string;
	version: string;
	userFolder: string;
	port: number;
	brokerPort: number;
};

/** Modules that ask n8n's servers for their contents as soon as n8n starts. */
const disabledModules = (version: string): Record<string, string> =>
	version.startsWith('1.') ? {} : { N8N_DISABLED_MODULES: 'mcp-registry' };

/** The environment of an n8n of our own: SQLite, loopback only, silent, with its runner's broker on its own port. */
export const n8nEnvironment = (
	{ nodeBinary, version, userFolder, port, brokerPort }: N8nSettings,
	outer: NodeJS.ProcessEnv = process.env,
): NodeJS.ProcessEnv => {
	const url = `http://127.0.0.1:${port}/`;
	// n8n 1 knows the webhook address under the older name.
	const webhookUrl = version.startsWith('1.') ? { WEBHOOK_URL: url } : { N8N_WEBHOOK_URL: url };
	return {
		...Object.fromEntries(Object.entries(outer).filter(([name]) => !foreignSettings.test(name))),
		...silence,
		...disabledModules(version),
		...webhookUrl,
		// n8n starts its task runner as plain `node`.
		PATH: [dirname(nodeBinary), outer.PATH].join(delimiter),
		NODE_ENV: 'production',
		DB_TYPE: 'sqlite',
		DB_SQLITE_POOL_SIZE: '2',
		N8N_USER_FOLDER: userFolder,
		N8N_ENFORCE_SETTINGS_FILE_PERMISSIONS: 'true',
		N8N_HOST: '127.0.0.1',
		N8N_LISTEN_ADDRESS: '127.0.0.1',
		N8N_PORT: String(port),
		N8N_EDITOR_BASE_URL: url,
		N8N_SECURE_COOKIE: 'false',
		N8N_RUNNERS_ENABLED: 'true',
		N8N_RUNNERS_BROKER_PORT: String(brokerPort),
		N8N_GRACEFUL_SHUTDOWN_TIMEOUT: '5',
	};
};
