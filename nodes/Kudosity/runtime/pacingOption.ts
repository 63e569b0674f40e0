import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod/v4';
import { refuse } from '../api/schemas/input.schema';
import { defaultRequestsPerSecond } from './nodeTransport';

export const requestsPerSecondOption: INodeProperties = {
	displayName: 'Requests per Second',
	name: 'requestsPerSecond',
	type: 'number',
	typeOptions: { minValue: 0.1, numberPrecision: 1 },
	default: defaultRequestsPerSecond,
	description:
		'How many requests to start each second, together with all other Kudosity nodes that use this account. The service drops what exceeds 15 a second, unless it has raised the limit for your account.',
};

export const requestsPerSecondInput = z
	.unknown()
	.transform((value, context): number | undefined => {
		if (value === undefined || value === '') return undefined;
		const rate = Number(value);
		return rate > 0 && Number.isFinite(rate)
			? rate
			: refuse(context, 'is not a number above 0', 'Use a number, e.g. 14');
	});
