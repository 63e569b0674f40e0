import { describe, expect, it } from 'vitest';
import { processorMs } from '../../../helpers/processorTime.ts';
import { findUnwritten } from '../../../seams.ts';

/** Errors as programs, databases, services and spreadsheets word them: an alert about one has to arrive. */
const errors = [
	// JavaScript: Chrome and Node.js
	"Cannot read properties of undefined (reading 'id')",
	"Cannot read properties of null (reading 'name')",
	"Cannot read property 'id' of undefined",
	"Cannot set properties of undefined (setting 'total')",
	"Cannot set property 'x' of null",
	'Cannot convert undefined or null to object',
	"Cannot destructure property 'id' of 'undefined' as it is undefined.",
	"Cannot destructure property 'a' of '(intermediate value)' as it is null.",
	"Cannot use 'in' operator to search for 'x' in undefined",
	'undefined is not a function',
	'undefined is not iterable (cannot read property Symbol(Symbol.iterator))',
	'null is not iterable',
	'TypeError: null is not an object',
	'TypeError: undefined is not iterable',
	'TypeError: Class extends value undefined is not a constructor or null',
	'TypeError: Object prototype may only be an Object or null: undefined',
	'Uncaught (in promise) undefined',
	'UnhandledPromiseRejection: This error originated by rejecting with undefined.',
	'The "path" argument must be of type string. Received undefined',
	'The "data" argument must be of type string or an instance of Buffer. Received null',
	'The value of "size" is out of range. It must be an integer. Received NaN',
	'TypeError [ERR_INVALID_ARG_TYPE]: The "url" argument must be of type string. Received undefined',
	'RangeError: Invalid Date',
	'RangeError: Invalid time value',
	'RangeError: The number NaN cannot be converted to a BigInt because it is not an integer',
	'TimeoutNaNWarning: NaN is not a number.',
	'Error: getaddrinfo ENOTFOUND undefined',
	'getaddrinfo ENOTFOUND undefined',
	'connect ECONNREFUSED undefined:443',
	'SyntaxError: "undefined" is not valid JSON',
	'SyntaxError: "[object Object]" is not valid JSON',
	'SyntaxError: Unexpected token \'u\', "undefined" is not valid JSON',
	"Failed to parse '[object Object]' as a URL",
	"Cannot find module 'undefined'",
	'Process exited with code null',
	'Command failed with exit code null.',
	// JavaScript: Firefox and Safari
	'can\'t access property "id", user is undefined',
	'TypeError: user is null',
	'null has no properties',
	"undefined is not an object (evaluating 'user.id')",
	"null is not an object (evaluating 'document.body.style')",
	"can't convert undefined to object",
	// Validation
	'Expected string, received undefined',
	'Invalid input: expected string, received null',
	'Expected number, received NaN',
	'"email" must not be null',
	'email: cannot be null.',
	'data/id must be string, got undefined',
	'Cast to ObjectId failed for value "undefined" (type string) at path "_id"',
	'Cast to Number failed for value NaN at path price',
	'notNull Violation: User.email cannot be null,',
	// n8n
	"Problem in node 'Edit Fields': Cannot read properties of undefined (reading 'toUpperCase')",
	"Workflow Orders failed: Cannot read properties of null (reading 'json')",
	'Workflow “Orders” failed at “HTTP Request”: undefined',
	'ExpressionError: Invalid DateTime',
	'NodeOperationError: Invalid Date',
	"ERROR: The value 'undefined' is not supported!",
	"Wrong type: 'null' is a null but was expecting a string",
	'The resource you are requesting could not be found: null',
	'NodeApiError: Invalid URL: undefined',
	'Invalid URL: undefined',
	'🚨 Workflow failed\nNode: null\nError: Cannot read properties of null\nTime: 09:00',
	"TypeError: Cannot read properties of undefined (reading 'map')\n    at null.<anonymous> (/app/index.js:10:5)\n    last item: undefined",
	// Python
	'ValueError: cannot convert float NaN to integer',
	'ValueError: Input contains NaN.',
	'ValueError: Input X contains NaN, infinity or a value too large.',
	'json.decoder.JSONDecodeError: unexpected value NaN',
	'KeyError: undefined',
	"jinja2.exceptions.UndefinedError: 'name' is undefined",
	'Out of range float values are not JSON compliant: NaN',
	// PHP, Ruby, Go, Dart
	'Attempt to read property "name" on null',
	'Call to a member function getName() on null',
	'Trying to access array offset on value of type null',
	'strlen(): Argument #1 ($string) must be of type string, null given',
	'Uncaught TypeError: Unsupported operand types: string + null',
	"undefined method `name' for nil:NilClass",
	'undefined local variable or method user',
	'json: unsupported value: NaN',
	"NoSuchMethodError: The method 'length' was called on null.",
	'undefined: strconv.Foo (Go)',
	// Java and .NET
	'java.lang.NullPointerException: null',
	'Cannot invoke "String.length()" because "<local1>" is null',
	'Cannot invoke "Order.getId()" because the return value of "find()" is null.',
	'Value cannot be null. (Parameter key)',
	'Value cannot be null.',
	'not-null property references a null or transient value: Order.customer',
	'java.lang.IllegalArgumentException: id must not be null!',
	'expected:<5> but was:<null>',
	// Databases
	'null value in column "email" of relation "users" violates not-null constraint',
	"Column 'email' cannot be null",
	"Unknown column 'NaN' in 'field list'",
	"Unknown column 'undefined' in 'where clause'",
	'invalid input syntax for type integer: "undefined"',
	'invalid input syntax for type uuid: "null"',
	'Bind parameters must not contain undefined. To pass SQL NULL specify JS null',
	'column "nan" does not exist',
	"Incorrect integer value: 'undefined' for column 'id' at row 1",
	'ORA-01400: cannot insert null into ("SHOP"."ORDERS"."ID")',
	'MongoServerError: E11000 duplicate key error collection: shop.users index: email dup key: { email: null }',
	'Cannot use "undefined" as a Firestore value (found in field name)',
	// Services
	'Invalid integer: NaN',
	"No such customer: 'undefined'",
	'No such customer: undefined',
	'Request failed with status code 404: GET https://api.example.com/users/undefined',
	'HTTP 500: null',
	'404 Not Found: /orders/undefined',
	'Failed to fetch https://example.com/api?id=undefined.',
	'value is null',
	'Error: null',
	'Unknown error: undefined',
	'Error code 1054: value of id is NaN.',
	'DB2 error undefined!',
	// Spreadsheets
	'sheet shows #N/A in B7',
	'Sheet Orders, column C: 3 cells contain #REF!',
	'Formula parse error in B7 (#VALUE!)',
	'Error #N/A: Did not find value in VLOOKUP evaluation',
	'B7 is #DIV/0!',
	'Function DIVIDE parameter 2 cannot be zero: the error is #DIV/0!',
	'12 rows have #NAME? where a formula was renamed',
	'The sheet returned #NUM!',
	'VLOOKUP gives “#N/A”, please check',
	'IMPORTRANGE shows Loading... since 9 am',
];

