// SPDX-License-Identifier: MIT
// @ts-check
// The rows of the lanes: processes, their pools and threads, or CPUs; and where
// samples and states of each begin.
import { firstOf } from './decode.js';
import { NONE } from './funcs.js';
import { taskName } from './pools.js';

/**
 * @typedef {object} Row
 * @property {'process'|'pool'|'thread'|'cpu'} kind
 * @property {string} label
 * @property {string} key the same for the same row
 * @property {number[]} threads of a CPU: none
 * @property {number} cpu -1: of no CPU
 * @property {string[]} inside keys of the groups it is in
 * @property {boolean} folded its rows are not shown
 * @property {boolean} open its stacks are shown
 * @property {number} y
 * @property {number} high
 */

// Numbers 0...n grouped by a column, each group in their order.
/** @param {number} n @param {number} groups @param {ArrayLike<number>} of
 *  @param {(i: number) => boolean} keeps */
function groupBy(n, groups, of, keeps) {
	const first = new Uint32Array(groups + 2);
	for (let i = 0; i < n; i++) {
		if (of[i] < groups && keeps(i)) {
			first[of[i] + 2]++;
		}
	}
	for (let g = 2; g < groups + 2; g++) {
		first[g] += first[g - 1];
	}
	const list = new Uint32Array(first[groups + 1]);
	for (let i = 0; i < n; i++) {
		if (of[i] < groups && keeps(i)) {
			list[first[of[i] + 1]++] = i;
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
	/** @param {any} model */
	constructor(model) {
		this.model = model;
		const { samples, states, threads } = model.data;
		this.event = -1;
		/** @type {any} */
		this.byThread = null;
		/** @type {any} */
		this.byCpu = null;
		this.states = groupBy(states.n, threads.n, states.thread, () => true);
		this.running = groupBy(states.n, Math.max(model.cpus, 1), states.cpu,
			(i) => states.cpu[i] !== NONE);
		this.busy = groupBy(samples.n, threads.n, samples.thread, () => true)
			.first.subarray(1);
	}
	/** @param {number} event */
	use(event) {
		const { samples, threads } = this.model.data;
		if (event !== this.event) {
			const keeps = (/** @type {number} */ i) =>
				samples.event[i] === event && samples.time[i] >= 0;
			this.event = event;
			this.byThread = groupBy(samples.n, threads.n, samples.thread,
				keeps);
			this.byCpu = groupBy(samples.n, Math.max(this.model.cpus, 1),
				samples.cpu, keeps);
		}
	}
	// Calls fn(sample) for a row's samples between two moments.
	/** @param {Row} row @param {number} from @param {number} to
	 *  @param {(sample: number) => void} fn */
	eachSample(row, from, to, fn) {
		const { time } = this.model.data.samples;
		const of = row.cpu >= 0 ? this.byCpu : this.byThread;
		for (const g of row.cpu >= 0 ? [row.cpu] : row.threads) {
			const end = of.first[g + 1];
			for (let k = firstAt(of.list, of.first[g], end, time, from);
				k < end && time[of.list[k]] <= to; k++) {
				fn(of.list[k]);
			}
		}
	}
	// Calls fn(state) for a row's states that touch a time.
	/** @param {Row} row @param {number} from @param {number} to
	 *  @param {(state: number) => void} fn */
	eachState(row, from, to, fn) {
		const { states } = this.model.data;
		const of = row.cpu >= 0 ? this.running : this.states;
		for (const g of row.cpu >= 0 ? [row.cpu] : row.threads) {
			const begin = of.first[g], end = of.first[g + 1];
			let k = row.cpu >= 0 ? begin :
				firstAt(of.list, begin, end, states.from, from);
			for (k = Math.max(k - 1, begin); k < end; k++) {
				const s = of.list[k];
				if (states.from[s] > to && row.cpu < 0) {
					break;
				}
				if (states.to[s] > from && states.from[s] <= to) {
					fn(s);
				}
			}
		}
	}
	/** @param {number[]} threads */
	samplesOf(threads) {
		return threads.reduce((sum, t) => sum + this.busy[t] -
			(t > 0 ? this.busy[t - 1] : 0), 0);
	}
}

/** @param {any} row @returns {Row} */
const rowOf = (row) => ({ threads: [], cpu: -1, inside: [], folded: false, open: false,
	y: 0, high: 0, ...row });
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
			rows.push(rowOf({ kind: 'thread', threads: [t], key: 't' + t,
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
			tracks.samplesOf([b]) - tracks.samplesOf([a]) || a - b);
		const label = processLabel(data, list[0]);
		const key = 'p' + data.threads.pid[list[0]];
		return list.length === 1 ? rowsOfProcess(data, list, []) :
			[rowOf({ kind: 'process', label, key, threads: list }),
				...rowsOfProcess(data, list, [key])];
	});
}
/** @param {number} cpus @returns {Row[]} */
export const cpuRows = (cpus) => Array.from({ length: cpus }, (_, cpu) =>
	rowOf({ kind: 'cpu', label: 'CPU ' + cpu, key: 'c' + cpu, cpu }));
