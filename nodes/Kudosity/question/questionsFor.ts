import type { IWebhookFunctions } from 'n8n-workflow';
import type { Message, OpenQuestion, Reading } from '../events/openQuestions';
import { apiKeyOf } from '../n8n/credentials';
import { createNodeService } from '../n8n/services';
import { readQuestions } from './accountQuestions';
import { readingOf } from './memory';

/** Reads the account's questions, and what decides which of them a message is for. */
export async function questionsFor(
	context: IWebhookFunctions,
	message: Message,
): Promise<{ questions: OpenQuestion[]; reading: Reading }> {
	const apiKey = await apiKeyOf(context);
	const questions = await readQuestions(createNodeService(context), apiKey);
	return { questions, reading: readingOf(message, apiKey) };
}
