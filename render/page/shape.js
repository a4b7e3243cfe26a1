// SPDX-License-Identifier: MIT
// @ts-check
// What the trees of all selections have in common: nodes, callers before what
// they call.  A selection only weighs them, so that it costs no new tree.
import { free } from './decode.js';
import { Filtered } from './filter.js';
import { Nodes } from './nodes.js';

// So few that a tree of their own costs little, and leaves nothing out.
export const FEW_SAMPLES = 50000;

/** Has a capture so many samples that a tree of all by thread takes long? */
export const isMany = ({ data }) => data.samples.n > 2 * FEW_SAMPLES;

/** Are there so many samples, and by groups of which there may be thousands? */
export const isApart = (model, split) => isMany(model) &&
	(split === 'thread' || split === 'process');

export class Shape {
	/** @param {any} nodes that are all there, Nodes or merged paths */
	constructor(nodes) {
		const { n, cut = 0 } = nodes;
		this.n = n;
		this.cut = cut;
		/** @type {any} the merged path of each node; none: the same */
		this.merged = null;
		const take = (all) => nodes.column ? nodes.column(all) : all;
		const parent = this.parent = take(nodes.parent);
		this.func = take(nodes.func);
		this.depth = new Uint16Array(n);
		/** The last child of each node, and the one before each child. */
		this.last = new Int32Array(n);
		this.prior = new Int32Array(n);
		for (let i = 1; i < n; i++) {
			const above = parent[i];
			this.depth[i] = this.depth[above] + 1;
			this.prior[i] = this.last[above];
			this.last[above] = i;
		}
	}
}

/** The shape of all merged paths. */
class WholeShape extends Shape {
	constructor({ merged }) {
		super(merged);
		this.tops = [0, merged.n];
	}

	weigh({ own: { weight, count } }) {
		return { self: weight, samples: count };
	}
}

/** Grows the nodes of one group of threads after the other. */
class Splitter {
	constructor(filtered) {
		this.filtered = filtered;
		this.model = filtered.model;
		/** @type {any} with a column of its own */
		this.nodes = new Nodes(this.model.merged.n, 'pathOf');
		this.nodeOf = new Int32Array(this.model.merged.n);
		this.at = new Int32Array(this.model.data.samples.n);
		this.way = [];
		this.tops = [];
	}

	add(parent, func, merged) {
		const node = this.nodes.add(parent, func);
		this.nodes.pathOf[node] = merged;
		return node;
	}

	/** The paths of some samples; nodes from the top on are of their group. */
	grow(label, samples) {
		const { model: { merged, data, counts }, nodes, nodeOf, way } = this;
		if (samples.length === this.filtered.kept.length &&
			merged.n < nodes.room) {
			this.growAll(label);
			return;
		}
		const top = nodeOf[0] = this.add(0, label, 0);
		for (const s of samples) {
			const leaf = merged.at[data.samples.stack[s]];
			for (let i = leaf; nodeOf[i] < top; i = merged.parent[i]) {
				way.push(i);
			}
			while (way.length !== 0) {
				const i = way.pop();
				nodeOf[i] = this.add(nodeOf[merged.parent[i]],
					merged.func[i], i);
			}
			const at = this.at[s] = nodeOf[leaf];
			nodes.count(at, this.filtered.weighs[s], counts[s]);
		}
		this.tops.push(top);
		this.shrink(false);
	}

	/** All paths below one label: none is looked for. */
	growAll(label) {
		const { merged, data: { samples } } = this.model;
		const { n, parent, func } = merged;
		this.tops.push(this.add(0, label, 0));
		for (let i = 1; i < n; i++) {
			this.add(parent[i] + 1, func[i], i);
		}
		samples.stack.forEach((stack, s) => this.at[s] = merged.at[stack] + 1);
	}

	shrink(last) {
		const { at, tops } = this;
		const to = this.nodes.shrink(this.filtered, tops, last);
		if (to !== null) {
			at.forEach((node, s) => at[s] = to[node]);
			tops.forEach((top, g) => tops[g] = to[top]);
			this.nodeOf.fill(0);
		}
	}
}

