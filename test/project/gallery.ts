import type { WorkflowNode } from '../../playground/n8n/rest/workflows.ts';
import { tableMadeBy } from '../../playground/n8n/tables.ts';
import {
	exampleFiles,
	examplePaths,
	isKudosity,
	isKudosityTrigger,
} from '../helpers/exampleFiles.ts';
import { credentialsOf, type Names } from './operationsTable.ts';

type Entry = {
	does: string;
	/** Accounts and workflows beside Kudosity's. */
	needs?: string;
	/** To set it up, estimated for somebody who has the accounts. */
	minutes: number;
	/** What running it costs. */
	costs: string;
};

/** The examples by job, in the order in which people need them. */
const jobs: Record<string, Record<string, Entry>> = {
	'Send messages': {
		'first-sms': { does: 'Sends one SMS.', minutes: 2, costs: 'one SMS' },
		'bulk-sms-to-list': {
			does: 'Sends one text to a contact list in Kudosity.',
			minutes: 3,
			costs: 'one SMS per contact',
		},
		'google-sheets': {
			does: 'Sends the message in each row of a Google Sheet, and writes the result to the row.',
			needs: 'Google Sheets',
			minutes: 15,
			costs: 'one SMS per row',
		},
		'send-to-contacts': {
			does: 'Sends a text to the contacts in a table, except those who opted out.',
			minutes: 10,
			costs: 'one SMS per contact',
		},
		'shopify-order-shipped': {
			does: 'Tells Shopify customers that their order is on its way.',
			needs: 'Shopify',
			minutes: 10,
			costs: 'one SMS per package',
		},
		'wait-for-daytime': {
			does: 'Tells customers that their order is ready. At night, the message waits until morning.',
			needs: 'a system that calls a webhook',
			minutes: 10,
			costs: 'one SMS per order',
		},
		'review-request': {
			does: 'Asks each customer for a review once, three days after delivery.',
			needs: 'a shop that calls a webhook',
			minutes: 10,
			costs: 'one SMS per customer',
		},
		birthdays: {
			does: 'Sends birthday greetings.',
			minutes: 10,
			costs: 'one SMS per person per year',
		},
		'click-follow-up': {
			does: 'Texts everyone who opens the link in a campaign, once per person.',
			needs: 'a campaign with a tracked link',
			minutes: 5,
			costs: 'one SMS for each person who opens the link',
		},
	},
	'Ask and wait for the answer': {
		appointment: {
			does: "Asks a customer to confirm an appointment by SMS, and tells you if the customer wants to move it or doesn't reply.",
			minutes: 10,
			costs:
				"two SMS per appointment, and one to you if the customer wants to move it or doesn't reply",
		},
		'calendar-reminders': {
			does: 'Reminds people by SMS of their appointments in Google Calendar, a day ahead.',
			needs: 'Google Calendar',
			minutes: 10,
			costs: 'one SMS per appointment',
		},
		'double-opt-in': {
			does: 'Adds people from a form to a list once they reply YES, with the date and wording of their consent.',
			needs: 'a list in Kudosity',
			minutes: 10,
			costs: 'one SMS per sign-up, at most 200 a day',
		},
		survey: {
			does: 'Asks two questions by SMS after a visit, and saves the answers.',
			needs: 'a booking system that calls a webhook',
			minutes: 10,
			costs: 'two or three SMS per person',
		},
		'purchase-approval': {
			does: 'Asks the boss by SMS to approve a purchase that someone entered in a form.',
			minutes: 5,
			costs: 'one SMS per purchase, and another if the answer is unclear',
		},
		'fill-a-shift': {
			does: 'Asks people one after another until someone takes a shift, and tells the manager the result.',
			minutes: 10,
			costs: 'one SMS for each person asked, and one to the manager',
		},
		'on-call-alert': {
			does: "Asks someone by SMS to take care of a failed workflow, and asks the next person if the first one can't.",
			minutes: 5,
			costs: 'one SMS for each person asked',
		},
	},
	'Answer people': {
		'reply-routing': {
			does: 'Replies to YES and NO, and saves all other messages for your team.',
			minutes: 5,
			costs: 'one SMS for each YES or NO',
		},
		'answer-without-public-address': {
			does: "Replies to YES and NO, and saves all other messages for your team. Works even if your n8n can't be reached from the internet.",
			minutes: 5,
			costs: 'one SMS for each YES or NO',
		},
		'form-leads': {
			does: 'Replies to form leads by SMS within a minute.',
			minutes: 10,
			costs: 'one SMS per lead, at most 200 a day',
		},
		'hubspot-form-leads': {
			does: 'Replies to leads from a HubSpot form by SMS within a minute.',
			needs: 'HubSpot',
			minutes: 15,
			costs: 'one SMS per lead, at most 200 a day',
		},
		'missed-call': {
			does: 'Texts people whose calls you missed.',
			needs: 'a phone system that calls a webhook',
			minutes: 10,
			costs: 'one SMS per caller per day, at most 200 a day',
		},
		'slack-inbox': {
			does: 'Posts incoming SMS to a Slack channel.',
			needs: 'Slack',
			minutes: 15,
			costs: 'nothing',
		},
		'slack-replies': {
			does: "Sends replies from an SMS's Slack thread to the person who sent the SMS.",
			needs: 'the example above',
			minutes: 10,
			costs: 'one SMS for each reply in Slack',
		},
		'answer-first-contact': {
			does: "Replies to each person's first message by SMS, RCS or WhatsApp.",
			minutes: 5,
			costs: 'one message per person',
		},
		'keep-every-message': {
			does: 'Saves the messages that people send by SMS, MMS, RCS and WhatsApp.',
			minutes: 5,
			costs: 'nothing',
		},
		'answer-as-a-person': {
			does: 'Lets you reply to a contact from a form, on the channel that the contact used last.',
			needs: 'the example above',
			minutes: 10,
			costs: 'one message per reply',
		},
	},
	'Respect opt-outs': {
		'opt-out-sync': {
			does: 'Records everyone who opts out, by link or by text.',
			minutes: 5,
			costs: 'nothing',
		},
		'import-opt-outs': {
			does: 'Adds everyone who has already opted out of your contact lists to the table of opt-outs.',
			minutes: 2,
			costs: 'nothing',
		},
		'keep-opt-outs-by-polling': {
			does: "Records everyone who opts out by text. Works even if your n8n can't be reached from the internet.",
			minutes: 5,
			costs: 'nothing',
		},
		'opt-out-from-elsewhere': {
			does: 'Opts people out in Kudosity when they opt out in another system.',
			needs: 'a system that calls a webhook',
			minutes: 10,
			costs: 'nothing',
		},
		'opt-outs-to-hubspot': {
			does: 'Marks everyone who opts out, by link or by text, as opted out in HubSpot.',
			needs: 'HubSpot',
			minutes: 10,
			costs: 'nothing',
		},
	},
	'Let an AI agent send': {
		'ai-agent': {
			does: 'Lets an AI agent send SMS, with a chat model of your choice.',
			needs: 'a chat model',
			minutes: 10,
			costs:
				"each SMS that the agent sends, within the node's limits, plus what your chat model costs",
		},
		'ai-agent-replies': {
			does: 'Lets an AI agent reply to SMS. If a person splits a thought into several messages, the agent replies once.',
			needs: 'a chat model',
			minutes: 15,
			costs: 'one SMS per reply, plus what your chat model costs',
		},
		'reviewed-agent': {
			does: 'Lets an AI agent send SMS, but only after a person approves each one by SMS.',
			needs: 'n8n 2.41, a chat model',
			minutes: 10,
			costs: 'two SMS for each approved message, plus what your chat model costs',
		},
	},
	'Watch deliveries': {
		'delivery-watch': {
			does: 'Records failed messages, and tells the owner about them every morning.',
			minutes: 10,
			costs: 'one SMS for each day with failures',
		},
		'catch-up': {
			does: 'Finds SMS that arrived while n8n was down, and adds them to your saved messages.',
			needs: 'the example _Keep every message_',
			minutes: 5,
			costs: 'nothing',
		},
	},
	'Run large campaigns': {
		campaign: {
			does: 'Sends thousands of contacts a text that includes their name, 500 every 15 minutes, during hours that you choose.',
			minutes: 10,
			costs: 'one SMS per contact',
		},
		'campaign-bulk': {
			does: 'Sends the same text to thousands of contacts, 500 per request.',
			minutes: 10,
			costs: 'one SMS per contact',
		},
		'campaign-report': {
			does: 'Saves the status of each message in its row, and texts you how many messages were delivered.',
			needs: 'a campaign',
			minutes: 5,
			costs: 'one SMS per run',
		},
	},
};

