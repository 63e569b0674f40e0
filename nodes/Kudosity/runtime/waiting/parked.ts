import type { IWebhookFunctions } from 'n8n-workflow';
import { textOrNone } from '../../api/schemas/common.schema';
import { readQuestion, type Question } from '../../events/question';

export type Parked = {
	question: Question;
	questionId?: string;
	webhookId: string;
	untilMs: number;
};

/** What `park` left. Undefined when the delivery is for another question, e.g. of an earlier turn of a loop. */
export const readParked = (context: IWebhookFunctions): Parked | undefined => {
	const records = context.evaluateExpression('{{ $input.all().map((item) => item.json) }}', 0);
	const [record] = Array.isArray(records) ? (records as unknown[]) : [];
	const { waitedUntil, ...fields } = (record ?? {}) as Record<string, unknown>;
	const { question: parked, questionId, webhookId } = fields;
	const question = readQuestion(parked);
	const { ask } = context.getQueryData() as { ask?: unknown };
	const id = textOrNone(webhookId);
	return question && id !== undefined && question.ask === ask
		? {
				question,
				questionId: textOrNone(questionId),
				webhookId: id,
				untilMs: Date.parse(String(waitedUntil)),
			}
		: undefined;
};
