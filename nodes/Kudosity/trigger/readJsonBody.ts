type Request = {
	headers: Record<string, unknown>;
	/** As n8n parsed it, by its content type. */
	body?: unknown;
	/** As it came, already unpacked. */
	rawBody?: Buffer;
};

const parseJson = (text: string): unknown => {
	try {
		return JSON.parse(text.replace(/^\uFEFF/, ''));
	} catch {
		return undefined;
	}
};

/** The JSON of a request. n8n reads forms and XML as objects too: they count as no JSON. */
export const readJsonBody = ({ headers, body, rawBody }: Request): unknown => {
	const isParsed = /json/i.test(String(headers['content-type'] ?? ''));
	return isParsed || !rawBody?.length ? body : parseJson(rawBody.toString('utf8'));
};
