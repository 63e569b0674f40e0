import type { Resource } from '../runtime/operation';
import { list } from './list';
import { number } from './number';
import { rcs } from './rcs';
import { sms } from './sms';
import { webhook } from './webhook';

/** The registry: every resource of the action node; the first one is preselected. */
export const resources: Resource[] = [sms, number, list, rcs, webhook];
