import type { INodeProperties } from 'n8n-workflow';
import { anything } from '../api/schemas/common.schema';
import { refuse } from '../api/schemas/input.schema';
import { defaultRequestsPerSecond } from './nodeTransport';

/** A slower node would hold up all others of the account for longer than 10 s at a time. */
const slowest = 0.1;

export const requestsPerSecondOption: INodeProperties = {
	displayName: 'Requests per Second',
	name: 'requestsPerSecond',
	type: 'number',
	typeOptions: { minValue: slowest, numberPrecision: 1 },
	default: defaultRequestsPerSecond,
	description:
		'How many requests to start each second. All Kudosity nodes that use this account queue up together, each at its own speed: lower it in all of them when other programs use the account too. The service drops what exceeds 15 a second, unless it has raised the limit for your account.',
};

export const requestsPerSecondInput = anything.transform((value, context): number | undefined => {
	if (value === undefined || value === null || value === '') return undefined;
	const rate = typeof value === 'string' ? Number(value) : value;
	return typeof rate === 'number' && rate >= slowest && rate < Infinity
		? rate
		: refuse(context, `is not a number from ${slowest}`, 'Use a number, e.g. 14');
});
