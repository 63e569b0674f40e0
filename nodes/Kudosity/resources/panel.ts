import { buildProperties } from '../runtime/properties';
import { resources } from './index';

// The build turns these into data, so that n8n's start loads no operation: see docs/adr/0015.

export const properties = buildProperties(resources);
