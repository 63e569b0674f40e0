/**
 * The one place through which tests reach into what ships: a source file that moves changes this file and no test.
 * Behavior is tested through the built nodes (test/engine); what stands here are pure rules.
 */
import { randomUUID } from 'node:crypto';
import type { Clock } from '../nodes/Kudosity/lib/async.ts';
import { getNumbers } from '../nodes/Kudosity/api/endpoints/number.ts';
import { getRcsMessages } from '../nodes/Kudosity/api/endpoints/rcs.ts';
import { registerSender } from '../nodes/Kudosity/api/endpoints/sender.ts';
import { getSms, getSmses, sendSms } from '../nodes/Kudosity/api/endpoints/sms.ts';
import { deleteWebhook } from '../nodes/Kudosity/api/endpoints/webhook.ts';
import { withPacing } from '../nodes/Kudosity/api/retry.ts';
import { createService } from '../nodes/Kudosity/api/service.ts';
import type { Transport } from '../nodes/Kudosity/api/transport.ts';
import { limiterFor } from '../nodes/Kudosity/n8n/rateLimiters.ts';
export { KudosityBasicApi } from '../credentials/KudosityBasicApi.credentials.ts';
export { KudosityKeyApi } from '../credentials/KudosityKeyApi.credentials.ts';
export {
	advance,
	isFresh,
	joined,
	notBefore,
	overlapMs,
	readCursor,
	readFrom,
	startingAt,
	type Cursor,
} from '../nodes/Kudosity/polling/cursor.ts';
export { readReceived } from '../nodes/Kudosity/polling/received.ts';
export { readStatuses } from '../nodes/Kudosity/polling/statuses.ts';
export { Kudosity } from '../nodes/Kudosity/Kudosity.node.ts';
export { KudosityPollingTrigger } from '../nodes/Kudosity/KudosityPollingTrigger.node.ts';
export { KudosityTrigger } from '../nodes/Kudosity/KudosityTrigger.node.ts';
export type { Clock } from '../nodes/Kudosity/lib/async.ts';
export type { Endpoint } from '../nodes/Kudosity/api/endpoint.ts';
export { deliveryFilters, sendBulkSms } from '../nodes/Kudosity/api/endpoints/bulkSms.ts';
export { numberFilters } from '../nodes/Kudosity/api/endpoints/number.ts';
export { dateRanges, rcsStatuses } from '../nodes/Kudosity/api/endpoints/rcs.ts';
export { smsStatuses } from '../nodes/Kudosity/api/endpoints/sms.ts';
export { getWebhooks } from '../nodes/Kudosity/api/endpoints/webhook.ts';
export { CancelledError } from '../nodes/Kudosity/api/errors.ts';
export { nextMidnight, parseTime, toLocalIso } from '../nodes/Kudosity/lib/time.ts';
export { isWithin, nextOpening, type WeeklyHours } from '../nodes/Kudosity/lib/weeklyHours.ts';
export { messageParts } from '../nodes/Kudosity/lib/smsParts.ts';
export { encodeSmartly } from '../nodes/Kudosity/lib/smartEncoding.ts';
export { eventTypes, type EventType } from '../nodes/Kudosity/api/endpoints/webhook.ts';
export { createService } from '../nodes/Kudosity/api/service.ts';
export type {
	HttpAnswer as Answer,
	ApiRequest,
	NoAnswer,
	Transport,
} from '../nodes/Kudosity/api/transport.ts';
export {
	conversationDigestOf,
	encodeQuestionToken,
	messageDigestOf,
	type QuestionToken,
} from '../nodes/Kudosity/events/questionToken.ts';
export { eventSchema } from '../nodes/Kudosity/events/schema.ts';
export { describeFile, readMedia } from '../nodes/Kudosity/events/media.ts';
export { findOwner, isExpired, questionsAmong } from '../nodes/Kudosity/events/openQuestions.ts';
export { classifyReply, readQuestion, type Question } from '../nodes/Kudosity/events/question.ts';
export { readOptOut } from '../nodes/Kudosity/events/optOut.ts';
export { phrasesWith } from '../nodes/Kudosity/lib/phrases.ts';
export { readEvent } from '../nodes/Kudosity/events/parse.ts';
export { simplifyEvent } from '../nodes/Kudosity/events/simplify.ts';
export { simplifyMessage } from '../nodes/Kudosity/events/simplify.ts';
export {
	filterStatuses,
	isLateOrRepeated,
	rememberStatus,
} from '../nodes/Kudosity/events/statuses.ts';
export { createToken, digestOf, isExpectedToken } from '../nodes/Kudosity/events/tokens.ts';
export { personOf, spellingsOf } from '../nodes/Kudosity/lib/personOf.ts';
export { findUnwritten } from '../nodes/Kudosity/lib/unwrittenText.ts';
export { byName } from '../nodes/Kudosity/lib/text.ts';
export { customFields } from '../nodes/Kudosity/resources/contact.ts';
export { triggerEventOptions } from '../nodes/Kudosity/trigger/fields.ts';
export { readFields } from '../nodes/Kudosity/fields/field.ts';
export { loadPhones } from '../nodes/Kudosity/fields/phone/phones.ts';
export { resources } from '../nodes/Kudosity/resources/index.ts';
export * as actionPanel from '../nodes/Kudosity/resources/panel.ts';
export { failureCodes } from '../nodes/Kudosity/api/failureCodes.ts';
export { type Operation } from '../nodes/Kudosity/fields/operation.ts';
export { maxKeys as maxDeduplicationKeys } from '../nodes/Kudosity/send/claimStore.ts';

export { shouldStart, type Rules } from '../nodes/Kudosity/trigger/delivery.ts';
export { isOthersAtOurUrl, type Identity } from '../nodes/Kudosity/trigger/identity.ts';
export { properties } from '../nodes/Kudosity/trigger/panel.ts';
export * as pollingPanel from '../nodes/Kudosity/polling/panel.ts';
export * as triggerPanel from '../nodes/Kudosity/trigger/panel.ts';
export { planRegistration } from '../nodes/Kudosity/trigger/planRegistration.ts';
export { wantedFilter } from '../nodes/Kudosity/trigger/wantedWebhook.ts';

/** One of each kind: numbered, short and linked pages, and calls that are a read, a send or a removal. */
export const endpoints = {
	getNumbers,
	getSmses,
	getRcsMessages,
	getSms,
	sendSms,
	registerSender,
	deleteWebhook,
};

type Run = {
	clock: Clock;
	/** Runs with the same one share its limit. */
	account?: string;
	requestsPerSecond?: number;
	hasPriority?: boolean;
	canStart?: () => boolean;
};

/** The service as one run has it: at its own speed, within the limit of its account. */
export const openRun = (
	transport: Transport,
	{ clock, account = randomUUID(), hasPriority, requestsPerSecond = 14, canStart }: Run,
) => {
	const queue = limiterFor(account, clock.now()).openQueue(clock, { hasPriority });
	return createService(withPacing(transport, { clock, queue, requestsPerSecond, canStart }));
};
export { createClaims, createEntryStore } from '../nodes/Kudosity/send/claimStore.ts';
export { executionStateOf, holdState } from '../nodes/Kudosity/send/executionState.ts';
export { hostOf, type Host } from '../nodes/Kudosity/n8n/host.ts';
export { keyOf, refuseSharedKeys } from '../nodes/Kudosity/send/keyCheck.ts';
export { refuseTooManyKeys } from '../nodes/Kudosity/send/keyRoom.ts';
