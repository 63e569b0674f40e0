import { describe, expect, it } from 'vitest';
import { sixtyRows } from '../fixtures/sixtyRows.ts';
import { continues, useEmulator } from './emulator.ts';

const service = useEmulator();

const items = sixtyRows.map(({ phone, name }) => ({ phone, name }));
const readable = sixtyRows.flatMap(({ number }) => number ?? []);

/** Both credentials, of an Australian account. */
const australian = () =>
	Object.fromEntries(
		Object.entries(service.credentials).map(([name, data]) => [
			name,
			{ ...data, defaultCountry: 'AU' },
		]),
	);

describe('sixty rows of a spreadsheet', () => {
	it('are 31 people, two landlines, four duplicates, and 23 that are no number', () => {
		const count = (isCounted: (row: (typeof sixtyRows)[number]) => boolean) =>
			sixtyRows.filter(isCounted).length;
		expect(count(({ number }) => number === null)).toBe(23);
		expect(count(({ isDuplicate }) => isDuplicate)).toBe(4);
		expect(count(({ type }) => type === 'landline')).toBe(2);
		expect(
			count(
				({ number, type, isDuplicate }) => Boolean(number) && type !== 'landline' && !isDuplicate,
			),
		).toBe(31);
	});

	it('are cleaned, each as it is meant, and keep their fields', async () => {
		const fields = { phoneNumber: '={{ $json.phone }}', defaultCountry: 'AU' };
		const { json, error, hints } = await service.run('phoneNumber/clean', fields, {
			items,
			credentials: {},
		});

		expect(error).toBeUndefined();
		expect(hints).toEqual([]);
		expect(json).toEqual(
			sixtyRows.map(({ phone, name, number, country, type, isDuplicate, reason }) => ({
				phone,
				name,
				cleaned: {
					number,
					isValid: number !== null,
					country,
					type,
					isDuplicate,
					reason: reason && expect.stringContaining(`The value ${reason}`),
				},
			})),
		);
	});

	it('are sent to by SMS → Send where they are a number, and refused where not', async () => {
		const { json } = await service.sms(
			items,
			{},
			{ credentials: australian(), settings: continues },
		);

		expect(json.map(({ recipient = null, error = null }) => ({ recipient, error }))).toEqual(
			sixtyRows.map(({ number, reason }) => ({
				recipient: number,
				error: reason && expect.stringContaining(`'Recipient' ${reason}`),
			})),
		);
		expect(readable).toHaveLength(37);
		expect((await service.recipients()).sort()).toEqual([...readable].sort());
	});

	it('are sent to by Bulk SMS → Send, each number once', async () => {
		const fields = { message: 'Hi', sender: 'Acme', recipients: '={{ $json.phone }}' };
		const { json } = await service.run('bulkSms/send', fields, {
			items,
			credentials: australian(),
			settings: continues,
		});
		/** Of a row with a comma: a list of several is what this operation takes. */
		const isList = ({ why }: { why: string }) => why === 'two numbers with a comma';

		const wrong = json.filter(
			({ error }, index) =>
				(error === undefined) !== (sixtyRows[index]!.number !== null || isList(sixtyRows[index]!)),
		);
		expect(wrong).toEqual([]);
		const requests = await service.control.requests({ path: '/send-sms.json' });
		const sent = requests.flatMap(({ body }) => String(Object(body).to).split(','));
		expect(sent.sort()).toEqual([...new Set(readable)].sort());
	});
});
