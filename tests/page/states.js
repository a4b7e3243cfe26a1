// SPDX-License-Identifier: MIT
// states.js PAGE OFFCPU.json [CAPTURE]: whether the states of threads that a
// page carries, or those of one of its captures, are those that `coldperf offcpu
// --top 0 -f json` has added up.  Prints what does not hold, and nothing else.
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { blocksIn } from './blocks.js';

const source = pathToFileURL(process.env.top_srcdir + '/render/page/');
const { decode } = await import(new URL('decode.js', source));

// enum cp_tone
const RUN = 1, WAIT = 2, BLOCK = 3, UNKNOWN = 5;
const NONE = 0xffffffff;
let wrong = 0;

function hold(what, held) {
	if (!held && ++wrong <= 10) {
		console.log(what);
	}
}

/** The rows of a table, each as an object by the names of columns. */
function rowsOf(report, slug) {
	const t = report.sections.find((s) => s.slug === slug);
	return !t ? [] : t.rows.map((r) => Object.fromEntries(
		t.columns.map((c, i) => [c.name, r.values[i]])));
}

function add(sums, key, value) {
	sums.set(key, (sums.get(key) || 0) + value);
}

function same(what, got, want) {
	for (const key of new Set([...got.keys(), ...want.keys()])) {
		const a = got.get(key) || 0, b = want.get(key) || 0;
		hold(`${what} ${key}: ${a} ns, not ${b}`, a === b);
	}
}

function checkOrder({ states }) {
	for (let i = 1; i < states.n; i++) {
		const follows = states.thread[i] > states.thread[i - 1] ||
			(states.thread[i] === states.thread[i - 1] &&
			states.from[i] >= states.to[i - 1]);
		hold('states come by thread and time', follows);
	}
}

/** Sums over the states of what key() makes of each. */
function sumBy({ states }, key) {
	const sums = new Map();
	for (let i = 0; i < states.n; i++) {
		const k = capture === undefined || threads.capture[
			states.thread[i]] === Number(capture) ? key(i) : null;
		if (k !== null) {
			add(sums, k, states.to[i] - states.from[i]);
		}
	}
	return sums;
}

const toneOf = (state) => state === 'on CPU' ? RUN : state === 'blocked' ?
	BLOCK : state === 'unknown' ? UNKNOWN : WAIT;

const [, , page, offcpu, capture] = process.argv;
const data = await decode(blocksIn(page));
const report = JSON.parse(readFileSync(offcpu, 'utf8'));
const { states, strings, threads } = data;
let want = new Map();

checkOrder(data);
hold('there are states', states.n > 0);
for (const r of rowsOf(report, 'offcpu-states')) {
	add(want, toneOf(r.State), r.Time);
}
same('tone', sumBy(data, (i) => states.tone[i]), want);

want = new Map();
for (const r of rowsOf(report, 'offcpu-threads')) {
	add(want, [r.PID, r.TID, RUN], r['On CPU']);
	add(want, [r.PID, r.TID, WAIT], r.Runnable);
	add(want, [r.PID, r.TID, BLOCK], r.Blocked);
	add(want, [r.PID, r.TID, UNKNOWN], r.Unknown);
}
const join = (sums) => new Map(Array.from(sums).reduce((all, [k, v]) => {
	add(all, String(k), v);
	return all;
}, new Map()));
const idOf = (id) => id === NONE ? '-' : String(id);
same('thread', join(sumBy(data, (i) => [idOf(threads.pid[states.thread[i]]),
	idOf(threads.tid[states.thread[i]]), states.tone[i]].join())), join(want));

want = new Map();
for (const r of rowsOf(report, 'offcpu-classes')) {
	add(want, r.Wait, r.Time);
}
const got = sumBy(data, (i) => states.tone[i] !== BLOCK ? null :
	strings[states.reason[i]] || 'unknown');
for (const [key, ns] of want) {
	hold(`${key}: ${got.get(key)} ns, not ${ns}`, key === 'unknown' ||
		got.get(key) === ns);
}

const nameOf = (thread) => strings[threads.name[thread]];
const toText = (t, i) => nameOf(t.waker[i]);
// The times of a later capture are moved.
for (const r of capture ? [] : rowsOf(report, 'offcpu-longest')) {
	const i = Array.from(states.from.keys()).find((k) =>
		states.tone[k] === BLOCK &&
		String(threads.tid[states.thread[k]]) === r.TID &&
		states.to[k] - states.from[k] === r.Time &&
		states.from[k] + Number(data.meta.startText) === r.Began);
	hold(`a wait of ${r.TID} from ${r.Began} is there`, i !== undefined);
	const known = i !== undefined && states.waker[i] !== NONE;
	hold(`who ended the wait of ${r.TID}: ${r['Ended by']}`,
		known ? toText(states, i) === r['Ended by'] :
			/^\(|^-?$/.test(r['Ended by']));
}
process.exit(wrong !== 0 ? 1 : 0);
