// SPDX-License-Identifier: MIT
// @ts-check
// Where the frames of a flame graph are: a picture and the page both have this
// file.  Frames stand in the picture's order, callees after their caller; only
// those wide enough to be seen get a box, so that drawing follows the size of
// the window and not that of the graph.
const NARROW = 1, SHARED = 2; // pixels; narrower neighbours share a box

/**
 * @typedef {object} Frames
 * @property {number} count
 * @property {ArrayLike<number>} depth
 * @property {ArrayLike<number>} total
 * @property {ArrayLike<number>} start where each begins, in weight
 * @property {ArrayLike<number>} end one after the last frame above it
 * @property {ArrayLike<number>} parent -1 of the root
 */

export class Boxes {
	constructor() {
		this.n = 0;
		this.frame = new Uint32Array(1024); // the first that it holds
		this.x = new Float64Array(1024);
		this.w = new Float64Array(1024);
		this.depth = new Uint32Array(1024);
		this.shared = new Uint8Array(1024);
		this.hit = new Uint8Array(1024);
	}
	grow() {
		for (const k of /** @type {const} */ (['frame', 'x', 'w', 'depth',
			'shared', 'hit'])) {
			const old = this[k];
			// @ts-ignore: each stays what it was
			this[k] = new old.constructor(2 * old.length);
			this[k].set(old);
		}
	}
	/** @param {number} frame @param {number} x @param {number} w
	 *  @param {number} depth @param {number} shared @param {number} hit */
	add(frame, x, w, depth, shared, hit) {
		const at = this.n++;
		if (at === this.frame.length) {
			this.grow();
		}
		this.frame[at] = frame;
		this.x[at] = x;
		this.w[at] = w;
		this.depth[at] = depth;
		this.shared[at] = shared;
		this.hit[at] = hit;
		return at;
	}
}

// The boxes of `zoomed`, which takes all of `inner` pixels from `left` on, of
// what is above it and of its callers.  hits: 1 for what was searched.
/**
 * @param {Frames} t @param {number} zoomed @param {number} left
 * @param {number} inner @param {Uint8Array|null} hits @param {Boxes} out
 */
export function layOut(t, zoomed, left, inner, hits, out) {
	const { depth, total, start } = t, end = t.end[zoomed];
	const scale = inner / total[zoomed], base = start[zoomed];
	const open = new Map(); // by depth: the box that still takes neighbours
	out.n = 0;
	for (let i = t.parent[zoomed]; i >= 0; i = t.parent[i]) {
		out.add(i, left, inner, depth[i], 0, hits ? hits[i] : 0);
	}
	for (let i = zoomed; i < end; i++) {
		const w = total[i] * scale, x = left + (start[i] - base) * scale;
		const hit = hits ? hits[i] : 0, d = depth[i];
		if (w >= NARROW) {
			out.add(i, x, w, d, 0, hit);
			continue;
		}
		const b = open.get(d);
		if (b !== undefined && out.w[b] < SHARED &&
		    x - out.x[b] - out.w[b] < 0.5) {
			out.w[b] = x + w - out.x[b];
			out.hit[b] |= hit;
		} else {
			open.set(d, out.add(i, x, w, d, 1, hit));
		}
	}
}
// The frame of that depth whose span has the weight `at` in it, or -1.
/** @param {Frames} t @param {number} from @param {number} at
 *  @param {number} row */
export function frameUnder(t, from, at, row) {
	const { depth, total, start, end } = t;
	let i = from;
	while (depth[i] < row) {
		let c = i + 1;
		while (c < end[i] && start[c] + total[c] <= at) {
			c = end[c];
		}
		if (c >= end[i] || start[c] > at) {
			return -1;
		}
		i = c;
	}
	return i;
}
// The heaviest callee of a frame, or -1.
/** @param {Frames} t @param {number} i */
export function heaviestCallee(t, i) {
	let best = -1;
	for (let c = i + 1; c < t.end[i]; c = t.end[c]) {
		if (best < 0 || t.total[c] > t.total[best]) {
			best = c;
		}
	}
	return best;
}
// The frame next to one in its row, among those with a box, or -1.
/** @param {Boxes} b @param {number} frame @param {number} by 1 or -1 */
export function neighbour(b, frame, by) {
	let at = b.frame.subarray(0, b.n).findIndex((f, k) => f === frame &&
		b.shared[k] === 0);
	const row = b.depth[at];
	for (at += by; at >= 0 && at < b.n; at += by) {
		if (b.depth[at] === row && b.shared[at] === 0) {
			return b.frame[at];
		}
	}
	return -1;
}
// Weight under frames that match; one inside another counts once.
/** @param {Frames} t @param {Uint8Array} hits @param {number} zoomed */
export function weightOfHits(t, hits, zoomed) {
	for (let i = zoomed; i >= 0; i = t.parent[i]) {
		if (hits[i] === 1) {
			return t.total[zoomed];
		}
	}
	let sum = 0;
	for (let i = zoomed; i < t.end[zoomed];) {
		sum += hits[i] === 1 ? t.total[i] : 0;
		i = hits[i] === 1 ? t.end[i] : i + 1;
	}
	return sum;
}
