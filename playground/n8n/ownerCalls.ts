import { z } from 'zod/v4';
import type { Session } from './session.ts';

export type Owner = { email: string; password: string; firstName: string; lastName: string };

/** The playground's login, printed by `npm start`. */
export const playgroundOwner: Owner = {
	email: 'owner@playground.example',
	password: 'Playground1',
	firstName: 'Playground',
	lastName: 'Owner',
};

const settingsSchema = z.looseObject({
	userManagement: z.looseObject({ showSetupOnFirstLoad: z.boolean().optional() }),
});

export const ownerCalls = ({ call }: Session) => {
	const login = async ({ email, password }: Owner = playgroundOwner): Promise<void> => {
		await call('POST', '/login', z.unknown(), { emailOrLdapLoginId: email, password });
	};

	return {
		login,
		/** Creates the owner of a new instance, or logs in to one that has its owner already. */
		signIn: async (owner: Owner = playgroundOwner): Promise<void> => {
			const settings = await call('GET', '/settings', settingsSchema);
			if (settings.userManagement.showSetupOnFirstLoad) {
				await call('POST', '/owner/setup', z.unknown(), owner);
			}
			await login(owner);
		},
	};
};
