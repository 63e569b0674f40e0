import { buildProperties } from '../runtime/properties';
import { resources, resourcesOf } from './index';

// The build turns these into data, so that n8n's start loads no operation: see docs/adr/0015.

export const properties = buildProperties(resources);

export const basicResources = resourcesOf('basic');

export const keyResources = resourcesOf('key');
