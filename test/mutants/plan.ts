import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** One small mistake in one place of a source file. */
export type Mutant = {
	id: number;
	/** From the project's root. */
	path: string;
	line: number;
	/** The text in the way of the mistake, with enough around it to be found once the file has changed elsewhere. */
	context: string;
	/** Where in `context` the changed text begins. */
	offset: number;
	before: string;
	after: string;
};

const swapped: Record<string, string> = {
	'===': '!==',
	'!==': '===',
	'<': '<=',
	'<=': '<',
	'>': '>=',
	'>=': '>',
	'&&': '||',
	'||': '&&',
	'??': '&&',
	'+': '-',
	'-': '+',
	'*': '/',
	'/': '*',
};

type Change = { start: number; end: number; after: string };

const changesAt = (node: ts.Node, text: (node: ts.Node) => string): Change[] => {
	const change = (part: ts.Node, after: string): Change => ({
		start: part.getStart(),
		end: part.end,
		after,
	});
	if (ts.isBinaryExpression(node)) {
		const other = swapped[text(node.operatorToken)];
		return other ? [change(node.operatorToken, other)] : [];
	}
	if (ts.isConditionalExpression(node))
		return [change(node.condition, `!(${text(node.condition)})`)];
	if (ts.isIfStatement(node)) return [change(node.expression, `!(${text(node.expression)})`)];
	if (ts.isNumericLiteral(node)) return [change(node, `(${text(node)} + 1)`)];
	if (node.kind === ts.SyntaxKind.TrueKeyword) return [change(node, 'false')];
	if (node.kind === ts.SyntaxKind.FalseKeyword) return [change(node, 'true')];
	if (ts.isExpressionStatement(node)) return [change(node, ';')];
	if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken)
		return [change(node, text(node.operand))];
	return [];
};

const changesIn = (source: string): Change[] => {
	const file = ts.createSourceFile('file.ts', source, ts.ScriptTarget.Latest, true);
	const found: Change[] = [];
	const visit = (node: ts.Node): void => {
		if (ts.isTypeNode(node) || ts.isImportDeclaration(node)) return;
		found.push(...changesAt(node, (part) => part.getText()));
		ts.forEachChild(node, visit);
	};
	visit(file);
	return found;
};

/** Numbers from 0 to below 1, the same ones for the same seed (mulberry32). */
const random = (seed: number) => {
	let state = seed;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
	};
};

const apply = (source: string, { start, end, after }: Change): string =>
	source.slice(0, start) + after + source.slice(end);

/** Says of a changed file whether it still compiles. */
const createCompiler = (root: string, paths: string[]) => {
	const config = ts.parseJsonConfigFileContent(
		ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile).config,
		ts.sys,
		root,
	);
	const changed = new Map<string, { version: number; text: string }>();
	const service = ts.createLanguageService({
		getCompilationSettings: () => config.options,
		getScriptFileNames: () => paths.map((path) => join(root, path)),
		getScriptVersion: (name) => String(changed.get(name)?.version ?? 0),
		getScriptSnapshot: (name) => {
			const text = changed.get(name)?.text ?? ts.sys.readFile(name);
			return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
		},
		getCurrentDirectory: () => root,
		getDefaultLibFileName: ts.getDefaultLibFilePath,
		fileExists: ts.sys.fileExists,
		readFile: ts.sys.readFile,
	});
	let version = 0;
	return (path: string, text: string): boolean => {
		const name = join(root, path);
		const original = readFileSync(name, 'utf8');
		changed.set(name, { version: ++version, text });
		const faults = [
			...service.getSyntacticDiagnostics(name),
			...service.getSemanticDiagnostics(name),
		];
		changed.set(name, { version: ++version, text: original });
		return faults.length === 0;
	};
};

/** `count` mutants of the files below `root`, drawn by chance, each of which compiles. */
export const planMutants = (
	root: string,
	paths: string[],
	{ seed, count }: { seed: number; count: number },
): Mutant[] => {
	const compiles = createCompiler(root, paths);
	const sources = new Map(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]));
	const all = [...sources].flatMap(([path, source]) =>
		changesIn(source).map((change) => ({ path, source, change })),
	);
	const next = random(seed);
	const mutants: Mutant[] = [];
	while (mutants.length < count && all.length > 0) {
		const [drawn] = all.splice(Math.floor(next() * all.length), 1);
		const { path, source, change } = drawn!;
		if (!compiles(path, apply(source, change))) continue;
		const from = Math.max(0, change.start - 60);
		mutants.push({
			id: mutants.length + 1,
			path,
			line: source.slice(0, change.start).split('\n').length,
			context: source.slice(from, change.end + 60),
			offset: change.start - from,
			before: source.slice(change.start, change.end),
			after: change.after,
		});
	}
	return mutants;
};

/** The source with the mistake in it; undefined where its place is gone, or is no longer the only one. */
export const plant = (
	source: string,
	{ context, offset, before, after }: Mutant,
): string | undefined => {
	const at = source.indexOf(context);
	if (at < 0 || source.indexOf(context, at + 1) >= 0) return undefined;
	return apply(source, { start: at + offset, end: at + offset + before.length, after });
};
