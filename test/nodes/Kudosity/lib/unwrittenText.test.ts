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
	'Your ticket is null and void after the show',
	'Sorry, your tickets are closed for an undefined period',
	'Ihr Gutschein ist null und nichtig',
	'Null and void',
	'Null and void, says the court',
	'Court declares the election null and void',
	'Loading dock B',
	'Loading dock B is closed today',
	'Loading... wait at gate 4',
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
	'Save $20 with code "{{CODE}}"',
	// Brackets that people write on purpose
	'[ACME] Your code is 123',
	'[URGENT] server down',
	'[1/2] Your parcel is on its way',
	'[Contact] Sam called about the fence',
	'[Client] VPN is down again',
	'[Date] 3 May at 9 am',
	'Name: Sam, [Phone]: 0491 570 006',
	'New request\n[Name] Sam Lee\n[Email] sam@example.com',
	'Book here: [link](https://example.com)',
	'Book here [link] https://example.com',
	'Acme: see you at five [reply STOP to end]',
	'Opt out: [opt-out-link]',
	'Opt out: [unsub-reply-link]',
	'See the offer: [tracked-link]',
	'Text WIN [your name] [postcode] to 0491 570 110',
	'Reply JOIN <name>',
	'To enter, reply to this message with [your name]',
	'Usage: /book {date} {time}',
	'All good {ok}',
	'{"name": "Sam", "date": "2027-05-03"}',
	'Payload: { name: "Sam", code: 7 }',
	'GET /customers/{name}/orders took 9 s',
	'TypeError: no value for {name} in greeting',
	'Query failed: SELECT [Name], [Date] FROM [Orders]',
	'The template has no value for "{first_name}"',
	'items[code] and list<name> changed',
	'50%off%',
	'100%name%',
	'https://example.com/?q=%name%',
	'I <3 you',
	'<b>Sale</b> today at <address>5 High Street</address>',
	'<order><name>Sam</name><code>7</code></order>',
	'<name>Sa',
	'Mail Sam <sam@example.com>',
	'We want [your] feedback',
	// Words that are also names, and dashes
	'Hi Nan, see you at five',
	'Hi NAN, see you at five',
	'Hi Nannette, see you at five',
	'Hi none of you should come by car',
	'Hi - sale on today',
	'Good morning - we are closed',
	'Dear Mr Null, we received your letter',
	'Hallo Frau Null, Ihr Termin steht fest',
	'Hi Null-Smith family, see you at five',
	'Sorry - no tables left',
	'Hi (again), see you at five',
	// A space before punctuation that was written on purpose
	'Bonjour ! Votre commande est prête',
	'Salut ! Ça va ?',
	'Merci !',
	'Bonjour !',
	'Salut !',
	'Hello ! Votre commande est prête',
	'Hello ! Your order is ready ! See you soon',
	'Thanks !',
	'Hi ... we have moved',
	'Hello !!!',
	'Hi .NET developers, we meet at six',
	'Hi! Sale on today',
	'Hi. Your order is ready',
	'Sale on !',
	',50 off is not much',
	',',
	'Undefined: the new exhibition at the gallery',
	'An undefined number of seats is left',
	'The rules are undefined for ties',
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
	'New post: what #N/A means in a spreadsheet',
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
	'The result of 0/0 is NaN',
	'The result of 0/0 is “NaN”, as you learned today',
	'The winner is undefined until the photo finish',
	'The best value: null percent interest',
	'Nullarbor road closed, take the coast',
	'Nothing is null-safe, says our newsletter',
	'See https://example.com/null.',
	'Mail null@example.com, or call us',
];

/** Alerts that address nobody: they have to arrive, even if they contain a missing value. */
const alerts = [
	'CPU NaN',
	'Freezer B NaN',
	'Reason: null',
	'[URGENT] Checkout API down. Status: null, last check 09:00',
	'Cron nightly-export did not finish. Duration: NaN',
	'CI: deploy of api@2.3.1 to prod timed out, commit undefined',
	'Pipeline #881 red. Author: null. Stage: test',
	'Stripe: charge ch_123 failed. Decline code: null',
	'Payment failed for invoice 2041, amount NaN, next attempt Invalid Date',
	'Sensor 7 (boiler room): humidity NaN',
	'Sensor 4: temperature NaN, please check',
	'Tank 3 level NaN, pump 2 off',
	'IoT gateway 12 offline. Last seen: Invalid Date',
	'SSL certificate for acme.example expires on Invalid Date',
	'Lead from web form: name undefined, phone 0491 570 006',
	'Morning report: 12 orders, revenue NaN',
	'US orders: NaN',
	'us-east-1: latency NaN',
	'Order import: 3 of 40 rows skipped, price #VALUE!',
	'Order #undefined',
];

