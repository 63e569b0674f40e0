type DeliveryRequest = {
	headers: Record<string, unknown>;
	/** As n8n parsed it, by its content type. */
	body?: unknown;
	/** As it came, already unpacked; absent as long as nobody has read it. */
	rawBody?: Buffer;
	readRawBody?: () => Promise<void>;
};

const parseJson = (text: string): unknown => {
	try {
		return JSON.parse(text.replace(/^\uFEFF/, ''));
	} catch {
		return undefined;
	}
};

/** n8n leaves a body unread whose content type it does not know. One that cannot be read is no JSON either. */
const readRaw = async (request: DeliveryRequest): Promise<Buffer | undefined> => {
	if (!request.rawBody) await request.readRawBody?.().catch(() => undefined);
	return request.rawBody;
};

/** By n8n's own rule, to which a space before the semicolon makes it another type. */
const isParsed = ({ headers }: DeliveryRequest): boolean =>
	/^application\/json(;|$)/i.test(String(headers['content-type'] ?? ''));

/** The JSON of a request. n8n reads forms and XML as objects too: they count as no JSON. */
export const readJsonBody = async (request: DeliveryRequest): Promise<unknown> => {
	if (isParsed(request)) return request.body;
	const rawBody = await readRaw(request);
	return rawBody?.length ? parseJson(rawBody.toString('utf8')) : request.body;
};
