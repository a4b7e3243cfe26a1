// SPDX-License-Identifier: MIT
// The page's model, held against sums made by hand: each sample is looked at
// by itself, the slow way.  TAP.
import { pathToFileURL } from 'node:url';
import { fakeData, random } from './fake.js';

const source = pathToFileURL(process.env.top_srcdir + '/render/page/');
const load = (name) => import(new URL(name, source));
const { Model } = await load('model.js');
const { visible } = await load('dom.js');
const { readState, writeState, firstState, readSet, writeSet } =
	await load('state.js');
const { readKept, writeKept } = await load('notes.js');
const { csvNumber, shownCommand } = await load('export.js');
const { tidyName, compareBytes } = await load('folded.js');
const { findingsOf } = await load('shell.js');
const { leading } = await load('grid.js');
const { listingsOf, listingsOfEvent } = await load('listing.js');
const { changeTable } = await load('change.js');
const { filterWords, keepsMore, samplesWords } = await load('words.js');
const { taskName } = await load('pools.js');
const { buildSeries } = await load('series.js');
const { cpuRows, threadRows, Tracks } = await load('lane-rows.js');
const { NONE } = await load('funcs.js');
const { Nodes } = await load('nodes.js');
const { sumUp } = await load('filter.js');
globalThis.matchMedia ??= () => ({}); // the view asks when it is read
const { flameView } = await load('flame-view.js');
const { sandwichView } = await load('view-tree.js');
const { Names, frameAtWay, wayTo } = await load('frames.js');
const { factsOf } = await load('evidence.js');
const { matchesOf } = await load('search.js');
const { percent } = await load('numbers.js');

let points = 0, failures = 0;

function ok(held, text, why) {
	console.log((held ? 'ok ' : 'not ok ') + ++points + ' - ' + text);
	if (!held) {
		failures++;
		console.log('# ' + String(JSON.stringify(why)).slice(0, 600));
	}
}
const is = (got, want, text) => ok(JSON.stringify(got) ===
	JSON.stringify(want), text, { got, want });

// What a grid sorts, of rows of numbers, equal ones, texts and no numbers.
const rowsOf = (list, way, n) => leading(Array.from(list.keys()),
	(row) => list[row], way, n);
is(rowsOf([5, 1, 3, 1, 9], 1, 2), [1, 3], 'leading rows: the least');
is(rowsOf([5, 1, 3, 1, 9], -1, 2), [4, 0], 'leading rows: the most');
is(rowsOf([5, 1, 3, 1, 9], 1, 1), [1], 'leading rows: alike, the first');
is(rowsOf([5, 1], 1, 2), [1, 0], 'leading rows: all, if they are few');
is(rowsOf(['b', 'a', 'c', 'a'], 1, 3), [1, 3, 0], 'leading rows: texts');
is(rowsOf([2, NaN, 1, NaN], 1, 4), [2, 0, 1, 3], 'leading rows: no order');
is(leading([{ of: 0, total: 1 }, { of: 0, total: 5 }, { of: 1, total: 1 }, { of: 0,
	total: 3 }], (r) => r.of, -1, 3).map((r) => r.total), [1, 5, 3],
'leading rows: alike, the heaviest');
is(rowsOf([2, NaN, 1, NaN], -1, 3), [0, 2, 1], 'leading rows: no order, down');
for (const way of [1, -1]) {
	for (const count of [7, 40, 1000]) {
		const next = random(count), list = Array.from({ length: count }, () =>
			Math.floor(next() * 30));
		is(rowsOf(list, way, 20), Array.from(list.keys()).sort((a, b) =>
			way * (list[a] - list[b])).slice(0, 20),
		'leading rows: 20 of ' + count + ', ' + way);
	}
}

const data = fakeData(3), model = new Model(data), rnd = random(11);
const { samples, stacks, frames } = data;

/** A selection of everything, and some by chance. */
function selectionOf(i) {
	const sel = model.whole(i % 5 === 4 ? 1 : 0);
	if (i % 2 === 1) {
		sel.from = Math.floor(rnd() * model.length * 0.7);
		sel.to = sel.from + Math.floor(rnd() * model.length * 0.5);
	}
	if (i % 3 === 2) {
		sel.threads = new Set([1, 2, 5, 7].map((t) => t + i % 4));
	}
	if (i % 4 === 3) {
		sel.cpus = new Set([i % 8, (i + 3) % 8]);
	}
	return sel;
}

const keptOf = (sel) => Array.from({ length: samples.n }, (_, i) => i)
	.filter((i) => samples.event[i] === sel.event &&
		(sel.from === null || samples.time[i] >= sel.from) &&
		(sel.to === null || samples.time[i] <= sel.to) &&
		(sel.threads === null || sel.threads.has(samples.thread[i])) &&
		(sel.cpus === null || sel.cpus.has(samples.cpu[i])));

/** Names of a stack's functions, outermost first; inlined ones, too. */
function chainOfStack(stack) {
	const out = [], { funcs } = model;
	for (let s = stack; s !== 0; s = stacks.parent[s]) {
		const f = stacks.frame[s];
		for (let p = funcs.first[f + 1] - 1; p >= funcs.first[f]; p--) {
			out.unshift(funcs.all.name[funcs.funcOf[p]]);
		}
	}
	return out;
}
const chainOf = (i) => chainOfStack(samples.stack[i]);

const add = (map, key, v) => map.set(key, (map.get(key) || 0) + v);
const sorted = (map) => Array.from(map).sort((a, b) =>
	a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0);

/** Weight by path, as a tree should have it. */
function pathsOf(t) {
	const { name } = model.funcs.all, path = [''], out = new Map();
	for (let n = 1; n < t.n; n++) {
		path[n] = path[t.parent[n]] + ';' + name[t.func[n]];
		if (t.self[n] !== 0) {
			add(out, path[n], t.self[n]);
		}
	}
	return sorted(out);
}

function checkTree(sel, kept, what) {
	const down = new Map(), up = new Map();
	for (const i of kept) {
		const chain = chainOf(i);
		if (chain.length !== 0) {
			add(down, ';' + chain.join(';'), samples.weight[i]);
			add(up, ';' + chain.reverse().join(';'), samples.weight[i]);
		}
	}
	is(pathsOf(model.tree(sel, {})), sorted(down), what + ': paths');
	is(pathsOf(model.tree(sel, { inverted: true })), sorted(up),
		what + ': paths the other way');
}

/** All time: samples of a clock, and what threads did in their states. */
function checkTime(sel, kept, what) {
	const down = new Map(), up = new Map(), { states } = data;
	const sums = [0, 0, 0, 0], clock = data.events.clock[sel.event] === 1;
	const put = (chain, tone, ns) => {
		sums[tone] += ns;
		if (chain.length !== 0) {
			add(down, ';' + chain.join(';'), ns);
			add(up, ';' + chain.reverse().join(';'), ns);
		}
	};
	for (const i of clock ? kept : []) {
		put(chainOf(i), 1, samples.weight[i]);
	}
	for (let s = 0; s < states.n; s++) {
		const tone = states.tone[s], ns = Math.min(states.to[s],
			sel.to ?? Infinity) - Math.max(states.from[s], sel.from ?? 0);
		if (ns > 0 && (tone > 1 || !clock) &&
			(sel.threads === null || sel.threads.has(states.thread[s])) &&
			(sel.cpus === null || sel.cpus.has(states.cpu[s]))) {
			put([...chainOfStack(states.stack[s]), tone === 1 ? '[on CPU]' :
				'[' + (data.strings[states.reason[s]] || 'unknown') + ']'],
			tone, ns);
		}
	}
	const wall = (more) => model.picture(sel, { colour: 'wall', ...more });
	is(pathsOf(wall({})), sorted(down), what + ': paths of all time');
	is(pathsOf(wall({ inverted: true })), sorted(up),
		what + ': and the other way');
	for (const more of [{}, { split: 'thread' }, { inverted: true },
		{ order: 'time' }]) {
		const t = wall(more);
		is(t.parts.map((part) => part[0]), sums.slice(1), what + ': how ' +
			'long threads ran and waited, ' + JSON.stringify(more));
		is(t.total[0], sums[1] + sums[2] + sums[3], what + ': is all');
		checkLooks(t, what + ': ' + JSON.stringify(more));
	}
	const folded = model.folded(sel, { colour: 'wall' });
	is(folded.split('\n').reduce((a, line) => a +
		Number(line.replace(/.* /, '')), 0), sums[1] + sums[2] + sums[3],
	what + ': stacks for other tools are of all time, too');
}

