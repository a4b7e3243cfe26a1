// SPDX-License-Identifier: MIT
// A capture made up from a seed, as decode.js gives one: for tests and for
// measurements without a file.

/** Numbers from 0 up to 1, the same for the same seed (mulberry32). */
export function random(seed) {
	return () => {
		seed = seed + 0x6d2b79f5 | 0;
		let t = Math.imul(seed ^ seed >>> 15, 1 | seed);
		t = t + Math.imul(t ^ t >>> 7, 61 | t) ^ t;
		return ((t ^ t >>> 14) >>> 0) / 4294967296;
	};
}

const NONE = 0xffffffff;

class Strings {
	constructor() {
		this.all = [''];
		this.known = new Map([['', 0]]);
	}

	put(s) {
		let i = this.known.get(s);
		if (i === undefined) {
			i = this.all.length;
			this.all.push(s);
			this.known.set(s, i);
		}
		return i;
	}
}

const u32 = (n) => new Uint32Array(n);
const f64 = (n) => new Float64Array(n);

function makeObjects(strings) {
	const rows = [['', 0, 0], ['[kernel.kallsyms]', 1, 1],
		['/usr/bin/server', 0, 2], ['/usr/lib/libc.so.6', 0, 2],
		['//anon', 5, 2], ['/usr/lib/libstdc++.so.6', 0, 2]];
	const n = rows.length;
	const o = { n, name: u32(n), nickname: u32(n), kind: u32(n),
		level: u32(n), buildId: u32(n),
		source: u32(n), trust: u32(n), pid: u32(n), base: f64(n),
		file: u32(n), id: u32(n), reason: u32(n) };
	rows.forEach(([name, kind, level], i) => {
		o.name[i] = strings.put(name);
		o.nickname[i] = strings.put(name.replace(/.*\//, ''));
		o.kind[i] = kind;
		o.id[i] = i;
		o.level[i] = level;
		o.buildId[i] = strings.put(kind === 0 && i ? 'ab12cd34ef5678' + i : '');
		o.source[i] = i === 0 || kind === 5 ? 0 : kind === 1 ? 6 : 5;
		o.trust[i] = i === 0 || kind === 5 ? 0 : i === 5 ? 3 : 1;
		o.pid[i] = NONE;
		o.file[i] = strings.put(i === 2 ? '/usr/bin/server' : '');
	});
	return o;
}

const WORDS = ['parse', 'hash', 'lookup', 'insert', 'read', 'write', 'copy',
	'lock', 'queue', 'send', 'encode', 'merge', 'sort', 'flush', 'compact'];

function symbolName(i, object, rnd) {
	const word = () => WORDS[Math.floor(rnd() * WORDS.length)];
	if (object === 1) {
		return ['__x64_sys_', 'do_', 'tcp_', 'ext4_'][i % 4] + word() + '_' + i;
	}
	if (object === 5 || (object === 2 && i % 3 === 0)) {
		return 'app::Store<std::string, long>::' + word() + i +
			'(std::string const&, unsigned long)';
	}
	return word() + '_' + word() + i;
}

const INLINED_SYMBOLS = 20;

/** Symbols, the last of which are of functions inlined. */
function makeSymbols(strings, count, rnd) {
	const n = count + 1 + INLINED_SYMBOLS;
	const s = { n, name: u32(n), raw: u32(n), label: u32(n), object: u32(n),
		start: f64(n), end: f64(n), source: u32(n), trust: u32(n) };
	for (let i = 1; i < n; i++) {
		s.object[i] = [1, 2, 2, 3, 5][Math.floor(rnd() * 5)];
		const made = symbolName(i, s.object[i], rnd);
		const name = i > count ? made + ' (inlined)' : i % 19 === 0 ?
			'object+0x' + (i * 256).toString(16) : made;
		s.name[i] = strings.put(name);
		s.raw[i] = strings.put(name.includes('::') ? '_ZN' + i : name);
		s.start[i] = i * 256;
		s.end[i] = i * 256 + 200;
		const bounds = i <= count && i % 19 === 0;
		s.source[i] = bounds ? 11 : s.object[i] === 1 ? 6 : 5;
		s.trust[i] = bounds ? 0 : s.object[i] === 5 ? 3 : 1;
	}
	return s;
}

function makeFrames(strings, symbols, count, rnd) {
	const n = count + 1, spots = { n: 1, symbol: [0], file: [0], line: [0],
		column: [0] };
	const f = { n, addr: f64(n), vaddr: f64(n), object: u32(n),
		symbol: u32(n), firstSpot: u32(n), spots: u32(n), level: u32(n),
		flags: u32(n) };
	for (let i = 1; i < n; i++) {
		const symbol = rnd() < 0.05 ? 0 :
			1 + i % (symbols.n - 1 - INLINED_SYMBOLS);
		f.symbol[i] = symbol;
		f.object[i] = symbol ? symbols.object[symbol] : rnd() < 0.5 ? 4 : 0;
		f.addr[i] = symbol * 256 + Math.floor(rnd() * 200);
		f.vaddr[i] = f.addr[i] + 0x400000;
		f.level[i] = f.object[i] === 1 ? 1 : 2;
		f.firstSpot[i] = spots.n;
		f.spots[i] = f.object[i] === 2 ? 1 + (rnd() < 0.15 ? 1 : 0) : 0;
		for (let k = 0; k < f.spots[i]; k++) {
			spots.symbol.push(k === 0 ? symbol :
				symbols.n - 1 - Math.floor(rnd() * INLINED_SYMBOLS));
			spots.file.push(strings.put('src/file' + symbol % 40 + '.c'));
			spots.line.push(10 + i % 700);
			spots.column.push(0);
			spots.n++;
		}
	}
	return { frames: f, spots };
}

function makeStacks(frames, count, deep, rnd) {
	const n = count + 1, parent = u32(n), frame = u32(n), depth = u32(n);
	for (let i = 1; i < n; i++) {
		const recent = Math.max(0, i - 1 - Math.floor(rnd() * rnd() * 400));
		parent[i] = rnd() < 0.002 ? 0 : recent;
		if (depth[parent[i]] >= deep) {
			parent[i] = parent[parent[i]];
		}
		depth[i] = depth[parent[i]] + 1;
		frame[i] = 1 + Math.floor(rnd() * rnd() * (frames.n - 1));
	}
	return { n, parent, frame };
}

function makeThreads(strings, count, length, rnd) {
	const n = count, t = { n, pid: u32(n), tid: u32(n), name: u32(n),
		process: u32(n), start: f64(n), end: f64(n) };
	for (let i = 0; i < n; i++) {
		const process = Math.floor(i / 8);
		t.pid[i] = i === 0 ? 0 : 1000 + process * 100;
		t.tid[i] = i === 0 ? 0 : 1000 + process * 100 + i % 8;
		t.name[i] = strings.put(i === 0 ? 'swapper' : i % 8 === 0 ?
			'server' : i % 8 < 5 ? 'worker/' + i % 8 : 'io-' + i % 8);
		t.process[i] = strings.put(i === 0 ? 'swapper' : 'server');
		t.start[i] = -1;
		t.end[i] = rnd() < 0.1 ? Math.floor(length * rnd()) : -1;
	}
	return t;
}

function makeSamples(of, rnd) {
	const { n, length, cpus } = of;
	const s = { n, time: f64(n), weight: f64(n), stack: u32(n),
		thread: u32(n), event: u32(n), cpu: u32(n) };
	for (let i = 0; i < n; i++) {
		s.time[i] = Math.floor(length * i / n);
		s.weight[i] = 1000000;
		s.stack[i] = Math.floor(rnd() * of.stacks.n);
		s.thread[i] = Math.floor(rnd() * rnd() * of.threads.n);
		s.cpu[i] = Math.floor(rnd() * cpus);
		s.event[i] = rnd() < 0.02 ? 1 : 0;
	}
	return s;
}

function makeStates(strings, threads, length, rnd) {
	const rows = [], reasons = ['futex', 'disk', 'network', 'sleep'];
	for (let t = 0; t < threads.n; t++) {
		let at = 0, tone = 1;
		for (let k = 0; k < 60 && at < length; k++) {
			const to = Math.min(length, at + rnd() * length / 20);
			rows.push([at, to, t, tone, reasons[k % 4]]);
			at = to;
			tone = tone === 3 ? 2 : tone === 2 ? 1 : 3;
		}
	}
	const n = rows.length, s = { n, from: f64(n), to: f64(n), thread: u32(n),
		cpu: u32(n).fill(NONE), tone: u32(n), stack: u32(n),
		waker: u32(n).fill(NONE), reason: u32(n) };
	rows.forEach(([from, to, thread, tone, reason], i) => {
		s.from[i] = Math.floor(from);
		s.to[i] = Math.floor(to);
		s.thread[i] = thread;
		s.tone[i] = tone;
		if (tone === 1) {
			s.cpu[i] = thread % 4;
		} else if (tone === 3) {
			s.reason[i] = strings.put(reason);
			s.stack[i] = 1 + i % 50;
			s.waker[i] = (thread + 1) % threads.n;
		}
	});
	return s;
}

function makeMarks(strings, length) {
	const n = 12, m = { n, time: f64(n), thread: u32(n).fill(NONE),
		cpu: u32(n).fill(NONE), kind: u32(n), count: f64(n), text: u32(n) };
	for (let i = 0; i < n; i++) {
		m.time[i] = Math.floor(length * (i + 0.5) / n);
		m.kind[i] = i % 4 === 3 ? 5 : 4;
		m.count[i] = m.kind[i] === 5 ? 10 + i : 0;
		m.cpu[i] = i % 4;
		m.text[i] = strings.put(m.kind[i] === 4 ? 'worker/' + i : '');
	}
	return m;
}

function makeEvents(strings, samples) {
	const n = 2, e = { n, name: u32(n), unit: u32(n), type: u32(n),
		config: f64(n), period: f64(n), freq: u32(n), clock: u32(n), complete: u32(n),
		samples: f64(n), weight: f64(n), lost: f64(n), lostSamples: f64(n),
		throttled: f64(n) };
	e.name.set([strings.put('cpu-clock'), strings.put('page-faults')]);
	e.unit.set([strings.put('ns'), strings.put('samples')]);
	e.type.fill(1);
	e.clock[0] = 1;
	e.lost[0] = 30;
	for (let i = 0; i < samples.n; i++) {
		e.samples[samples.event[i]]++;
		e.weight[samples.event[i]] += samples.weight[i];
	}
	return e;
}

const SECTIONS = [
	{ type: 'notes', slug: 'findings', title: 'findings', notes: [
		'34.2 % of the CPU time is in app::Store::insert, called by parse.',
		'Threads of the pool worker/1…4 wait for a futex 41 % of the time.',
		'30 samples were lost: shares may be off by up to 0.1 %.'] },
	{ type: 'table', slug: 'syscalls', title: 'system calls', columns: [
		{ name: 'Share', type: 'share' }, { name: 'Calls', type: 'count' },
		{ name: 'Time', type: 'time' }, { name: 'Call', type: 'text' }],
	rows: [{ depth: 0, values: [{ value: 0.6, interval: [0.5, 0.7] }, 1200,
		5300000, 'read'] }, { depth: 0, values: [{ value: 0.4 }, 80, 120000,
		'futex </script><img onerror=x>'] }],
	rest: { rows: 3, weight: 0 } },
	{ type: 'histogram', slug: 'delays', title: 'run queue delays',
		axis: { name: 'Delay', type: 'time' }, bins: [
			{ lo: 0, hi: 1000, count: 20 }, { lo: 1000, hi: 2000, count: 55 },
			{ lo: 2000, hi: 4000, count: 31 }] },
	{ type: 'scalars', slug: 'label', title: 'the capture', scalars: [
		{ key: 'host', type: 'text', value: 'db-7' },
		{ key: 'CPUs', type: 'count', value: 8 },
		{ key: 'length', type: 'time', value: 10000000000 }] }];

/** Sizes: {samples, stacks, frames, symbols, threads, cpus, deep, length}. */
export function fakeData(seed, sizes = {}) {
	const rnd = random(seed), strings = new Strings();
	const z = { samples: 5000, stacks: 800, frames: 400, symbols: 120,
		threads: 12, cpus: 8, deep: 24, length: 10e9, ...sizes };
	const objects = makeObjects(strings);
	const symbols = makeSymbols(strings, z.symbols, rnd);
	const { frames, spots } = makeFrames(strings, symbols, z.frames, rnd);
	const stacks = makeStacks(frames, z.stacks, z.deep, rnd);
	const threads = makeThreads(strings, z.threads, z.length, rnd);
	const samples = makeSamples({ n: z.samples, length: z.length,
		cpus: z.cpus, stacks, threads }, rnd);
	const states = makeStates(strings, threads, z.length, rnd);
	const marks = makeMarks(strings, z.length);
	const events = makeEvents(strings, samples);
	return { meta: { format: 'coldperf-page', version: 1, tool: 'coldperf 1',
		analysis: 'report', title: 'perf.data', label: 'db-7, 8 CPUs, 10 s',
		weight: 'time', weightType: 'time', event: 'cpu-clock', start: 0,
		end: z.length, sections: SECTIONS, binned: null, notes: [] },
	strings: strings.all, objects, symbols, spots, frames, stacks, threads,
	events, samples, marks, states };
}
