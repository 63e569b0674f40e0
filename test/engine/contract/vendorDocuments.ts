import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Exchange } from './recordingProxy.ts';

/** A schema of OpenAPI 3.0, which is nearly JSON schema. */
export type Schema = { [keyword: string]: unknown };
export type Parameter = { name: string; in: string; required?: boolean; schema: Schema };
type Content = { content?: Record<string, { schema: Schema }> };
export type Documented = {
	parameters?: Parameter[];
	requestBody?: Content & { required?: boolean };
	responses: Record<string, Content>;
};
export type VendorDocument = { paths: Record<string, Record<string, Documented>> };

const root = resolve(import.meta.dirname, '../../..');
const folder = resolve(root, process.env.KUDOSITY_OPENAPI ?? '../shared/reference/openapi');

const files = { v1: 'transmit-sms.json', v2: 'transmit-message.json' } as const;
type Api = Exchange['api'];

export const apis = Object.keys(files) as Api[];

/** Undefined where no copy of the documents lies beside the repository. */
export const hasDocuments = apis.every((api) => existsSync(resolve(folder, files[api])));

/** References name their document, so that a schema can be used away from it. */
export const readDocument = (api: Api): VendorDocument =>
	JSON.parse(
		readFileSync(resolve(folder, files[api]), 'utf8').replaceAll('"#/', `"${api}#/`),
	) as VendorDocument;

export const followed = <Target>(document: VendorDocument, target: Target): Target => {
	const { $ref } = target as { $ref?: string };
	if ($ref === undefined) return target;
	const names = $ref.split('#/')[1]!.split('/');
	const found = names.reduce<unknown>((inner, name) => (inner as Schema)[name], document);
	return followed(document, found as Target);
};

/** One operation of the documents: `POST /v2/sms`. */
export type VendorOperation = { api: Api; method: string; path: string; documented: Documented };

export const operationsOf = (api: Api): VendorOperation[] =>
	Object.entries(readDocument(api).paths).flatMap(([path, byMethod]) =>
		Object.entries(byMethod).map(([method, documented]) => ({
			api,
			method: method.toUpperCase(),
			path,
			documented,
		})),
	);
