import { expect, it } from 'vitest';
import { useEmulator } from './emulator.ts';

const service = useEmulator();
const [ana, ben] = ['61491570006', '61491570156'];
const text = '={{ $json.text ?? "Hello" }}';

/** The last item lacks something that no field can tell by itself. */
it.each([
	[
		'bulkSms/send',
		{ message: text, sender: 'Acme', recipients: '={{ $json.to }}' },
		{ text: 'See [tracked-link]' },
	],
	[
		'rcs/send',
		{
			message: text,
			sender: 'acme_agent',
			recipient: '={{ $json.to }}',
			options: { smsFallbackMessage: '', smsFallbackSender: '={{ $json.from }}' },
		},
		{ from: '61491570110' },
	],
	[
		'whatsapp/send',
		{
			contentType: 'text',
			message: text,
			recipient: '={{ $json.to }}',
			options: { smsFallbackMessage: '', smsFallbackSender: '={{ $json.from }}' },
		},
		{ from: '61491570110' },
	],
])('sends nothing of a batch with one wrong item: %s %#', async (name, fields, wrong) => {
	const item = { to: ana, from: '' };
	// More than go out at a time.
	const right = Array.from({ length: 60 }, (_, index) => ({ ...item, text: `Hello ${index}` }));
	const items = [...right, { ...item, to: ben, ...wrong }];
	const { error } = await service.run(name, fields, { items });

	expect(error?.message).toMatch(/'(Message|Options > )/);
	expect(await service.control.requests()).toEqual([]);
});
