import type { FaultRule } from '../../playground/emulator/control/client.ts';
import { type Process, processes } from '../engine/engineModules.ts';
import type { Random } from './campaign.ts';
import { noFault, sendFaults, type SendFault } from './sendFaults.ts';

const responseTypes = ['freeText', 'approval', 'choice'] as const;

/** What people do with a question that nobody else asked them. */
export const lives = [
	...([
		'answer',
		'answer early',
		'two answers at once',
		'no match',
		'no match, then answer',
	] as const),
	...(['stranger', 'stranger, then answer', 'STOP', 'opt-out link', 'silence'] as const),
	...(['cancelled', 'killed before it waits'] as const),
] as const;
export type Life = (typeof lives)[number];

/** What becomes of asking, by what was planned. `unknown`: it may have gone out, and its webhook stays. */
type Asking = 'asked' | 'failed' | 'unknown';

export type Plan = {
	number: number;
	contact: string;
	responseType: (typeof responseTypes)[number];
	matchBy: 'anyMessage' | 'thisMessage';
	/** The process that asks. */
	process: Process;
	/** Those that the replies come to, in turn: its own n8n, or two of one database. */
	receivers: Process[];
	fault: string;
	rule?: FaultRule;
	retries: boolean;
	asking: Asking;
	/** How often the service sends the question. */
	accepted: 0 | 1;
};

/** The questions to one person, one after the other. */
export type Person = {
	contact: string;
	plans: Plan[];
	/** Undefined for whoever has several. */
	life?: Life;
	replies: number;
	stops: boolean;
};

export type Batch = {
	persons: Person[];
	/** The service refuses to note that a question was answered. */
	losesMarks: boolean;
	duplicates: boolean;
	/** n8n is not there while replies arrive, and then in a new process. */
	outage: boolean;
	/** n8n starts anew after the questions. */
	restart: boolean;
	rules: FaultRule[];
};

/** What the account's webhooks say of a question is its node's name. */
export const nodeName = (number: number): string => `Ask ${number}`;
/** With three digits at least: the reply “2” to “Question 2?” could mean the number in the message. */
export const textOf = (number: number): string => `Question ${100 + number}?`;

type Fault = Pick<Plan, 'fault' | 'rule' | 'asking' | 'accepted'>;
const well: Fault = { fault: 'none', asking: 'asked', accepted: 1 };

const failing = ['status403', 'status500', 'reset'] as const;
const refusing = [...failing, 'timeout'] as const;
const unanswering = [
	...(['status500AfterAcceptance', 'timeoutAfterAcceptance', 'resetAfterAcceptance'] as const),
	...(['malformedJson', 'emptyBody'] as const),
];

/** A webhook that was not made keeps the question from being sent; one without an answer is found. */
const hookFault = (random: Random, number: number): Fault => {
	const isMade = random.chance(0.5);
	const fault = random.pick<FaultRule['fault']>(isMade ? unanswering : refusing);
	const bodyIncludes = `${nodeName(number)} (`;
	const match = { method: 'POST', path: '/v2/webhook', bodyIncludes };
	const became: Fault = isMade ? well : { ...well, asking: 'failed', accepted: 0 };
	return { ...became, fault: `webhook: ${fault}`, rule: { fault, match } };
};

const askingOf = ({ expected: { report } }: SendFault): Asking =>
	report === 'sent' ? 'asked' : report === 'refused' ? 'failed' : 'unknown';

const sendFault = (random: Random, number: number): Fault => {
	const fault = random.pick(sendFaults);
	const rule = fault.rule?.(random);
	const match = { method: 'POST', path: '/v2/sms', bodyIncludes: textOf(number), ...rule?.match };
	return {
		fault: `send: ${fault.name}`,
		rule: rule && { ...rule, match },
		asking: askingOf(fault),
		accepted: fault.expected.accepted,
	};
};

const faultOf = (random: Random, number: number): Fault => {
	if (random.chance(0.7)) return { ...well, fault: noFault.name };
	return random.chance(0.4) ? hookFault(random, number) : sendFault(random, number);
};

let questions = 0;

const planOf = (random: Random, contact: string): Plan => {
	const number = ++questions;
	const fault = faultOf(random, number);
	const retries = random.chance(0.3);
	const process = random.pick(processes);
	const isHealed = retries && fault.asking === 'failed' && fault.rule?.match?.count !== 'forever';
	return {
		number,
		contact,
		responseType: random.pick(responseTypes),
		matchBy: 'anyMessage',
		process,
		receivers: random.chance(0.5) ? [process] : [...processes],
		retries,
		...fault,
		...(isHealed && { asking: 'asked', accepted: 1 }),
	};
};

let people = 0;
const nextContact = (): string => String(61_491_000_000 + people++);

const alone = (random: Random): Person => {
	const contact = nextContact();
	const life = random.pick(lives);
	const plan = planOf(random, contact);
	if (life.startsWith('no match') && plan.responseType === 'freeText')
		plan.responseType = 'approval';
	if (/answer/.test(life) && !life.startsWith('stranger') && random.chance(0.3)) {
		plan.matchBy = 'thisMessage';
	}
	return { contact, plans: [plan], life, replies: 0, stops: false };
};

const several = (random: Random): Person => {
	const contact = nextContact();
	const plans = Array.from({ length: random.integer(2, 3) }, () => planOf(random, contact));
	const replies = random.integer(1, plans.length);
	return { contact, plans, replies, stops: random.chance(0.3) };
};

const roughRules = (random: Random, loses: boolean): FaultRule[] => [
	{ fault: 'status500', match: { method: 'GET', path: '/v2/webhook' } },
	{ fault: 'status403', match: { method: 'DELETE', path: '/v2/webhook', count: 2 } },
	...(loses
		? [{ fault: random.pick(failing), match: { method: 'PUT', path: '/v2/webhook' } }]
		: []),
];

/** n8n's trigger holds each of their messages, and the service has 64 connections. */
const mostAtOnce = 16;

export const planBatch = (random: Random, most: number): Batch => {
	const isRough = random.chance(0.5);
	// Without its mark, an answered question is known to one process, until that ends.
	const losesMarks = isRough && random.chance(0.5);
	const persons: Person[] = [];
	for (let planned = 0; planned < Math.min(mostAtOnce, most); ) {
		const person = losesMarks || random.chance(0.5) ? alone(random) : several(random);
		person.plans.length = Math.min(person.plans.length, most - planned);
		planned += person.plans.length;
		persons.push(person);
	}
	return {
		persons,
		losesMarks,
		duplicates: random.chance(0.3),
		outage: isRough && random.chance(0.7),
		restart: !isRough && random.chance(0.3),
		rules: isRough ? roughRules(random, losesMarks) : [],
	};
};
