import type { ReceivedEvent } from './readEvent';

/** What somebody wrote. Undefined for any other event. */
export const replyIn = ({ readable }: ReceivedEvent) =>
	readable?.payload.kind === 'inbound' ? readable.payload.inbound : undefined;

/** What tells a received message from all others. */
export const replyIdOf = (received: ReceivedEvent): string | undefined => replyIn(received)?.id;
