import formbody from '@fastify/formbody';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** v1 also takes multipart forms; files in them are of no use to it. */
async function readMultipart({ headers }: FastifyRequest, body: string | Buffer) {
	const type = headers['content-type'] ?? '';
	const form = await new Response(body, { headers: { 'content-type': type } }).formData();
	return Object.fromEntries([...form].filter(([, value]) => typeof value === 'string'));
}

/** Empty bodies and unknown types are let through: the operations say themselves what they miss. */
export function addBodyParsers(app: FastifyInstance): void {
	app.removeContentTypeParser(['application/json', 'text/plain']);
	app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
		const text = String(body);
		try {
			done(null, text === '' ? undefined : JSON.parse(text));
		} catch {
			done(Object.assign(new Error('body is not valid JSON'), { statusCode: 400 }));
		}
	});
	app.addContentTypeParser('multipart/form-data', { parseAs: 'buffer' }, readMultipart);
	app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
	app.register(formbody);
}
