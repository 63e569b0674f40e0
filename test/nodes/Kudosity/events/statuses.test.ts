import { describe, expect, it } from 'vitest';
import {
	canBeLast,
	describeStatus,
	filterStatuses,
	hasOtherLastStatuses,
	lastStatuses,
	isLateOrRepeated,
	rememberStatus,
} from '../../../seams.ts';

describe('describeStatus', () => {
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
		expect(describeStatus(status)).toMatchObject({ status, isFinal, isFailure });
		expect(describeStatus(status.toLowerCase())).toMatchObject({ isFinal, isFailure });
	});

	it('writes known statuses in upper case and leaves unknown ones as they are', () => {
		expect(describeStatus('delivered').status).toBe('DELIVERED');
		expect(describeStatus('Parked').status).toBe('Parked');
	});

	it.each(['constructor', '__proto__', 'toString', ''])('knows nothing of %j', (status) => {
		expect(describeStatus(status)).toMatchObject({ isFinal: false, isOpen: false });
	});

	it('can be filtered by each status that the service documents', () => {
		expect(filterStatuses).toEqual(expect.arrayContaining(['SENT', 'DELIVERED', 'READ', 'OTHER']));
	});
});

describe('canBeLast', () => {
	it.each([
		['SENT', 'SMS_STATUS', false],
		['SENT', 'RCS_STATUS', false],
		['SENT', 'WHATSAPP_STATUS', false],
		['SENT', 'MMS_STATUS', true],
		['sent', 'MMS_STATUS', true],
		['PENDING', 'MMS_STATUS', false],
		['SOFT_BOUNCE', 'SMS_STATUS', true],
		['Parked', 'SMS_STATUS', true],
	] as const)('%s of %s: %s', (status, type, expected) => {
		expect(canBeLast(status, type)).toBe(expected);
	});

	it.each(['SMS_STATUS', 'MMS_STATUS', 'RCS_STATUS', 'WHATSAPP_STATUS'] as const)(
		'allows %s what can be the last one of any message, and more only where it says so',
		(type) => {
			const last = filterStatuses.filter((status) => canBeLast(status, type));
			expect(last).toEqual(expect.arrayContaining([...lastStatuses]));
			expect(last.length > lastStatuses.length).toBe(hasOtherLastStatuses(type));
		},
	);
});

describe('status memory', () => {
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
