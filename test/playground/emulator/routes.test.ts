import { describe, expect, it } from 'vitest';
import { routes } from '../../../playground/emulator/server.ts';
import { useEmulator } from './emulatorUnderTest.ts';

const keyOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;

describe('the operations of the emulator', () => {
	const emulator = useEmulator();

	it('are listed once each', () => {
		expect(new Set(routes.map(keyOf)).size).toBe(routes.length);
	});

	it.each(routes.map((route) => [keyOf(route), route] as const))(
		'include %s, which asks for credentials and can be made to fail',
		async (_key, { host, method, path }) => {
			const url = path.replace(/\{\w+\}/g, '1');
			expect((await emulator.callBare(url, { method })).status).toBe(401);
			await emulator.control().addFault({ fault: 'status500', match: { path: url } });
			const { status, body } = await emulator.call(url, { method });
			expect(status).toBe(500);
			expect(body).toMatchObject({ error: host === 'v1' ? { code: 'FAILED' } : { status: 500 } });
		},
	);
});
