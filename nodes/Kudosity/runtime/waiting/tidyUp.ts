import type { IExecuteFunctions } from 'n8n-workflow';
import type { Service } from '../../api/service';
import type { Parties, QuestionSettings } from '../../fields/questionSettings';
import { sweep } from './sweep';

/** From here on, n8n notices what each reply costs it. */
const many = 50;

const hintOf = (count: number) =>
	`n8n gets each reply to this sender ${count + 1} times, once for each question that is open on it. With so many, take the replies with a Kudosity Trigger and a data table, as the example “Ask thousands of people” does, or, for SMS, choose 'This Message' in Options > Match Replies By`;

type Planned = Pick<QuestionSettings, 'matchBy' | 'waitMs'> & Pick<Parties, 'senders'>;

const cutShort =
	'The Timeout Workflow setting can be shorter than the wait: outside queue mode, n8n then stops the workflow instead of going on. Make it longer than all waits of an execution together (an hour is the most, unless EXECUTIONS_TIMEOUT_MAX is set), or switch it off';

/** What n8n makes of a longer setting, unless its EXECUTIONS_TIMEOUT_MAX, which no node can read, is another. */
const longestTimeoutSeconds = 3600;

/** Sweeps before a question, and tells its user of a wait that n8n cuts short, and of replies that many others get. */
export const tidyUp = async (
	context: IExecuteFunctions,
	service: Service,
	{ matchBy, senders, waitMs }: Planned,
): Promise<void> => {
	const { executionTimeout = 0 } = context.getWorkflowSettings();
	const timeoutMs = Math.min(executionTimeout, longestTimeoutSeconds) * 1000;
	if (executionTimeout > 0 && timeoutMs <= waitMs) {
		context.addExecutionHints({ message: cutShort, location: 'outputPane' });
	}
	const count = await sweep(context, service, { senders, nowMs: Date.now() });
	if (count < many || matchBy === 'message') return;
	context.addExecutionHints({ message: hintOf(count), location: 'outputPane' });
};
