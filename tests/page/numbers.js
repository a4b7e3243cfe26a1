// SPDX-License-Identifier: MIT
// numbers.js PAGE SELECTIONS [sum]: whether the tables and folded
// stacks of a page's model are those that the commands print with the same
// filters; of a page of two captures those of each of them, or the commands,
// functions and stacks of their sum.  The commands that the page shows need no more options.  Selections are
// made from a seed.  Prints what does not hold.
import { execFileSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { blocksIn } from './blocks.js';
import { random } from './fake.js';

const source = pathToFileURL(process.env.top_srcdir + '/render/page/');
const load = (name) => import(new URL(name, source));
const { decode } = await load('decode.js');
const { Model } = await load('model.js');
const { filterWords } = await load('words.js');
const { csvOf, foldedOf, shownCommand } = await load('export.js');
const { escapeText } = await load('folded.js');

const [path, times, sum] = process.argv.slice(2);
const BY = { function: 'dso,symbol', object: 'dso', line: 'line',
	comm: 'comm', thread: 'comm,pid,tid' };
const NONE = 0xffffffff;
const data = await decode(blocksIn(path)), model = new Model(data);
const rnd = random(42), upTo = (n) => Math.floor(rnd() * n);
const origin = data.meta.origin || 0;
let wrong = 0;

function run(...words) {
	return execFileSync(process.env.COLDPERF, [...words,
		...data.meta.captures], { maxBuffer: 1 << 28,
		stdio: ['ignore', 'pipe', 'ignore'] }).toString();
}

function somethingIn(n) {
	return Array.from({ length: n }, (_, i) => i).filter(() => rnd() < 0.5);
}

/** Threads by their TIDs, or those of one TID and name. */
function someThreads() {
	const { tid, name, n } = data.threads, one = upTo(n);
	const alone = rnd() < 0.3 && tid[one] !== NONE;
	const tids = new Set(alone ? [tid[one]] : somethingIn(n).map((t) =>
		tid[t]).filter((id) => id !== NONE));
	const all = Array.from({ length: n }, (_, t) => t).filter((t) =>
		tids.has(tid[t]) && (!alone || name[t] === name[one]));
	return all.length === 0 ? null : new Set(all);
}

/** A moment of the capture, as often as not that of a sample. */
function someMoment() {
	const { time, n } = data.samples, at = rnd() < 0.5 ? time[upTo(n)] : -1;
	return at >= origin ? at : origin + upTo(model.length - origin);
}

/** The k-th selection; the first is everything. */
function selectionOf(k) {
	const { events } = data, sel = model.whole();
	if (model.sides !== null) {
		sel.side = sum ? '' : k % 2 === 0 ? 'after' : 'before';
	}
	if (k === 0) {
		return sel;
	}
	// Of a sum the command has other times, and the page says so.
	if (data.meta.origin !== null && rnd() < 0.6) {
		const ends = [someMoment(), someMoment()];
		sel.from = Math.min(...ends);
		sel.to = Math.max(...ends);
	}
	sel.threads = rnd() < 0.4 ? someThreads() : null;
	sel.cpus = rnd() < 0.3 && model.cpus.length > 1 ?
		new Set([model.cpus[upTo(model.cpus.length)]]) :
		null;
	const used = Array.from(events.samples.keys())
		.filter((e) => events.samples[e] > 0);
	sel.event = used[upTo(used.length)];
	return sel;
}

/** A command's control characters, as the page carries them. */
const plain = (text) => escapeText(text);

const rowText = (name, self, total, samples) => [name, self.toFixed(9),
	total.toFixed(9), samples].join(' ');

function printed(by, words) {
	const code = by !== 'comm' && by !== 'thread';
	const report = JSON.parse(run('hotspots', '-f', 'json', '--top', '0',
		...code ? ['--children'] : [], '--by', BY[by], ...words));
	const table = report.sections.find((s) => s.slug === 'hotspots');
	if (table === undefined) {
		return [];
	}
	const at = (row, name) => row.values[table.columns.findIndex((c) =>
		c.name === name)];
	return table.rows.map((r) => {
		const self = at(r, code ? 'Self' : 'Share').value;
		const name = { function: ['Object', 'Symbol', 'Level'],
			object: ['Object'], line: ['Line'], comm: ['Command'],
			thread: ['Command', 'PID', 'TID'] }[by];
		return rowText(name.map((n) => plain(at(r, n))).join('|'), self,
			code ? at(r, 'Children').value : self, at(r, 'Samples'));
	}).sort();
}

function shown(by, sel) {
	const whole = model.filter(sel).weight, { pid, tid } = data.threads;
	const id = (v) => v === NONE ? '-' : v;
	const share = (w) => whole > 0 ? w / whole : 0;
	return model.table(sel, by).map((r) => rowText(by === 'function' ?
		[r.detail, r.name, r.level].join('|') : by === 'thread' ?
		[r.name, id(pid[r.thread]), id(tid[r.thread])].join('|') : r.name,
	share(r.self), share(r.total), r.samples)).sort();
}

function same(got, want, what) {
	const lost = want.filter((x) => !got.includes(x));
	const more = got.filter((x) => !want.includes(x));
	if (got.length !== want.length || lost.length + more.length !== 0) {
		wrong++;
		console.log(what + '\n  printed ' + lost.slice(0, 3).join('\n\t') +
			'\n  shown ' + more.slice(0, 3).join('\n\t'));
	}
}

/** What the command that the page shows prints, with more words. */
function byCommand(state, ...more) {
	const [, words] = /^coldperf (.*)$/.exec(shownCommand({ state, model }));
	return execFileSync('sh', ['-c', '"$0" ' + words + ' "$@"',
		process.env.COLDPERF, ...more], {
		maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'ignore'] }).toString();
}

