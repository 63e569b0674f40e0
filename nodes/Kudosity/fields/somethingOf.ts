import { InputError } from '../api/errors';

/**
 * The values, when there is at least one.
 *
 * @throws InputError an update that would change nothing
 */
export const somethingOf = <Values extends object>(values: Values): Values => {
	if (Object.values(values).some((value) => value !== undefined)) return values;
	throw new InputError('There is nothing to change', 'Add at least one option with a value');
};