/** What threads did in states of a tone, those of most time first. */
function namesOf(tone) {
	const times = new Map(), { states } = data;
	for (let s = 0; s < states.n; s++) {
		if (states.tone[s] === tone) {
			add(times, '[' + (data.strings[states.reason[s]] || 'unknown') +
				']', states.to[s] - states.from[s]);
		}
	}
	return [...times].sort((a, b) => b[1] - a[1]).map(([name]) => name);
}

/** A node looks as what most of its time is; of waits, the class of most. */
function checkLooks(t, what) {
	const names = namesOf(3), ready = namesOf(2);
	const { name: all, kind } = model.funcs.all;
	const times = Array.from({ length: t.n }, () => new Float64Array(9));
	for (let i = 0; i < t.n; i++) {
		let at = i, look = 1;
		for (; look === 1 && at !== 0; at = t.parent[at]) {
			const func = t.func[at], name = kind[func] === 0 ? all[func] : '';
			const k = names.indexOf(name);
			look = k >= 0 ? 3 + Math.min(k, 5) :
				ready.includes(name) ? 2 : 1;
		}
		for (at = i; ; at = t.parent[at]) {
			times[at][look] += t.self[i];
			if (at === 0) {
				break;
			}
		}
	}
	const wrong = times.filter(([, run, could, ...waits], i) => {
		const look = t.looks[i], wait = waits.reduce((a, b) => a + b);
		const most = Math.max(run, could, wait);
		return most > 0 ? [0, run, could][look] !== most && (look < 3 ||
			wait !== most || waits[look - 3] !== Math.max(...waits)) : look !== 0;
	});
	is(wrong, [], what + ': looks as most of its time');
	is(t.met, [3, 4, 5, 6, 7, 8].filter((k) => times[0][k] > 0).map((k) =>
		[k, k < 8 ? all.findIndex((s, f) => kind[f] === 0 &&
			s === names[k - 3]) : -1]), what + ': waits met');
}

/** In the order of time: a node ends where the next sample is not below it. */
function checkInTime(sel, kept, what) {
	const down = new Map();
	let last = [], before = -1, nodes = 1;
	for (const i of kept.slice().sort((a, b) =>
		samples.thread[a] - samples.thread[b] || a - b)) {
		const chain = chainOf(i);
		let same = 0;
		while (samples.thread[i] === before && same < chain.length &&
			chain[same] === last[same]) {
			same++;
		}
		nodes += chain.length - same;
		last = chain;
		before = samples.thread[i];
		if (chain.length !== 0) {
			add(down, ';' + chain.join(';'), samples.weight[i]);
		}
	}
	const t = model.tree(sel, { order: 'time' });
	is(pathsOf(t), sorted(down), what + ': paths in the order of time');
	is(t.n, nodes, what + ': a node for each time that a path begins');
	t.parent.forEach((_, i) => t.first(i));
	ok(t.next.every((next, i) => next === 0 || next > i),
		what + ': siblings stand in the order of time');
	is(model.tree(sel, { order: 'time', split: 'thread' }).total[0],
		t.total[0], what + ': threads apart weigh as much');
}

function checkLinks(t, what) {
	const seen = new Uint8Array(t.n), todo = [0];
	let right = t.depth[0] === 0, n = 0;
	while (todo.length !== 0) {
		const at = todo.pop();
		let last = Infinity, sum = t.self[at];
		right = right && seen[at] === 0;
		seen[at] = 1;
		n++;
		for (let k = t.first(at); k !== 0; k = t.next[k]) {
			right = right && t.parent[k] === at && t.total[k] <= last &&
				t.depth[k] === t.depth[at] + 1;
			last = t.total[k];
			sum += t.total[k];
			todo.push(k);
		}
		right = right && sum === t.total[at];
	}
	is(n, t.total.filter((w, i) => w > 0 || i === 0).length,
		what + ': nodes with weight are linked');
	ok(right, what + ': children are linked, heaviest first');
}

const isBounds = (frame) =>
	data.symbols.source[frames.symbol[frame]] === 11;
/** Of a row: a name without a number stands for one address, and callers'. */
const addressesOf = (row) => row.samples === 0 ? 0 :
	parseInt((/^\[(\d+) /.exec(row.name) || ['', '1'])[1], 10);
const isNameless = (name) => /^0x|addresses\]$/.test(name);

/**
 * How many frames that samples fell into have no function: what names must add
 * to.
 */
function namelessOf(kept) {
	const met = new Set();
	for (const i of kept) {
		if (samples.stack[i] !== 0) {
			met.add(stacks.frame[samples.stack[i]]);
		}
	}
	return Array.from(met).filter((f) => frames.symbol[f] === 0).length;
}

function checkFunctions(sel, kept, what) {
	const self = new Map(), total = new Map(), { funcs } = model;
	for (const i of kept) {
		const frame = stacks.frame[samples.stack[i]];
		const alone = funcs.first[frame + 1] - funcs.first[frame] === 1;
		add(self, samples.stack[i] === 0 ? '[no address]' :
			frames.symbol[frame] === 0 ? 'unnamed' : alone && isBounds(frame) ?
				data.strings[data.symbols.name[frames.symbol[frame]]] :
				funcs.all.name[funcs.funcOf[funcs.first[frame + 1] - 1]],
		samples.weight[i]);
		for (const name of new Set(chainOf(i))) {
			add(total, name, samples.weight[i]);
		}
	}
	const rows = model.table(sel, 'function'), got = new Map();
	for (const row of rows) {
		if (row.self !== 0) {
			add(got, isNameless(row.name) ? 'unnamed' : row.name,
				row.self);
		}
	}
	is(sorted(got), sorted(self), what + ': self of functions');
	const wrong = rows.filter((r) => !isNameless(r.name) &&
		!r.name.includes('+0x') && r.name !== '[no address]' && r.total !== total.get(r.name));
	is(wrong.map((r) => [r.name, r.total, total.get(r.name)]), [],
		what + ': total of functions, recursion once');
	is(rows.reduce((sum, r) => sum + r.samples, 0), kept.length,
		what + ': samples of functions');
	is(rows.filter((r) => isNameless(r.name)).reduce((sum, r) => sum +
		addressesOf(r), 0),
	namelessOf(kept), what + ': addresses without a function');
	ok(!model.funcs.all.name.some((name) => name.includes('+0x')),
		what + ': trees show the object instead of bounds');
}

