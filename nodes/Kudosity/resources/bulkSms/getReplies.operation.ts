import { getBulkSmsReplies } from '../../api/endpoints/bulkSms';
import { accountNumber } from '../../fields/accountNumber';
import { filters } from '../../fields/collection';
import { field, shownWhen } from '../../fields/field';
import { limitOf, listing } from '../../fields/listing';
import { oneOf } from '../../fields/readers/choice';
import { textOfLength } from '../../fields/readers/text';
import { defineOperation } from '../../runtime/operation';
import { messageId } from './messageId';
import { replyFilters, replyQueryOf } from './replyFilters';

const by = field(
	{
		displayName: 'By',
		name: 'by',
		type: 'options',
		options: [
			{
				name: 'Keyword',
				value: 'keyword',
				description: 'Replies that begin with one of your keywords',
			},
			{ name: 'Message', value: 'message', description: 'Replies to a message' },
		],
		default: 'message',
		description: 'Which replies to list',
	},
	oneOf(['keyword', 'message']),
);

const keyword = field(
	{
		displayName: 'Keyword',
		name: 'keyword',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. GYM',
		description: 'A keyword of the account, the first word of the replies',
	},
	textOfLength({ min: 1, max: 100 }),
);

/** POST /get-sms-responses.json: one item for each reply. */
export const getReplies = defineOperation({
	value: 'getReplies',
	name: 'Get Replies',
	action: 'Get replies to bulk SMS',
	description:
		'List the replies to a message, or those that begin with a keyword. Without dates, those of the last 30 days.',
	fields: [
		by,
		shownWhen({ by: ['message'] }, messageId),
		shownWhen({ by: ['keyword'] }, keyword),
		shownWhen({ by: ['keyword'] }, accountNumber),
		...listing,
		filters(...replyFilters),
	],
	run: ({ list, clock }, { messageId, keyword, number, filters, ...input }) => {
		const query = {
			message_id: messageId,
			keyword,
			number,
			...replyQueryOf(filters, clock.calendarNow()),
		};
		return list(getBulkSmsReplies, query, limitOf(input));
	},
});