const headlines = [
	'Null and void',
	'Null and void, says the court',
	'Court declares the election null and void',
	'Loading dock B',
	'Loading dock B is closed today',
	'Loading... please wait at gate 4',
	'Loading starts at 6. Bring your ID',
	'Truck 12: loading at dock 3',
	'Invalid Date of Birth on page 2',
	'Invalid Date format on your form, please send it again',
	'Invalid DateTime format in row 7, please check',
	'Your coupon has an invalid date.',
	'Hi Sam, you entered an invalid date of birth',
	'{{1}}',
	'Hi {{1}}, your order {{2}} is ready',
	'Use {{first_name}} for names, and $5 off for members',
	'{{1}} costs $5, {{2}} costs $6',
	'Save $20 with code {{CODE}}',
	'Undefined: the new exhibition at the gallery',
	'An undefined number of seats is left',
	'The rules are undefined for ties, sorry',
	'undefined behaviour: a talk by Sam, 6 pm',
	'null hypothesis explained in five minutes',
	'Tonight: “null” by the Zero Band, 8 pm',
	'Naan bread is back',
	'NaNoWriMo starts today!',
	'Nan, dinner is at six',
	'Your order #NAME-12 is ready',
	'Order #N7 is ready',
	'Follow #NUMbers, our new show!',
	'Tag us with #VALUE today',
	'#REFresh your wardrobe: 20% off',
	'Read our post: what #N/A means in a spreadsheet',
	'Flight QF12: gate N/A, please wait',
	'Fax: N/A',
	'Hi Sam, phone: N/A, address: None.',
	'Hi Nan, see you at five',
	'[object of the day]: a vase',
	'Our native code workshop starts at 9',
	'Learn (native) code in a day',
	'Curly {braces} and {{ double braces }} in templates',
	'Pay $5 {{ or nothing',
	'Reply with your answer in [brackets]',
	'The answer “undefined” is not correct, try again',
	"Please don't enter 'null', or your form is lost",
	'Did you mean "NaN"?',
	'The score is null (0:0) at half time',
	'The result of 0/0 is NaN, as you learned today',
	'The winner is undefined until the photo finish',
	'The best value: null percent interest',
	'Nullarbor road closed, take the coast',
	'Nothing is null-safe, says our newsletter',
	'Visit https://example.com/undefined for our book on JavaScript',
	'See https://example.com/null.',
	'Mail null@example.com, or call us',
];

