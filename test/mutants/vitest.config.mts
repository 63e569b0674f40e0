import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { mergeConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import config from '../../vitest.config.mts';

const { KUDOSITY_MUTANTS_DURATIONS: file = '' } = process.env;

/** Milliseconds by the path of a test file, from a run without a mistake. */
const durations = (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}) as Record<
	string,
	number
>;

/** The quickest files first, so that most mistakes are found within seconds. */
class QuickestFirst extends BaseSequencer {
	override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
		const durationOf = ({ moduleId }: TestSpecification): number =>
			durations[relative(process.cwd(), moduleId)] ?? Infinity;
		// By project: vitest keeps a worker only while the project stays the same.
		return await Promise.resolve(
			files.sort(
				(one, other) =>
					other.project.name.localeCompare(one.project.name) || durationOf(one) - durationOf(other),
			),
		);
	}
}

export default mergeConfig(config, { test: { sequence: { sequencer: QuickestFirst } } });
