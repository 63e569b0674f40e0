import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { availableNumber, ownedIndex, ownedNumber, type OwnedNumber } from '../catalogue.ts';
import { v1FieldRefusal } from '../http/refusal.ts';
import { debit } from '../messages/messages.ts';
import type { State } from '../state.ts';
import { DAY_MS, readCountry, required, type V1Call, v1Page, type V1Route } from './dialect.ts';

function findOwned(state: State, digits: string): OwnedNumber | undefined {
	const index = ownedIndex(digits);
	const seeded = index >= 0 && index < state.settings.numbersOwned ? ownedNumber(index) : undefined;
	if (seeded && String(seeded.number) === digits) return seeded;
	return state.leasedNumbers.find(({ number }) => String(number) === digits);
}

/** Whether the account may send from this number: leased and active, or the user's own and verified. */
export const ownsNumber = (state: State, digits: string): boolean =>
	findOwned(state, digits)?.status === 'active' ||
	[...state.registrations.values()].some(
		({ sender, status }) => sender === digits && status === 'VERIFIED',
	);

const lazyRows = <Row>(length: number, at: (index: number) => Row) => ({
	rows: { length, at },
	newRow: at,
});

/** Any filter other than `owned` lists available numbers and is echoed, as observed in v1. */
function getNumbers(call: V1Call) {
	const { settings, leasedNumbers } = call.state;
	const { numbersOwned, numbersAvailable } = settings;
	const filter = call.fields.filter || 'owned';
	const owned = (index: number) => leasedNumbers[index - numbersOwned] ?? ownedNumber(index);
	const isLeased = ({ number }: { number: number }) =>
		leasedNumbers.some((leased) => leased.number === number);
	const available = Array.from({ length: numbersAvailable }, (_, index) => availableNumber(index));
	const rows =
		filter === 'owned'
			? lazyRows<object>(numbersOwned + leasedNumbers.length, owned)
			: { rows: available.filter((number) => !isLeased(number)), newRow: availableNumber };
	const list = { key: 'numbers', total: 'numbers_total', ...rows };
	return { filter, ...v1Page<object>(call, list) };
}

/** A number of the account. Refuses any other. */
function ownNumber(call: V1Call): OwnedNumber {
	const owned = findOwned(call.state, required(call.fields, 'number').replace(/^\+/, ''));
	if (owned) return owned;
	const description =
		'This number is not leased to you. (Number has expired and need to be renewed)';
	throw v1FieldRefusal('FIELD_INVALID', description);
}

function pickAvailable({ state, fields }: V1Call) {
	const taken = new Set(state.leasedNumbers.map(({ number }) => number));
	const all = Array.from({ length: state.settings.numbersAvailable }, (_, i) => availableNumber(i));
	const wanted = fields.number?.replace(/^\+/, '');
	const free = all.find(
		({ number }) => !taken.has(number) && (!wanted || String(number) === wanted),
	);
	if (free) return free;
	throw v1FieldRefusal('FIELD_INVALID', 'This number is not available for lease.');
}

/** Charges for the first month. */
function leaseNumber(call: V1Call) {
	const { state, account, fields } = call;
	const { number, price } = pickAvailable(call);
	if (!debit(state, account.id, price)) {
		throw v1FieldRefusal('LEDGER_ERROR', 'Insufficient funds to carry out debit');
	}
	const nextCharge = new Date(Date.now() + 30 * DAY_MS).toISOString().slice(0, 10);
	const leased: OwnedNumber = {
		number,
		price,
		auto_renew: true,
		next_charge: nextCharge,
		status: 'active',
	};
	state.leasedNumbers.push(leased);
	const { forward_url } = fields;
	if (forward_url) state.numberOptions.set(String(number), { forward_url });
	return leased;
}

/** The options cannot be read back. */
function editOptions(call: V1Call) {
	const { number } = ownNumber(call);
	const options = { ...call.state.numberOptions.get(String(number)), ...call.fields };
	call.state.numberOptions.set(String(number), options);
	return {};
}

const MOBILE = /MOBILE/;
const INVALID = 10;

function formatNumber({ fields }: V1Call) {
	required(fields, 'countrycode');
	const country = readCountry(fields);
	const parsed = parsePhoneNumberFromString(required(fields, 'msisdn'), country);
	const isValid = parsed?.isValid() ?? false;
	const type = MOBILE.test(parsed?.getType() ?? '') ? 1 : 0;
	const national = parsed?.nationalNumber ?? '';
	return {
		number: {
			countrycode: parsed?.countryCallingCode ?? '',
			nationalnumber: national,
			national_leading_zeroes: national,
			rawinput: null,
			international: parsed?.number.slice(1) ?? '',
			type: isValid ? type : INVALID,
			isValid,
		},
	};
}

export const numberRoutes: V1Route[] = [
	{ method: 'GET', path: '/get-numbers.json', run: getNumbers },
	{ method: 'POST', path: '/get-number.json', run: ownNumber },
	{ method: 'POST', path: '/lease-number.json', run: leaseNumber },
	{ method: 'POST', path: '/edit-number-options.json', run: editOptions },
	{ method: 'POST', path: '/format-number.json', run: formatNumber },
];