/** Error reports that address a person. */
const addressedReports = [
	'Hi team, job failed: cannot read properties of undefined',
	'Hi Sam, workflow Orders failed: item NaN',
	'Sync CRM: Your request is invalid or could not be processed by the service: undefined',
	'Odoo: Bad request - please check your parameters (null)',
	'Xero: Authorization failed - please check your credentials. Node: undefined',
	'Orders import: The service is receiving too many requests from you: null',
	"You have an error in your SQL syntax near 'x'. Row: null",
];

/** Messages to customers, with the value that is missing in the middle of a sentence. */
const holes: Array<[text: string, found: string]> = [
	['Your order undefined has shipped', 'undefined'],
	['Your order (undefined) has shipped', 'undefined'],
	['your visit on Invalid Date at 5', 'Invalid Date'],
	['Hi Sam, the excursion to undefined leaves at 8:30', 'undefined'],
	['Acme Salon: Hi Ana, color with null is confirmed for Tue 3 May, 2 pm', 'null'],
	['We tried to deliver parcel undefined today', 'undefined'],
	['Please pay $NaN by 3 May to avoid a late fee', 'NaN'],
	['Please check in at undefined by 3 pm', 'undefined'],
	['Westside School: undefined was marked absent. Call us today', 'undefined'],
	['Appointment reminder: undefined with Dr Lee at 9:00. Reply Y to confirm', 'undefined'],
	['20% off at Acme with code undefined until Sunday. Reply STOP to opt out', 'undefined'],
	['Sale: NaN% off everything today. Opt out: [opt-out-link]', 'NaN'],
	['Your code is undefined. It expires in 5 minutes', 'undefined'],
	["Reminder: undefined's appointment is tomorrow at 10. Thanks", 'undefined'],
	['Track your parcel: https://track.acme.example/undefined', 'undefined'],
	['Your parcel: https://acme.example/track?id=null', 'null'],
	['Your invoice INV-null for $120 is overdue', 'null'],
	['Your tutor #N/A starts on Monday', '#N/A'],
	['Hallo Frau Lee, Ihr Termin am Invalid Date um 10 Uhr ist bestätigt', 'Invalid Date'],
	['Ihre Bestellung undefined wurde versandt', 'undefined'],
	['Votre rendez-vous avec null est confirmé pour demain', 'null'],
	['Su pedido undefined ha sido enviado', 'undefined'],
	['Gracias por su compra. Total: NaN €', 'NaN'],
	['La tua prenotazione per undefined persone è confermata', 'undefined'],
	['O seu pedido undefined foi enviado', 'undefined'],
	['Uw afspraak op Invalid Date om 9 uur is bevestigd', 'Invalid Date'],
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
	["Can't make it on Invalid DateTime? Reply NO", 'Invalid DateTime'],
	['If you cannot come on undefined, reply NO', 'undefined'],
	['Your parcel is expected on Invalid DateTime.', 'Invalid DateTime'],
	['Your technician will be undefined.', 'undefined'],
	['Your seat: #N/A. Have fun', '#N/A'],
	['Sam #REF!, your order is ready', '#REF!'],
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
	['Hi ! Sale on today', 'Hi !'],
	['Hello !', 'Hello !'],
	['Hi . Your order is ready', 'Hi .'],
	['Hi .', 'Hi .'],
	['Hi  !\nSale on today', 'Hi  !'],
	['*Hi *! Sale on today', '*Hi *!'],
	['News from Acme\nGood morning ! We have moved', 'Good morning !'],
	['Hola ! Su pedido está listo', 'Hola !'],
	['Hallo ! Ihre Bestellung ist da', 'Hallo !'],
	[', sale on today', ','],
	[' , sale on today', ','],
	// What databases and tables show instead of a name
	['Hi NULL, your table is ready', 'NULL'],
	['Hi NULL your table is ready', 'NULL'],
	['Hi Null, your table is ready', 'Null'],
	['Hello Null', 'Null'],
	['Dear NONE, your table is ready', 'NONE'],
	['Hi none, your table is ready', 'none'],
	['Hi Undefined! Your table is ready', 'Undefined'],
	['Hi UNDEFINED, your table is ready', 'UNDEFINED'],
	['Hi nan, your table is ready', 'nan'],
	['Hi (blank), your table is ready', '(blank)'],
	['Hi [null], your table is ready', '[null]'],
	['Hi \\N, your table is ready', '\\N'],
	['Hi -, your table is ready', '-'],
	['Dear -! Your table is ready', '-'],
	// Placeholders that nobody filled in
	['Hi [Customer Name], your table is ready', '[Customer Name]'],
	['Hi [Name], your table is ready', '[Name]'],
	['Hi [Name] your table is ready', '[Name]'],
	['[First Name], your table is ready', '[First Name]'],
	['Your table is ready, [firstname]!', '[firstname]'],
	['Sale today. Kind regards, [Your Name]', '[Your Name]'],
	['Sale today\nKind regards,\n[Name]', '[Name]'],
	['[Your Company]: sale today', '[Your Company]'],
	['[Business Name]: your table is ready', '[Business Name]'],
	['Book here: [insert link here]', '[insert link here]'],
	['Book here: [Link]', '[Link]'],
	['See you on [date] at [time]', '[date]'],
	['Your total is $[Amount]', '[Amount]'],
	["The [Customer's Name] booking is confirmed", "[Customer's Name]"],
	['Reply YES to confirm your visit on [Appointment Date]', '[Appointment Date]'],
	['Order [ORDER_NUMBER] has shipped', '[ORDER_NUMBER]'],
	['Hi {name}, your table is ready', '{name}'],
	['Your table is ready, {first_name}', '{first_name}'],
	['See you on {date}, {firstName}', '{date}'],
	['Hi <name>, your table is ready', '<name>'],
	['Your table is ready, <CUSTOMER_NAME>', '<CUSTOMER_NAME>'],
	['Hi %name%, your table is ready', '%name%'],
	['Your table is ready, %FIRSTNAME%', '%FIRSTNAME%'],
	['See you on {{date}}', '{{date}}'],
	['{{ message }}', '{{ message }}'],
	['Order {{order_id}} has shipped', '{{order_id}}'],
	['Save $20 with code {{CODE}}', '{{CODE}}'],
	['Hi {{1}}, see you on {{ contact.date }}', '{{ contact.date }}'],
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

	it.each(alerts)('is sent as an alert that addresses nobody: %s', (text) => {
		expect(foundIn(text)).toBeUndefined();
	});

	it.each(addressedReports)('is sent as an error report, even to a person: %s', (text) => {
		expect(foundIn(text)).toBeUndefined();
	});

	it.each([
		'Hi, we have moved',
		'Hi Sam , we have moved',
		'Bonjour ! Nous avons déménagé , venez nous voir',
		'We are closed on Monday morning , sorry',
		'Many thanks to all of you , and happy birthday , Sam',
		'Thanks , see you then',
		'thank you , that suits',
		'Sorry , we are closed',
		'Congrats , you did it',
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

	it.each(holes)('is found in the middle of a message to a customer: %s', (text, found) => {
		expect(foundIn(text)).toBe(found);
	});

	it.each(['Hi undefined, the workflow Orders failed', 'TypeError, sorry undefined'])(
		'is always found right after a greeting: %s',
		(text) => {
			expect(foundIn(text)).toBe('undefined');
		},
	);

	it.each(['Hi [Firstname], sale today', 'Hi [Name]', 'Your [Company Name] code: [Code]'])(
		'is not found in square brackets where the service fills them in: %s',
		(text) => {
			expect(findUnwritten(text, { isToList: true })).toBeUndefined();
			expect(findUnwritten(text)?.kind).toBe('placeholder');
		},
	);

	it('is found in other brackets, even where the service fills in square ones', () => {
		expect(findUnwritten('Hi [Firstname], see you on {date}', { isToList: true })?.found).toBe(
			'{date}',
		);
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
		'[your '.repeat(50_000),
		'[name] '.repeat(40_000),
		'"{name}" '.repeat(30_000),
		'%name'.repeat(50_000),
		'<name>'.repeat(40_000),
		'{{ a'.repeat(60_000),
		`{{${' '.repeat(200_000)}`,
		'reply [name]'.repeat(20_000),
		'Hi - '.repeat(50_000),
		'Hi !\n'.repeat(50_000),
		`Hi ${' '.repeat(200_000)}`,
		`Hi -${' '.repeat(200_000)}x`,
		'Hi NULL '.repeat(30_000),
	])('is looked for at once in a text that is far too long: case %#', async (text) => {
		expect(await processorMs(() => findUnwritten(text))).toBeLessThan(1000);
	});
});
