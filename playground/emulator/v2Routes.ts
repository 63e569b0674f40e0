import type { FastifyInstance } from 'fastify';
import { accountOf } from './pipeline.ts';
import type { State } from './state.ts';
import { fieldsOf, type ListQuery } from './v2Body.ts';
import { getRcsMessage, sendRcsMessage } from './v2Rcs.ts';
import { listRcsMessages } from './v2RcsList.ts';
import { getSms, sendSms } from './v2Sms.ts';
import { listSms } from './v2SmsList.ts';
import {
	createWebhook,
	deleteWebhook,
	getWebhook,
	listWebhooks,
	replaceWebhook,
} from './v2Webhooks.ts';

interface ById {
	Params: { id: string };
}
interface Listing {
	Querystring: ListQuery;
}

function addSmsRoutes(app: FastifyInstance, state: State): void {
	app.post('/v2/sms', async (request) =>
		sendSms(state, accountOf(request), fieldsOf(request.body)),
	);
	app.get<Listing>('/v2/sms', async (request) => listSms(state, accountOf(request), request.query));
	app.get<ById>('/v2/sms/:id', async (request) =>
		getSms(state, accountOf(request), request.params.id),
	);
}

function addRcsRoutes(app: FastifyInstance, state: State): void {
	app.post('/v2/rcs/messages', async (request) =>
		sendRcsMessage(state, accountOf(request), fieldsOf(request.body)),
	);
	app.get<Listing>('/v2/rcs/messages', async (request) =>
		listRcsMessages(state, accountOf(request), {
			query: request.query,
			fault: request.fault?.fault,
		}),
	);
	app.get<ById>('/v2/rcs/messages/:id', async (request) =>
		getRcsMessage(state, accountOf(request), request.params.id),
	);
}

function addWebhookRoutes(app: FastifyInstance, state: State): void {
	app.post('/v2/webhook', async (request, reply) => {
		reply.code(201);
		return createWebhook(state, accountOf(request), fieldsOf(request.body));
	});
	app.get('/v2/webhook', async (request) => listWebhooks(state, accountOf(request)));
	app.get<ById>('/v2/webhook/:id', async (request) =>
		getWebhook(state, accountOf(request), request.params.id),
	);
	app.put<ById>('/v2/webhook/:id', async (request) =>
		replaceWebhook(state, accountOf(request), {
			id: request.params.id,
			fields: fieldsOf(request.body),
		}),
	);
	app.delete<ById>('/v2/webhook/:id', async (request) =>
		deleteWebhook(state, accountOf(request), request.params.id),
	);
}

export function addV2Routes(app: FastifyInstance, state: State): void {
	addSmsRoutes(app, state);
	addRcsRoutes(app, state);
	addWebhookRoutes(app, state);
}
