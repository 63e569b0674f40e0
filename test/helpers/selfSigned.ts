import { createSign, generateKeyPairSync, randomBytes } from 'node:crypto';

/** An element in DER, the binary form of certificates. */
function der(tag: number, ...parts: Array<Buffer | string>): Buffer {
	const content = Buffer.concat(parts.map((part) => Buffer.from(part)));
	const { length } = content;
	const size = length < 128 ? [length] : [0x82, length >> 8, length & 255];
	return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const sequence = (...parts: Buffer[]) => der(0x30, ...parts);
const identifier = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));
const bits = (content: Buffer) => der(0x03, Buffer.from([0]), content);

/** A key and a certificate for 127.0.0.1 that nobody but itself has signed, as of a proxy in a company's network. */
export function createSelfSigned(): { key: string; cert: string } {
	const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
	const name = sequence(der(0x31, sequence(identifier('550403'), der(0x0c, 'Proxy'))));
	const ecdsaWithSha256 = sequence(identifier('2a8648ce3d040302'));
	const validity = sequence(der(0x17, '200101000000Z'), der(0x17, '491231235959Z'));
	const isAuthority = sequence(
		identifier('551d13'),
		der(0x04, sequence(der(0x01, Buffer.from([255])))),
	);
	const address = der(0x87, Buffer.from([127, 0, 0, 1]));
	const addresses = sequence(identifier('551d11'), der(0x04, sequence(address)));
	const content = sequence(
		der(0xa0, der(0x02, Buffer.from([2]))),
		der(0x02, Buffer.from([1]), randomBytes(8)),
		ecdsaWithSha256,
		name,
		validity,
		name,
		publicKey.export({ type: 'spki', format: 'der' }),
		der(0xa3, sequence(isAuthority, addresses)),
	);
	const signature = createSign('sha256').update(content).sign(privateKey);
	const certificate = sequence(content, ecdsaWithSha256, bits(signature));
	const lines = certificate.toString('base64').replaceAll(/.{64}/g, '$&\n');
	return {
		key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
		cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
	};
}
