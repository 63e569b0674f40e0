import { fields, outputsExpression } from './fields';

// The build turns these exports into data, so n8n loads no more than them at its start: see docs/adr/0015.

export const outputs = outputsExpression;

export const properties = fields.map(({ property }) => property);
