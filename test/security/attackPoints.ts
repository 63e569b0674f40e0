import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';
import { properties as triggerProperties } from '../seams.ts';
import type { Random } from '../faults/campaign.ts';
import { exampleOf, operationsByName } from '../helpers/exampleFields.ts';

type Fields = Record<string, unknown>;

/** A field of a panel, at any depth. */
export type Place = {
	/** e.g. `options > maxParts`. */
	place: string;
	property: INodeProperties;
	/** Names of the fields inside it. */
	keys: string[];
	/** The fields of the panel with this value in the place, and with what shows the field there. */
	fieldsWith: (good: Fields, value: unknown) => Fields;
};

/** A field of an operation. */
export type AttackPoint = Place & { operation: string };

/** What makes a field count, in the same collection. */
const companions: Fields = {
	startDate: { endDate: '2026-02-15T12:00' },
	endDate: { startDate: '2026-01-15T12:00' },
	smsFallbackMessage: { smsFallbackSender: 'Acme' },
	smsFallbackSender: { smsFallbackMessage: 'Hi' },
};

const insideOf = ({ options = [] }: INodeProperties): INodeProperties[] =>
	options as INodeProperties[];

const rowsOf = ({ options = [] }: INodeProperties): INodePropertyCollection[] =>
	options as INodePropertyCollection[];

const shownBy = ({ displayOptions }: INodeProperties): Fields =>
	Object.fromEntries(
		Object.entries(displayOptions?.show ?? {}).map(([name, wanted]) => [name, wanted?.[0]]),
	);

const companionsIn = (all: INodeProperties[], { name }: INodeProperties): Fields =>
	Object.fromEntries(
		Object.entries((companions[name] ?? {}) as Fields).filter(([other]) =>
			all.some((each) => each.name === other),
		),
	);

const fieldsOf = (value: unknown): Fields =>
	typeof value === 'object' && value !== null ? (value as Fields) : {};

const placesIn = (all: INodeProperties[], property: INodeProperties): Place[] => {
	const { name, type } = property;
	const shown = { ...companionsIn(all, property), ...shownBy(property) };
	const itself = {
		place: name,
		property,
		keys: type === 'collection' ? insideOf(property).map((inner) => inner.name) : [],
		fieldsWith: (good: Fields, value: unknown) => ({ ...good, ...shown, [name]: value }),
	};
	if (type === 'collection') {
		const inside = insideOf(property).flatMap((inner) => placesIn(insideOf(property), inner));
		return [
			itself,
			...inside.map((inner) => ({
				...inner,
				place: `${name} > ${inner.place}`,
				fieldsWith: (good: Fields, value: unknown) => ({
					...good,
					...shown,
					[name]: inner.fieldsWith(fieldsOf(good[name]), value),
				}),
			})),
		];
	}
	if (type !== 'fixedCollection') return [itself];
	const inRows = rowsOf(property).flatMap((row) =>
		row.values.map((inner) => {
			const example = row.values.map((each) => [each.name, exampleOf(each)]);
			return {
				place: `${name} > ${inner.name}`,
				property: inner,
				keys: [],
				fieldsWith: (good: Fields, value: unknown) => ({
					...good,
					...shown,
					[name]: {
						[row.name]: [{ ...Object.fromEntries(example), [inner.name]: value }],
					},
				}),
			};
		}),
	);
	return [{ ...itself, keys: rowsOf(property).map((row) => row.name) }, ...inRows];
};

const placesOf = (properties: INodeProperties[]): Place[] =>
	properties.flatMap((property) => placesIn(properties, property));

/** Every field of every operation, those inside of collections included. */
export const attackPoints: AttackPoint[] = Object.entries(operationsByName).flatMap(
	([operation, { properties }]) => placesOf(properties).map((place) => ({ operation, ...place })),
);

/** The same of the trigger. */
export const triggerPlaces = placesOf(triggerProperties);

/** Countries are all the same. */
const mostChoices = 8;

/** What somebody could enter who means well: each choice where there are some. */
export const goodValuesFor = (property: INodeProperties): unknown[] => {
	const { type, options } = property;
	const choices = (options ?? []) as INodePropertyOptions[];
	if (type === 'options') return choices.slice(0, mostChoices).map(({ value }) => value);
	// Any opt-out stands alone.
	const together = choices.filter(({ value }) => value !== 'ANY_OPT_OUT');
	if (type === 'multiOptions') return [together.map(({ value }) => value)];
	if (type === 'boolean') return [true, false];
	if (type === 'number') return [property.typeOptions?.minValue ?? 1];
	if (type === 'dateTime') return ['2026-01-31T09:00'];
	if (type === 'collection' || type === 'fixedCollection') return [];
	if (type === 'resourceLocator') return [];
	const example = exampleOf(property) || property.default;
	return property.typeOptions?.multipleValues ? [[example]] : [example];
};

const filledIn = (property: INodeProperties, random: Random): unknown =>
	property.type === 'collection'
		? allFilledIn(insideOf(property), random)
		: random.pick(goodValuesFor(property));

const allFilledIn = (properties: INodeProperties[], random: Random): Fields =>
	Object.fromEntries(properties.map((each) => [each.name, filledIn(each, random)]));

/** The fields of the trigger, each with something good. */
export const goodTriggerFields = (random: Random): Fields => allFilledIn(triggerProperties, random);
