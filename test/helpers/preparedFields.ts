type Fields = Record<string, unknown>;
type Run = (name: string, fields: Fields) => Promise<Fields[]>;

const keyword = { keyword: 'JOIN', number: '61491570006' };
const email = 'sam@example.com';

/** Use a different number each time: registering the same one again is refused for 30 minutes. */
const register = async (run: Run, sender: string): Promise<string> => {
	const [registration] = await run('sender/register', { phoneNumber: sender, country: 'AU' });
	return String(registration?.registration_id);
};

const receiveCode = async (run: Run, sender: string) => {
	const registrationId = await register(run, sender);
	const originatingSender = keyword.number;
	await run('sender/requestVerification', { registrationId, originatingSender });
	const received = await run('sms/getAll', { simplify: false, filters: { recipient: sender } });
	const texts = received.map(({ message }) => String(message));
	return { registrationId, code: /\d{6}$/.exec(texts.at(-1) ?? '')?.[0] };
};

/** Fields for operations that need the results of others. Runs those first. */
export const preparedFields: Record<string, (run: Run) => Promise<Fields>> = {
	'emailSender/delete': async (run) => {
		await run('emailSender/create', { email });
		return { email };
	},
	'keyword/update': async (run) => {
		await run('keyword/create', keyword);
		return { ...keyword, options: { reference: 'spring-campaign' } };
	},
	'sender/requestVerification': async (run) => ({
		registrationId: await register(run, '61491570157'),
		originatingSender: keyword.number,
	}),
	'sender/confirmVerification': async (run) => await receiveCode(run, '61491570158'),
	'sender/delete': async (run) => {
		const sender = '61491570159';
		await run('sender/confirmVerification', await receiveCode(run, sender));
		return { phoneNumber: sender };
	},
};
