import { cursorPage } from '../../http/collection.ts';
import { problemRefusal } from '../../http/refusal.ts';
import type { OutboundMessage } from '../../state.ts';
import { readPeriod } from './period.ts';
import type { V2Call } from '../dialect.ts';
import { fullRecord, listedRecord, wrapped } from './record.ts';

const DEFAULT_LIMIT = 25;
const LARGEST_LIMIT = 100;

function readLimit(text: string | undefined): number {
	const limit = text ? Number(text) : DEFAULT_LIMIT;
	if (Number.isInteger(limit) && limit >= 1 && limit <= LARGEST_LIMIT) return limit;
	const message = `limit must be between 1 and ${LARGEST_LIMIT}`;
	throw problemRefusal(400, [{ name: 'limit', message }]);
}

export type ChatChannel = 'RCS' | 'WHATSAPP';

/** Newest first. */
export const listMessages =
	(channel: ChatChannel) =>
	({ state, account, query, fault }: V2Call) => {
		const { fromMs, toMs } = readPeriod(query);
		const { campaign_id: campaign } = query;
		const isListed = ({ accountId, at, campaign_id }: OutboundMessage) =>
			accountId === account.id &&
			Date.parse(at) >= fromMs &&
			Date.parse(at) <= toMs &&
			(!campaign || campaign_id === campaign);
		const { page, pagination } = cursorPage({
			rows: state.chatMessages[channel].filter(isListed).reverse(),
			limit: readLimit(query.limit),
			cursor: query.cursor,
			direction: query.direction,
			fault,
			refuseCursor: () => {
				throw problemRefusal(400, [{ name: 'cursor', message: 'cursor is invalid' }]);
			},
		});
		return wrapped({ messages: page.map(listedRecord) }, { pagination });
	};

export const getMessage =
	(channel: ChatChannel) =>
	({ state, account, params }: V2Call) => {
		const message = state.messagesById.get(params.id!);
		if (message?.channel === channel && message.accountId === account.id) {
			return wrapped(fullRecord(message));
		}
		throw problemRefusal(404);
	};
