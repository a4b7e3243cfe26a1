// SPDX-License-Identifier: MIT
// @ts-check
// Trees of a selection: calls from the outermost inwards or the other way,
// whole or split by command, process or thread.
import { Pairs } from './paths.js';
import { sumUp } from './filter.js';

/**
 * @typedef {object} Tree
 * @property {number} n
 * @property {Int32Array} parent of the root: 0
 * @property {Int32Array} func of the root: -1, or the sandwich's function
 * @property {Float64Array} self
 * @property {Float64Array} total
 * @property {Float64Array} samples at the node itself
 * @property {Uint16Array} depth of the root: 0
 * @property {Int32Array} first child, 0: none
 * @property {Int32Array} next sibling, 0: none
 * @property {number} deepest
 * @property {number} cut nodes below which small ones were left out
 */

/** @typedef {{inverted?: boolean, split?: string, order?: string,
 *   min?: number}} TreeOptions */

/** Columns that grow. */
class Nodes {
	constructor(room) {
		this.n = 1;
		this.cut = 0;
		this.parent = new Int32Array(room + 1);
		this.func = new Int32Array(room + 1);
		this.self = new Float64Array(room + 1);
		this.samples = new Float64Array(room + 1);
		this.func[0] = -1;
	}

	add(parent, func) {
		if (this.n === this.parent.length) {
			for (const name of ['parent', 'func', 'self', 'samples']) {
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
}

/** Sorts a few numbers in place; most families are small. */
function sortSmall(a, from, to, before) {
	for (let i = from + 1; i < to; i++) {
		const v = a[i];
		let k = i;
		for (; k > from && before(v, a[k - 1]); k--) {
			a[k] = a[k - 1];
		}
		a[k] = v;
	}
}

function sortRange(a, from, to, before) {
	if (to - from <= 24) {
		sortSmall(a, from, to, before);
		return;
	}
	const sorted = Array.from(a.subarray(from, to)).sort((x, y) =>
		before(x, y) ? -1 : before(y, x) ? 1 : 0);
	a.set(sorted, from);
}

/** The children of each node, one family after the other. */
function families(n, parent) {
	const from = new Int32Array(n + 2), kids = new Int32Array(n);
	for (let i = 1; i < n; i++) {
		from[parent[i] + 2]++;
	}
	for (let i = 2; i < n + 2; i++) {
		from[i] += from[i - 1];
	}
	for (let i = 1; i < n; i++) {
		kids[from[parent[i] + 1]++] = i;
	}
	return { from, kids };
}

function linkOrdered(t, before) {
	const { from, kids } = families(t.n, t.parent);
	for (let i = 0; i < t.n; i++) {
		const lo = from[i], hi = from[i + 1];
		if (hi === lo) {
			continue;
		}
		if (hi - lo > 1) {
			sortRange(kids, lo, hi, before);
		}
		t.first[i] = kids[lo];
		for (let k = lo; k + 1 < hi; k++) {
			t.next[kids[k]] = kids[k + 1];
		}
	}
}

/** @returns {Tree} */
function finishTree(nodes, model, order) {
	const n = nodes.n;
	const t = { n, cut: nodes.cut, deepest: 0,
		parent: nodes.parent.subarray(0, n),
		func: nodes.func.subarray(0, n),
		self: nodes.self.subarray(0, n),
		samples: nodes.samples.subarray(0, n),
		total: new Float64Array(0), depth: new Uint16Array(n),
		first: new Int32Array(n), next: new Int32Array(n) };
	t.total = sumUp(t.self, t.parent);
	for (let i = 1; i < n; i++) {
		t.depth[i] = t.depth[t.parent[i]] + 1;
		t.deepest = Math.max(t.deepest, t.depth[i]);
	}
	const { total, func } = t, name = model.funcs.all.name;
	const byName = (a, b) => name[func[a]] < name[func[b]] ||
		(name[func[a]] === name[func[b]] && a < b);
	linkOrdered(t, order === 'name' ? byName :
		(a, b) => total[a] > total[b] || (total[a] === total[b] && a < b));
	return t;
}

/**
 * The groups of a selection: label, and weight and samples of each merged node
 * by itself.
 */
function groupsOf(filtered, split) {
	const { model } = filtered, { samples } = model.data, { at } = model.merged;
	if (split === 'none') {
		return [{ label: '', weight: filtered.self,
			count: filtered.selfCount }];
	}
	const of = model.groups(filtered, split), groups = of.labels.map(
		(label) => ({ label, weight: null, count: null, samples: [] }));
	filtered.each((i) => groups[of.group[samples.thread[i]]].samples.push(i));
	return groups.filter((g) => g.samples.length !== 0);
}

/** Columns of merged nodes that are used for one group after the other. */
class Scratch {
	constructor(n) {
		this.weight = new Float64Array(n);
		this.count = new Float64Array(n);
		this.nodeOf = new Int32Array(n);
		this.used = new Uint8Array(n);
	}

	/** Calls fn with the columns of a group, and its nodes in their order. */
	with(model, group, fn) {
		const { weight, count, used } = this, { parent } = model.merged;
		const list = this.take(model, group), n = list.length;
		for (let k = 0; k < n; k++) {
			for (let i = parent[list[k]]; used[i] === 0; i = parent[i]) {
				used[i] = 1;
				list.push(i);
			}
		}
		const order = this.inOrder(list);
		fn(group.weight || weight, group.count || count, order);
		for (const i of order) {
			weight[i] = count[i] = used[i] = 0;
		}
	}

	/** Sorts a list of all nodes used: by a look at each, if they are many. */
	inOrder(list) {
		const { used } = this, order = Int32Array.from(list);
		if (list.length < used.length / 16) {
			return order.sort();
		}
		for (let i = 0, k = 0; i < used.length; i++) {
			if (used[i] !== 0) {
				order[k++] = i;
			}
		}
		return order;
	}

	/** The nodes that have samples of a group themselves, and the root. */
	take(model, group) {
		const { weight, count, used } = this, list = [0];
		const { samples } = model.data, { at, n } = model.merged;
		used[0] = 1;
		for (const s of group.samples || []) {
			const node = at[samples.stack[s]];
			weight[node] += samples.weight[s];
			count[node] += model.counts[s];
			if (used[node] === 0) {
				used[node] = 1;
				list.push(node);
			}
		}
		for (let i = 1; group.samples === undefined && i < n; i++) {
			if (group.count[i] > 0) {
				used[i] = 1;
				list.push(i);
			}
		}
		return list;
	}
}

/** Adds a group's paths below `top`, outermost first. */
function growDown(nodes, model, top, scratch, group) {
	const { parent, func } = model.merged, { nodeOf } = scratch;
	scratch.with(model, group, (weight, count, order) => {
		nodeOf[0] = top;
		nodes.count(top, weight[0], count[0]);
		for (let k = 1; k < order.length; k++) {
			const i = order[k];
			const node = nodes.add(nodeOf[parent[i]], func[i]);
			nodeOf[i] = node;
			nodes.self[node] = weight[i];
			nodes.samples[node] = count[i];
		}
	});
}

/** The nodes of a group that have samples, with what they weigh. */
function entriesOf(model, scratch, group) {
	const out = { node: [], weight: [], count: [] };
	scratch.with(model, group, (weight, count, order) => {
		for (const i of order) {
			if (count[i] > 0) {
				out.node.push(i);
				out.weight.push(weight[i]);
				out.count.push(count[i]);
			}
		}
	});
	return out;
}

/** Entries of one node, each at its place on the way outwards. */
class Wave {
	constructor(model, group) {
		this.at = Int32Array.from(group.node);
		this.weight = Float64Array.from(group.weight);
		this.count = Float64Array.from(group.count);
		this.order = Int32Array.from(group.node, (_, i) => i);
		this.spare = new Int32Array(this.order.length);
		this.funcs = model.funcs.all.n;
	}

	/**
	 * Sorts entries from...to by function: those at the root first.  Returns
	 * where each family begins.
	 */
	split(from, to, func) {
		const size = new Map(), { at, order, spare } = this;
		for (let k = from; k < to; k++) {
			const f = at[order[k]] === 0 ? -1 : func[at[order[k]]];
			size.set(f, (size.get(f) || 0) + 1);
		}
		const starts = [];
		let sum = from;
		for (const [f, n] of [...size].sort((a, b) => a[0] - b[0])) {
			starts.push({ func: f, from: sum, to: sum + n });
			size.set(f, sum);
			sum += n;
		}
		for (let k = from; k < to; k++) {
			const f = at[order[k]] === 0 ? -1 : func[at[order[k]]];
			const where = size.get(f);
			spare[where] = order[k];
			size.set(f, where + 1);
		}
		order.set(spare.subarray(from, to), from);
		return starts;
	}

	/** Counts entries at a node and forgets them. */
	settle(nodes, node, from, to) {
		for (let k = from; k < to; k++) {
			const e = this.order[k];
			nodes.count(node, this.weight[e], this.count[e]);
		}
	}

	total(from, to) {
		let sum = 0;
		for (let k = from; k < to; k++) {
			sum += this.weight[this.order[k]];
		}
		return sum;
	}
}

/**
 * Adds a group's paths below `top`, innermost first.  Nodes below `min` get no
 * children: what is above them counts as theirs.
 */
function growUp(nodes, model, group, top, min) {
	const { parent, func } = model.merged, wave = new Wave(model, group);
	const todo = [{ node: top, from: 0, to: wave.order.length }];
	for (let head = 0; head < todo.length; head++) {
		const { node, from, to } = todo[head];
		for (const part of wave.split(from, to, func)) {
			if (part.func < 0) {
				wave.settle(nodes, node, part.from, part.to);
				continue;
			}
			const kid = nodes.add(node, part.func);
			if (wave.total(part.from, part.to) < min) {
				wave.settle(nodes, kid, part.from, part.to);
				nodes.cut++;
				continue;
			}
			for (let k = part.from; k < part.to; k++) {
				const e = wave.order[k];
				wave.at[e] = parent[wave.at[e]];
			}
			todo.push({ node: kid, from: part.from, to: part.to });
		}
		todo[head] = todo[0];
	}
}

const MANY = 20000;

/** Where a tree the other way begins to leave out: only in large ones. */
function leastOf(entries, sum, options) {
	return options.min !== undefined ? options.min :
		entries > MANY ? sum / 5000 : 0;
}

/**
 * @param {any} filtered @param {TreeOptions} options
 * @returns {Tree}
 */
export function buildTree(filtered, options) {
	const { model } = filtered, split = options.split || 'none';
	const { n } = model.merged, scratch = new Scratch(n);
	const nodes = new Nodes(options.inverted ? 1024 : n);
	for (const g of groupsOf(filtered, split)) {
		const top = split === 'none' ? 0 :
			nodes.add(0, model.funcs.label(g.label));
		if (!options.inverted) {
			growDown(nodes, model, top, scratch, g);
			continue;
		}
		const list = entriesOf(model, scratch, g);
		growUp(nodes, model, list, top, leastOf(list.node.length,
			filtered.weight, options));
	}
	return finishTree(nodes, model, options.order);
}

/** The merged nodes of a function that are not below another one of it. */
function placesOf(model, func) {
	const { merged, funcs } = model, { text } = funcs.all;
	const inside = new Uint8Array(merged.n), places = [];
	for (let i = 1; i < merged.n; i++) {
		inside[i] = inside[merged.parent[i]];
		if (inside[i] === 0 && text[merged.func[i]] === text[func]) {
			inside[i] = 1;
			places.push(i);
		}
	}
	return { inside, places };
}

function calleesOf(filtered, func, found) {
	const { model } = filtered, { parent, func: of, n } = model.merged;
	const nodes = new Nodes(1024), pairs = new Pairs(1024);
	const now = new Int32Array(n);
	const top = new Set(found.places);
	nodes.func[0] = func;
	for (let i = 1; i < n; i++) {
		if (found.inside[i] === 0 || filtered.total[i] === 0) {
			continue;
		}
		if (!top.has(i)) {
			now[i] = pairs.put(now[parent[i]], of[i]);
			if (now[i] === nodes.n) {
				nodes.add(now[parent[i]], of[i]);
			}
		}
		nodes.count(now[i], filtered.self[i], filtered.selfCount[i]);
	}
	return nodes;
}

function callersOf(filtered, func, found) {
	const { model } = filtered, nodes = new Nodes(1024);
	const places = found.places.filter((i) => filtered.total[i] > 0);
	const list = { node: places.map((i) => model.merged.parent[i]),
		weight: places.map((i) => filtered.total[i]),
		count: places.map((i) => filtered.totalCount[i]) };
	nodes.func[0] = func;
	growUp(nodes, model, list, 0, leastOf(places.length,
		filtered.weight, {}));
	return nodes;
}

/** Who calls a function, and whom it calls; both roots are the function. */
export function buildSandwich(filtered, func, options) {
	const found = placesOf(filtered.model, func);
	const finish = (nodes) => finishTree(nodes, filtered.model,
		options && options.order);
	return { callers: finish(callersOf(filtered, func, found)),
		callees: finish(calleesOf(filtered, func, found)) };
}