function checkThreads(sel, kept, what) {
	const by = new Map();
	for (const i of kept) {
		add(by, String(samples.thread[i]), samples.weight[i]);
	}
	is(sorted(new Map(model.table(sel, 'thread').map((r) =>
		[String(r.thread), r.self]))), sorted(by), what + ': threads');
	const split = model.tree(sel, { split: 'thread' });
	const sum = Array.from(split.self).reduce((a, b) => a + b, 0);
	is(sum, kept.reduce((a, i) => a + samples.weight[i], 0),
		what + ': a split tree has all of it');
}

/** A split tree has each group's paths below its name. */
function checkSplit(sel, kept, split, what) {
	const groups = model.groups(model.filter(sel), split), want = new Map();
	for (const i of kept) {
		add(want, [';' + groups.labels[groups.group[samples.thread[i]]],
			...chainOf(i)].join(';'), samples.weight[i]);
	}
	is(pathsOf(model.tree(sel, { split })), sorted(want), what + ': by ' +
		split);
}

for (let i = 0; i < 12; i++) {
	const sel = selectionOf(i), kept = keptOf(sel), what = 'selection ' + i;
	is(model.filter(sel).samples, kept.length, what + ': samples');
	checkTree(sel, kept, what);
	checkInTime(sel, kept, what);
	checkTime(sel, kept, what);
	checkFunctions(sel, kept, what);
	checkThreads(sel, kept, what);
	checkSplit(sel, kept, 'comm', what);
	checkSplit(sel, kept, 'process', what);
	for (const options of [{}, { inverted: true }, { split: 'comm' },
		{ split: 'process', inverted: true }]) {
		checkLinks(model.tree(sel, options), what + ' ' +
			JSON.stringify(options));
	}
}

// ---- callers and callees
{
	const sel = model.whole(), row = model.table(sel, 'function')
		.filter((r) => r.func >= 0 && !isNameless(r.name) &&
			!r.name.includes('+0x'))
		.sort((a, b) => b.total - a.total)[3];
	const both = model.sandwich(sel, row.func);
	is(both.callees.total[0], row.total, 'callees weigh what the function ' +
		'weighs');
	is(both.callers.total[0], row.total, 'callers, too');
	checkLinks(both.callers, 'callers');
	checkLinks(both.callees, 'callees');
	// In itself is also where it called itself.
	const selves = new Map(), { text } = model.funcs.all;
	let again = 0, wrong = 0;
	for (const i of model.filter(sel).kept) {
		const leaf = text[model.merged.func[model.merged.at[samples.stack[i]]]];
		selves.set(leaf, (selves.get(leaf) || 0) + samples.weight[i]);
	}
	for (const { func } of model.table(sel, 'function')) {
		if (func >= 0) {
			const { self, callees } = model.sandwich(sel, func);
			wrong += self === (selves.get(text[func]) || 0) ? 0 : 1;
			again += self > callees.self[0] ? 1 : 0;
		}
	}
	ok(wrong === 0 && again > 0, 'what a function cost in itself',
		[wrong, again]);
	const most = model.table(sel, 'function').filter((r) => r.func >= 0)
		.sort((a, b) => b.self - a.self)[0];
	is(model.middle(sel), most.func, 'in the middle is the heaviest');
	is(model.middle({ ...sel, focus: row.func }), row.func,
		'or what is chosen');
}

// ---- words
{
	is([1, 2, 1000].map(samplesWords).join(), '1 sample,2 samples,1,000 ' +
		'samples', 'one sample is no samples');
	is([taskName('a', 0), taskName('a', 7, '3/'), taskName(':-1', NONE),
		taskName(':-1', NONE, '-/'), taskName(':-1', NONE, '3/')].join(),
	'a 0,a 3/7,no thread known,no thread known,:-1 3/-',
	'a thread that nobody knows, and one of a process');
}

// ---- series
{
	const s = model.series(model.whole(), 97);
	is(s.samples.reduce((a, b) => a + b, 0), model.filter(model.whole())
		.samples, 'a series has all samples');
	is(s.lost.reduce((a, b) => a + b, 0), data.marks.count.reduce((a, b) =>
		a + b, 0), 'and all losses');
	const busy = s.busy.reduce((a, b) => a + b * s.width, 0);
	const run = data.states.to.reduce((a, to, i) => a +
		(data.states.tone[i] === 1 ? to - data.states.from[i] : 0), 0);
	ok(Math.abs(busy - run) < 1000, 'CPU use is what threads ran',
		{ busy, run });
	const { states } = data, cpu = states.cpu[states.tone.indexOf(1)];
	const sel = { ...model.whole(), cpus: new Set([cpu]) };
	const some = (a) => a.reduce((sum, v) => sum + v, 0);
	const one = model.series(sel, 97), tracks = new Tracks(model);
	ok(some(one.busy) > 0 && some(one.busy) < some(s.busy),
		'of CPUs, CPU use is theirs');
	tracks.use(sel);
	const met = [0, 0];
	for (const row of threadRows(tracks, Array.from(data.threads.tid.keys()))
		.filter(({ kind }) => kind === 'thread')) {
		tracks.eachState(row, 0, model.length, (i) =>
			met[states.cpu[i] === cpu ? 0 : 1]++);
		tracks.eachSample(row, 0, model.length, (i) =>
			met[data.samples.cpu[i] === cpu ? 0 : 1]++);
	}
	ok(met[0] > 0 && met[1] === 0, 'lanes show no more than that', met);
	tracks.use({ ...model.whole(), threads: new Set([1]) });
	const threads = new Set();
	for (const row of cpuRows(model.cpus)) {
		tracks.eachState(row, 0, model.length, (i) =>
			threads.add(states.thread[i]));
		tracks.eachSample(row, 0, model.length, (i) =>
			threads.add(data.samples.thread[i]));
	}
	is(Array.from(threads), [1], 'lanes of CPUs have the selected threads');
}

// ---- CPUs: those that samples or states are of, whatever their numbers
{
	const few = fakeData(5, { samples: 50 }), { samples, states } = few;
	samples.cpu.fill(3);
	states.cpu.fill(7);
	samples.cpu[1] = 0xffffffff; // not known
	samples.cpu[2] = 0xfffffff0; // of a damaged record
	const m = new Model(few), tracks = new Tracks(m);
	is(cpuRows(m.cpus).map((row) => row.label).join(), 'CPU 3,CPU 7',
		'lanes are those of CPUs that are known');
	const met = cpuRows(m.cpus).map((row) => {
		const all = new Set();
		tracks.eachState(row, 0, m.length, (i) => all.add(states.cpu[i]));
		tracks.eachSample(row, 0, m.length, (i) => all.add(samples.cpu[i]));
		return Array.from(all).join();
	});
	is(met.join(' '), '3 7', 'each has what is of it');
	is(m.filter({ ...m.whole(-1), cpus: new Set([3]) }).samples, 48,
		'a CPU is selected');
	samples.cpu.fill(0xffffffff);
	is(new Model(few).cpus.join(), '7', 'samples may have none');
}

// ---- a command's filters keep numbers and names, not pairs of them
{
	const few = fakeData(5, { samples: 50 }), { threads } = few;
	[threads.tid[0], threads.tid[1], threads.tid[2]] = [7, 8, 7];
	[threads.name[0], threads.name[1], threads.name[2]] = [1, 2, 2];
	const m = new Model(few), of = (...list) => ({ ...m.whole(),
		threads: new Set(list) });
	is([keepsMore(m, m.whole()), keepsMore(m, of(0)), keepsMore(m, of(1)),
		keepsMore(m, of(0, 2)), keepsMore(m, of(0, 1)),
		keepsMore(m, of(0, 1, 2))].join(),
	'false,false,false,false,true,false', 'a command that keeps more is told');
	is(filterWords(m, of(0)).filter((w) => w.startsWith('--')).join(),
		'--tid,--comm,--event', 'a number of several names has the name, too');
}

