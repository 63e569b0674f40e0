import type { IExecuteFunctions } from 'n8n-workflow';
import type { Service } from '../../api/service';
import type { Parties, QuestionSettings } from '../../fields/questionSettings';
import { sweep } from './sweep';

/** From here on, n8n notices what each reply costs it. */
const many = 50;

const hintOf = (count: number) =>
	`n8n gets each reply to this sender ${count + 1} times, once for each question that is open on it. With so many, take the replies with a Kudosity Trigger and a data table, as the example “Ask thousands of people” does, or, for SMS, choose 'This Message' in Options > Match Replies By`;

type Planned = Pick<QuestionSettings, 'matchBy'> & Pick<Parties, 'senders'>;

/** Sweeps before a question, and tells its user when a reply would be delivered for many others, too. */
export const tidyUp = async (
	context: IExecuteFunctions,
	service: Service,
	{ matchBy, senders }: Planned,
): Promise<void> => {
	const count = await sweep(context, service, { senders, nowMs: Date.now() });
	if (count < many || matchBy === 'message') return;
	context.addExecutionHints({ message: hintOf(count), location: 'outputPane' });
};