const surnames = [
	...['Null', 'Nan', 'Undefined', 'NULL', 'NAN', 'Nulla', 'Nullmann', 'Nanette', 'Loading', 'Nann'],
	...['Ní Null', 'Nullen', 'Nanda', 'Naná', "O'Null", 'Null-Smith', 'Smith-Null', 'Van Null'],
	...['de Null', 'McNull', 'Nullová', 'Nano', 'Nana', 'Nanni', 'Lull'],
].flatMap((name) => [`Hi Mr ${name}, your order is ready`, `See you at six, ${name}`]);

const unwritten: Array<[text: string, found: string]> = [
	// After a greeting
	['Hi undefined', 'undefined'],
	['Hi undefined, your order is ready', 'undefined'],
	['Hi undefined your order is ready', 'undefined'],
	['hi undefined!', 'undefined'],
	['HELLO undefined', 'undefined'],
	['Hello null, your parcel arrives today', 'null'],
	['Hello null\nYour parcel arrives today', 'null'],
	['Dear null!', 'null'],
	['Dear undefined undefined, thank you', 'undefined'],
	['Dear Mr null, we received your letter', 'null'],
	['Dear Dr. undefined, your results are in', 'undefined'],
	['Hey NaN how are you', 'NaN'],
	['Good morning null, the bus is late', 'null'],
	["G'day undefined, we are at the door", 'undefined'],
	['Thanks undefined for your order', 'undefined'],
	['Thank you null for waiting', 'null'],
	['Happy birthday undefined 🎂', 'undefined'],
	['Welcome undefined to the club', 'undefined'],
	['Sorry undefined, your driver has an error in the address', 'undefined'],
	['Hi *undefined*, your order is ready', 'undefined'],
	['Kia ora undefined, your order is ready', 'undefined'],
	['Hola undefined, su pedido está listo', 'undefined'],
	['Liebe undefined, Ihr Termin steht fest', 'undefined'],
	['Bonjour null, votre commande est prête', 'null'],
	['Hi #N/A, your order is ready', '#N/A'],
	['Hi N/A, your order is ready', 'N/A'],
	['Good morning None! Your order is ready', 'None'],
	['Hello #REF!, your order is ready', '#REF!'],
	['Hi #NAME? your order is ready', '#NAME?'],
	['Dear #VALUE!', '#VALUE!'],
	['Hi Loading..., your order is ready', 'Loading...'],
	// Before a comma or the end of a sentence
	['Your order is ready, undefined!', 'undefined'],
	['Your order for undefined, placed today, is ready', 'undefined'],
	['Are you coming, null?', 'null'],
	['See you on Invalid DateTime.', 'Invalid DateTime'],
	['See you on Invalid DateTime, Sam', 'Invalid DateTime'],
	['Please pay $NaN, thanks', 'NaN'],
	['Your delivery arrives on Invalid Date. Reply YES to confirm', 'Invalid Date'],
	['Your table for undefined, at 7 pm', 'undefined'],
	['You have NaN, or so it seems', 'NaN'],
	['Welcome to undefined!', 'undefined'],
	['Sam and undefined, your table is ready', 'undefined'],
	['Room undefined, floor null. See you soon', 'undefined'],
	['Your inspection of the property at undefined, with Ana', 'undefined'],
	['Your function on Invalid DateTime. Payment method: undefined.', 'Invalid DateTime'],
	['Payment method: undefined.', 'undefined'],
	['No later than Invalid DateTime.', 'Invalid DateTime'],
	["Can't make it on Invalid DateTime? Reply NO", 'Invalid DateTime'],
	['If you cannot come on undefined, reply NO', 'undefined'],
	['Your parcel is expected on Invalid DateTime.', 'Invalid DateTime'],
	['Your technician will be undefined.', 'undefined'],
	['Your seat: #N/A. Have fun', '#N/A'],
	['Sam #REF!, your order is ready', '#REF!'],
	['Total #DIV/0!, due today', '#DIV/0!'],
	['您好 undefined，您的订单', 'undefined'],
	['Alert: your delivery is on its way, undefined.', 'undefined'],
	// At the end
	['See you on Invalid DateTime', 'Invalid DateTime'],
	['See you on Invalid Date', 'Invalid Date'],
	['See you on undefined', 'undefined'],
	['See you on undefined 👋', 'undefined'],
	['Your total: NaN', 'NaN'],
	['Your total: $NaN', 'NaN'],
	['Your code: #N/A', '#N/A'],
	['Your balance: #VALUE!', '#VALUE!'],
	['Kind regards, null', 'null'],
	['Thanks, undefined', 'undefined'],
	['Points: #NUM!', '#NUM!'],
	['Order #undefined', 'undefined'],
	['Your appointment\nDate: Invalid DateTime\nTime: 9 am', 'Invalid DateTime'],
	['Your balance: Loading...', 'Loading...'],
	['Sorry for the error in our last SMS. See you on Invalid DateTime', 'Invalid DateTime'],
	// A greeting whose name is empty
	['Hi , summer sale: 20% off', 'Hi ,'],
	['Hello  , your order is ready', 'Hello  ,'],
	['Dear Mr , your order is ready', 'Dear Mr ,'],
	['Good morning , your table is ready', 'Good morning ,'],
	['*Hi **, your table is ready', '*Hi **,'],
	['News from Acme\nHi , we have moved', 'Hi ,'],
	// As the whole text
	...['undefined', ' null\n', 'NaN', '#N/A', '#REF!', '#VALUE!', '#NAME?', '#DIV/0!', '#NUM!'].map(
		(text): [string, string] => [text, text.trim()],
	),
	...['Loading...', 'Invalid Date', 'Invalid DateTime'].map((text): [string, string] => [
		text,
		text,
	]),
	['null null', 'null'],
	['undefined.', 'undefined'],
	['*NaN*', 'NaN'],
	// Wherever they stand
	['[object Object]', '[object Object]'],
	['Hi [object Object]', '[object Object]'],
	['Hi [object Object], your order is ready', '[object Object]'],
	['Items: [object Object],[object Object] and more', '[object Object]'],
	['"Hi [object Object]"', '[object Object]'],
	['We got [object Promise] for you', '[object Promise]'],
	['Your [object Array Iterator] is ready', '[object Array Iterator]'],
	['The value is [object Undefined]', '[object Undefined]'],
	['Hi function trim() { [native code] }', '[native code]'],
	['Hi function toUpperCase() { [native code] }, your order is ready', '[native code]'],
	['Hi {{ $json.name }}', '{{ $json.name }}'],
	['Hi {{$json.name}}, your order is ready', '{{$json.name}}'],
	["Hi {{ $('Edit Fields').item.json.name }}", "{{ $('Edit Fields').item.json.name }}"],
	['Today is {{ $now }} and tomorrow another day', '{{ $now }}'],
	['Hi {{1}}, {{ $json["first name"] }}', '{{ $json["first name"] }}'],
	['Hi {{\n  $json.name\n}}', '{{ $json.name }}'],
	['Hi {{first_name}}, sale today', '{{first_name}}'],
	['Hi {{ First name }}!', '{{ First name }}'],
	['Hi {{name}}, your order is ready', '{{name}}'],
	['Hi {{json.name}}', '{{json.name}}'],
	['Hi *|FNAME|*, sale today', '*|FNAME|*'],
	['Hi #ERROR!, due today', '#ERROR!'],
	['Your code: #NULL!', '#NULL!'],
	['Error in {{ $workflow.name }}', '{{ $workflow.name }}'],
];

