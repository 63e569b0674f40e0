/** The service's limit is 100 characters; it does not say whether it counts bytes, so bytes it is. */
const longestName = 100;

const byteLength = (text: string): number => Buffer.byteLength(text);

const ellipsis = '...';

/** As much of `text` as fits, cut between characters. */
const shorten = (text: string, mostBytes: number): string => {
	if (byteLength(text) <= mostBytes) return text;
	let kept = '';
	for (const character of text) {
		if (byteLength(kept + character) > mostBytes - byteLength(ellipsis)) break;
		kept += character;
	}
	return kept.trimEnd() + ellipsis;
};

export type Place = { workflow: string; node: string };

/**
 * `n8n: <workflow> - <node><suffix>`, so that the list in the Kudosity account shows what a webhook belongs to.
 * Both names stay visible: the longer one gives way.
 */
export const webhookNameIn = ({ workflow, node }: Place, suffix: string): string => {
	const room = longestName - byteLength(`n8n:  - ${suffix}`);
	const half = Math.floor(room / 2);
	const shownNode = shorten(node.trim(), Math.max(half, room - byteLength(workflow.trim())));
	const shownWorkflow = shorten(workflow.trim(), room - byteLength(shownNode));
	return `n8n: ${shownWorkflow} - ${shownNode}${suffix}`;
};
