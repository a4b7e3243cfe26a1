// SPDX-License-Identifier: MIT
// @ts-check
// A tree in the order of time: what was sampled one after the other stands side
// by side, and neighbours that were called alike are one.  Threads of a group
// follow one another.
import { Nodes, treeOf } from './tree.js';

const MANY_SAMPLES = 200000, STEPS_OF_TIME = 2000;

/** Samples as they are to stand, and the group of each thread. */
function standing(filtered, groups) {
	const { model } = filtered, { thread, stack } = model.data.samples;
	const of = (i) => groups === null ? 0 : groups.group[thread[i]];
	/** @type {number[]} */
	const list = [];
	filtered.each((i) => list.push(i));
	const { sorted } = model, first = list.length > 0 ? sorted[list[0]] : 0;
	// Of many, those of a moment stand together by where they were.
	const step = list.length <= MANY_SAMPLES ? 0 : Math.max(1,
		(sorted[list[list.length - 1]] - first) / STEPS_OF_TIME);
	const leaf = (i) => model.merged.at[stack[i]];
	const at = (i) => step === 0 ? i :
		Math.floor((sorted[i] - first) / step);
	return list.sort((a, b) => of(a) - of(b) || thread[a] - thread[b] ||
		at(a) - at(b) || leaf(a) - leaf(b) || a - b);
}

/** The nodes that are open now, the outermost first. */
class Open {
	constructor(model) {
		this.model = model;
		this.nodes = new Nodes(4096);
		/** @type {number[]} */
		this.now = [];
		/** @type {number[]} */
		this.funcs = [];
		this.top = 0;
	}

	/** What comes next is of another group. */
	begin(label) {
		this.now = [];
		this.funcs = [];
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
	}
}

/** Functions of a stack: from the outermost, or from the innermost. */
function funcsOf({ merged }, leaf, inverted) {
	const path = [];
	for (let i = leaf; i !== 0; i = merged.parent[i]) {
		path.push(merged.func[i]);
	}
	return inverted ? path : path.reverse();
}

/** @returns {import('./tree.js').Tree} */
export function buildInTime(filtered, { split = 'none', inverted = false }) {
	const { model } = filtered, { counts, data, merged } = model;
	const { thread, stack } = data.samples, paths = new Map();
	const groups = split === 'none' ? null : model.groups(filtered, split);
	const open = new Open(model);
	let group = -1, last = -1;
	for (const i of standing(filtered, groups)) {
		const g = groups === null ? 0 : groups.group[thread[i]];
		if (g !== group) {
			open.begin(groups === null ? -1 :
				model.funcs.label(groups.labels[g]));
		} else if (thread[i] !== last) {
			open.now = [];
		}
		group = g;
		last = thread[i];
		const leaf = merged.at[stack[i]];
		if (!paths.has(leaf)) {
			paths.set(leaf, funcsOf(model, leaf, inverted));
		}
		open.add(paths.get(leaf), filtered.weights[i], counts[i]);
	}
	return treeOf(open.nodes, model, 'time');
}
