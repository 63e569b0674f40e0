import { expect, it } from 'vitest';
import { useEmulator } from './emulator.ts';

const service = useEmulator();
const listId = '4100001';
const start = '/add-contacts-bulk.json';
const progress = '/add-contacts-bulk-progress.json';

const completed = { list_id: 4100001, status: 'completed', imported: 2 };
const inProgress = { list_id: 4100001, status: 'in progress' };
const refused = { error: { code: 'NOT_FOUND', description: 'No import' } };

/** An import whose progress the service tells so, one look after the other; the first is before its start. */
const importWith = async (looks: object[], timeoutSeconds = 60) => {
	await service.control.addFault(
		{ fault: 'custom', status: 200, body: { list_id: 4100001 }, match: { path: start } },
		...looks.map((body) => ({
			fault: 'custom' as const,
			status: body === refused ? 400 : 200,
			body,
			match: { path: progress },
		})),
	);
	const options = { waitForCompletion: true, timeoutSeconds };
	const fields = { listId, fileUrl: 'https://example.com/a.csv', options };
	const { json, error } = await service.run('list/importContacts', fields);
	const paths = (await service.control.requests()).map(({ path }) => path);
	return { told: error?.message ?? json[0], paths };
};

it('looks before the start of an import, and does not take the end of an earlier one for its own', async () => {
	const ours = { ...completed, imported: 3 };
	const { told, paths } = await importWith([completed, completed, inProgress, ours]);

	expect(told).toEqual({ ...ours, list_id: listId, timedOut: false });
	expect(paths).toEqual([progress, start, progress, progress, progress]);
});

it('believes an end that looks like the earlier one after some time', async () => {
	const { told, paths } = await importWith(Array<object>(6).fill(completed));

	expect(told).toMatchObject({ status: 'completed', timedOut: false });
	expect(paths).toHaveLength(2 + 4);
});

it.each([
	['completed', { list_id: listId, status: 'completed', imported: 2, timedOut: false }],
	['Failed', 'Kudosity could not import the file'],
])(
	'knows its own end by another look before it, although both look alike: %s',
	async (status, told) => {
		const end = { ...completed, status };
		expect((await importWith([end, inProgress, end], 10)).told).toEqual(told);
	},
);

it('goes on while the service does not know of it', async () => {
	const { told } = await importWith([refused, refused, inProgress, completed]);
	expect(told).toEqual({ ...completed, list_id: listId, timedOut: false });
});

it('does not take a look that could not be had for another one', async () => {
	const { told } = await importWith([completed, refused, completed], 5);
	expect(told).toMatchObject({ status: 'completed', timedOut: true });
});

it('goes on while nobody answers', async () => {
	const looks = { match: { path: progress, skip: 1, count: 7 } };
	await service.control.addFault({ fault: 'status500', ...looks });
	expect((await importWith([refused, completed], 120)).told).toMatchObject({ timedOut: false });
});

it('says that the time was up, also where nothing was ever known', async () => {
	const { told } = await importWith([refused, refused, refused, refused], 10);
	expect(told).toEqual({ list_id: listId, timedOut: true });
});
