/**
 * Preloaded into n8n: V8 counts the calls of each function. On SIGUSR2 it writes to KUDOSITY_PROBE_FILE which
 * functions of the package were called since the last time, by file. V8 does not say in which order: with
 * KUDOSITY_PROBE_ORDER each function says so itself, and the files come in the order of their first call.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import { Module } from 'node:module';

const { KUDOSITY_PROBE_FILE: file, KUDOSITY_PROBE_ORDER: isOrdered } = process.env;
const folder = '/dist/nodes/Kudosity/';
const order = new Set();

const noteCalls = async () => {
	const { default: ts } = await import('typescript');
	globalThis.kudosityCalled = (name) => order.add(name);
	const noting = (text, name) => {
		const source = ts.createSourceFile(name, text, ts.ScriptTarget.Latest);
		const call = `kudosityCalled(${JSON.stringify(name.split(folder)[1])})`;
		const inserted = [];
		const visit = (node) => {
			const { body } = node;
			if (ts.isFunctionLike(node) && body) {
				if (ts.isBlock(body)) inserted.push([body.getStart(source) + 1, `${call};`]);
				else inserted.push([body.getStart(source), `(${call}, `], [body.end, ')']);
			}
			ts.forEachChild(node, visit);
		};
		visit(source);
		const backward = inserted.toSorted(([one], [other]) => other - one);
		return backward.reduce((all, [at, what]) => all.slice(0, at) + what + all.slice(at), text);
	};
	const compile = Module.prototype._compile;
	Module.prototype._compile = function (text, name, ...rest) {
		const isOurs = name.includes(folder) && name.endsWith('.js');
		return compile.call(this, isOurs ? noting(text, name) : text, name, ...rest);
	};
};

if (file) {
	if (isOrdered) await noteCalls();
	const session = new Session();
	session.connect();
	session.post('Profiler.enable');
	session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
	process.on('SIGUSR2', () => {
		session.post('Profiler.takePreciseCoverage', (error, { result }) => {
			if (error) throw error;
			const inOrder = [...order];
			order.clear();
			const called = result
				.filter(({ url }) => url.includes(folder))
				.map(({ url, functions }) => ({
					file: url.split(folder)[1],
					functions: functions.filter(({ ranges: [range] }) => range.count > 0).length,
				}))
				.filter(({ functions }) => functions > 0)
				.sort((one, other) => inOrder.indexOf(one.file) - inOrder.indexOf(other.file));
			writeFileSync(`${file}.new`, JSON.stringify(called));
			renameSync(`${file}.new`, file);
		});
	});
}
