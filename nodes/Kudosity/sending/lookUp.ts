import type { Service } from '../api/service';
import type { Found, Marks, Sought } from './matchSent';

/** How the messages of an operation are found again. */
export type LookUp<Input> = {
	/** So long after it took a message, the service knows it at the latest. */
	longestMissingMs: number;
	/** The input with this reference, where the user gave none. */
	refer(input: Input, reference: string): Input;
	/** What tells the message of an input, which has a reference, from others. */
	describe(input: Input): Marks & Pick<Sought, 'rewritten'>;
	/** What may be the message of the input, as little as the service can be asked for; undefined for what is none. */
	search(service: Service, input: Input): AsyncIterable<Found | undefined>;
};
