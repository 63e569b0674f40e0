import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const text =
	'Firstname,Lastname,Mobile,Email\r\nSam,Lee,61491570156,sam@example.com\r\n,,nobody,\r\n';

const serve = async (): Promise<string> => {
	const server = createServer((_, response) => response.end(text));
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	// Nothing closes it, so it must not keep the process alive.
	server.unref();
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}/contacts.csv`;
};

let url: Promise<string> | undefined;

/** The local URL of a CSV file with one contact and one invalid row. */
export const contactsFileUrl = async (): Promise<string> => await (url ??= serve());
