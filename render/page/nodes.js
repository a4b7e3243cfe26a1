// SPDX-License-Identifier: MIT
// @ts-check
// Nodes of a tree that grows, callers before what they call; and how a tree
// that has too many of them loses the smallest.

import { free } from './decode.js';
import { sumUp } from './filter.js';

/** What weighs less than such a part of a picture is narrower than a pixel. */
export const SLICES = 2048;

/** The function of a node that stands for what is small there. */
export const SMALL = -2;

/** What views of a tree that has lost some tell. */
export const CUT = 'small frames are left out';

// A tree of more nodes loses some: each takes about 60 bytes of the tab.
const ROOM = 1500000;

export class Nodes {
	/** @param {number} room for nodes, at first @param {string[]} more names
	 *  of columns besides */
	constructor(room, ...more) {
		this.n = 1;
		this.cut = 0; // nodes left out
		this.min = 0; // nodes that weigh less have lost theirs
		this.room = ROOM;
		this.parent = new Int32Array(room + 1);
		this.func = new Int32Array(room + 1);
		this.self = new Float64Array(room + 1);
		this.samples = new Uint32Array(room + 1);
		this.func[0] = -1;
		for (const name of more) {
			this[name] = new Int32Array(room + 1);
		}
		this.columns = Object.keys(this).filter((name) =>
			ArrayBuffer.isView(this[name]));
	}

	add(parent, func) {
		if (this.n === this.parent.length) {
			for (const name of this.columns) {
				const old = this[name];
				this[name] = new old.constructor(old.length * 2);
				this[name].set(old);
			}
		}
		this.parent[this.n] = parent;
		this.func[this.n] = func;
		return this.n++;
	}

	count(node, weight, samples) {
		this.self[node] += weight;
		this.samples[node] += samples;
	}

	/** A column as long as there are nodes; it can be taken once. */
	column(all) {
		const out = all.slice(0, this.n);
		free(all);
		return out;
	}

	/**
	 * Makes room if there are too many nodes: leaves out more of what is small,
	 * but no node that weighs more than a part of them all.  Returns the new
	 * number of each node: of one left out, that of the node above it that has
	 * its samples now.  null: nothing changed.
	 * @param {any} filtered what they are of @param {number[]} open nodes to
	 *  keep @param {boolean} last no more nodes will come
	 */
	shrink({ weight, samples }, open, last = false) {
		if (this.n <= this.room && !(last && this.min > 0)) {
			return null;
		}
		const to = this.prune(this.min, open);
		while (this.n > ROOM * 0.7 && this.min < weight / 5000) {
			this.min = Math.max(this.min, weight / samples) * 1.5;
			const then = this.prune(this.min, open.map((i) => to[i]));
			to.forEach((node, i) => to[i] = then[node]);
		}
		this.room = Math.max(ROOM, this.n * 2);
		return to;
	}

	/** Leaves out what is below nodes that weigh less than `min`. */
	prune(min, open) {
		const { n, parent } = this, to = new Int32Array(n);
		const total = sumUp(this.self.subarray(0, n), parent);
		const kept = new Int32Array(n), stays = new Uint8Array(n);
		let k = 0;
		open.forEach((i) => stays[i] = 1);
		for (let i = 1; i < n; i++) {
			const above = parent[i];
			if (kept[to[above]] === above &&
				(stays[i] === 1 || total[above] >= min)) {
				to[i] = ++k;
				kept[k] = i;
			} else {
				const heir = to[i] = to[above];
				this.count(kept[heir], this.self[i], this.samples[i]);
			}
		}
		this.cut += n - ++k;
		this.n = k;
		this.take(kept, to, n);
		free(total, kept, stays);
		return to;
	}

	/** Keeps some nodes, of those that were there. */
	take(kept, to, before) {
		for (const name of this.columns) {
			const column = this[name];
			for (let k = 0; k < this.n; k++) {
				column[k] = column[kept[k]];
			}
			column.fill(0, this.n, before);
		}
		for (let k = 0; k < this.n; k++) {
			this.parent[k] = to[this.parent[k]];
		}
	}
}