const credentialsIn = (node: WorkflowNode, { description }: Names): string[] => {
	if (isKudosityTrigger(node)) return ['kudosityKeyApi'];
	if (!isKudosity(node)) return [];
	return credentialsOf(description, node.parameters as { resource: string; operation: string });
};

/** What the workflow itself says that it needs. */
const neededBy = (file: string, names: Names): string[] => {
	const { nodes } = exampleFiles[file]!;
	const credentials = new Set(nodes.flatMap((node) => credentialsIn(node, names)));
	const tables = new Set(nodes.flatMap((node) => tableMadeBy(node)?.name ?? []));
	return [
		...['kudosityKeyApi', 'kudosityBasicApi']
			.filter((name) => credentials.has(name))
			.map((name) => `_${names.credentialTitles[name]}_`),
		...(tables.size > 1
			? [`the data tables ${[...tables].map((table) => `_${table}_`).join(' and ')}`]
			: []),
		...(tables.size === 1 ? [`the data table _${[...tables][0]}_`] : []),
	];
};

/** In light or dark, as GitHub is. */
const picture = (name: string, title: string): string =>
	[
		'<picture>',
		`<source media="(prefers-color-scheme: dark)" srcset="../docs/images/${name}-dark.webp">`,
		`<img alt="The workflow “${title}” in n8n's editor" src="../docs/images/${name}.webp">`,
		'</picture>',
	].join('');

/** The picture of an example, in docs/images. */
export const pictureOf = (file: string): string => `example-${file.replace('.json', '')}`;

const entry = (name: string, { does, needs, minutes, costs }: Entry, names: Names): string => {
	const file = `${name}.json`;
	const needed = [...neededBy(file, names), ...(needs ? [needs] : [])].join(', ') || 'nothing';
	const path = examplePaths[file]!.replace('examples/', '');
	return [
		`### ${exampleFiles[file]!.name}`,
		`${does} [${file}](${path})`,
		`**You need** ${needed} · **Set up in** ${minutes} minutes · **Costs** ${costs}`,
		picture(pictureOf(file), exampleFiles[file]!.name),
	].join('\n\n');
};

export const gallery = (names: Names): string =>
	Object.entries(jobs)
		.flatMap(([job, entries]) => [
			`## ${job}`,
			...Object.entries(entries).map(([name, each]) => entry(name, each, names)),
		])
		.join('\n\n');
