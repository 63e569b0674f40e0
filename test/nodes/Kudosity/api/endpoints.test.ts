import { expect, it } from 'vitest';
import { routes } from '../../../../playground/emulator/server.ts';
import { endpoints } from '../../../helpers/endpoints.ts';

/** They only look, although they are a POST of v2. */
const readsByPost = ['/v2/rcs/capabilities'];
/** Deletes what is paid for or hard to get back: of a second one, nobody could tell what became of the first. */
const deletesOnce = ['/v2/senders/phone-numbers/{phone_number}'];

const inWords = endpoints.map(([, { connection, method, path, verb }]) => ({
	route: `${connection === 'basic' ? 'v1' : 'v2'} ${method} ${path}`,
	...{ method, path, isSend: verb === 'send' },
}));

it('are operations of the service, as the emulator knows them', () => {
	const known = routes.map(({ host, method, path }) => `${host} ${method} ${path}`);
	expect(inWords.map(({ route }) => route).filter((route) => !known.includes(route))).toEqual([]);
	expect(inWords.length).toBeGreaterThan(50);
});

it('are never repeated by themselves when they are a POST of v2 that does more than look', () => {
	const isOnce = ({ method, path }: (typeof inWords)[number]) =>
		deletesOnce.includes(path) || (method === 'POST' && !readsByPost.includes(path));
	const ofV2 = inWords.filter(({ route }) => route.startsWith('v2'));
	expect(ofV2.filter((each) => each.isSend !== isOnce(each))).toEqual([]);
});
