import { InputError } from '../api/errors';
import type { Input } from '../fields/field';
import type { Operation } from '../fields/operation';
import { sendOptionsOf } from '../fields/sendOptions';
import { toLocalIso } from '../lib/time';
import { dayAndTime, isWithin, nextOpening } from '../lib/weeklyHours';

/**
 * Checks a message's Sending Hours. This is done before anything is claimed for the message, and again right before its
 * request, which can be much later.
 *
 * @throws InputError - the message would be sent outside its Sending Hours
 */
export function checkSendingHours({ sends }: Operation, input: Input, nowMs: number): void {
	const { sendingHours: hours } = sendOptionsOf(input);
	if (!hours) return;
	const sendAtMs = sends?.sendAt?.(input);
	const atMs = sendAtMs ?? nowMs;
	if (isWithin(hours, atMs)) return;
	const { timeZone } = hours;
	const nextAllowedAt = toLocalIso(nextOpening(hours, atMs), timeZone);
	const time = `${dayAndTime(atMs, timeZone)} in ${timeZone}`;
	throw new InputError(
		// Everything is in the error's message, because n8n's Agents pass only the message on to the model.
		`${sendAtMs === undefined ? 'It is' : "'Send At' is"} ${time}, outside 'Sending Hours'. Messages are allowed again from ${nextAllowedAt}`,
		"This message was not sent. Trying again outside 'Sending Hours', or sending it in another way, is not allowed",
		'outside_hours',
		{ nextAllowedAt },
	);
}
