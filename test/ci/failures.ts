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
		startTime: number;
		endTime: number;
		assertionResults: Array<{ fullName: string; status: string; failureMessages: string[] }>;
	}>;
};

/** The files in vitest's report in JSON; none where it was not written. */
function readResults(report: string): Report['testResults'] {
	let text: string;
	try {
		text = readFileSync(report, 'utf8');
	} catch {
		return [];
	}
	return (JSON.parse(text) as Report).testResults;
}

/** The five files that took longest, one to a line. Its seconds don't include its imports, nor `beforeAll`. */
export function slowestFiles(report: string, project: string): string[] {
	return readResults(report)
		.map(({ name, startTime, endTime }) => ({ name, ms: endTime - startTime }))
		.sort((one, other) => other.ms - one.ms)
		.slice(0, 5)
		.map(({ name, ms }) => `${(ms / 1000).toFixed(1).padStart(7)} s  ${relative(project, name)}`);
}

/** What vitest's report says of failures. */
export const readFailures = (report: string, project: string): Failure[] =>
	readResults(report).flatMap(({ name, status, message, assertionResults }) => {
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
	});

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
