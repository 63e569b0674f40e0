import type { INodeTypeDescription } from 'n8n-workflow';
import type { Operation, Resource } from '../../nodes/Kudosity/fields/operation.ts';
import { markdownTable } from './markdownTable.ts';

type Credential = NonNullable<INodeTypeDescription['credentials']>[number];
type Choice = { resource: string; operation: string };

type Conditions = NonNullable<NonNullable<Credential['displayOptions']>['show']>;

const holds = (conditions: Conditions, choice: Choice): boolean[] =>
	Object.entries(conditions).map(
		([name, values]) => values?.includes(choice[name as keyof Choice]) ?? false,
	);

/** As n8n reads it: all of `show`, none of `hide`. */
const isShown = ({ displayOptions: { show = {}, hide = {} } = {} }: Credential, choice: Choice) =>
	holds(show, choice).every(Boolean) && !holds(hide, choice).some(Boolean);

/** The names of the credentials that n8n asks for when this operation is chosen. */
export const credentialsOf = (
	{ credentials = [] }: INodeTypeDescription,
	choice: Choice,
): string[] =>
	credentials.filter((credential) => isShown(credential, choice)).map(({ name }) => name);

export type Names = { description: INodeTypeDescription; credentialTitles: Record<string, string> };

const credentialOf = (resource: Resource, { value }: Operation, names: Names): string =>
	credentialsOf(names.description, { resource: resource.value, operation: value })
		.map((name) => names.credentialTitles[name])
		.join(', ') || 'None';

/** The table of operations, in the order of the registry. */
export const operationsTable = (resources: Resource[], names: Names): string =>
	markdownTable(
		['Resource', 'Operation', 'What it does', 'Credential'],
		resources.flatMap((resource) =>
			resource.operations.map((operation) => [
				resource.name,
				operation.name,
				operation.description,
				credentialOf(resource, operation, names),
			]),
		),
	);

/** A row for each resource with the names of its operations. */
export const resourcesTable = (resources: Resource[]): string =>
	markdownTable(
		['Resource', 'Operations'],
		resources.map(({ name, operations }) => [
			name,
			operations.map((operation) => operation.name).join(', '),
		]),
	);
