/**
 * The one place through which tests reach into what ships: a source file that moves changes this file and no test.
 * Behavior is tested through the built nodes (test/engine); what stands here are pure rules.
 */
import { randomUUID } from 'node:crypto';
import type { Clock } from '../nodes/Kudosity/api/clock.ts';
import { getNumbers } from '../nodes/Kudosity/api/endpoints/number.ts';
import { getRcsMessages } from '../nodes/Kudosity/api/endpoints/rcs.ts';
import { registerSender } from '../nodes/Kudosity/api/endpoints/sender.ts';
import { getSms, getSmses, sendSms } from '../nodes/Kudosity/api/endpoints/sms.ts';
import { deleteWebhook } from '../nodes/Kudosity/api/endpoints/webhook.ts';
import { withPacing } from '../nodes/Kudosity/api/retry.ts';
import { createService } from '../nodes/Kudosity/api/service.ts';
import type { Transport } from '../nodes/Kudosity/api/transport.ts';
import { limiterFor } from '../nodes/Kudosity/runtime/accounts.ts';
export { KudosityBasicApi } from '../credentials/KudosityBasicApi.credentials.ts';
export { KudosityKeyApi } from '../credentials/KudosityKeyApi.credentials.ts';
export { Kudosity } from '../nodes/Kudosity/Kudosity.node.ts';
export { KudosityTrigger } from '../nodes/Kudosity/KudosityTrigger.node.ts';
export type { Clock } from '../nodes/Kudosity/api/clock.ts';
export type { Endpoint } from '../nodes/Kudosity/api/endpoint.ts';
export { deliveryFilters, sendBulkSms } from '../nodes/Kudosity/api/endpoints/bulkSms.ts';
export { numberFilters } from '../nodes/Kudosity/api/endpoints/number.ts';
export { dateRanges, rcsStatuses } from '../nodes/Kudosity/api/endpoints/rcs.ts';
export { smsStatuses } from '../nodes/Kudosity/api/endpoints/sms.ts';
export { getWebhooks } from '../nodes/Kudosity/api/endpoints/webhook.ts';
export { CancelledError } from '../nodes/Kudosity/api/errors.ts';
export { parseTime } from '../nodes/Kudosity/api/localTime.ts';
export { messageParts } from '../nodes/Kudosity/api/messageParts.ts';
export { eventTypes, type EventType } from '../nodes/Kudosity/api/schemas/webhook.schema.ts';
export { createService } from '../nodes/Kudosity/api/service.ts';
export type { Answer, ApiRequest, NoAnswer, Transport } from '../nodes/Kudosity/api/transport.ts';
export { personOf, writeAsk, type AskToken } from '../nodes/Kudosity/events/askToken.ts';
export { eventSchema } from '../nodes/Kudosity/events/events.ts';
export { describeFile, readMedia } from '../nodes/Kudosity/events/media.ts';
export { expired, newestAfter, questionsAmong } from '../nodes/Kudosity/events/openQuestions.ts';
export { judge, readQuestion, type Question } from '../nodes/Kudosity/events/question.ts';
export { readEvent } from '../nodes/Kudosity/events/readEvent.ts';
export { simplifyEvent } from '../nodes/Kudosity/events/simplify.ts';
export { simplifyMessage } from '../nodes/Kudosity/events/simplifyMessage.ts';
export { filterStatuses } from '../nodes/Kudosity/events/statuses.ts';
export { createToken, digestOf, isExpectedToken } from '../nodes/Kudosity/events/token.ts';
export { byName } from '../nodes/Kudosity/fields/byName.ts';
export { customFields } from '../nodes/Kudosity/fields/customFields.ts';
export { eventOptions } from '../nodes/Kudosity/fields/eventOptions.ts';
export { readFields } from '../nodes/Kudosity/fields/field.ts';
export { loadPhones } from '../nodes/Kudosity/fields/phone/phones.ts';
export { resources } from '../nodes/Kudosity/resources/index.ts';
export * as actionPanel from '../nodes/Kudosity/resources/panel.ts';
export { failureCodes } from '../nodes/Kudosity/runtime/failureCodes.ts';
export { type Operation } from '../nodes/Kudosity/runtime/operation.ts';
export { countsOf } from '../nodes/Kudosity/sending/guardMemory.ts';
export { createKeyClaims } from '../nodes/Kudosity/sending/keyClaims.ts';
export { matchSent } from '../nodes/Kudosity/sending/matchSent.ts';
export { sendMemory } from '../nodes/Kudosity/sending/sendMemory.ts';
export { admitEvent, type Rules } from '../nodes/Kudosity/trigger/admitEvent.ts';
export { isRival, type Identity } from '../nodes/Kudosity/trigger/ownership.ts';
export { properties } from '../nodes/Kudosity/trigger/panel.ts';
export * as triggerPanel from '../nodes/Kudosity/trigger/panel.ts';
export { planRegistration } from '../nodes/Kudosity/trigger/planRegistration.ts';
export { shareRateLimit, wantedFilters } from '../nodes/Kudosity/trigger/splitSubscription.ts';
export { isLateOrRepeated, rememberStatus } from '../nodes/Kudosity/trigger/statusMemory.ts';
export { updatedIds } from '../nodes/Kudosity/trigger/updatedIds.ts';

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
	goesFirst?: boolean;
	mayBegin?: () => boolean;
};

/** The service as one run has it: at its own speed, within the limit of its account. */
export const openRun = (
	transport: Transport,
	{ clock, account = randomUUID(), goesFirst, requestsPerSecond = 14, mayBegin }: Run,
) => {
	const line = limiterFor(account, clock.now()).openLine(clock, { goesFirst });
	return createService(withPacing(transport, { clock, line, requestsPerSecond, mayBegin }));
};
