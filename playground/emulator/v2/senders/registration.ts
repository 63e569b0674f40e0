import { randomUUID } from 'node:crypto';
import type { State } from '../../state.ts';

export interface Verification {
	method: 'SMS';
	originating_sender: string;
	code: string;
	status: 'SENT' | 'CONFIRMED' | 'EXPIRED' | 'FAILED';
	expires_at: string;
	attempts_remaining: number;
}

export interface Registration {
	registration_id: string;
	accountId: string;
	sender: string;
	country: string;
	type: 'PERSONAL_MOBILE_NUMBER' | 'ALPHANUMERIC';
	status: 'PENDING_APPROVAL' | 'VERIFIED' | 'REJECTED' | 'CANCELLED';
	created_at: string;
	updated_at: string;
	child_account_id?: string;
	details?: object;
	verification?: Verification;
}

/** A name that is ready to use, and a mobile number that still has to be verified. */
export function seedRegistrations(state: State): void {
	const at = '2025-03-14T02:26:05Z';
	const common = {
		accountId: state.settings.accounts[0]?.id ?? '',
		country: 'AU',
		created_at: at,
		updated_at: at,
	};
	const seeded: Registration[] = [
		{
			...common,
			registration_id: randomUUID(),
			sender: 'GreenCafe',
			type: 'ALPHANUMERIC',
			status: 'VERIFIED',
			details: { alphanumeric: { registry: 'ACMA', status: 'READY_TO_USE' } },
		},
		{
			...common,
			registration_id: randomUUID(),
			sender: '61491579455',
			type: 'PERSONAL_MOBILE_NUMBER',
			status: 'PENDING_APPROVAL',
		},
	];
	state.registrations.clear();
	for (const one of seeded) state.registrations.set(one.registration_id, one);
}

export const registrationRecord = (registration: Registration) => ({
	...registration,
	accountId: undefined,
	verification: undefined,
});
