/** Everything that may ship; a path that no pattern matches does not belong into the package. */
const allowedPaths: readonly RegExp[] = [
	/^package\.json$/,
	/^README\.md$/,
	/^CHANGELOG\.md$/,
	/^LICENSE\.md$/,
	/^dist\/icons\/[\w.]+\.svg$/,
	/^dist\/credentials\/\w+\.credentials\.js$/,
	/^dist\/nodes\/Kudosity\/(?:\w+\/)*\w+(?:\.node)?\.js$/,
	/^dist\/nodes\/Kudosity\/fields\/phone\/(?:countries|numberingPlans)\.json$/,
	/^dist\/nodes\/Kudosity\/\w+\.node\.json$/,
	/^dist\/nodes\/Kudosity\/__schema__\/(?:[\w.-]+\/)*[\w.-]+\.json$/,
];

const requiredPaths: readonly string[] = ['package.json', 'README.md', 'LICENSE.md'];

const isAllowed = (path: string): boolean => allowedPaths.some((pattern) => pattern.test(path));

/** What ships though it should not, and what is missing. `paths` are relative to the package, with slashes. */
export const contentFaults = (paths: string[]): string[] => [
	...paths.filter((path) => !isAllowed(path)).map((path) => `${path} must not ship`),
	...requiredPaths.filter((path) => !paths.includes(path)).map((path) => `${path} is missing`),
];

const dependencyFields = ['dependencies', 'optionalDependencies', 'bundledDependencies'] as const;

/** n8n installs nothing beside a community package, so it may ask for nothing but n8n-workflow. */
export const dependencyFaults = (manifest: Record<string, unknown>): string[] => {
	const unwanted = dependencyFields.filter(
		(field) => Object.keys(manifest[field] ?? {}).length > 0,
	);
	const peers = JSON.stringify(manifest.peerDependencies);
	return [
		...unwanted.map((field) => `package.json has ${field}`),
		...(peers === '{"n8n-workflow":"*"}' ? [] : ['package.json has other peers than n8n-workflow']),
	];
};