// ---- lanes: stretches of alike samples are those of a look at each of them
{
	const few = fakeData(6, { samples: 3000, threads: 9 }), { samples } = few;
	few.threads.name.fill(few.threads.name[0]);
	few.threads.pid.fill(1);
	const m = new Model(few), tracks = new Tracks(m);
	const all = Array.from(few.threads.tid.keys());
	const rows = [...threadRows(tracks, all), ...cpuRows(m.cpus)];
	tracks.use(m.whole());
	tracks.numberPools(rows);
	const [from, to] = [2e9, 7e9];
	for (const row of rows.filter((r) => r.kind !== 'process')) {
		for (const wide of [1, 3e6, 1e8, 1e10]) {
			const place = (i) => Math.floor(samples.time[i] / wide);
			const got = [], want = [];
			tracks.eachStretch(row, { from, to }, (a, b) =>
				place(a) === place(b), (...stretch) => got.push(stretch));
			for (const i of m.filter(m.whole()).kept) {
				const last = want[want.length - 1], t = samples.time[i];
				if (t < from || t > to || (row.kind === 'cpu' ?
					samples.cpu[i] !== row.nth :
					!row.threads.includes(samples.thread[i]))) {
					continue;
				}
				if (last && place(last[1]) === place(i)) {
					last[1] = i;
					last[2]++;
				} else {
					want.push([i, i, 1]);
				}
			}
			is(got, want, 'stretches of ' + row.label + ' by ' + wide);
		}
	}
	is(rows.filter((r) => r.kind === 'pool').map((r) => r.threads.length), [9],
		'and there was a pool');
}

// ---- without states, samples of a clock tell the use: two CPUs, all the time
{
	const few = fakeData(5, { samples: 800 }), { samples, events } = few;
	const none = (table) => ({ ...table, n: 0 });
	for (let i = 0; i < samples.n; i++) {
		samples.time[i] = 2e6 * (1 + (i >> 1));
		samples.event[i] = 0;
		samples.weight[i] = 2e6;
	}
	events.clock[0] = 1;
	const m = new Model({ ...few, states: none(few.states),
		threads: { ...few.threads, end: few.threads.end.fill(8e8) } });
	for (const bins of [1, 7, 150, 1000]) {
		const { busy, width } = buildSeries(m.filter(m.whole()), bins, 0, 8e8);
		ok(busy.every((b) => b < 2.26), 'never more CPUs than there are',
			Math.max(...busy));
		ok(Math.abs(busy.reduce((a, b) => a + b * width, 0) - 1.6e9) < 1,
			'and all of their time');
	}
}

// ---- merged samples, and times not known
{
	const few = fakeData(5, { samples: 50 });
	few.samples.count = new Uint32Array(50).fill(3);
	few.samples.time[0] = few.samples.time[20] = -1;
	const m = new Model(few), all = m.whole();
	is(m.filter(all).samples, 3 * few.samples.event.filter((e) => e === 0)
		.length, 'a row may stand for several samples');
	is(m.filter({ ...all, from: 0, to: m.length + 1 }).samples,
		3 * few.samples.event.filter((e, i) => e === 0 &&
			few.samples.time[i] >= 0).length,
		'a window leaves out samples without a time');
	is(m.filter({ ...all, from: m.length, to: 0 }).samples, 0,
		'a window that ends before it begins has none');
}

// ---- a function of several objects, as _start of each program
{
	const made = fakeData(9), { symbols, strings, frames } = made;
	const f = Array.from(frames.symbol.keys()).filter((i) =>
		frames.symbol[i] !== 0 && frames.level[i] === 2);
	const [one] = f, two = f.find((i) => frames.object[i] !== frames.object[one] &&
		symbols.name[frames.symbol[i]] !== symbols.name[frames.symbol[one]]);
	const alone = new Model(made).funcs, name = strings[symbols.name[
		frames.symbol[one]]];
	const of = ({ all }) => all.object[all.name.indexOf(name)];
	symbols.name[frames.symbol[two]] = symbols.name[frames.symbol[one]];
	symbols.raw[frames.symbol[two]] = symbols.raw[frames.symbol[one]];
	const both = new Model(made), own = of(alone);
	is([of(both.funcs), both.funcs.all.kind.filter((_, i) =>
		both.funcs.all.name[i] === name).length],
	[own + ', \u2026', 1], 'a function of two objects says so');
	is(factsOf(both, both.funcs.find(name))[1][1].endsWith(own + ', \u2026'),
		true, 'and so does what is known of it');
}

// ---- small nodes are left out: a (1 + 4 in b and c), d (1 in e, with f)
{
	const t = new Nodes(2), row = [];
	for (const [parent, weight] of [[0, 1], [1, 2], [1, 2], [0, 0], [4, 0],
		[5, 1]]) {
		t.count(t.add(parent, 7), weight, 1);
	}
	is(Array.from(t.prune(2, [])), [0, 1, 2, 3, 4, 4, 4],
		'a node left out is the one above it');
	for (let i = 0; i < t.n; i++) {
		row.push([t.parent[i], t.self[i], t.samples[i]].join());
	}
	is(row, ['0,0,0', '0,1,1', '1,2,1', '1,2,1', '0,1,3'],
		'which has its samples');
	is([t.cut, t.n, t.self[5], t.add(4, 1)], [2, 5, 0, 5],
		'and its place is free');
	is(Array.from(t.prune(9, [0, 4, 5])), [0, 0, 0, 0, 1, 2],
		'nodes that are open stay');
}

// ---- the flame view tells it
for (const [cut, hits, want] of [[0, null, ''],
	[3, null, 'small frames are left out'], [0, [], '25.00% matched'],
	[3, [], '\u2265 25.00% matched \u00b7 small frames are left out']]) {
	const view = flameView(), picture = { hits, tree: { cut }, zoomedAt: 1,
		matched: () => 0.25 };
	Object.assign(view, { pane: { picture }, found: {}, app: { state: {} } });
	view.tellFound();
	is(view.found.textContent, want, 'told with ' + cut + ' left out: ' +
		want);
}

// ---- where nothing was sampled there are waits
{
	const { states } = data, at = states.tone.findIndex((t, s) => t === 3 &&
		states.to[s] > states.from[s]);
	const sel = { ...model.whole(), from: states.from[at] + 1,
		to: states.from[at] + 2, threads: new Set([states.thread[at]]) };
	is(model.filter(sel).samples, 0, 'a wait has no samples');
	for (const colour of ['kind', 'wall']) {
		is(pathsOf(model.picture(sel, { colour })), [[';' + [...chainOfStack(
			states.stack[at]), '[' + data.strings[states.reason[at]] + ']']
			.join(';'), 1]], 'a picture of it, coloured by ' + colour +
			', has its stack');
	}
	const none = new Model({ ...data, states: { ...states, n: 0 } });
	is(none.picture(sel, { colour: 'wall' }).parts, undefined,
		'without states there are only samples');
	is(model.picture(model.whole(), { colour: 'kind' }).parts, undefined,
		'all time is shown if it is asked for');
}

