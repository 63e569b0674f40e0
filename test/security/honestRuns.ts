import type { useEmulator } from '../engine/emulator.ts';
import type { CredentialData } from '../engine/harness.ts';
import { workingFields } from '../helpers/exampleFields.ts';

type Fields = Record<string, unknown>;
type Service = ReturnType<typeof useEmulator>;

/** Where the default would make a test wait. */
const impatient: Record<string, Fields> = {
	'rcs/waitForStatus': {
		// One of the emulator's that was delivered.
		messageId: '5eeded00-0000-4000-8000-000000000001',
		options: { intervalSeconds: 1, timeoutSeconds: 1 },
	},
};

/** Where the values decide what is asked, beside what an honest run asks. */
const furtherPaths: Record<string, RegExp[]> = {
	'contact/upsert': [/^\/(add-to-list|edit-list-member|get-contact)\.json$/],
	...Object.fromEntries(
		// The webhook of a question that was not sent is removed.
		['sms', 'rcs', 'whatsapp'].map((channel) => [
			`${channel}/sendAndWait`,
			[/^\/v2\/webhook\/[\da-f-]{36}$/],
		]),
	),
};

/** The path of an honest request. In place of a field's value it may hold another ID, which leads nowhere else. */
const patternOf = (path: string, fields: object): RegExp => {
	const isValue = (part: string) => part !== '' && Object.values(fields).includes(part);
	const parts = path.split('/');
	const patterns = parts.map((part) => (isValue(part) ? '[\\w-]+' : part.replace(/\W/g, '\\$&')));
	return new RegExp(`^${patterns.join('/')}$`);
};

/** Runs that go on after a failure, and what is known of those that nobody attacks. */
export const createHonestRuns = (service: Service, credentials?: () => CredentialData) => {
	const run = async (name: string, fields: Fields, items: object[]) =>
		await service.run(name, fields, {
			items,
			settings: { onError: 'continueRegularOutput' },
			...(credentials && { credentials: credentials() }),
		});
	const outputOf = async (name: string, fields: Fields) => (await run(name, fields, [{}])).json;

	return {
		run,
		/** Fields with which the operation works as long as nobody touches them. */
		goodFields: async (name: string): Promise<Fields> => ({
			...(await workingFields(name, outputOf)),
			...impatient[name],
		}),
		/** Where requests of the operation may go, by those that it made with these fields. */
		pathsOf: (name: string, fields: Fields, honest: Array<{ path: string }>): RegExp[] => [
			...honest.map(({ path }) => patternOf(path, fields)),
			...(furtherPaths[name] ?? []),
		],
	};
};