const foundIn = (text: string): string | undefined => findUnwritten(text)?.found;

describe('a text that somebody wrote', () => {
	it('is there in numbers', () => {
		expect(errors.length).toBeGreaterThanOrEqual(100);
		expect(headlines.length).toBeGreaterThanOrEqual(50);
		expect(surnames.length).toBeGreaterThanOrEqual(50);
		expect(unwritten.length).toBeGreaterThanOrEqual(60);
	});

	it.each(errors)('passes, as an error of a program: %s', (text) => {
		expect(foundIn(text)).toBeUndefined();
	});

	it.each(headlines)('passes: %s', (text) => {
		expect(foundIn(text)).toBeUndefined();
	});

	it.each([
		'Hi, we have moved',
		'Hi Sam , we have moved',
		'Bonjour ! Nous avons déménagé , venez nous voir',
		'We are closed on Monday morning , sorry',
		'Many thanks to all of you , and happy birthday , Sam',
	])('passes with a space before a comma: %s', (text) => {
		expect(foundIn(text)).toBeUndefined();
	});

	it.each(surnames)('passes with a surname: %s', (text) => {
		expect(foundIn(text)).toBeUndefined();
	});

	const framed = errors.flatMap((text) => [
		`Workflow Orders failed: ${text}`,
		`🚨 Orders stopped at 09:00: ${text}`,
		`"Orders" failed at "HTTP Request". ${text} Reply OK to take it.`,
	]);
	it.each(framed)('passes, as an alert about an error: %s', (text) => {
		expect(foundIn(text)).toBeUndefined();
	});
});

describe('a text that nobody wrote', () => {
	it.each(unwritten)('is found: %s', (text, found) => {
		expect(foundIn(text)).toBe(found);
	});

	it('shows at most a part of a long expression', () => {
		const found = foundIn(`Hi {{ $json.name || ${'x'.repeat(200)} }}`);
		expect(found).toMatch(/^\{\{ \$json\.name .*…$/);
		expect(found!.length).toBeLessThanOrEqual(61);
	});

	it.each([
		'{{'.repeat(100_000),
		'}}'.repeat(100_000),
		'[object '.repeat(30_000),
		'undefined '.repeat(30_000),
		'undefined,'.repeat(30_000),
		' '.repeat(200_000),
		'\n'.repeat(200_000),
		'\n '.repeat(100_000),
		`undefined${' '.repeat(100_000)}x`,
		'#'.repeat(200_000),
		`${'*'.repeat(100_000)}null`,
		'\u{1f600}'.repeat(100_000),
		'a'.repeat(300_000),
		'value of '.repeat(30_000),
	])('is looked for at once in a text that is far too long: case %#', async (text) => {
		expect(await processorMs(() => findUnwritten(text))).toBeLessThan(1000);
	});
});
