import { expect, it } from 'vitest';
import { options } from '../../../../nodes/Kudosity/fields/collection.ts';
import { field } from '../../../../nodes/Kudosity/fields/field.ts';
import { requiredText } from '../../../../nodes/Kudosity/fields/readers/text.ts';
import { defineOperation } from '../../../../nodes/Kudosity/runtime/operation.ts';
import { readItems } from '../../../../nodes/Kudosity/runtime/readItems.ts';

const shown = { type: 'string', default: '' } as const;
const text = field({ displayName: 'Text', name: 'text', ...shown }, requiredText);
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

it('asks for each item where there is an expression, however deep', async () => {
	const { items } = await read({ text: '=', options: { tag: '=' } });
	expect(items).toEqual(
		['0', '1', '2'].map((n) => ({ input: { text: n, options: { tag: n } }, isDry: false })),
	);
});
