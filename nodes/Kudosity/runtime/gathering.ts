type Entry<Input> = { item: number; input: Input };
type Waiting<Answer> = (result: PromiseSettledResult<Answer>) => void;
type Come<Input, Answer> = { entry: Entry<Input>; settle: Waiting<Answer> };

/**
 * Where items meet that go out together. Each of the `expected` ones either comes, or is over without having
 * come; as soon as nobody is missing, `send` gets all that came, in the order of the items, and says what each
 * comes to.
 */
export const createGathering = <Input, Answer>(
	expected: number,
	send: (entries: Array<Entry<Input>>) => Promise<Array<PromiseSettledResult<Answer>>>,
) => {
	const come: Array<Come<Input, Answer>> = [];
	let missing = expected;

	const go = async () => {
		// Some have to wait for a key or a limit before they come.
		come.sort((one, other) => one.entry.item - other.entry.item);
		const results = await send(come.map(({ entry }) => entry)).catch((reason: unknown) =>
			come.map(() => ({ status: 'rejected' as const, reason })),
		);
		results.forEach((result, index) => come[index]?.settle(result));
	};
	const settleOne = () => {
		missing--;
		if (missing === 0 && come.length > 0) void go();
	};
	return {
		come: async (entry: Entry<Input>): Promise<Answer> => {
			const result = await new Promise<PromiseSettledResult<Answer>>((settle) => {
				come.push({ entry, settle });
				settleOne();
			});
			if (result.status === 'rejected') throw result.reason;
			return result.value;
		},
		stayAway: settleOne,
	};
};
