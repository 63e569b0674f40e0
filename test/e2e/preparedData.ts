import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import {
	installationName,
	installOnce,
	type N8nInstallation,
} from '../../playground/n8n/install.ts';
import { launchN8n } from '../../playground/n8n/launch.ts';
import { createRest, playgroundOwner } from '../../playground/n8n/rest/index.ts';

/** What n8n keeps below its user folder: database, settings, key. */
const dataFolder = '.n8n';

const startOnce = async (installation: N8nInstallation, userFolder: string): Promise<void> => {
	const n8n = await launchN8n({ installation, userFolder });
	try {
		await createRest(n8n.url).signIn();
	} finally {
		await n8n.stop();
	}
};

/**
 * Copies the data of an n8n that was started once, made beside its installation on first use: with all tables
 * and an owner there, a start takes two thirds of the time.
 */
export const copyPreparedData = async (
	installation: N8nInstallation,
	userFolder: string,
): Promise<void> => {
	const prepared = installationName(`${installation.folder}-data`, playgroundOwner);
	await installOnce({
		folder: prepared,
		fill: async (staging) => await startOnce(installation, staging),
		onWait: () => {},
	});
	await cp(join(prepared, dataFolder), join(userFolder, dataFolder), { recursive: true });
};
