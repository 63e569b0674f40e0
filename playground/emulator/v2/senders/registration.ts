import { randomUUID } from 'node:crypto';
import type { Registration } from '../../model.ts';
import type { State } from '../../state.ts';

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
