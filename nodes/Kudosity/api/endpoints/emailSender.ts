import { z } from 'zod/v4';
import { send } from '../endpoint';

const answer = () => z.looseObject({});

export const addEmail = send({ path: '/add-email.json', answer });

/** `*@example.com` removes all addresses of the domain. Not idempotent: removing a missing one is an error. */
export const deleteEmail = send({ path: '/delete-email.json', answer });
