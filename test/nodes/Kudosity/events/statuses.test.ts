import { describe, expect, it } from 'vitest';
import { changed, sampleEvent } from '../../../fixtures/events/index.ts';
import { isLateOrRepeated, readEvent, rememberStatus, simplifyEvent } from '../../../seams.ts';

const recordOf = (status: string) => {
	const event = changed(sampleEvent('smsStatusDelivered'), 'status.status', status);
	return simplifyEvent(readEvent(event)!.event!);
};

describe('a status', () => {
	it.each([
		['PENDING', false, false],
		['PENDING_APPROVAL', false, false],
		['QUEUED', false, false],
		['SUBMITTED', false, false],
		['SENT', false, false],
		['ACCEPTED', false, false],
		['SOFT_BOUNCE', false, false],
		['DELIVERED', true, false],
		['READ', true, false],
		['FAILED', true, true],
		['HARD_BOUNCE', true, true],
		['REJECTED', true, true],
		['UNDELIVERABLE', true, true],
		['OTHER', false, false],
		['INVALID', false, false],
	])('%s: final %s, failure %s', (status, isFinal, isFailure) => {
		expect(recordOf(status)).toMatchObject({ status, isFinal, isFailure });
		expect(recordOf(status.toLowerCase())).toMatchObject({ isFinal, isFailure });
	});

	it('is in upper case, also when nobody knows it', () => {
		expect(recordOf('delivered').status).toBe('DELIVERED');
		expect(recordOf('Parked').status).toBe('PARKED');
	});

	it.each(['constructor', '__proto__', 'toString'])('means nothing when it is %j', (status) => {
		expect(recordOf(status)).toMatchObject({
			status: status.toUpperCase(),
			isFinal: false,
			isFailure: false,
		});
	});
});

describe('late and repeated statuses', () => {
	/** What comes through when statuses arrive in this order. */
	const passed = (message: string, statuses: string[]) =>
		statuses.filter((status) => {
			if (isLateOrRepeated(message, status)) return false;
			rememberStatus(message, status);
			return true;
		});

	it.each([
		[
			['SENT', 'DELIVERED'],
			['SENT', 'DELIVERED'],
		],
		[['DELIVERED', 'SENT'], ['DELIVERED']],
		[
			['SENT', 'SENT', 'DELIVERED', 'delivered'],
			['SENT', 'DELIVERED'],
		],
		[['READ', 'DELIVERED', 'SENT'], ['READ']],
		[
			['SENT', 'SOFT_BOUNCE', 'SENT', 'DELIVERED'],
			['SENT', 'SOFT_BOUNCE', 'DELIVERED'],
		],
		[
			['SUBMITTED', 'SENT'],
			['SUBMITTED', 'SENT'],
		],
		[
			['DELIVERED', 'FAILED'],
			['DELIVERED', 'FAILED'],
		],
		[
			['DELIVERED', 'PARKED', 'PARKED', 'SENT'],
			['DELIVERED', 'PARKED'],
		],
	])('%j becomes %j', (statuses, expected) => {
		expect(passed(`message-${statuses.join()}`, statuses)).toEqual(expected);
	});

	it('keeps messages apart', () => {
		expect(passed('message-a', ['DELIVERED'])).toEqual(['DELIVERED']);
		expect(passed('message-b', ['SENT'])).toEqual(['SENT']);
	});

	it('forgets the messages that were longest without news, and no others', () => {
		rememberStatus('oldest', 'DELIVERED');
		rememberStatus('active', 'SENT');
		for (let message = 0; message < 19_999; message++) rememberStatus(`filler-${message}`, 'SENT');
		rememberStatus('active', 'DELIVERED');
		rememberStatus('last', 'SENT');
		expect(isLateOrRepeated('oldest', 'SENT')).toBe(false);
		expect(isLateOrRepeated('active', 'SENT')).toBe(true);
	});
});
