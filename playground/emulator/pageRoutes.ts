import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { clickLink, optOutByLink } from './messages/contactActions.ts';
import { Refusal } from './http/refusal.ts';
import type { State } from './state.ts';

/** The page loads nothing from elsewhere. */
const PAGE_POLICY =
	"default-src 'none'; connect-src 'self'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'";

/** The page, and the short links that messages carry: following one in a browser counts as the contact doing so. */
export function addPageRoutes(app: FastifyInstance, state: State): void {
	app.get('/', async (_request, reply) => {
		reply.type('text/html; charset=utf-8').header('content-security-policy', PAGE_POLICY);
		return await readFile(join(import.meta.dirname, 'page.html'), 'utf8');
	});
	app.get<{ Params: { code: string } }>('/l/:code', async ({ params }, reply) => {
		const link = state.links.get(params.code);
		const message = link && state.messagesById.get(link.messageId);
		if (!link || !message) throw new Refusal(404, { error: 'No such link' });
		if (link.kind === 'click') {
			clickLink(state, message, link);
			return reply.redirect(link.url);
		}
		optOutByLink(state, message, message.recipient);
		return reply.type('text/plain').send('You have opted out and will get no more messages.');
	});
}
