import { type Read, takingPhones, textField } from './field';
import { phonesOf, splitAt } from './readers';
import { type Covers, covering, readEntry, separator } from './recipientList';

const entryList = splitAt(separator);

const readAllowed: Read<Covers | undefined> = (value, scope) => {
	const phones = phonesOf(scope);
	const read = (text: string) => {
		const named = phones.named(text, scope.defaultCountry);
		return 'number' in named ? { numbers: [named.number] } : named;
	};
	const entries = entryList(value).map((text, index) =>
		readEntry(text, `at position ${index + 1}`, { phones, read }),
	);
	return entries.length === 0 ? undefined : covering(entries, phones, 'allowed');
};

export const allowedRecipients = textField(takingPhones(readAllowed), {
	displayName: 'Allowed Recipients',
	name: 'allowedRecipients',
	placeholder: 'e.g. AU, +6421*, 61491570006',
	description:
		'Only send to these numbers, prefixes (+6149*) or countries (AU). Separate multiple values with commas. All other recipients are refused.',
});
