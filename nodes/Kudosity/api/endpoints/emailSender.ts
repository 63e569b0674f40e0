import { send, anyObject } from '../endpoint';

export const addEmail = send({ path: '/add-email.json', answer: anyObject });

/**
 * `*@example.com` removes all addresses of the domain. The request is not idempotent: removing an address that doesn't
 * exist is an error.
 */
export const deleteEmail = send({ path: '/delete-email.json', answer: anyObject });
