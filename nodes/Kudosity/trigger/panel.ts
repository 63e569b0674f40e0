import { fields, outputsExpression } from './fields';

// The build turns these exports into plain data, so n8n doesn't have to load the fields' code at startup: see
// docs/adr/0015.

export const outputs = outputsExpression;

export const properties = fields.map(({ property }) => property);
