// SPDX-License-Identifier: MIT
// @ts-check
// The rows of the lanes: processes, their pools and threads, or CPUs; and where
// samples and states of each begin.
import { firstOf } from './decode.js';
import { ALL_TIME, selectionKey, stateTest } from './filter.js';
import { NONE } from './funcs.js';
import { taskName } from './pools.js';

/**
 * @typedef {object} Row
 * @property {'process'|'pool'|'thread'|'cpu'} kind
 * @property {string} label
 * @property {string} key the same for the same row
 * @property {number[]} threads of a CPU: none
 * @property {number} nth of its kind: the CPU, the thread, which pool
 * @property {string[]} inside keys of the groups it is in
 * @property {boolean} folded its rows are not shown
 * @property {boolean} open its stacks are shown
 * @property {number} y
 * @property {number} high
 */

// Numbers of a list by their groups, each group in their order; those of group
// NONE are left out.
/** @param {Uint32Array} all @param {number} groups
 *  @param {(i: number) => number} groupOf */
function groupBy(all, groups, groupOf) {
	const first = new Uint32Array(groups + 2);
	for (let k = 0; k < all.length; k++) {
		const g = groupOf(all[k]);
		if (g < groups) {
			first[g + 2]++;
		}
	}
	for (let g = 2; g < groups + 2; g++) {
		first[g] += first[g - 1];
	}
	const list = new Uint32Array(first[groups + 1]);
	for (let k = 0; k < all.length; k++) {
		const g = groupOf(all[k]);
		if (g < groups) {
			list[first[g + 1]++] = all[k];
		}
	}
	return { first, list };
}
// The first of list[from...to) whose time is not before a moment.
/** @param {Uint32Array} list @param {number} from @param {number} to
 *  @param {ArrayLike<number>} times @param {number} when */
const firstAt = (list, from, to, times, when) =>
	firstOf(from, to, (/** @type {number} */ k) => times[list[k]] < when);

export class Tracks {
	key = ''; // of what is selected
	/** @type {any} a function that tells whether a state is */
	keeps;
	/** @param {any} model */
	constructor(model) {
		this.model = model;
		const { samples, states, threads } = model.data;
		this.use(model.whole());
		/** The pool of each thread, and how many there are. */
		this.poolOf = new Uint32Array(threads.n);
		this.pools = 0;
		const all = new Uint32Array(states.n).map((_, i) => i);
		this.states = groupBy(all, threads.n, (i) => states.thread[i]);
		this.running = groupBy(all, model.cpus.at(-1) + 1, (i) => states.cpu[i]);
		/** How many samples each thread has. */
		this.busy = new Uint32Array(threads.n);
		for (let i = 0; i < samples.n; i++) {
			this.busy[samples.thread[i]]++;
		}
	}
	/** @param {any} sel */
	use(sel) {
		// Captures that are aligned otherwise have samples in another order.
		const all = { ...sel, ...ALL_TIME };
		const key = selectionKey(all) + this.model.sides?.aligned;
		if (key !== this.key) {
			this.key = key;
			this.sel = all;
			this.keeps = stateTest(this.model, sel);
			/** @type {any} samples of rows of each kind, made when asked for */
			this.lists = {};
		}
	}
	// Numbers the pools among rows.
	/** @param {Row[]} rows */
	numberPools(rows) {
		const pools = rows.filter((row) => row.kind === 'pool');
		this.poolOf.fill(NONE);
		this.pools = pools.length;
		pools.forEach((row, k) => {
			row.nth = k;
			row.threads.forEach((t) => this.poolOf[t] = k);
		});
		delete this.lists.pool;
	}
	// The samples of rows of a kind, those of each row in the order of time.
	/** @param {string} kind */
	listOf(kind) {
		const { model, sel, poolOf } = this, { samples, threads } = model.data;
		const { thread, cpu, time } = samples;
		/** @type {Record<string, [number, (i: number) => number]>} */
		const of = { thread: [threads.n, (i) => thread[i]],
			cpu: [model.cpus.at(-1) + 1, (i) => cpu[i]],
			pool: [this.pools, (i) => poolOf[thread[i]]] };
		const [n, group] = of[kind];
		return this.lists[kind] ||= groupBy(model.filter(sel).kept, n, (i) =>
			time[i] >= 0 ? group(i) : NONE);
	}
	// Takes a row's samples between two moments in stretches of neighbours that
	// are alike, and calls fn(first, last, how many).  What is between two that
	// are alike is so, too: most are never looked at.
	/** @param {Row} row @param {{from: number, to: number}} when
	 *  @param {(a: number, b: number) => boolean} alike
	 *  @param {(first: number, last: number, n: number) => void} fn */
	eachStretch({ kind, nth }, { from, to }, alike, fn) {
		const { time } = this.model.data.samples;
		const { first, list } = this.listOf(kind), last = first[nth + 1];
		let k = firstAt(list, first[nth], last, time, from);
		const end = firstOf(k, last, (/** @type {number} */ at) =>
			time[list[at]] <= to);
		while (k < end) {
			const begin = k, s = list[k];
			let step = 1;
			while (k + step < end && alike(s, list[k + step])) {
				step *= 2;
			}
			k = firstOf(k + (step >> 1) + 1, Math.min(k + step, end),
				(/** @type {number} */ at) => alike(s, list[at]));
			fn(s, list[k - 1], k - begin);
		}
	}
	// Calls fn(sample) for a row's samples between two moments.
	/** @param {Row} row @param {number} from @param {number} to
	 *  @param {(sample: number) => void} fn */
	eachSample(row, from, to, fn) {
		this.eachStretch(row, { from, to }, () => false, fn);
	}
	// Calls fn(state) for a row's states that touch a time.
	/** @param {Row} row @param {number} from @param {number} to
	 *  @param {(state: number) => void} fn */
	eachState({ kind, nth, threads }, from, to, fn) {
		const { states } = this.model.data, cpu = kind === 'cpu';
		const of = cpu ? this.running : this.states;
		for (const g of cpu ? [nth] : threads) {
			const begin = of.first[g], end = of.first[g + 1];
			let k = cpu ? begin :
				firstAt(of.list, begin, end, states.from, from);
			for (k = Math.max(k - 1, begin); k < end; k++) {
				const s = of.list[k];
				if (states.from[s] > to && !cpu) {
					break;
				}
				if (states.to[s] > from && states.from[s] <= to &&
					this.keeps(s)) {
					fn(s);
				}
			}
		}
	}
	/** @param {number[]} threads */
	samplesOf(threads) {
		return threads.reduce((sum, t) => sum + this.busy[t], 0);
	}
}