// ---- and so does the sandwich
globalThis.document ??= { createElement: () => ({ append() {} }) };
for (const [cut, focus, want] of [[0, 7, ''], [3, 7, '. small frames are left ' +
	'out'], [3, -1, '. The heaviest; choose another in a table or graph. ' +
	'small frames are left out']]) {
	const told = [], shown = [], none = { show: (t) => shown.push(t) };
	const both = { callers: { cut }, callees: { total: [10], self: [2] },
		self: 5 };
	const app = { slots: { sandwich: {} }, state: { selection: { focus } },
		model: { middle: () => 7, sandwich: () => both,
			filter: () => ({ weight: 20 }),
			funcs: { all: { name: { 7: 'f' } } } } };
	sandwichView.renew.call({ app, tables: {}, callers: none, callees: none,
		head: { replaceChildren: (...all) => told.push(...all) } },
	new Set(['all']));
	is([told.map((e) => e.textContent), shown], [['f', '50.00% of the ' +
		'selection, 25.00% in itself, inlined calls aside' + want],
	[both.callers, both.callees]],
	'the sandwich tells ' + cut + ' left out of ' + focus);
}

// ---- threads of one command
{
	const data = fakeData(8, { samples: 3000 });
	data.threads.name.fill(data.threads.name[0]);
	const one = new Model(data), sel = { ...one.whole(), from: 1000 };
	const t = one.tree(sel, { split: 'comm' }), whole = one.tree(sel);
	const waysOf = ({ n, parent, func, total, samples }, top) => {
		const way = [];
		for (let i = 1; i < n; i++) {
			way[i] = i === top ? '' : (way[parent[i]] || '') + ';' + func[i];
		}
		return way.map((text, i) => [text, total[i], samples[i]].join())
			.filter((_, i) => i > top && total[i] > 0).sort();
	};
	is(waysOf(t, 1), waysOf(whole, 0), 'one command: all paths below it');
	is([t.first(0), t.next[1], t.total[1]], [1, 0, whole.total[0]],
		'and there is nothing else');
	checkLinks(t, 'one command');
}

