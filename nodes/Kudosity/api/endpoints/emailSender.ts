import { z } from 'zod/v4';
import { send } from '../endpoint';

const answer = () => z.looseObject({});

export const addEmail = send({ path: '/add-email.json', answer });

/** `*@example.com` takes all addresses of the domain away. A second one would not find it any more. */
export const deleteEmail = send({ path: '/delete-email.json', answer });
