/**
 * Draws comments of the nodes by `KUDOSITY_SEED`, each with the line of code below it, for a reader to judge:
 * `npx tsx test/project/drawComments.ts [how many] [path begins with]`
 */
import { createHash } from 'node:crypto';
import ts from 'typescript';
import { projectFiles } from '../helpers/projectFiles.ts';
import { seed } from '../helpers/seed.ts';

type Comment = { path: string; line: number; text: string; nextLine: string };

function commentRanges(source: string): ts.CommentRange[] {
	const file = ts.createSourceFile('file.ts', source, ts.ScriptTarget.Latest, true);
	const ranges = new Map<number, ts.CommentRange>();
	const visit = (node: ts.Node): void => {
		const before = ts.getLeadingCommentRanges(source, node.pos) ?? [];
		const behind = ts.getTrailingCommentRanges(source, node.end) ?? [];
		for (const range of [...before, ...behind]) ranges.set(range.pos, range);
		for (const child of node.getChildren(file)) visit(child);
	};
	visit(file);
	return [...ranges.values()].sort((one, other) => one.pos - other.pos);
}

/** Lines that begin with `//` one below the other are one comment. */
function commentsIn(path: string, source: string): Comment[] {
	const joined: Array<{ pos: number; end: number }> = [];
	for (const { pos, end, kind } of commentRanges(source)) {
		const last = joined.at(-1);
		const isLine = kind === ts.SyntaxKind.SingleLineCommentTrivia;
		const continues = isLine && last && /^\n[\t ]*$/.test(source.slice(last.end, pos));
		if (continues && source.startsWith('//', last.pos)) last.end = end;
		else joined.push({ pos, end });
	}
	return joined.map(({ pos, end }) => ({
		path,
		line: source.slice(0, pos).split('\n').length,
		text: source.slice(pos, end).replace(/\n[\t ]*/g, '\n'),
		nextLine: source.slice(end).trimStart().split('\n', 1)[0] ?? '',
	}));
}

const [count = '150', start = 'nodes/'] = process.argv.slice(2);
const comments = Object.entries(projectFiles('nodes', '.ts'))
	.filter(([path]) => path.startsWith(start))
	.flatMap(([path, source]) => commentsIn(path, source));
// The order goes by each comment's own text, so a change elsewhere draws the same ones.
const orderOf = ({ path, text }: Comment): string =>
	createHash('sha256').update(`${seed} ${path} ${text}`).digest('hex');
const drawn = comments
	.map((comment) => ({ ...comment, order: orderOf(comment) }))
	.sort((one, other) => (one.order < other.order ? -1 : 1))
	.slice(0, Number(count));

console.log(`${drawn.length} of ${comments.length} comments, by seed ${seed}\n`);
for (const [index, { path, line, text, nextLine }] of drawn.entries()) {
	console.log(`${index + 1}. ${path}:${line}\n${text}\n> ${nextLine}\n`);
}
