import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/** A test that failed, or a file whose tests could not run. */
export type Failure = { file: string; test?: string; message: string };

type Report = {
	testResults: Array<{
		name: string;
		status: string;
		message: string;
		assertionResults: Array<{ fullName: string; status: string; failureMessages: string[] }>;
	}>;
};

/** What vitest's report in JSON says of failures; none where it was not written. */
export const readFailures = (report: string, project: string): Failure[] => {
	let text: string;
	try {
		text = readFileSync(report, 'utf8');
	} catch {
		return [];
	}
	return (JSON.parse(text) as Report).testResults.flatMap(
		({ name, status, message, assertionResults }) => {
			const file = relative(project, name);
			const failed = assertionResults
				.filter((result) => result.status === 'failed')
				.map(({ fullName, failureMessages }) => ({
					file,
					test: fullName,
					message: stripVTControlCharacters(failureMessages.join('\n')),
				}));
			if (failed.length > 0 || status !== 'failed') return failed;
			return [{ file, message: stripVTControlCharacters(message) }];
		},
	);
};

/** Suites that keep accounts of messages and events: one that is lost or sent twice by chance is lost or sent twice. */
const accountBooks = /\/(?:faults|queue)\/|campaign|sendOnce|crash/i;

export const isRepeatable = ({ file }: Failure): boolean => !accountBooks.test(file);

const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** The command that runs this test alone. */
export const replay = ({ file, test }: Failure, environment: string[]): string =>
	[
		...environment,
		`npx vitest run ${file}`,
		...(test ? [`-t ${quote(test.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))}`] : []),
	].join(' ');
