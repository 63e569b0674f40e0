import { expect, it } from 'vitest';
import { options, field, requiredText, defineOperation, readItems } from '../../../seams.ts';

const shown = { type: 'string', default: '' } as const;
let timesRead = 0;
const text = field({ displayName: 'Text', name: 'text', ...shown }, (value) => {
	timesRead++;
	return requiredText(value);
});
const tag = field({ displayName: 'Tag', name: 'tag', ...shown }, requiredText);

const operation = defineOperation({
	value: 'get',
	name: 'Get',
	action: 'Get',
	description: '',
	fields: [text, options(tag)],
	run: async () => [],
});

const running = { scope: { timeZone: 'UTC' }, breathe: () => undefined };

/** n8n with three items: each field delivers its stored value and, for an expression, the item's number. */
const read = async (parameters: Record<string, unknown>) => {
	const looks: string[] = [];
	const context = {
		getNode: () => ({ parameters }),
		getInputData: () => [{}, {}, {}],
		getNodeParameter: (name: string, item: number) => {
			looks.push(`${name} ${item}`);
			const text = JSON.stringify(parameters[name]).replaceAll('=', String(item));
			return JSON.parse(text) as unknown;
		},
	};
	return { items: await readItems(context as never, operation, running), looks };
};

it('asks n8n once for a field that is the same for all items', async () => {
	const { items, looks } = await read({ text: 'Hi', options: { tag: 'x' } });
	const input = { text: 'Hi', options: { tag: 'x' } };
	expect(items).toEqual(Array(3).fill({ input, isDry: false }));
	expect(looks).toEqual(['text 0', 'options 0']);
});

it('reads a value once that is the same for all items', async () => {
	const before = timesRead;
	const { items } = await read({ text: 'Hi', options: { tag: '=' } });
	expect(items).toHaveLength(3);
	expect(timesRead - before).toBe(1);
});

it('tells each item what is wrong with a value that all have', async () => {
	const { items } = await read({ text: ' ', options: {} });
	expect(items).toHaveLength(3);
	for (const item of items) {
		expect(item).toMatchObject({ error: { message: "'Text' is empty" }, isDry: false });
	}
});

it('asks for each item where there is an expression, however deep', async () => {
	const { items } = await read({ text: '=', options: { tag: '=' } });
	expect(items).toEqual(
		['0', '1', '2'].map((n) => ({ input: { text: n, options: { tag: n } }, isDry: false })),
	);
});
