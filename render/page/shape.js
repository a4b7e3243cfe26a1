// SPDX-License-Identifier: MIT
// @ts-check
// What the trees of all selections have in common: nodes, callers before what
// they call.  A selection only weighs them, so that it costs no new tree.

/** Depths of nodes, and the children of each, by number. */
function familiesOf(n, parent) {
	const depth = new Uint16Array(n), kids = new Int32Array(n);
	const from = new Int32Array(n + 2);
	for (let i = 1; i < n; i++) {
		from[parent[i] + 2]++;
		depth[i] = depth[parent[i]] + 1;
	}
	for (let i = 2; i < n + 2; i++) {
		from[i] += from[i - 1];
	}
	for (let i = 1; i < n; i++) {
		kids[from[parent[i] + 1]++] = i;
	}
	return { depth, from, kids };
}

export class Shape {
	/** @param {number} n @param {any} parent @param {any} func */
	constructor(n, parent, func) {
		this.n = n;
		this.parent = parent;
		this.func = func;
		Object.assign(this, familiesOf(n, parent));
	}
}

/** The shape of all merged paths. */
class WholeShape extends Shape {
	constructor({ merged }) {
		super(merged.n, merged.parent, merged.func);
		this.tops = [0, merged.n];
	}

	mergedOf(i) {
		return i;
	}

	weigh(filtered) {
		return { self: filtered.self, samples: filtered.selfCount };
	}
}

/** Grows the nodes of one group of threads after the other. */
class Splitter {
	constructor(model) {
		this.model = model;
		this.parent = [0];
		this.func = [-1];
		this.merged = [0];
		this.nodeOf = new Int32Array(model.merged.n);
		this.at = new Int32Array(model.data.samples.n);
		this.way = [];
	}

	add(parent, func, merged) {
		this.parent.push(parent);
		this.func.push(func);
		return this.merged.push(merged) - 1;
	}

	/** The paths of some samples; nodes from `top` on are of their group. */
	grow(label, samples) {
		const { model: { merged, data }, nodeOf, way } = this;
		const top = nodeOf[0] = this.add(0, label, 0);
		for (const s of samples) {
			const leaf = merged.at[data.samples.stack[s]];
			for (let i = leaf; nodeOf[i] < top ||
				this.merged[nodeOf[i]] !== i; i = merged.parent[i]) {
				way.push(i);
			}
			while (way.length !== 0) {
				const i = way.pop();
				nodeOf[i] = this.add(nodeOf[merged.parent[i]],
					merged.func[i], i);
			}
			this.at[s] = nodeOf[leaf];
		}
		return top;
	}
}

/** The shape of some samples, split by groups of their threads. */
class SplitShape extends Shape {
	constructor(filtered, groups) {
		const { model } = filtered, { thread } = model.data.samples;
		const grown = new Splitter(model), tops = [];
		const lists = groups.labels.map(() => []);
		filtered.each((i) => lists[groups.group[thread[i]]].push(i));
		lists.forEach((list, g) => tops.push(list.length === 0 ? -1 :
			grown.grow(model.funcs.label(groups.labels[g]), list)));
		super(grown.parent.length, Int32Array.from(grown.parent),
			Int32Array.from(grown.func));
		this.merged = Int32Array.from(grown.merged);
		this.at = grown.at;
		this.groups = groups;
		this.topOf = tops;
		this.tops = tops.filter((top) => top > 0).concat(this.n);
	}

	mergedOf(i) {
		return this.merged[i];
	}

	weigh(filtered) {
		const { at, n } = this, { counts } = filtered.model;
		const self = new Float64Array(n), samples = new Float64Array(n);
		const { weights: weight } = filtered;
		filtered.each((i) => {
			self[at[i]] += weight[i];
			samples[at[i]] += counts[i];
		});
		return { self, samples };
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
	const { model } = filtered, { event } = filtered.sel;
	if (split === 'none') {
		const shape = model.keepAll('shape', () => new WholeShape(model));
		return { shape, func: shape.func };
	}
	const groups = model.groups(filtered, split);
	const whole = model.keepAll('shape|' + event + '|' + split, () => {
		const all = model.filter(model.whole(event));
		return new SplitShape(all, model.groups(all, split));
	});
	const func = whole.renamed(filtered, groups);
	if (func !== null) {
		return { shape: whole, func };
	}
	const shape = new SplitShape(filtered, groups);
	return { shape, func: shape.func };
}
