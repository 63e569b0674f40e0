import { expect, it } from 'vitest';
import {
	getList,
	getRcsMessage,
	getRcsMessages,
	getSmses,
	createService,
	requestOf,
} from '../../../seams.ts';
import { answering, json } from '../../../helpers/fakeTransport.ts';

it('asks once for all who ask for the same, and again after a failure', async () => {
	const { transport, requests } = answering(json({}, 503), json({ id: 4100001, name: 'Gym' }));
	const { callOnce } = createService(transport);
	const ask = async () => await callOnce(getList, { list_id: '4100001', members: 'none' });

	const failed = await Promise.allSettled([ask(), ask()]);
	expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
	expect(await Promise.all([ask(), ask()])).toMatchObject([{ name: 'Gym' }, { name: 'Gym' }]);
	expect(await ask()).toMatchObject({ id: '4100001' });
	expect(requests).toHaveLength(2);
});

it('asks for a text with half of an emoji as it is, but for the half', () => {
	const values = { message_ref: 'a\ud83d-1 👍', limit: 5 };
	expect(requestOf(getSmses, values).query).toEqual({ message_ref: 'a\ufffd-1 👍', limit: 5 });
});

it('knows of a 404 without words whether a record was asked for, whatever its ID looks like', async () => {
	const { call } = createService(answering(json({}, 404), json({}, 404)).transport);
	await expect(call(getRcsMessage, { id: 'abc' })).rejects.toMatchObject({
		fields: { namesRecord: true },
	});
	await expect(call(getRcsMessages)).rejects.toMatchObject({ fields: { namesRecord: false } });
});
