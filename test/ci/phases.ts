/**
 * Lanes that run side by side, since tests on a real n8n mostly wait; the longest first. Before them, what is `alone` has
 * the machine to itself: its tests run in shortened time, in which a busy machine looks like a slow service.
 */
export const lanes = ['n8n', 'examples', 'n8n1', 'browser', 'code'] as const;

/** One step of `.ci/run`: commands one after the other, or the tests of some of vitest's projects. */
export type Phase = {
	name: string;
	/** Phases of one lane follow each other. */
	lane: 'alone' | (typeof lanes)[number];
	/** After so many minutes it is ended, and has failed: twice what it takes, since machines differ. */
	minutes: number;
	/** `NAME=value`. */
	environment?: string[];
	commands?: string[];
	projects?: string[];
	/** Only the files whose path has one of these. */
	files?: string[];
	/** What has to be on the machine. */
	needs?: Array<keyof typeof installations>;
};

/** Commands that put something on the machine, once. */
export const installations = {
	n8n: 'npx tsx test/ci/installN8n.ts',
	Chromium: 'command -v google-chrome || bash .ci/need chromium chromium',
	'Redis and PostgreSQL': 'bash test/queue/installServers.sh',
};

const checks: Phase[] = [
	{ name: 'format', lane: 'code', minutes: 5, commands: ['npm run format:check'] },
	{ name: 'lint', lane: 'code', minutes: 5, commands: ['npm run lint'] },
	{ name: 'typecheck', lane: 'code', minutes: 5, commands: ['npm run typecheck'] },
	{ name: 'pack', lane: 'code', minutes: 5, commands: ['npx tsx test/pack/checkPack.ts'] },
	{ name: 'test', lane: 'alone', minutes: 10, projects: ['unit', 'engine'] },
];

/** What a change needs while somebody works on it. */
const quick: Phase[] = [
	...checks,
	{
		name: 'e2e',
		lane: 'n8n',
		minutes: 5,
		projects: ['e2e'],
		files: ['package', 'operations'],
		needs: ['n8n'],
	},
];

const among = (folder: string, names: string) =>
	names.split(' ').map((name) => `test/${folder}/${name}.test.ts`);

/** Tests of what n8n 1 does otherwise than n8n 2, or could: its stores, waits, requests, expressions and start. */
const ofN8n1 = {
	engine: among(
		'engine',
		'agents blockedRecipients campaignName claims credentialTest credentials deduplicationKey deliveryBodies everyOperation fieldValues keyRoom longRuns maxPerDay output polling replyTimes retryOnFail searchSenders sendAndWait sendAndWaitChat sendAndWaitFaults startUp stop triggerDelivery triggerRegistration untrustedCertificate webhook whoseAnswer',
	),
	e2e: among(
		'e2e',
		'askingAgent blockedRecipients crashes fiveNodes itemPath operations package sendAndWait triggerEvents upgrade',
	),
};

/** What has to hold before a change is merged. */
const gate: Phase[] = [
	...checks,
	{ name: 'faults', lane: 'alone', minutes: 10, projects: ['inProcess'] },
	{ name: 'e2e', lane: 'n8n', minutes: 40, projects: ['e2e'], needs: ['n8n'] },
	{
		name: 'examples',
		lane: 'examples',
		minutes: 40,
		projects: ['examples'],
		needs: ['n8n'],
	},
	{
		name: 'browser',
		lane: 'browser',
		minutes: 20,
		projects: ['browser'],
		needs: ['n8n', 'Chromium'],
	},
	{
		name: 'engineN8n1',
		lane: 'alone',
		minutes: 10,
		projects: ['engine'],
		files: ofN8n1.engine,
		environment: ['KUDOSITY_N8N_VERSION=1.123.81'],
		needs: ['n8n'],
	},
	{
		name: 'n8n1',
		lane: 'n8n1',
		minutes: 40,
		projects: ['e2e'],
		files: ofN8n1.e2e,
		environment: ['KUDOSITY_N8N_VERSION=1.123.81'],
		needs: ['n8n'],
	},
	{
		name: 'queue',
		lane: 'n8n1',
		minutes: 15,
		projects: ['queue'],
		needs: ['n8n', 'Redis and PostgreSQL'],
	},
	{ name: 'realN8n', lane: 'code', minutes: 10, projects: ['realN8n'], needs: ['n8n'] },
];

const long = ['KUDOSITY_ALL=1', 'KUDOSITY_FAULTS=long', 'KUDOSITY_HOSTILE=long'];

/** What a release needs, and every night: all variants, and what takes long. */
const all: Phase[] = [
	...gate.map(({ minutes, environment = [], ...phase }) => ({
		...phase,
		files: [],
		minutes: minutes * 4,
		environment: [...environment, ...long],
	})),
	{
		name: 'examplesN8n1',
		lane: 'examples',
		minutes: 30,
		projects: ['examples'],
		environment: ['KUDOSITY_N8N_VERSION=1.123.81', ...long],
		needs: ['n8n'],
	},
	{ name: 'soak', lane: 'code', minutes: 20, projects: ['soak'] },
];

const modes: Record<string, Phase[]> = { quick, gate, all };

/** The phases of a mode, or those that are named; those of the gate by default. */
export const choosePhases = (names: string[]): Phase[] => {
	const [mode = 'gate'] = names;
	const phases = modes[mode] ?? gate.filter(({ name }) => names.includes(name));
	const known = [...Object.keys(modes), ...gate.map(({ name }) => name)];
	const unknown = names.find((name) => !known.includes(name));
	if (unknown) throw new Error(`There is no ${unknown}: use ${known.join(', ')}`);
	return phases;
};
