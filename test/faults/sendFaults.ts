import type { FaultRule } from '../../playground/emulator/control/client.ts';
import type { Random } from './campaign.ts';

/** What the node has to say of a message, and whether the service accepted it. */
export type Expectation = { report: 'sent' | 'refused' | 'unknown'; accepted: 0 | 1 };

export type SendFault = {
	name: string;
	expected: Expectation;
	/** Undefined: the service is well. */
	rule?: (random: Random) => FaultRule;
};

const sent: Expectation = { report: 'sent', accepted: 1 };
const refused: Expectation = { report: 'refused', accepted: 0 };
const lost: Expectation = { report: 'unknown', accepted: 0 };
const unanswered: Expectation = { report: 'unknown', accepted: 1 };

const simple = (fault: FaultRule['fault'], expected: Expectation): SendFault => ({
	name: fault,
	expected,
	rule: () => ({ fault }),
});

export const noFault: SendFault = { name: 'none', expected: sent };

/** Every way in which the service, or the way to it, fails for a single message. */
export const sendFaults: SendFault[] = [
	{
		name: 'slow',
		expected: sent,
		rule: (random) => ({ fault: 'slow', delayMs: random.integer(1, 150) }),
	},
	{
		name: 'status429, passing',
		expected: sent,
		rule: (random) => ({
			fault: 'status429',
			retryAfter: 0,
			match: { count: random.integer(1, 4) },
		}),
	},
	{
		name: 'status429, for ever',
		expected: refused,
		// It asks for a longer pause than the node makes.
		rule: () => ({ fault: 'status429', retryAfter: 3600, match: { count: 'forever' } }),
	},
	{
		name: 'status400',
		expected: refused,
		rule: () => ({ fault: 'custom', status: 400, body: { error: { code: 'FIELD_INVALID' } } }),
	},
	simple('status403', refused),
	{
		name: 'redirect',
		expected: refused,
		rule: () => ({ fault: 'redirect', location: 'https://elsewhere.example/' }),
	},
	...(['status500', 'html', 'timeout', 'reset'] as const).map((fault) => simple(fault, lost)),
	{
		name: 'status503',
		expected: lost,
		rule: () => ({ fault: 'custom', status: 503, body: 'busy' }),
	},
	...(
		[
			'status500AfterAcceptance',
			'timeoutAfterAcceptance',
			'resetAfterAcceptance',
			'malformedJson',
			'emptyBody',
			'html200AfterAcceptance',
		] as const
	).map((fault) => simple(fault, unanswered)),
	{
		name: 'status504 after acceptance',
		expected: unanswered,
		rule: () => ({ fault: 'custom', status: 504, body: 'gateway', afterAcceptance: true }),
	},
];
