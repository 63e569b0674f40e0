import type { IAllExecuteFunctions } from 'n8n-workflow';
import { createClient, type Client } from '../api/client';
import { createNodeClock } from './nodeClock';
import { createTransports } from './nodeTransport';

/** The service for everything that is no execution: drop-downs and the trigger's registration. */
export const createNodeClient = (context: IAllExecuteFunctions): Client =>
	createClient(createTransports(context, createNodeClock(undefined))());