/** Where each of a list stands by `of' what a column tells of it; the ends. */
export function placesBy(list, n, column, of) {
	const ends = new Uint32Array(n + 1), to = new Uint32Array(list.length);
	for (let i = 0; i < list.length; i++) {
		ends[of[column[list[i]]] + 1]++;
	}
	for (let k = 1; k <= n; k++) {
		ends[k] += ends[k - 1];
	}
	for (let i = 0; i < list.length; i++) {
		to[i] = ends[of[column[list[i]]]]++;
	}
	return { to, ends };
}

/** A list in such an order, those alike as they were; the ends. */
export function sortedBy(list, n, column, of) {
	const { to, ends } = placesBy(list, n, column, of);
	const out = new Uint32Array(list.length);
	for (let i = 0; i < list.length; i++) {
		out[to[i]] = list[i];
	}
	free(to);
	return { list: out, ends };
}

/** The shape of samples of all events, split by groups of their threads. */
class SplitShape extends Shape {
	constructor(model, sel, groups) {
		const filtered = new Filtered(model, { ...sel, event: -1 });
		const grown = new Splitter(filtered);
		const { list, ends } = sortedBy(filtered.kept, groups.labels.length,
			model.data.samples.thread, groups.group);
		const lists = groups.labels.map((_, g) =>
			list.subarray(ends[g - 1] || 0, ends[g]));
		lists.forEach((some, g) => some.length === 0 || grown.grow(
			model.funcs.label(groups.labels[g]), some));
		grown.shrink(true);
		super(grown.nodes);
		this.merged = grown.nodes.column(grown.nodes.pathOf);
		this.at = grown.at;
		this.groups = groups;
		let k = 0;
		this.topOf = lists.map((some) =>
			some.length === 0 ? -1 : grown.tops[k++]);
		this.tops = grown.tops.concat(this.n);
		free(grown.nodeOf, grown.nodes.self, grown.nodes.samples, list);
	}

	/** What nodes weigh; kept for the other trees of the same selection. */
	weigh(filtered) {
		const { at, n } = this, { weighs, kept, weighed } = filtered;
		if (weighed?.at === at) {
			return weighed;
		}
		const { counts } = filtered.model;
		const self = new Float64Array(n), samples = new Uint32Array(n);
		for (let k = 0; k < kept.length; k++) {
			const i = kept[k], node = at[i];
			self[node] += weighs[i];
			samples[node] += counts[i];
		}
		return filtered.weighed = { at, self, samples };
	}

	/**
	 * The functions of the nodes if threads are in other groups: null if these
	 * are not the same threads under other names.
	 */
	renamed(filtered, groups) {
		const of = new Map(), back = new Map(), { first } = filtered.byThread;
		for (let t = 0; t < first.length; t++) {
			const g = this.groups.group[t], to = groups.group[t];
			if (first[t] >= 0 && (to !== (of.get(g) ?? to) ||
				g !== (back.get(to) ?? g))) {
				return null;
			}
			if (first[t] >= 0) {
				of.set(g, to);
				back.set(to, g);
			}
		}
		const func = this.func.slice(), { funcs } = filtered.model;
		for (const [g, to] of of) {
			func[this.topOf[g]] = funcs.label(groups.labels[to]);
		}
		return func;
	}
}

/** The shape of a selection's trees, and the functions of its nodes. */
export function shapeOf(filtered, split) {
	const { model, sel } = filtered;
	if (split === 'none') {
		const shape = model.keepAll('shape', () => new WholeShape(model));
		return { shape, func: shape.func };
	}
	const groups = model.groups(filtered, split);
	if (filtered.samples > FEW_SAMPLES || !isMany(model)) {
		const all = model.whole(-1), whole = model.keep('shape|' + split, all,
			() => new SplitShape(model, all,
				model.groups(new Filtered(model, all), split)));
		const func = whole.renamed(filtered, groups);
		if (func !== null) {
			return { shape: whole, func };
		}
	}
	const shape = new SplitShape(model, sel, groups);
	return { shape, func: shape.func };
}
