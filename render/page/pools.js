// SPDX-License-Identifier: MIT
// @ts-check
// Commands as groups of threads; those of a pool (worker/0 ... worker/63) are
// one, named as analyses/tasks/pools.c names it.
import { NONE } from './funcs.js';

const LONGEST = 64;

export const idText = (id) => id === NONE ? '-' : String(id);

/** A thread or process in words. */
export const taskName = (name, id, before = '') =>
	id === NONE && !/\d/.test(before) ? 'no thread known' :
		name + ' ' + before + idText(id);

/** The group of each thread, by the name it is given. */
export class Groups {
	constructor(threads) {
		/** @type {string[]} */
		this.labels = [];
		this.group = new Int32Array(threads);
		this.known = new Map();
	}

	put(thread, label) {
		let g = this.known.get(label);
		if (g === undefined) {
			g = this.labels.length;
			this.labels.push(label);
			this.known.set(label, g);
		}
		this.group[thread] = g;
	}
}

/** The name with # for each number; null: it is none of a pool. */
function stemOf(comm) {
	if (/^[:0-9]/.test(comm) || comm.length > LONGEST ||
		!/[0-9]/.test(comm)) {
		return null;
	}
	return comm.replace(/[0-9]+/g, '#');
}

/** How threads of the kernel are called: kworker/0:1, kworker/u8:2. */
const isOfKernel = (stem) => /^[^/]*\/(?:#|u#$|u#:)/.test(stem);

const numbersOf = (name) => name.split(/([0-9]+)/);

class Pool {
	constructor(first) {
		this.first = numbersOf(first);
		this.members = 0;
		this.at = -1;
		this.lo = 0n;
		this.hi = 0n;
		this.many = false;
	}

	add(name) {
		const words = numbersOf(name);
		if (this.members++ === 0) {
			return;
		}
		const other = words.map((_, i) => i).filter((i) =>
			words[i] !== this.first[i]);
		if (other.length !== 1 || (this.at >= 0 && this.at !== other[0])) {
			this.many = true;
		}
		if (this.many) {
			return;
		}
		if (this.at < 0) {
			this.at = other[0];
			this.lo = this.hi = BigInt(this.first[this.at]);
		}
		const v = BigInt(words[this.at]);
		this.lo = v < this.lo ? v : this.lo;
		this.hi = v > this.hi ? v : this.hi;
	}

	/** worker/0…63-io; where several numbers differ, worker-*. */
	get name() {
		const { first, at } = this;
		return this.many ? first[0] + '*' : first.slice(0, at).join('') +
			this.lo + '\u2026' + this.hi + first.slice(at + 1).join('');
	}
}

/**
 * The commands of a selection, in order, each with its first process.  A sum has
 * one capture after the other, by their names.
 */
function commandsOf(filtered) {
	const { data: { threads }, sides } = filtered.model, found = new Map();
	const { first } = filtered.byThread, { names = [] } = sides || {};
	for (let t = 0; t < threads.n; t++) {
		const name = threads.name[t];
		const at = first[t] + 1e9 * names.filter((other) =>
			other < names[threads.capture[t]]).length;
		if (first[t] >= 0 && !(found.get(name)?.at <= at)) {
			found.set(name, { name, at, pid: threads.pid[t] });
		}
	}
	return Array.from(found.values()).sort((a, b) => a.at - b.at);
}

/** @returns {Groups} */
export function poolsOf(filtered) {
	const { model } = filtered, { threads } = model.data;
	const pools = new Map(), of = new Map(), seen = new Set();
	for (const c of commandsOf(filtered)) {
		const comm = model.string(c.name), stem = stemOf(comm);
		if (stem === null) {
			continue;
		}
		const key = stem + '\n' + (isOfKernel(stem) ? 0 : c.pid);
		if (!pools.has(key)) {
			pools.set(key, new Pool(comm));
		}
		if (!seen.has(comm + '\n' + key)) {
			seen.add(comm + '\n' + key);
			pools.get(key).add(comm);
		}
		of.set(c.name, pools.get(key));
	}
	const groups = new Groups(threads.n);
	for (let t = 0; t < threads.n; t++) {
		const pool = of.get(threads.name[t]);
		groups.put(t, pool !== undefined && pool.members > 1 ? pool.name :
			model.string(threads.name[t]));
	}
	return groups;
}
