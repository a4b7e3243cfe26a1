// SPDX-License-Identifier: MIT
// @ts-check
// A tree in the order of time: what was sampled one after the other stands side
// by side, and neighbours that were called alike are one.  Threads of a group
// follow one another.
import { free } from './decode.js';
import { Nodes } from './nodes.js';
import { treeOf } from './tree.js';

const MANY_SAMPLES = 200000, STEPS_OF_TIME = 2000;

/** The samples of a selection, those of a group and of a thread together. */
function byThread(filtered, of) {
	const { threads, samples: { thread } } = filtered.model.data;
	const next = new Uint32Array(threads.n);
	filtered.each((i) => next[thread[i]]++);
	let n = 0;
	for (const t of Array.from(next.keys()).sort((a, b) =>
		of(a) - of(b) || a - b)) {
		n += next[t];
		next[t] = n - next[t];
	}
	const list = new Uint32Array(n);
	filtered.each((i) => list[next[thread[i]]++] = i);
	return list;
}

/** Samples as they are to stand, and the group of each thread. */
function standing(filtered, groups) {
	const { model } = filtered, { thread, stack } = model.data.samples;
	const { sorted, merged: { at: leaf } } = model;
	const list = byThread(filtered, (t) =>
		groups === null ? 0 : groups.group[t]);
	if (list.length <= MANY_SAMPLES) {
		return list;
	}
	// Of many, those of a moment stand together by where they were.
	const first = sorted[filtered.first], last = sorted[filtered.end - 1];
	const step = Math.max(1, (last - first) / STEPS_OF_TIME);
	const at = (i) => Math.floor((sorted[i] - first) / step);
	for (let from = 0, to = 0; from < list.length; from = to) {
		const i = list[from];
		while (to < list.length && thread[list[to]] === thread[i] &&
			at(list[to]) === at(i)) {
			to++;
		}
		list.subarray(from, to).sort((a, b) =>
			leaf[stack[a]] - leaf[stack[b]] || a - b);
	}
	return list;
}

/** The nodes that are open now, the outermost first. */
class Open {
	constructor({ weight, samples }) {
		this.weight = weight;
		this.samples = samples;
		this.nodes = new Nodes(4096);
		/** @type {number[]} */
		this.now = [];
		/** @type {number[]} */
		this.funcs = [];
		this.top = 0;
	}

	/** What comes next is of another group. */
	begin(label) {
		this.now.length = 0;
		this.top = label < 0 ? 0 : this.nodes.add(0, label);
	}

	/** @param {number[]} path functions, the outermost first */
	add(path, weight, count) {
		const { now, funcs, nodes } = this;
		let same = 0;
		while (same < path.length && same < now.length &&
			funcs[same] === path[same]) {
			same++;
		}
		now.length = funcs.length = same;
		for (let k = same; k < path.length; k++) {
			now.push(nodes.add(k === 0 ? this.top : now[k - 1], path[k]));
			funcs.push(path[k]);
		}
		nodes.count(path.length === 0 ? this.top : now[path.length - 1],
			weight, count);
		if (nodes.n > nodes.room) {
			this.shrink(false);
		}
	}

	shrink(last) {
		const { now, weight, samples, top } = this;
		const to = this.nodes.shrink(weight / samples, weight / 5000,
			[top, ...now], last);
		if (to !== null) {
			this.top = to[top];
			now.forEach((node, k) => now[k] = to[node]);
		}
	}
}

/** Functions of a stack: from the outermost, or from the innermost. */
function funcsOf({ merged }, leaf, inverted, path) {
	path.length = 0;
	for (let i = leaf; i !== 0; i = merged.parent[i]) {
		path.push(merged.func[i]);
	}
	return inverted ? path : path.reverse();
}

/** @returns {import('./tree.js').Tree} */
export function buildInTime(filtered, { split = 'none', inverted = false }) {
	const { model } = filtered, { counts, data, merged } = model;
	const { thread, stack } = data.samples;
	/** @type {number[]} */
	const path = [];
	const groups = split === 'none' ? null : model.groups(filtered, split);
	const open = new Open(filtered);
	let group = -1, last = -1;
	const list = standing(filtered, groups);
	for (const i of list) {
		const g = groups === null ? 0 : groups.group[thread[i]];
		if (g !== group) {
			open.begin(groups === null ? -1 :
				model.funcs.label(groups.labels[g]));
		} else if (thread[i] !== last) {
			open.now.length = 0;
		}
		group = g;
		last = thread[i];
		open.add(funcsOf(model, merged.at[stack[i]], inverted, path),
			filtered.weights[i], counts[i]);
	}
	free(list);
	open.shrink(true);
	return treeOf(open.nodes, model, 'time');
}
