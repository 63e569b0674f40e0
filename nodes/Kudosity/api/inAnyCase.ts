/** The one of `values` that `text` is, whatever the case of either. */
export const inAnyCase = <const Values extends readonly string[]>(
	values: Values,
	text: string,
): Values[number] | undefined => values.find((each) => each.toUpperCase() === text.toUpperCase());
