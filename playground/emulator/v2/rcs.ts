import { problemRefusal } from '../http/refusal.ts';
import { normalizeNumber } from '../messages/phoneNumber.ts';
import { getMessage, listMessages, sendMessage, textContent, wrapped } from './chat.ts';
import { type V2Call, type V2Route, validate } from './dialect.ts';

const MAX_TEXT_LENGTH = 3072;
const MAX_NUMBERS = 100;

function readNumbers(numbers: unknown): unknown[] | undefined {
	if (!Array.isArray(numbers)) return undefined;
	return numbers.length >= 1 && numbers.length <= MAX_NUMBERS ? numbers : undefined;
}

/** In the order of the request. */
function checkCapabilities({ state, fields }: V2Call) {
	const { rcsAgents, smsOnlyContacts } = state.settings;
	const validation = validate(fields);
	const sender = validation.requiredText('sender');
	const numbers = readNumbers(fields.phone_numbers);
	if (!numbers) {
		const message = `phone_numbers must hold between 1 and ${MAX_NUMBERS} numbers`;
		validation.issues.push({ name: 'phone_numbers', message });
	}
	validation.refuseIfAny();
	if (!rcsAgents.includes(sender)) {
		throw problemRefusal(403, undefined, { detail: 'sender is not owned by this account' });
	}
	const getCapability = (digits: string | undefined) => {
		if (!digits) return 'INVALID_DESTINATION_ADDRESS';
		return smsOnlyContacts.includes(digits) ? 'UNREACHABLE' : 'ENABLED';
	};
	const results = numbers?.map((phone_number) => ({
		phone_number,
		code: getCapability(normalizeNumber(String(phone_number))),
	}));
	return wrapped({ results });
}

const sendRcs = sendMessage({
	channel: 'RCS',
	readSender: (_call, validation) => validation.requiredText('sender'),
	contents: { text: textContent(MAX_TEXT_LENGTH) },
});

export const rcsRoutes: V2Route[] = [
	{ method: 'POST', path: '/v2/rcs/messages', run: sendRcs },
	{ method: 'GET', path: '/v2/rcs/messages', run: listMessages('RCS') },
	{ method: 'GET', path: '/v2/rcs/messages/{id}', run: getMessage('RCS') },
	{ method: 'POST', path: '/v2/rcs/capabilities', run: checkCapabilities },
];
