// Runs in a Node.js process of its own, whose NODE_PATH names the host's modules: loads the package as
// n8n does and prints what it found. A CommonJS file, since NODE_PATH means nothing to `import`.
const { existsSync, readdirSync } = require('node:fs');
const { createRequire } = require('node:module');
const { basename, dirname, join } = require('node:path');

const [folder] = process.argv.slice(2);
const nodesFolder = join(folder, 'dist/nodes/Kudosity');
const { n8n } = require(join(folder, 'package.json'));
const faults = [];

const attempt = (what, task) => {
	try {
		return task();
	} catch (error) {
		faults.push(`${what}: ${error.message.split('\n')[0]}`);
		return undefined;
	}
};

/** n8n takes the class named after the file. */
const load = (path) =>
	attempt(path, () => {
		const file = join(folder, path);
		const Type = require(file)[basename(path).split('.')[0]];
		return { path, file, type: new Type() };
	});

const iconFaults = ({ path, file, type }) => {
	const icon = type.description?.icon ?? type.icon;
	const icons = typeof icon === 'string' ? [icon] : Object.values(icon ?? {});
	if (icons.length === 0) return [`${path} has no icon`];
	return icons
		.filter((each) => !existsSync(join(dirname(file), each.replace(/^file:/, ''))))
		.map((each) => `${path}: ${each} does not exist`);
};

const credentials = n8n.credentials.map(load).filter(Boolean);
const nodes = n8n.nodes.map(load).filter(Boolean);
faults.push(...[...credentials, ...nodes].flatMap(iconFaults));

const known = credentials.map(({ type }) => type.name);
for (const { path, type } of nodes) {
	for (const { name } of type.description.credentials ?? []) {
		if (!known.includes(name))
			faults.push(`${path} wants the credential ${name}, which is not there`);
	}
}

// What the nodes load later, too, finds all that it needs.
for (const file of readdirSync(join(folder, 'dist'), { recursive: true })) {
	if (file.endsWith('.js')) attempt(file, () => require(join(folder, 'dist', file)));
}

const operations = nodes
	.flatMap(({ type }) => type.description.properties)
	.filter(({ name }) => name === 'operation')
	.flatMap(({ options }) => options);

// Schemas are made when they are used first: only parsing shows that this version of zod can.
for (const file of readdirSync(join(nodesFolder, 'api/endpoints'))) {
	const endpoints = attempt(file, () => require(join(nodesFolder, 'api/endpoints', file))) ?? {};
	for (const [name, { answer }] of Object.entries(endpoints)) {
		if (answer) attempt(name, () => answer().safeParse({}));
	}
}

const { parseEvent } = require(join(nodesFolder, 'events/parse.js'));
const samples = join(__dirname, '../fixtures/events');
const isEvent = (name) => name.endsWith('.json') && name !== 'richContents.json';
for (const file of readdirSync(samples).filter(isEvent)) {
	attempt(file, () => {
		const { event, parseIssues } = parseEvent(require(join(samples, file)));
		if (!event || parseIssues.length > 0) throw new Error(`the event has ${parseIssues}`);
	});
}

attempt('luxon', () => {
	const { parseTime } = require(join(nodesFolder, 'lib/time.js'));
	const found = parseTime('2026-01-31T09:00', 'Australia/Sydney');
	if (found !== Date.UTC(2026, 0, 30, 22)) throw new Error(`a local time is read as ${found}`);
});

const requireAsPackage = createRequire(join(folder, 'package.json'));
for (const name of ['zod/v4', 'luxon']) {
	const file = requireAsPackage.resolve(name);
	if (!process.env.NODE_PATH || file.startsWith(folder))
		faults.push(`${name} came with the package`);
}
const versionOf = (name) => `${name} ${requireAsPackage(`${name}/package.json`).version}`;

process.stdout.write(
	JSON.stringify({
		faults,
		loaded: [...nodes, ...credentials].map(({ type }) => type.description?.name ?? type.name),
		operations: operations.length,
		versions: ['zod', 'luxon'].map(versionOf).join(' and '),
	}),
);