// ---- functions of one text, and the order of merged paths
{
	const data = fakeData(9), { symbols, strings } = data;
	const { all: old, symbolOf } = new Model(data).funcs;
	const like = (test) => old.name.find((name, f) => test(name, old.kind[f]));
	// Texts that are made up can be those of strings, too; and what was
	// escaped, that of another string.
	const plain = old.name.map((_, f) => f).filter((f) => old.kind[f] === 1 &&
		old.part[f] >= 0 && !/^\[|inlined/.test(old.name[f]));
	['\\x01', '\\x01', like((name) => name[0] === '['), like((name, kind) =>
		kind === 3)].forEach((text, k) => strings[symbols.name[symbolOf[
		old.part[plain[k]]]]] = text);
	const { funcs: { all }, merged } = new Model(data);
	const pairs = new Set(all.name.map((name, f) => name + '\n' + all.text[f]));
	is([new Set(all.name).size, new Set(all.text).size],
		[pairs.size, pairs.size], 'each text has a number, and no other has');
	is(new Set(all.name.map((name, f) => name + '\n' + all.kind[f])).size,
		all.n, 'a text of a kind is one function');
	const end = (i) => i + merged.size[i];
	ok(merged.parent.every((p, i) => i === 0 || i > p && end(i) <= end(p)),
		'what is below a path follows it');
	is(merged.size[0], merged.n, 'and is counted');
	const kids = new Set(Array.from(merged.parent, (p, i) => p + '/' +
		merged.func[i]));
	is(kids.size, merged.n, 'no path has two callees of one function');
}

// ---- more than a tab has room for
if (process.env.NIGHTLY) {
	const many = new Model(fakeData(7, { samples: 150000, stacks: 90000,
		threads: 500, deep: 40 }));
	const sel = many.whole(), whole = many.tree(sel);
	const sum = (list) => list.reduce((a, b) => a + b, 0);
	for (const options of [{ order: 'time' },
		{ order: 'time', split: 'thread', inverted: true }]) {
		const t = many.tree(sel, options), what = JSON.stringify(options);
		ok(t.cut > 0 && t.n < 1500000, what + ': small nodes are left out',
			[t.n, t.cut]);
		is([sum(t.self), sum(t.samples), t.total[0]], [whole.total[0],
			sum(whole.samples), whole.total[0]], what + ': none of what ' +
			'they weigh is');
		ok(t.parent.every((p, i) => i === 0 || p < i && t.depth[i] ===
			t.depth[p] + 1), what + ': callers come first');
	}
	// A frame as wide as two slices is whole, and a zoom shows what is below.
	const some = Array.from({ length: many.data.samples.n }, (_, i) => i)
		.filter((i) => many.data.samples.event[i] === 0);
	const wayIn = (t, i) => i === 0 ? '' : wayIn(t, t.parent[i]) + ';' +
		t.func[i];
	for (const [by, inverted] of [['thread', false], ['process', false],
		['thread', true], ['process', true]]) {
		const split = many.tree(sel, { split: by, inverted, zoom: '' });
		const exact = many.tree(sel, { split: by, inverted });
		const weights = new Map();
		for (let i = 1; i < split.n; i++) {
			weights.set(wayIn(split, i), split.total[i]);
		}
		let large = 0, wrong = 0;
		for (let i = 1; i < exact.n; i++) {
			if (exact.total[i] > exact.total[0] / 1000) {
				large++;
				wrong += weights.get(wayIn(exact, i)) === exact.total[i] ? 0 : 1;
			}
		}
		const what = by + (inverted ? ' inverted' : '');
		ok(large > 100 && wrong === 0 && split.cut > 0 && split.n < 400000,
			what + ': what can be seen of a split tree weighs the same',
			[large, wrong, split.cut, split.n]);
		is([sum(split.self), sum(split.samples)], [whole.total[0], some.length],
			what + ': and so does all of it');
	}
	// What is left out matches, too.  By hand: of each sample the functions.
	const { data: { samples }, merged, funcs: { all: { name } } } = many;
	const pathOf = (s, split) => {
		const out = [];
		for (let i = merged.at[samples.stack[s]]; i !== 0; i = merged.parent[i]) {
			out.unshift(merged.func[i]);
		}
		return split ? [many.funcs.label(many.groupName(samples.thread[s],
			split)), ...out] : out;
	};
	const told = (tree, zoomedAt, matches, how, matched = () => 0) => {
		const view = flameView();
		Object.assign(view, { app: { model: many, state: { selection: sel,
			...how } }, pane: { picture: { tree, zoomedAt, matches,
				matched } } });
		return view.matched();
	};
	for (const how of [{ split: 'thread' }, { split: 'thread', inverted: true },
		{ split: 'none', order: 'time' }, { split: 'process', order: 'time' },
		{ split: 'none', order: 'time', inverted: true }]) {
		const t = many.tree(sel, { ...how, zoom: '' });
		// In what a thread has: the widest frame that is not a group, or a group.
		const at = how.split !== 'thread' ? 0 : Array.from(t.total.keys())
			.reduce((best, i) => t.depth[i] === (how.inverted ? 1 : 2) &&
				t.total[i] > t.total[best] ? i : best, t.n - 1);
		const way = how.inverted ? [t.func[at]] : [t.func[t.parent[at]],
			t.func[at]];
		const group = at !== 0 || how.split === 'none' ? [] : [many.groupName(
			samples.thread[some[0]], how.split).replace(/\W/g, '\\$&')];
		for (const text of ['send4', 'server|lock', ...group]) {
			const found = matchesOf(text, name);
			const sums = [0, 0];
			for (const s of some) {
				const path = pathOf(s, how.split === 'none' ? '' : how.split);
				if (at === 0 || way.every((func, i) => path[i] === func)) {
					sums[path.some((f) => found[f] === 1) ? 1 : 0] +=
						samples.weight[s];
				}
			}
			is(told(t, at, found, how), percent(sums[1], sums[0] + sums[1]),
				JSON.stringify(how) + ': what matches ' + text + ', at ' + at);
			ok(t.cut > 0 && sums[0] > 0 && sums[1] > 0, 'some does, of a tree ' +
				'that leaves out some', [t.cut, ...sums]);
		}
	}
	const inner = many.tree(sel, { split: 'thread', inverted: true, zoom: '' });
	is(told(inner, inner.n - 1, [], { split: 'thread', inverted: true },
		() => 0.25), '\u2265 25.00%', 'a part of a group from the inside: least');
	for (const options of [{ split: 'thread' }, { order: 'time' },
		{ order: 'time', inverted: true }, { split: 'thread', inverted: true }]) {
		const t = many.tree(sel, options.order ? options : { ...options,
			zoom: '' }), names = new Names(many.funcs);
		let at = 0;
		for (let i = 1; i < t.n; i++) {
			const wide = t.end[i] - t.start[i];
			at = t.func[i] >= 0 && wide < 9000 && wide > 1 && t.total[i] >
				(at === 0 ? 0 : t.total[at]) ? i : at;
		}
		const way = wayTo(t, at, names), near = t.finer(at);
		const found = frameAtWay(near, way, names), what =
			JSON.stringify(options) + ' zoomed: ';
		is([near.total[found], near.depth[found], near.start[found]],
			[t.total[at], t.depth[at], t.start[at]], what + 'the frame');
		const below = new Uint8Array(near.n);
		let small = 0;
		for (let i = found; i < near.n; i++) {
			below[i] = i === found || below[near.parent[i]] ? 1 : 0;
			small += below[i] === 1 && near.func[i] < 0 &&
				near.total[i] > 0 ? 1 : 0;
		}
		ok(t.end[at] > t.start[at] && small === 0, what + 'all is there',
			[t.start[at], t.end[at], small]);
	}
	is(many.tree({ ...sel, threads: new Set([3]) }, { order: 'time' }).cut, 0,
		'few samples have all');
	const alike = { parent: [0, 0, 0], func: [-1, 0, 1], next: [0, 2, 0],
		first: (at) => at === 0 ? 1 : 0 };
	const two = new Names({ all: { name: ['memcpy', 'memcpy'], kind: [1, 2] } });
	is([1, 2].map((i) => frameAtWay(alike, wayTo(alike, i, two), two)), [1, 2],
		'the way to a function of the kernel that is named as one of a user');
	const filtered = many.filter(sel), before = sum(filtered.own.weight);
	for (let t = 0; t < 20; t++) {
		many.tree({ ...sel, threads: new Set([t]) });
	}
	ok(many.kept.size <= 16 && !Array.from(many.kept.values()).includes(
		filtered), 'what was used long ago is forgotten');
	is(sum(filtered.own.weight), before, 'but is there for who has it');
	ok(whole.total.length === whole.n && sum(whole.self) === whole.total[0],
		'what somebody still has stays as it is');
	const lone = many.filter({ ...sel, threads: new Set([1]) });
	many.tree(lone.sel, { split: 'comm' });
	is(Object.values(lone).filter((v) => ArrayBuffer.isView(v) &&
		v !== many.data.samples.weight && v !== lone.kept).length, 0,
	'a tree split by command leaves no sums by stack');
	// A table's tree has what is below a thread once it is opened.
	const inTree = (t, top) => {
		const ways = new Map(), way = [], sums = sumUp(t.samples, t.parent);
		for (let i = top + 1; i < t.n; i++) {
			const above = t.parent[i] === top ? '' : way[t.parent[i]];
			if (above !== undefined && t.total[i] > 0) {
				way[i] = above + '/' + t.func[i];
				ways.set(way[i], [t.total[i], t.self[i], sums[i]]);
			}
		}
		return Array.from(ways).sort();
	};
	for (const inverted of [false, true]) {
		const what = 'calls by thread, inverted ' + inverted + ': ';
		let t = many.calls(sel, { split: 'thread', inverted });
		const tops = Array.from(t.parent.keys()).filter((i) => t.depth[i] === 1);
		const { weight, first } = many.filter(sel).byThread;
		is(tops.map((i) => t.total[i]), Array.from(weight).filter((_, thread) =>
			first[thread] >= 0), what + 'each weighs what it has');
		is(inTree(t, tops[4]), [['/-2', [t.total[tops[4]],
			t.total[tops[4]], t.samples[tops[4] + 1]]]], what + 'nothing below');
		let known;
		for (const nth of [7, 4, 7]) {
			t = t.grow((top) => top === tops[nth]);
			const thread = Array.from(first.keys()).filter((i) =>
				first[i] >= 0)[nth];
			const alone = many.tree({ ...sel, threads: new Set([thread]) },
				{ inverted });
			known = inTree(t, tops[nth]);
			ok(known.length > 20, what + 'it has some', known.length);
			is(known, inTree(alone, 0), what + 'what it has by itself');
		}
		is(many.calls(sel, { split: 'thread', inverted }).grow(() => false), t,
			what + 'they stay open');
		is(t.total[0], whole.total[0], what + 'all are there');
	}
	// A thread with most of the samples, some without a stack.
	const uneven = fakeData(7, { samples: 150000, stacks: 250000, deep: 9,
		symbols: 3000, frames: 9000 }), { thread, stack } = uneven.samples;
	thread.forEach((t, i) => thread[i] = i % 4 ? 3 : t);
	stack.forEach((s, i) => stack[i] = i % 7 ? s : 0);
	const most = new Model(uneven);
	for (const inverted of [false, true]) {
		const what = 'calls of most samples, inverted ' + inverted + ': ';
		const closed = most.calls(sel, { split: 'thread', inverted });
		const top = closed.first(0), t = closed.grow((i) => i === top);
		const alone = most.tree({ ...sel, threads: new Set([3]) },
			{ inverted });
		ok(alone.self[0] > 0 && alone.cut > 0 === inverted, what +
			'some without a stack; small ones are left out', alone.cut);
		is([closed.self[top], t.self[top]], [alone.self[0], alone.self[0]],
			what + 'its own are those without a stack, closed and open');
		is([closed.samples[top], t.samples[top]], [alone.samples[0],
			alone.samples[0]], what + 'and as many');
		is([t.cut, inTree(t, top)], [alone.cut, inTree(alone, 0)],
			what + 'as much is left out as of the thread by itself');
	}
	// Rows hold what is selected, and no other samples.
	const part = { ...sel, from: many.length * 0.2, to: many.length * 0.9,
		cpus: new Set([0, 1, 2, 5, 6, 7]) };
	const byThread = many.table(part, 'thread');
	for (const order of ['time', 'heavy']) {
		const t = many.tree(part, { order, split: 'thread', zoom: '' });
		const tops = Array.from(t.parent.keys()).filter((i) => t.depth[i] === 1 &&
			t.total[i] > 0);
		is(tops.map((i) => t.total[i]).sort(), byThread.map((r) => r.self)
			.sort(), 'threads of a part of the samples, order ' + order);
	}
}

// ---- a node of many children, and so many samples that trees are rehearsed
if (process.env.NIGHTLY) {
	const wide = new Model(fakeData(5, { samples: 310000, stacks: 60000,
		frames: 90000, symbols: 45000, deep: 12 }));
	const { weight } = wide.data.samples;
	weight.forEach((w, i) => weight[i] = w * (i % 7 ? 0.25 : 2 ** 20));
	const t = wide.tree(wide.whole(), { inverted: true });
	const kidsOf = (tree) => {
		const kids = [];
		for (let k = tree.first(0); k !== 0; k = tree.next[k]) {
			kids.push(k);
		}
		return kids;
	};
	const kids = kidsOf(t), named = wide.tree(wide.whole(),
		{ inverted: true, order: 'name' }), nameOf = (k) =>
		wide.funcs.all.name[named.func[k]];
	ok(kidsOf(named).every((k, i, all) => i === 0 ||
		nameOf(all[i - 1]) <= nameOf(k)), 'by name they are sorted, too');
	const want = Array.from(t.parent.keys()).filter((i) => t.depth[i] === 1 &&
		t.total[i] > 0).sort((a, b) => t.total[b] - t.total[a] || a - b);
	ok(kids.length > 20000, 'there are many children', kids.length);
	ok(kids.every((k, i) => k === want[i]),
		'the heaviest is first, and of those alike the first');
	const { kept } = wide, names = Array.from(kept.keys());
	const list = wide.rehearsals();
	list.forEach((make) => make());
	ok(list.length > 0 && wide.kept === kept, 'a rehearsal is thrown away');
	is(Array.from(kept.keys()), names, 'and nothing else is');
	const again = wide.tree(wide.whole(-1), { inverted: true });
	is(again.total[0], wide.filter(wide.whole(-1)).weight, 'or changes');
	// By thread the other way: each has its functions, and all that it weighs.
	const late = { ...wide.whole(), from: wide.length * 0.97 };
	for (const part of [wide.whole(), late]) {
		const up = wide.tree(part, { inverted: true, split: 'thread' });
		const { self, kept: chosen } = Object.assign(wide.filter(part),
			{ self: new Map() });
		const { thread, stack, weight: of } = wide.data.samples;
		for (const i of chosen) {
			const key = wide.groupName(thread[i], 'thread') + ' ' +
				wide.merged.func[wide.merged.at[stack[i]]];
			self.set(key, (self.get(key) || 0) + of[i]);
		}
		const got = new Map(), { name } = wide.funcs.all;
		for (let i = 1; i < up.n; i++) {
			if (up.depth[i] === 2) {
				got.set(name[up.func[up.parent[i]]] + ' ' + up.func[i],
					up.total[i]);
			}
		}
		is(Array.from(got).sort(), Array.from(self).filter(([key]) =>
			!key.endsWith(' -1')).sort(), 'each thread and function');
		is(up.total[0], wide.filter(part).weight, 'and all of them');
		ok(part === late ? up.cut === 0 : up.cut > 0,
			'few samples have all their callers', up.cut);
		is(wide.tree(part, { split: 'thread', zoom: '' }).total[0], up.total[0],
			'as much as the other way round');
	}
	is(wide.tree(late, { split: 'thread' }).cut, 0,
		'a tree of few samples leaves nothing out');
	is(model.rehearsals(), [], 'few samples need none');
}

// ---- what nodes weigh is kept with the selection, not with others of it
{
	const sel = { ...model.whole(), from: model.length * 0.3 };
	const tree = (m, s, split, inverted) => {
		const { n, total, func } = m.tree(s, { split, inverted });
		return [n, Array.from(total), Array.from(func, (f) =>
			m.funcs.all.name[f])];
	};
	for (const split of ['comm', 'thread', 'process', 'comm']) {
		for (const s of [sel, model.whole(-1), sel]) {
			const alone = new Model(fakeData(3));
			tree(model, s, split, false);
			is(tree(model, s, split, true), tree(alone, s, split, true),
				'the other way, split by ' + split);
		}
	}
}

// ---- the event to begin with
{
	const few = fakeData(6, { samples: 300 });
	few.meta.event = 'page-faults';
	is(new Model(few).event, 1, 'the report names the event');
	few.meta.event = '__proto__';
	is(new Model(few).event, 0, 'or it is that with the most samples');
}

// ---- the address
{
	const state = firstState(model);
	Object.assign(state, { view: 'table', by: 'thread', inverted: true });
	Object.assign(state.selection, { from: 5, to: 1e9, cpus: new Set([1, 2,
		3, 7]), threads: new Set([4]), search: 'a&b=c#', focus: 3, event: 1 });
	const text = writeState(state, model), back = readState(text, model);
	is(writeState(back, model), text, 'a link holds the view');
	is([Array.from(back.selection.cpus), back.selection.search,
		back.selection.focus, back.selection.to], [[1, 2, 3, 7], 'a&b=c#', 3,
		1e9], 'and gives it back');
	is(writeState(firstState(model), model), '', 'nothing chosen, no words');
	const { meta } = model.data, { given } = meta;
	meta.given = [['--reverse'], ['--order', 'time'], ['--threads']];
	const opened = readState('', model), turned = { ...opened, order: 'name',
		inverted: false };
	is([opened.inverted, opened.order, opened.split, writeState(opened, model)],
		[true, 'time', 'thread', ''], 'a page begins as its command says');
	is(readState(writeState(turned, model), model).inverted, false,
		'and can be turned');
	meta.given = [['--no-comm'], ['--title', 'time']];
	is([firstState(model).split, firstState(model).order], ['none', 'heavy'],
		'commands are left out');
	meta.given = given;
	const { analysis } = meta, { states } = model.data;
	const first = (/** @type {string} */ name, n = states.n) => {
		meta.analysis = name;
		model.data.states = { ...states, n };
		const { view, colour } = firstState(model);
		return view + ' ' + colour;
	};
	is([first('report', 1), first('offcpu', 1), first('wall', 1), first('sched', 1)],
		['flame wall', 'flame wall', 'flame wall', 'report wall'],
		'with switches time is shown, not how many there were');
	is([first('flame', 1), first('report', 0)], ['flame kind', 'flame kind'],
		'samples are where they are asked for, or all that there is');
	meta.analysis = analysis;
	model.data.states = states;
	is(writeSet(readSet('1-3,9')), '1-3,9', 'sets as ranges');
	is([readSet('x'), readSet('1-2-3'), readSet('-1')], [null, null, null],
		'no set');
	const { all } = model.funcs, twice = all.name.findIndex((name, i) =>
		all.name.indexOf(name) !== i);
	state.selection.focus = twice;
	is([twice > 0, readState(writeState(state, model), model).selection.focus],
		[true, twice], 'so does that of one of two functions with one name');
	const odd = readState('time=x,__proto__&threads=constructor&event=99&' +
		'focus=__proto__&cpus=0-9999999999', model);
	is([odd.selection.from, odd.selection.threads, odd.selection.event,
		odd.selection.focus, odd.selection.cpus], [null, null, 0, -1, null],
	'a link by somebody else does no harm');
	is(readState('time=-5,-7', model).selection.to, null,
		'no time is before the capture');
	const { from, to } = readState('time=1.6,1e300', model).selection;
	is([from, to], [2, null], 'times are such as commands can have');
	is(['foo', '__proto__', 'line'].map((by) => readState('by=' + by, model)
		.by), ['function', 'function', 'line'], 'rows are such as there are');
	const { n } = data.threads, far = (text) => {
		const { threads } = readState('threads=' + text, model).selection;
		return threads && Array.from(threads);
	};
	is([far('0,' + n), far(n + '-9999'), far('')], [[0], null, null],
		'so are threads');
}

// ---- only a function with a name has callers for a command
{
	const { name, part, object } = model.funcs.all, { symbolOf } = model.funcs;
	const command = (focus, view = 'sandwich') => shownCommand({ model, state: {
		...firstState(model), view, selection: { ...model.whole(), focus } } });
	const named = part.findIndex((p) => symbolOf[p] !== 0);
	const nameless = part.findIndex((p) => symbolOf[p] === 0);
	is([named, nameless, -1].map((f) => command(f).includes('--callers')),
		[true, false, false], 'callers are asked for by name',
		[name[named], name[nameless]]);
	const { meta } = model.data, { sections } = meta;
	meta.sections = [{ title: 'e', rows: [{ depth: 0,
		object: model.funcs.objects.indexOf(object[named]),
		values: ['', '', name[named] + ' (' + object[named] + ')'] }],
	columns: ['Address', 'Where', 'Code'].map((word) => ({ name: word })) }];
	is([named, part.findLastIndex((p) => symbolOf[p] !== 0), -1].map((f) =>
		command(f, 'source').includes('--function')), [true, false, false],
	'code is asked for of functions that have some');
	meta.sections = sections;
}

// ---- notes, numbers, names
{
	const kept = { notes: [{ text: '</script><b>&\u2028', hash: 'view=table' }],
		hash: 'by=line' };
	ok(!/[<>&]/.test(writeKept(kept)), 'notes cannot end their element');
	is(readKept(writeKept(kept)), kept, 'notes come back');
	is([readKept('{'), readKept('null'), readKept('{"notes":[1,{}]}')].map(
		(k) => k.notes.length), [0, 0, 0], 'what are no notes is nothing');
	is(visible('\u202ea\u{e0041}\x1b\t\n\u2028'), '\\u202ea\\ue0041\\x1b\t\n\\u2028',
		'hidden characters are shown as commands print them');
	is([0, 1, 0.5, 1 / 3, 1e-5 / 3, 123456789.5, 1e10, 0.1].map(csvNumber),
		['0', '1', '0.5', '0.333333333', '3.33333333e-06', '123456790',
			'1e+10', '0.1'], 'numbers of CSV are as %.9g has them');
	is([tidyName('a::b(int)::c', false), tidyName('f (inlined)', false),
		tidyName('x->y', false), tidyName('A::operator->()', false),
		tidyName('net/http.(*Client).Do', false), tidyName('Lorg/X;', true)],
	['a::b', 'f _[i]', 'x;y_[i]', 'A::operator->', 'net/http.(*Client).Do',
		'org/X:'].map((s) => s.replace('f _[i]', 'f_[i]')),
	'names are tidied as the command does it');
	is(['\u{1f600}', '\uffff', 'a', 'ab'].sort(compareBytes), ['a', 'ab',
		'\uffff', '\u{1f600}'], 'texts are sorted as bytes');
	is(findingsOf({ sections: [{ type: 'notes', slug: 'notes', notes: ['n'] },
		{ type: 'table', slug: 'findings', rows: [{ values: ['a', 'b'] }] }] }),
	[['a', 'b']], 'findings go before notes');
}

{
	const columns = ['Address', 'Where', 'Code'].map((name) => ({ name }));
	const rows = [['', '', 'f (x.so)'], ['0x10', 'f.c:7', ''],
		['0x10', '', 'retq']].map((values, depth) => ({ depth, values,
		at: depth === 0 ? '0x100' : '0x110' }));
	is(listingsOf({ meta: { sections: [{ title: 'cycles', columns, rows }] },
		objects: { id: [0], nickname: [0] }, strings: [''] })[0].rows
		.map((r) => [r.address, r.code, r.at]), [['', 'f.c:7  ', 16],
		['0x10', 'retq', 16]], 'lines of the source say which they are');
	const all = ['first', 'a:u + b: 7 samples', 'a'].map((event) => ({ event }));
	is(['a:u', 'b', 'a', 'first', 'none'].map((name) => all.indexOf(
		listingsOfEvent(all, name)[0])), [1, 1, 2, 0, 0],
	'events that are counted together have one listing');
}

{
	// Frame 1 is in outer, frame 2 in what was inlined into it.
	const byFrame = { weight: [0, 5, 7], count: [0, 1, 2] };
	const stub = { keepAll: (_, make) => make(),
		data: { meta: {}, frames: { object: [0, 1, 2] } },
		costs: () => ({ byFrame }), funcs: { first: [0, 1, 2, 4],
			funcOf: [0, 1, 1, 2], symbolOf: [0, 1, 2], all: { n: 3,
				name: ['', 'outer', 'inner (inlined)'] },
			objects: ['[unknown]', 'x-1.so', 'x.so.2'] } };
	is(changeTable(stub, {}).map((r) => [r.object, r.name, r.before,
		r.samplesAfter]), [['x.so', 'outer', 12, 3]],
	'a change counts inlined code as diff does');
}

/** What both events of a CPI weigh at the way of each node, the slow way. */
function sumsOfWays(counted, sel, split) {
	const { data: d, merged, funcs } = counted, sums = new Map();
	const all = counted.whole(sel.event);
	const { labels, group } = counted.groups(counted.filter(all), split);
	const known = counted.filter(all).byThread.first;
	for (let i = 0; i < d.samples.n; i++) {
		const t = d.samples.thread[i], time = d.samples.time[i];
		if (sel.from !== null && (time < sel.from || time > sel.to) ||
			split !== 'none' && known[t] < 0) {
			continue;
		}
		const way = [];
		for (let at = merged.at[d.samples.stack[i]]; at !== 0;
			at = merged.parent[at]) {
			way.push(merged.func[at]);
		}
		way.push(...split === 'none' ? [] : [funcs.label(labels[group[t]])]);
		for (let k = way.length; k >= 0; k--) {
			const key = way.slice(k).join();
			const row = sums.get(key) || [0, 0];
			row[d.samples.event[i] === counted.cpi[0] ? 0 : 1] +=
				d.samples.weight[i];
			sums.set(key, row);
		}
	}
	return sums;
}
{
	const made = fakeData(5), { events: e } = made;
	is(new Model(made).cpi, null, 'no CPI without cycles and instructions');
	e.type.fill(0);
	e.config[1] = 1;
	const counted = new Model(made);
	is(counted.cpi, [1, 0], 'the events of a CPI');
	is(counted.shadesBy('kind', counted.whole(0), 'none'), null,
		'no shades without being asked');
	for (const [k, split] of ['none', 'comm', 'thread', 'comm'].entries()) {
		const sel = { ...counted.whole(k % 2), ...k === 3 ? {
			from: Math.round(counted.length * 0.2),
			to: Math.round(counted.length * 0.8) } : {} };
		const tree = counted.tree(sel, { split });
		const { few, many, nodes } = counted.shadesBy('cpi', sel, split);
		const sums = sumsOfWays(counted, sel, split), wrong = [];
		for (let node = 1; node < tree.n; node++) {
			const way = [];
			for (let at = node; at !== 0; at = tree.parent[at]) {
				way.push(tree.func[at]);
			}
			const want = sums.get(way.join()) || [0, 0];
			if (tree.total[node] > 0 && (Math.abs(few[node] - want[0]) > 1e-6 ||
				Math.abs(many[node] - want[1]) > 1e-6)) {
				wrong.push([node, few[node], many[node], want]);
			}
		}
		ok(wrong.length === 0 && nodes.length === tree.n &&
			nodes.some((v) => v === 0), 'CPI of nodes, split by ' + split,
		wrong.slice(0, 3));
	}
	for (const what of ['freq', 'name']) {
		const other = fakeData(5), { events } = other;
		events.type.fill(0);
		events.config[1] = 1;
		events.freq.fill(what === 'freq' ? 1 : 0);
		events.weight.set(events.samples);
		if (what === 'name') {
			other.strings[events.name[0]] = 'cycles:u';
			other.strings[events.name[1]] = 'instructions:k';
		}
		is(new Model(other).cpi, null, what === 'freq' ?
			'no CPI of samples that do not say how many they count' :
			'no CPI of events of another place');
	}
}

console.log('1..' + points);
process.exit(failures > 0 ? 1 : 0);
