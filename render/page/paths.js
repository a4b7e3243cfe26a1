// SPDX-License-Identifier: MIT
// @ts-check
// Call paths: the stacks with a node for each inlined function, and the same
// merged where functions of one parent are equal.  Parents come before their
// children; node 0 is the root, of samples without an address.

import { free } from './decode.js';

/**
 * Numbers pairs.  The first pair of each a is found by it, as most have but one;
 * others in a table of open addresses, as Map is slow at a million.
 */
export class Pairs {
	constructor(expected) {
		let size = 1024;
		while (size < expected) {
			size *= 2;
		}
		this.n = 0;
		this.first = new Int32Array(expected);
		this.slots = new Int32Array(size);
		this.a = new Int32Array(size / 2 + 1);
		this.b = new Int32Array(size / 2 + 1);
	}

	hash(a, b) {
		let h = Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca6b);
		h = Math.imul(h ^ h >>> 15, 0x2c1b3c6d);
		return (h ^ h >>> 13) & this.slots.length - 1;
	}

	/** The number of a pair, 1 and more; new ones get the next. */
	put(a, b) {
		const mask = this.slots.length - 1, known = this.first[a];
		if (known > 0 && this.b[known] === b) {
			return known;
		}
		let at = this.hash(a, b);
		for (; known !== 0 && this.slots[at] !== 0; at = at + 1 & mask) {
			const i = this.slots[at];
			if (this.a[i] === a && this.b[i] === b) {
				return i;
			}
		}
		if (this.n + 1 >= this.a.length) {
			this.grow();
			return this.put(a, b);
		}
		(known === 0 ? this.first : this.slots)[known === 0 ? a : at] = ++this.n;
		this.a[this.n] = a;
		this.b[this.n] = b;
		return this.n;
	}

	grow() {
		const { n, a, b, slots } = this;
		Object.assign(this, new Pairs(slots.length * 2));
		for (let i = 1; i <= n; i++) {
			this.put(a[i], b[i]);
		}
	}
}

/** @typedef {{n: number, parent: Int32Array|Uint32Array,
 *   part: Int32Array|Uint32Array, at: Int32Array|Uint32Array}} PathTable */

/** A node for each part of each stack; at[] has the innermost of a stack. */
export function expandStacks(data, funcs) {
	const { stacks, frames } = data, { first } = funcs;
	if (funcs.funcOf.length === frames.n) { // nothing is inlined
		const at = new Uint32Array(stacks.n);
		at.forEach((_, s) => at[s] = s);
		return { n: stacks.n, parent: stacks.parent, part: stacks.frame, at };
	}
	let n = 1;
	for (let s = 1; s < stacks.n; s++) {
		const f = stacks.frame[s];
		n += first[f + 1] - first[f];
	}
	const parent = new Int32Array(n), part = new Int32Array(n);
	const at = new Int32Array(stacks.n);
	n = 1;
	for (let s = 1; s < stacks.n; s++) {
		const f = stacks.frame[s];
		let above = at[stacks.parent[s]];
		for (let p = first[f]; p < first[f + 1]; p++) {
			parent[n] = above;
			part[n] = p;
			above = n++;
		}
		at[s] = above;
	}
	return { n, parent, part, at };
}

/** The paths merged by function: {n, parent, func, at}. */
export function mergePaths(paths, funcs) {
	const pairs = new Pairs(paths.n);
	const now = new Int32Array(paths.n);
	for (let i = 1; i < paths.n; i++) {
		now[i] = pairs.put(now[paths.parent[i]],
			funcs.funcOf[paths.part[i]]);
	}
	const at = new Int32Array(paths.at.length);
	for (let s = 1; s < at.length; s++) {
		at[s] = now[paths.at[s]];
	}
	const n = pairs.n + 1;
	pairs.b[0] = -1; // the root
	const { a, b, first, slots } = pairs;
	const merged = { n, parent: a.slice(0, n), func: b.slice(0, n), at };
	free(now, a, b, first, slots);
	return merged;
}

/**
 * Nodes in an order in which what is below one follows it: the place of each,
 * and how many nodes are there with those below.
 */
export function preorderOf(n, parent) {
	const size = new Int32Array(n).fill(1), next = new Int32Array(n);
	const place = new Int32Array(n);
	for (let i = n - 1; i > 0; i--) {
		size[parent[i]] += size[i];
	}
	next[0] = 1;
	for (let i = 1; i < n; i++) {
		const above = parent[i];
		place[i] = next[above];
		next[above] += size[i];
		next[i] = place[i] + 1;
	}
	free(next);
	return { place, size };
}

/**
 * The depth of nodes that have none of the same label above them, which their
 * parts have; 0: of others.
 */
export function outermost({ n, parent, part }, labels, count) {
	const { place, size } = preorderOf(n, parent);
	const label = new Int32Array(n), after = new Int32Array(n);
	for (let i = 0; i < n; i++) {
		const k = place[i];
		label[k] = labels[part[i]];
		after[k] = k + size[i];
	}
	const end = new Int32Array(count);
	for (let k = 1; k < n; k++) {
		const met = label[k];
		if (end[met] <= k) {
			end[met] = after[k];
			label[k] = -1;
		}
	}
	free(size, after);
	const depth = new Uint16Array(n), out = new Uint16Array(n);
	for (let i = 1; i < n; i++) {
		depth[i] = Math.min(depth[parent[i]] + 1, 65535);
		out[i] = label[place[i]] < 0 ? depth[i] : 0;
	}
	free(place, label, depth);
	return out;
}
