import { describe, expect, it } from 'vitest';
import { operationsByName } from '../../../helpers/exampleFields.ts';
import { KudosityTrigger, eventTypes } from '../../../seams.ts';

describe('the fields of the trigger', () => {
	const { description } = new KudosityTrigger();
	const field = (name: string) => description.properties.find((property) => property.name === name);

	it('keep the names that workflows have stored', () => {
		const names = description.properties.map(({ name }) => name);
		expect(names.sort()).toEqual(['events', 'filters', 'options', 'simplify']);
	});

	it('keep the values that workflows have stored', () => {
		const values = (name: string) =>
			(field(name)?.options ?? []).map((option) =>
				'value' in option ? option.value : option.name,
			);
		expect(values('events').sort()).toEqual([...eventTypes, 'ANY_OPT_OUT'].sort());
		expect(values('filters')).toEqual(['campaignId', 'messageRef', 'sender', 'status']);
	});

	it('keep the names of the options, with the documented defaults', () => {
		const defaults = Object.fromEntries(
			(field('options')?.options ?? []).map((option) => [
				option.name,
				'default' in option ? option.default : undefined,
			]),
		);
		expect(defaults).toEqual({
			downloadMedia: true,
			skipOutdatedStatuses: false,
			outputFieldPrefix: 'media',
			onlyFinalStatuses: false,
			optOutKeywords: 'STOP, STOPALL, UNSUBSCRIBE, CANCEL, END, QUIT, REVOKE, OPTOUT',
			outputs: 'single',
			rateLimit: 0,
			skipQuestionAnswers: false,
		});
	});

	it('offer the same filters, with the same help, as a webhook that is made by hand', () => {
		const byHand = operationsByName['webhook/create']!.properties.find(
			({ name }) => name === 'filters',
		);
		expect(field('filters')?.options).toEqual(byHand?.options);
	});

	it.each([
		[['SMS_STATUS', 'OPT_OUT'], true, []],
		[['RCS_INBOUND'], true, ['inReplyTo']],
		[['SMS_INBOUND', 'OPT_OUT'], true, ['inReplyTo', 'isOptOutKeyword']],
		[['SMS_INBOUND', 'OPT_OUT'], false, []],
		[undefined, true, []],
	])('hint at what %j with Simplify %s can promise', (events, simplify, fields) => {
		const shown = description.hints!.filter(({ displayCondition = '' }) =>
			new Function('$parameter', `return ${displayCondition.slice(3, -2)}`)({ events, simplify }),
		);
		expect(shown.map(({ message }) => /<code>(\w+)/.exec(message)?.[1])).toEqual(fields);
	});

	it('let no expression delay a delivery', () => {
		expect(JSON.stringify(description.webhooks)).not.toContain('=');
		expect(description.webhooks).toEqual([
			{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'webhook' },
		]);
	});

	it('is not offered to AI agents as a tool', () => {
		expect(description.usableAsTool).toBeUndefined();
	});
});
