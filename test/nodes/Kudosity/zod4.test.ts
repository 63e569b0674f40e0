/** The fields under zod 4: it takes a missing key of type `unknown` for a mistake, zod 3.25 does not. */
import { describe, expect, it, vi } from 'vitest';
import { bulkSmsSchema } from '../../../nodes/Kudosity/api/schemas/sms.schema.ts';
import { resources } from '../../../nodes/Kudosity/resources/index.ts';

vi.mock('zod/v4', async () => await import('zod4'));

const collections = resources.flatMap(({ value, operations }) =>
	operations.flatMap(({ value: operation, input, properties }) =>
		properties
			.filter(({ type }) => type === 'collection')
			.map(({ name }) => ({
				name: `${value}.${operation} ${name}`,
				schema: input.shape[name] as unknown as { safeParse(value: unknown): { success: boolean } },
			})),
	),
);

describe('with zod 4', () => {
	it.each(collections)('$name can be left empty', ({ schema }) => {
		expect(schema.safeParse({}).success).toBe(true);
	});

	it('reads an answer without an error code', () => {
		expect(bulkSmsSchema.parse({ message_id: 7 })).toEqual({ message_id: '7' });
	});
});
