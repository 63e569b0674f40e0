import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { settleNow } from '../lib/async';
import { isTaken, type Json, withValueAt } from '../lib/json';
import type { Input } from '../fields/field';
import type { Annotation } from '../operation';
import type { Prepared } from '../send/attempt';
import { mapYielding, type YieldIfDue } from './clock';
import { outputItems } from './outputItems';

export const annotateItems = async (
	context: IExecuteFunctions,
	items: Prepared[],
	{ annotate, yieldIfDue }: { annotate: (input: Input) => Annotation; yieldIfDue: YieldIfDue },
): Promise<INodeExecutionData[]> => {
	const inputs = context.getInputData();
	const replaced: string[] = [];
	const annotateItem = (each: Prepared): Json[] => {
		if ('error' in each) throw each.error;
		const { path, value } = annotate(each.input);
		const json = inputs[each.item]?.json ?? {};
		if (isTaken(json, path)) replaced.push(path.join('.'));
		return [withValueAt(json, path, value)];
	};
	const results = await mapYielding(
		items,
		(each) => settleNow(() => annotateItem(each)),
		yieldIfDue,
	);
	if (replaced.length > 0) {
		context.addExecutionHints({
			message: `The input field '${replaced[0]}' was replaced in ${replaced.length} of ${items.length} items. To keep it, change 'Output Field'`,
			location: 'outputPane',
		});
	}
	const how = { node: context.getNode(), continues: context.continueOnFail() };
	return await outputItems(results, items, { ...how, remembersAnswers: false, inputs });
};
