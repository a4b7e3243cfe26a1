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

/** How many nodes there are with those below each. */
function sizesOf(n, parent) {
	const size = new Int32Array(n).fill(1);
	for (let i = n - 1; i > 0; i--) {
		size[parent[i]] += size[i];
	}
	return size;
}

/** The place of each node in an order in which what is below it follows it. */
function preorderOf(n, parent) {
	const size = sizesOf(n, parent), next = new Int32Array(n);
	const place = new Int32Array(n);
	next[0] = 1;
	for (let i = 1; i < n; i++) {
		const above = parent[i], k = place[i] = next[above];
		next[above] += size[i];
		next[i] = k + 1;
	}
	free(next, size);
	return place;
}

/** Parents and another column of nodes, in an order of places. */
function moved(n, place, parent, other) {
	const above = new Int32Array(n), more = new Int32Array(n);
	for (let i = 1; i < n; i++) {
		const k = place[i];
		above[k] = place[parent[i]];
		more[k] = other[i];
	}
	return [above, more];
}

/**
 * A node for each part of each stack; at[] has the innermost of a stack.  What
 * is below a node follows it: then what is looked at next is in the cache.
 */
export function expandStacks(data, funcs) {
	const { stacks, frames } = data, { first } = funcs;
	if (funcs.funcOf.length === frames.n) { // nothing is inlined
		const at = preorderOf(stacks.n, stacks.parent);
		const [parent, part] = moved(stacks.n, at, stacks.parent, stacks.frame);
		return { n: stacks.n, parent, part, at };
	}
	let n = 1;
	for (let s = 1; s < stacks.n; s++) {
		const f = stacks.frame[s];
		n += first[f + 1] - first[f];
	}
	const above = new Int32Array(n), parts = new Int32Array(n);
	const at = new Int32Array(stacks.n);
	n = 1;
	for (let s = 1; s < stacks.n; s++) {
		const f = stacks.frame[s];
		let node = at[stacks.parent[s]];
		for (let p = first[f]; p < first[f + 1]; p++) {
			above[n] = node;
			parts[n] = p;
			node = n++;
		}
		at[s] = node;
	}
	const place = preorderOf(n, above);
	const [parent, part] = moved(n, place, above, parts);
	for (let s = 1; s < at.length; s++) {
		at[s] = place[at[s]];
	}
	free(place, above, parts);
	return { n, parent, part, at };
}

// A node with more children than that has a table of them.
const WIDE = 16;

/** Children by their functions, where there are too many to go through. */
class Kids {
	constructor(room, funcs) {
		this.n = 1;
		this.funcs = funcs;
		this.parent = new Int32Array(room);
		this.func = new Int32Array(room);
		this.last = new Int32Array(room); // the latest child of each
		this.prior = new Int32Array(room);
		this.many = new Map();
	}

	add(above, f) {
		const k = this.n++;
		this.parent[k] = above;
		this.func[k] = f;
		this.prior[k] = this.last[above];
		return this.last[above] = k;
	}

	/** The child of one that has WIDE, or more: then `rest' is one of them. */
	ofMany(above, f, rest) {
		const { many, func, prior, last } = this;
		const key = (i) => above * this.funcs + func[i];
		for (let i = rest === 0 ? last[above] : 0; i !== 0; i = prior[i]) {
			many.set(key(i), i);
		}
		let k = many.get(above * this.funcs + f);
		if (k === undefined) {
			k = this.add(above, f);
			many.set(key(k), k);
		}
		return k;
	}
}

/**
 * Nodes in such an order, with the place of each; `size' is how many are below
 * one, and itself.
 */
export function ordered(n, above, of) {
	const at = preorderOf(n, above);
	const [parent, func] = moved(n, at, above, of);
	func[0] = -1; // the root
	return { n, parent, func, at, size: sizesOf(n, parent) };
}

/** The paths merged by function. */
export function mergePaths({ n, parent: above, part, at: ends },
	{ funcOf, all }) {
	const kids = new Kids(n, all.n), now = new Int32Array(n);
	const { last, prior, func: of } = kids;
	for (let i = 1; i < n; i++) {
		const a = now[above[i]], f = funcOf[part[i]];
		let k = last[a], left = WIDE;
		while (k !== 0 && of[k] !== f && left > 0) {
			k = prior[k];
			left--;
		}
		now[i] = left === 0 ? kids.ofMany(a, f, k) : k || kids.add(a, f);
	}
	const merged = ordered(kids.n, kids.parent, of), place = merged.at;
	merged.at = new Int32Array(ends.length);
	for (let s = 1; s < ends.length; s++) {
		merged.at[s] = place[now[ends[s]]];
	}
	free(now, place, kids.parent, of, last, prior);
	return merged;
}

/**
 * The depth of nodes that have none of the same label above them; 0: of others.
 */
export function outermost({ n, parent }, labels, count) {
	const out = new Uint16Array(n), open = new Uint8Array(count);
	// The nodes above the next, and the label that each has opened.
	const above = [0], opened = [-1];
	let deep = 0;
	for (let i = 1; i < n; i++) {
		for (; above[deep] !== parent[i]; deep--) {
			open[opened[deep]] = 0;
		}
		const label = labels[i], first = open[label] === 0;
		above[++deep] = i;
		opened[deep] = first ? label : -1;
		if (first) {
			open[label] = 1;
			out[i] = Math.min(deep, 65535);
		}
	}
	return out;
}