/** @param {any} row @returns {Row} */
const rowOf = (row) => ({ threads: [], nth: 0, inside: [],
	folded: false, open: false, y: 0, high: 0, ...row });
// worker/3 is of the pool worker/#.
/** @param {string} name */
const stemOfPool = (name) => name.replace(/\d+/g, '#');

/** @param {any} data @param {number} t */
function threadLabel(data, t) {
	const { name, tid } = data.threads;
	return taskName(data.strings[name[t]], tid[t]);
}
/** @param {any} data @param {number} t */
function processLabel(data, t) {
	const { name, process, pid } = data.threads;
	return taskName(data.strings[process[t]] || data.strings[name[t]],
		pid[t]);
}
/** @param {any} data @param {number[]} threads @param {string[]} inside
 *  @returns {Row[]} */
function rowsOfProcess(data, threads, inside) {
	const pools = new Map(), rows = [];
	for (const t of threads) {
		const stem = stemOfPool(data.strings[data.threads.name[t]]);
		pools.set(stem, [...pools.get(stem) || [], t]);
	}
	for (const [stem, members] of pools) {
		const key = inside.join() + '/' + stem, many = members.length > 2;
		if (many) {
			rows.push(rowOf({ kind: 'pool', threads: members, key, inside,
				label: stem.replace(/#/g, '*') + ' \u00d7' +
				members.length }));
		}
		for (const t of members) {
			rows.push(rowOf({ kind: 'thread', threads: [t], nth: t, key: 't' + t,
				inside: many ? [...inside, key] : inside,
				label: threadLabel(data, t) }));
		}
	}
	return rows;
}
// Threads by process, the busiest process first.
/** @param {Tracks} tracks @param {number[]} threads @returns {Row[]} */
export function threadRows(tracks, threads) {
	const { data } = tracks.model, processes = new Map();
	for (const t of threads) {
		const pid = data.threads.pid[t];
		if (!processes.has(pid)) {
			processes.set(pid, []);
		}
		processes.get(pid).push(t);
	}
	const order = Array.from(processes.values(), (list) => ({ list,
		n: tracks.samplesOf(list) })).sort((a, b) => b.n - a.n);
	return order.flatMap(({ list }) => {
		list.sort((/** @type {number} */ a, /** @type {number} */ b) =>
			tracks.busy[b] - tracks.busy[a] || a - b);
		const label = processLabel(data, list[0]);
		const key = 'p' + data.threads.pid[list[0]];
		return list.length === 1 ? rowsOfProcess(data, list, []) :
			[rowOf({ kind: 'process', label, key, threads: list }),
				...rowsOfProcess(data, list, [key])];
	});
}
/** @param {number[]} cpus @returns {Row[]} */
export const cpuRows = (cpus) => cpus.map((cpu) =>
	rowOf({ kind: 'cpu', label: 'CPU ' + cpu, key: 'c' + cpu, nth: cpu }));
