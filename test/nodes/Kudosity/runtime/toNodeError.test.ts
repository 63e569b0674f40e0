import type { INode } from 'n8n-workflow';
import { expect, it } from 'vitest';
import { UnexpectedResponseError, toNodeError } from '../../../seams.ts';

const node: INode = {
	id: '1',
	name: 'Kudosity',
	type: 'kudosity',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

it.each([
	[false, /^It was the same page again \(status 200\)\. Check the credential's base URL/],
	[true, /^It was the same page again .*The list may have changed .*try again later.* base URL/],
])('says what to do about a page that comes again (list may have changed: %s)', (may, text) => {
	const error = new UnexpectedResponseError(200, 'the same page again', may);

	expect(toNodeError(node, error).description).toMatch(text);
});
