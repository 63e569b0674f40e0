import { describe, expect, it } from 'vitest';
import { RCS_AGENT } from '../../playground/emulator/catalogue.ts';
import { useEmulator } from './emulator.ts';

const service = useEmulator();

const search = async (filter?: string, options: object = {}) => {
	const found = await service.search('searchSenders', filter, { resource: 'sms', ...options });
	return found.map(({ value }) => value);
};

const send = async (sender: string) =>
	await service.run('sms/send', { message: 'Hi', recipient: '61491570156', sender });

describe('the list of senders to choose from', () => {
	it('has those that are verified, and those used lately, each once', async () => {
		for (const sender of ['61491570006', 'Acme', 'GreenCafe', 'Acme']) await send(sender);

		expect((await search())[0]).toBe('GreenCafe');
		expect((await search()).sort()).toEqual(['61491570006', 'Acme', 'GreenCafe']);
	});

	it('leaves out who wrote to the account, and what waits for its code', async () => {
		await service.control.inbound({ from: '61491570157', to: '61491570006', text: 'Hi' });

		expect(await search()).toEqual(['GreenCafe']);
	});

	it('is searched without regard to capitals', async () => {
		await send('61491570006');

		expect(await search(' green')).toEqual(['GreenCafe']);
		expect(await search('570006')).toEqual(['61491570006']);
	});

	it.each(['/v2/sms', '/v2/senders/registrations'])('does without %s', async (path) => {
		await send('GreenCafe');
		await service.fault('status500', { path, method: 'GET', count: 'forever' });

		expect(await search()).toEqual(['GreenCafe']);
	});

	it.each([
		['rcs', { sender: RCS_AGENT }, RCS_AGENT],
		['whatsapp', { contentType: 'text', options: { sender: '61491570006' } }, '61491570006'],
	])(
		'has the senders that %s messages went out from, and no others',
		async (resource, from, sender) => {
			await send('Acme');
			const to = { message: 'Hi', recipient: '61491570156' };
			const { error } = await service.run(`${resource}/send`, { ...to, ...from });

			expect(error).toBeUndefined();
			expect(await search('', { resource })).toEqual([sender]);
		},
	);
});
