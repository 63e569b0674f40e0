import { atMost } from '../../sending/atMost';

/**
 * What changes the custom fields of a list goes one after the other: two at once would choose the same slot. The
 * service knows the progress of the latest import of a list only.
 */
export const perList = atMost(1);
