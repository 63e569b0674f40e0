import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { eventSchema } from '../seams.ts';
import {
	changed,
	richContents,
	sampleEvent,
	sampleNames,
	type Json,
} from '../fixtures/events/index.ts';

const isFields = (value: unknown): value is Json => typeof value === 'object' && value !== null;

/** Paths of all that is in a value, and of what holds it. */
const pathsIn = (value: unknown, path: string[] = []): string[][] =>
	isFields(value)
		? [path, ...Object.entries(value).flatMap(([key, inner]) => pathsIn(inner, [...path, key]))]
		: [path];

type Definition = {
	type?: string;
	innerType?: Schema;
	options?: Schema[];
	values?: unknown[];
	in?: Schema;
	out?: Schema;
};
type Schema = { shape?: Record<string, Schema>; _zod?: { def: Definition } };

/** What a schema is around. Of two in a row, one may only change the value. */
const innerOf = ({ _zod }: Schema): Schema | undefined => {
	const { innerType, in: input, out } = _zod?.def ?? {};
	return innerType ?? (input?._zod?.def.type === 'transform' ? out : input);
};

/** Paths of all fields that a schema knows, needed or not. */
const pathsOf = (schema: Schema, path: string[] = []): string[][] => {
	const inner = innerOf(schema);
	if (inner) return pathsOf(inner, path);
	const fields = Object.entries(schema.shape ?? {});
	return [path, ...fields.flatMap(([key, field]) => pathsOf(field, [...path, key]))];
};

const typeOf = (schema: Schema): unknown => schema.shape?.event_type?._zod?.def.values?.[0];

const schemaOf = (eventType: unknown): Schema => {
	const { options = [] } = (eventSchema() as unknown as Schema)._zod!.def;
	return options.find((option) => typeOf(option) === eventType)!;
};

const folder = join(import.meta.dirname, '../fixtures/events');

const files = readdirSync(folder)
	.filter((file) => file.endsWith('.json') && file !== 'richContents.json')
	.map((file) => file.replace(/\.json$/, ''));

const richEvent = (type: string, content: unknown): Json =>
	changed(changed(sampleEvent('rcsInboundText'), 'mo.content_type', type), 'mo.content', content);

const samples: Record<string, Json> = {
	...Object.fromEntries(files.map((file) => [file, sampleEvent(file)])),
	...Object.fromEntries(
		Object.entries(richContents()).map(([type, content]) => [type, richEvent(type, content)]),
	),
};

/** The main sample of a type stands for what the schema knows beside it. */
const isMain = (sample: string): boolean => Object.values<string>(sampleNames).includes(sample);

const placesOf = ([sample, event]: [string, Json]): string[] => {
	const paths = isMain(sample)
		? [...pathsIn(event), ...pathsOf(schemaOf(event.event_type))]
		: pathsIn(event).filter(([, inner]) => !(sample in richContents()) || inner === 'content');
	return [...new Set(paths.map((path) => path.join('.')))].filter((path) => path !== '');
};

/** Every field of every event, and those that hold fields. */
export const eventPlaces = Object.entries(samples).flatMap((entry) =>
	placesOf(entry).map((path) => [entry[0], path] as const),
);

/** What the sample has there, if anything. */
export const valueAt = (sample: string, path: string): unknown =>
	path
		.split('.')
		.reduce<unknown>((value, key) => (isFields(value) ? value[key] : undefined), samples[sample]);

const put = (value: unknown, [key, ...rest]: string[], inner: unknown): unknown => {
	if (key === undefined) return inner;
	const copy = (Array.isArray(value) ? [...(value as unknown[])] : { ...Object(value) }) as Json;
	copy[key] = put(copy[key], rest, inner);
	// What is undefined does not come over the network.
	if (copy[key] !== undefined) return copy;
	if (Array.isArray(copy)) copy.splice(Number(key), 1);
	else delete copy[key];
	return copy;
};

/** The sample with these fields, by their paths, and with this value in the place. */
export const eventWith = (sample: string, path: string, value: unknown, own: Json) =>
	Object.entries({ ...own, [path]: value }).reduce<unknown>(
		(event, [place, inner]) => put(event, place.split('.'), inner),
		samples[sample],
	);
