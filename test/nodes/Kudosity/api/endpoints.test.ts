import { describe, expect, it } from 'vitest';
import { routes } from '../../../../playground/emulator/routes.ts';
import { endpoints } from '../../../helpers/endpoints.ts';

/** They only look, although they are a POST of v2. */
const readsByPost = ['/v2/rcs/capabilities'];
/** Deletes what is paid for or hard to get back: of a second one, nobody could tell what became of the first. */
const deletesOnce = ['/v2/senders/phone-numbers/{phone_number}'];

describe.each(endpoints)('%s', (_name, { connection, method, path, verb, answer }) => {
	const host = connection === 'basic' ? 'v1' : 'v2';

	it('is an operation of the service, as the emulator knows it', () => {
		const known = routes.map((route) => `${route.host} ${route.method} ${route.path}`);
		expect(known).toContain(`${host} ${method} ${path}`);
	});

	it('has a path of its API', () => {
		expect(path).toMatch(host === 'v1' ? /^\/[a-z-]+\.json$/ : /^\/v2\//);
	});

	it('makes the schema of its answer once, when it is first needed', () => {
		expect(answer()).toBe(answer());
	});

	it('is never repeated by itself when it is a POST of v2 that does more than look', () => {
		const isOnce = deletesOnce.includes(path) || (method === 'POST' && !readsByPost.includes(path));
		if (host === 'v2') expect(verb === 'send').toBe(isOnce);
		else expect(['GET', 'POST']).toContain(method);
	});
});
