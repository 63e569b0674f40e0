import { contactAt, plainNumber } from '../events/simplify';
import type { Found, Marks } from '../fields/operation';

/** Milliseconds since the epoch. */
export type Span = { fromMs: number; toMs: number };

/** A message whose answer was lost. */
export type Sought = Marks & {
	/** What the service replaces in the text, besides the opt-out link. */
	rewritten?: RegExp;
	/** Whether the reference was generated for this request, so that no other message has it. */
	isOwnReference: boolean;
	/** When the request was under way by the service's clock, if known. */
	span?: Span;
};

const optOutLink = /\[opt-out-link\]/;

/** White space and compatible characters may come back in another form. */
const plain = (text: string): string => text.normalize('NFKC').replace(/\s+/g, ' ').trim();

const bareAddress = (address: string): string => plainNumber(address).toUpperCase();

/** Whether `text` consists of the pieces in this order, with anything between them. */
const consistsOf = ([first = '', ...others]: string[], text: string): boolean => {
	const last = others.pop();
	if (last === undefined) return text === first;
	if (!text.startsWith(first)) return false;
	let end = first.length;
	for (const piece of others) {
		const start = text.indexOf(piece, end);
		if (start === -1) return false;
		end = start + piece.length;
	}
	return text.length - last.length >= end && text.endsWith(last);
};

/** Whether the service can have turned `text` into `sent`. */
const fitsText = (text: string, sent: string, rewritten?: RegExp): boolean => {
	const places = [optOutLink, ...(rewritten ? [rewritten] : [])].map(({ source }) => source);
	return consistsOf(plain(text).split(new RegExp(places.join('|'))), plain(sent));
};

const isWithin = (ms: number, span: Span | undefined): boolean =>
	span !== undefined && ms >= span.fromMs && ms <= span.toMs;

const fits = (sought: Sought, found: Found): boolean =>
	found.reference === sought.reference &&
	contactAt(found.recipient) === contactAt(sought.recipient) &&
	bareAddress(found.sender) === bareAddress(sought.sender) &&
	(sought.isOwnReference || isWithin(found.createdMs, sought.span)) &&
	fitsText(sought.text, found.text, sought.rewritten);

/** The message that alone fits each, and fits and has answered no other. None where several might: see ADR 12. */
export const matchMessages = (
	sought: Sought[],
	found: Found[],
	isTaken: (id: string) => boolean,
): Array<Found | undefined> => {
	const byId = new Map(found.map((message) => [message.id, message]));
	const free = [...byId.values()].filter(({ id }) => !isTaken(id));
	const fitting = sought.map((each) => free.filter((message) => fits(each, message)));
	const claims = new Map<Found, number>();
	for (const message of fitting.flat()) claims.set(message, (claims.get(message) ?? 0) + 1);
	return fitting.map(([only, ...others]) =>
		only && others.length === 0 && claims.get(only) === 1 ? only : undefined,
	);
};
