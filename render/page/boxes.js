// SPDX-License-Identifier: MIT
// @ts-check
// Where the frames of a flame graph are: a picture and the page both have this
// file.  Only frames wide enough to be seen are looked at, so that work follows
// the size of the window and not that of the graph.
const NARROW = 1, SHARED = 2; // pixels; narrower neighbours share a box

/**
 * @typedef {object} Frames parents come before their callees; 0 is the root
 * @property {number} n
 * @property {ArrayLike<number>} parent
 * @property {(frame: number) => number} first callee, 0: none; `next' holds
 *   after it was asked for
 * @property {ArrayLike<number>} next callee of the same caller, 0: none
 * @property {ArrayLike<number>} depth
 * @property {ArrayLike<number>} total
 * @property {Uint16Array} tall rows above it
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
		/** @type {Int32Array} by row: what still takes neighbours */
		this.open = new Int32Array(0);
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
	// Adds to the box of narrow ones that ends there, or starts one.
	/** @param {number} frame @param {number} x @param {number} w
	 *  @param {number} row @param {number} hit */
	share(frame, x, w, row, hit) {
		const b = this.open[row];
		if (b >= 0 && this.w[b] < SHARED && x - this.x[b] - this.w[b] < 0.5) {
			this.w[b] = x + w - this.x[b];
			this.hit[b] |= hit;
		} else {
			this.open[row] = this.add(frame, x, w, row, 1, hit);
		}
	}
}

// Narrow neighbours look like one frame, as wide and tall as all of them.
class Crowd {
	/** @param {Frames} t @param {Boxes} out */
	constructor(t, out) {
		this.t = t;
		this.out = out;
		this.first = 0; // 0: there are none
		this.x = 0;
		this.w = 0;
		this.rows = 0;
	}
	/** @param {number} i @param {number} x @param {number} w */
	add(i, x, w) {
		if (this.first === 0) {
			this.first = i;
			this.x = x;
			this.w = this.rows = 0;
		}
		this.w += w;
		this.rows = Math.max(this.rows, this.t.tall[i]);
		if (this.w >= NARROW) {
			this.end();
		}
	}
	end() {
		let i = this.first;
		const row = i === 0 ? 0 : this.t.depth[i];
		for (let k = 0; i !== 0 && k <= this.rows; k++) {
			this.out.share(i, this.x, this.w, row + k, 0);
			i = this.t.first(i) || i;
		}
		this.first = 0;
	}
}
// The boxes of `zoomed`, which takes all of `inner` pixels from `left` on, of
// what is above it and of its callers.  hits: what was searched, see findHits.
/**
 * @param {Frames} t @param {number} zoomed @param {number} left
 * @param {number} inner @param {Uint8Array|null} hits @param {Boxes} out
 */
export function layOut(t, zoomed, left, inner, hits, out) {
	const { depth, total, first, next, parent } = t;
	const scale = inner / total[zoomed], begins = [];
	out.n = 0;
	out.open = new Int32Array(depth[zoomed] + t.tall[zoomed] + 1).fill(-1);
	for (let i = zoomed; i !== 0;) {
		i = parent[i];
		out.add(i, left, inner, depth[i], 0, hits ? hits[i] & HIT : 0);
	}
	const crowd = new Crowd(t, out);
	for (let i = zoomed, x = left; ;) {
		const w = total[i] * scale, hit = hits ? hits[i] : 0;
		if (w < NARROW && hit === 0) {
			crowd.add(i, x, w);
		} else {
			crowd.end();
			if (w >= NARROW) {
				out.add(i, x, w, depth[i], 0, hit & HIT);
			} else {
				out.share(i, x, w, depth[i], hit & HIT);
			}
			const kid = first(i);
			if (kid !== 0) {
				begins[depth[i]] = x;
				i = kid;
				continue;
			}
		}
		for (x += w; i !== zoomed && next[i] === 0;) {
			crowd.end();
			i = parent[i];
			x = begins[depth[i]] + total[i] * scale;
		}
		if (i === zoomed) {
			return;
		}
		i = next[i];
	}
}
// Marks frames: 1 for what matches, 2 for what has such above it.
const HIT = 1, BELOW = 2;
/** @param {Frames} t @param {(frame: number) => boolean} matches */
export function findHits(t, matches) {
	const hits = new Uint8Array(t.n);
	for (let i = t.n - 1; i >= 0; i--) {
		hits[i] |= matches(i) ? HIT : 0;
		if (hits[i] !== 0 && i !== 0) {
			hits[t.parent[i]] |= BELOW;
		}
	}
	return hits;
}
// The frame of that row over `part` of the width of a frame, or -1.
/** @param {Frames} t @param {number} from @param {number} part
 *  @param {number} row */
export function frameUnder(t, from, part, row) {
	let i = from, left = part * t.total[from];
	while (t.depth[i] < row) {
		i = t.first(i);
		while (i !== 0 && left >= t.total[i]) {
			left -= t.total[i];
			i = t.next[i];
		}
		if (i === 0) {
			return -1;
		}
	}
	return i;
}
// The heaviest callee of a frame, or -1.
/** @param {Frames} t @param {number} i */
export function heaviestCallee(t, i) {
	let best = -1;
	for (let c = t.first(i); c !== 0; c = t.next[c]) {
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
	for (let i = zoomed; ; i = t.parent[i]) {
		if ((hits[i] & HIT) !== 0) {
			return t.total[zoomed];
		}
		if (i === 0) {
			break;
		}
	}
	// Below the zoomed frame: 1, and below a match: 2.
	const at = new Uint8Array(t.n);
	let sum = 0;
	at[zoomed] = 1;
	for (let i = zoomed + 1; i < t.n; i++) {
		at[i] = at[t.parent[i]];
		if (at[i] === 1 && (hits[i] & HIT) !== 0) {
			sum += t.total[i];
			at[i] = 2;
		}
	}
	return sum;
}
// The frames in the order of the picture: each before its callees.
/** @param {Frames} t */
export function inOrderOf(t) {
	const order = new Uint32Array(t.n);
	let n = 0;
	for (let i = 0; ;) {
		order[n++] = i;
		const kid = t.first(i);
		if (kid !== 0) {
			i = kid;
			continue;
		}
		while (i !== 0 && t.next[i] === 0) {
			i = t.parent[i];
		}
		if (i === 0) {
			return order.subarray(0, n);
		}
		i = t.next[i];
	}
}