function sameText(got, want, what) {
	const [a, b] = [got, want].map((text) => text.split('\n'));
	const at = b.findIndex((line, i) => line !== a[i]);
	if (got !== want) {
		wrong++;
		console.log(what + ', line ' + at + '\n  printed ' + b[at] +
			'\n  shown ' + a[at]);
	}
}

function checkCsv(state) {
	const want = byCommand(state, '-f', 'csv', '--top', '0');
	// A page has no intervals of a sum.
	sameText(csvOf(model, state.selection, state.by), sum ?
		want.replace(/^([\d.]+),[\d.]*,[\d.]*/gm, '$1,,')
			.replace(/^([\d.]+,,,[\d.]+),[\d.]+,[\d.]+,/gm, '$1,,,') :
		want,
	shownCommand({ state, model }));
}

function checkFolded(state) {
	sameText(foldedOf({ state, model }),
		byCommand(state, '-f', 'folded', '--lost-callers=mark'),
		shownCommand({ state, model }));
}

for (let k = 0; k < Number(times); k++) {
	const sel = selectionOf(k), words = filterWords(model, sel);
	if (model.filter(sel).samples === 0) {
		continue; // the commands refuse filters that leave nothing
	}
	const other = ['object', 'line', 'comm', 'thread'][k % 4];
	for (const by of model.sides === null ? ['function', other] : []) {
		same(shown(by, sel), printed(by, words), by + ' ' + words.join(' '));
	}
	const state = { selection: sel, view: ['flame', 'icicle', 'calls'][k % 3],
		by: sum ? ['comm', 'function'][k % 2] : Object.keys(BY)[k % 5], inverted: k % 4 === 1,
		split: ['comm', 'none', 'thread'][(k >> 1) % 3] };
	checkCsv({ ...state, view: 'table' });
	if (k % 2 === 0 || state.inverted) {
		checkFolded(state);
	}
}
process.exit(wrong !== 0 ? 1 : 0);
