import { InputError } from '../api/errors';

/** @throws InputError the filter End Date is before Start Date; milliseconds since the epoch */
export const checkDateOrder = ({
	startDate = -Infinity,
	endDate = Infinity,
}: {
	startDate?: number;
	endDate?: number;
}): void => {
	if (endDate >= startDate) return;
	throw new InputError("'Filters > End Date' is before Start Date", 'Swap the two dates');
};
