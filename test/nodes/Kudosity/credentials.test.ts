import { expect, it } from 'vitest';
import { KudosityBasicApi, KudosityKeyApi } from '../../seams.ts';

it.each([
	[new KudosityKeyApi(), 'For SMS, MMS, WhatsApp, RCS and the triggers'],
	[new KudosityBasicApi(), 'For bulk SMS, contacts, lists, numbers and reports'],
])('$displayName says first what it is for', ({ properties: [first] }, text) => {
	expect(first).toMatchObject({ type: 'notice', displayName: text });
});
