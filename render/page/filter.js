// SPDX-License-Identifier: MIT
// @ts-check
// What a selection keeps of the samples, and what nodes weigh in it.
import { firstOf } from './decode.js';

/**
 * @typedef {object} Selection
 * @property {?number} from nanoseconds from the capture's start; null: all
 * @property {?number} to its last moment
 * @property {?Set<number>} threads rows of data.threads; null: all
 * @property {?Set<number>} cpus null: all
 * @property {number} event row of data.events; -1: all
 * @property {string} side before or after; '': all captures
 * @property {string} search what to light up, and the rows to show
 * @property {number} focus a function, or -1
 */

/** Of a selection without a time. */
export const ALL_TIME = { from: null, to: null };
/** Above the number of a CPU; a damaged capture may have any. */
export const CPUS = 1e6;
export const isTimed = ({ from, to }) => from !== null || to !== null;

/** @returns {Selection} */
export function wholeSelection(event) {
	return { ...ALL_TIME, threads: null, cpus: null, event, side: '',
		search: '', focus: -1 };
}

/** The part of a selection that says which samples are in it. */
export function selectionKey(sel) {
	const list = (set) => set === null ? '*' : Array.from(set).join('.');
	return [sel.from, sel.to, list(sel.threads), list(sel.cpus), sel.event,
		sel.side]
		.join('|');
}

/** A byte a row: is it in the list?  Numbers of no row are passed over. */
export function flagsOf(list, n) {
	const out = new Uint8Array(n);
	for (let k = 0; k < list.length; k++) {
		out[list[k]] = 1;
	}
	return out;
}

/** The same of a set; null: all are. */
const flags = (set, n) => set && flagsOf(Array.from(set), n);

/** A byte a thread: is it in the set, and of that side? */
export function threadFlags({ data, sides }, { threads, side }) {
	const some = flags(threads, data.threads.n);
	if (sides === null || side === '') {
		return some;
	}
	const want = side === 'before' ? 1 : 2;
	return sides.of.map((of, t) => of === want &&
		(some === null || some[t] === 1) ? 1 : 0);
}

/** A function that tells whether state i is of the selected threads and CPUs. */
export function stateTest(model, sel) {
	const { thread, cpu } = model.data.states, { cpus } = sel;
	const threads = threadFlags(model, sel);
	return (i) => (threads === null || threads[thread[i]] === 1) &&
		(cpus === null || cpus.has(cpu[i]));
}

/** Samples of a selection; sums by node are made when asked for. */
export class Filtered {
	// Sums that are made when they are asked for.
	/** @type {any} */
	selves;
	/** @type {any} */
	totalOf;
	/** @type {any} of the latest split tree: shape.js */
	weighed;

	/** @param {any} model @param {Selection} sel @param {Float64Array} [of]
	 *  what each sample weighs */
	constructor(model, sel, of = model.data.samples.weight) {
		const { data: { samples }, sorted, counts, sides } = model;
		const { from, to } = sel;
		const cost = this.weighs = of === sides?.cost && isTimed(sel) &&
			sides.aligned !== 'share' ? sides.timed : of;
		this.model = model;
		this.sel = sel;
		this.weight = 0;
		this.samples = 0;
		// Samples before and after a window, in the order of time, are not
		// looked at.
		const at = (before) => firstOf(0, samples.n, (k) => before(sorted[k]));
		const end = to === null ? samples.n : at((time) => time <= to);
		let i = from === null ? 0 : at((time) => time < from), n = 0;
		const kept = new Uint32Array(Math.max(end - i, 0));
		const keeps = this.test();
		for (; i < end; i++) {
			if (keeps(i)) {
				kept[n++] = i;
				this.weight += cost[i];
				this.samples += counts[i];
			}
		}
		/** The numbers of those that are kept. */
		this.kept = kept.subarray(0, n);
	}

	/** A function that tells whether sample i is kept. */
	test() {
		const { thread, cpu, event, time } = this.model.data.samples;
		const threads = threadFlags(this.model, this.sel);
		const cpus = flags(this.sel.cpus, CPUS);
		const of = this.sel.event;
		const timed = isTimed(this.sel) && time !== this.model.sorted;
		return (i) => (of < 0 || event[i] === of) &&
			(threads === null || threads[thread[i]] === 1) &&
			(cpus === null || cpus[cpu[i]] === 1) &&
			(!timed || time[i] >= 0);
	}

	/** Weight and count by what `of' gives stacks: node or frame. */
	add(n, of) {
		const { stack } = this.model.data.samples;
		const { kept, weighs, model: { counts } } = this;
		const weight = new Float64Array(n), count = new Uint32Array(n);
		for (let at = 0; at < kept.length; at++) {
			const i = kept[at], k = of[stack[i]];
			weight[k] += weighs[i];
			count[k] += counts[i];
		}
		return { weight, count };
	}

	/** Weight and count of each innermost frame; 0: samples without one. */
	get byFrame() {
		const { frames, stacks } = this.model.data;
		return this.framesOf = this.framesOf ||
			this.add(frames.n, stacks.frame);
	}

	/** Weight, count and first sample (-1: none) of each thread. */
	get byThread() {
		if (!this.threads) {
			const { weighs, model: { counts, data } } = this;
			const { threads: { n }, samples: { thread } } = data;
			const weight = new Float64Array(n), count = new Float64Array(n);
			const first = new Int32Array(n).fill(-1);
			const { kept } = this;
			for (let k = 0; k < kept.length; k++) {
				const i = kept[k], t = thread[i];
				weight[t] += weighs[i];
				count[t] += counts[i];
				if (first[t] < 0) {
					first[t] = i;
				}
			}
			this.threads = { weight, count, first };
		}
		return this.threads;
	}

	/** What each merged node has by itself. */
	get own() {
		const { n, at } = this.model.merged;
		return this.selves ||= this.add(n, at);
	}

	/** Weight of each merged node and what is below it. */
	get total() {
		return this.totalOf ||= sumUp(this.own.weight,
			this.model.merged.parent);
	}
}

/** Each node's value and those below it; parents come first. */
export function sumUp(self, parent) {
	// What stays 0, as most does of a small selection, takes no memory.
	const total = new self.constructor(self.length);
	for (let i = total.length - 1; i >= 0; i--) {
		const sum = total[i] + self[i];
		if (sum) {
			total[i] = sum;
			total[parent[i]] += i && sum;
		}
	}
	return total;
}
