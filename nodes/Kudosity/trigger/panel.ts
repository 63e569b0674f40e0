import { fields, outputsExpression } from './fields';

// The build turns what is exported into data, so that n8n's start loads no more: see docs/adr/0015.

export const outputs = outputsExpression;

export const properties = fields.map(({ property }) => property);
