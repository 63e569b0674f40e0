import { onePerName } from '../../sending/onePerName';

/** What adds custom fields to a list goes one after the other: two at once would choose the same slot. */
export const addingFields = onePerName();

/** The service knows the progress of the latest import of a list only. */
export const awaitingImport = onePerName();
