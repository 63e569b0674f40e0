import { type INodeProperties, updateDisplayOptions } from 'n8n-workflow';
import { byName } from '../lib/text';
import type { Operation, Resource } from '../fields/operation';
import { resources } from './index';

const firstValue = ([first]: Array<{ value: string }>): string => first?.value ?? '';

const resourceSelector: INodeProperties = {
	displayName: 'Resource',
	name: 'resource',
	type: 'options',
	noDataExpression: true,
	options: resources
		.map(({ name, value, description }) => ({ name, value, description }))
		.sort(byName),
	default: firstValue(resources),
};

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

// The build turns this export into plain data, so n8n doesn't have to load the operations' code at startup: see
// docs/adr/0015.

/** All fields, in the flat list that n8n expects. The first resource and the first operation are preselected. */
export const properties = [
	resourceSelector,
	...resources.map(operationSelector),
	...resources.flatMap((resource) =>
		resource.operations.flatMap((operation) => operationFields(resource, operation)),
	),
];
