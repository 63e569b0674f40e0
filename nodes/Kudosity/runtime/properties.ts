import { type INodeProperties, updateDisplayOptions } from 'n8n-workflow';
import { byName } from '../lib/text';
import type { Operation, Resource } from '../operation';

const firstValue = (choices: Array<{ value: string }>): string => choices[0]?.value ?? '';

const resourceSelector = (resources: Resource[]): INodeProperties => ({
	displayName: 'Resource',
	name: 'resource',
	type: 'options',
	noDataExpression: true,
	options: resources.map(({ name, value }) => ({ name, value })).sort(byName),
	default: firstValue(resources),
});

const operationSelector = ({ value: resource, operations }: Resource): INodeProperties => ({
	displayName: 'Operation',
	name: 'operation',
	type: 'options',
	noDataExpression: true,
	displayOptions: { show: { resource: [resource] } },
	options: operations
		.map(({ name, value, action, description }) => ({ name, value, action, description }))
		.sort(byName),
	default: firstValue(operations),
});

const operationFields = (resource: Resource, { value, properties }: Operation): INodeProperties[] =>
	updateDisplayOptions({ show: { resource: [resource.value], operation: [value] } }, properties);

/** The registry as n8n's flat list of fields. The first resource and operation are preselected. */
export const buildProperties = (resources: Resource[]): INodeProperties[] => [
	resourceSelector(resources),
	...resources.map(operationSelector),
	...resources.flatMap((resource) =>
		resource.operations.flatMap((operation) => operationFields(resource, operation)),
	),
];
