// SPDX-License-Identifier: MIT
// @ts-check
// Trees of a selection: calls from the outermost inwards or the other way,
// whole or split by command, process or thread.
import { free } from './decode.js';
import { Nodes } from './nodes.js';
import { Pairs } from './paths.js';
import { sumUp } from './filter.js';
import { Shape, shapeOf } from './shape.js';

/**
 * @typedef {object} Tree
 * @property {number} n with nodes that weigh nothing: they are not linked
 * @property {Int32Array} parent of the root: 0
 * @property {Int32Array} func of the root: -1, or the sandwich's function
 * @property {Float64Array} self
 * @property {Float64Array} total
 * @property {Float64Array|Uint32Array} samples at the node itself
 * @property {Uint16Array} depth of the root: 0
 * @property {Int32Array} first child, 0: none
 * @property {Int32Array} next sibling, 0: none
 * @property {Uint16Array} tall rows above each node
 * @property {number} cut how many nodes were left out, or samples go on there
 * @property {ArrayLike<number>} [sums] samples with those of all above it
 * @property {Uint8Array} [looks] of trees of all time: waits.js
 * @property {number[][]} [met] and classes of waits, each with its function
 * @property {Float64Array[]} [parts] of trees of all time: how much of it
 *   threads ran, could run, and waited
 * @property {Int32Array} [start] of trees of a row: where each node starts
 * @property {Int32Array} [end] and ends
 */

/** @typedef {{inverted?: boolean, split?: string, order?: string,
 *   zoom?: string}} TreeOptions */

/** What sorts nodes by name: the first has the greatest number. */
function nameKeys(func, { funcs: { all: { name } } }) {
	const rank = new Map();
	[...new Set(name)].sort().forEach((text, k) => rank.set(text, -k));
	return Float64Array.from(func, (f) => f < 0 ? 0 : rank.get(name[f]));
}

// How many siblings are looked at for a node's place; of more, all are sorted.
const NEAR = 8;

/** Sorts the children of a node, the greatest key first. */
function sortKids({ first, next }, node, key) {
	const kids = [];
	for (let k = first[node]; k !== 0; k = next[k]) {
		kids.push(k);
	}
	kids.sort((a, b) => key[a] - key[b] || b - a);
	first[node] = 0;
	for (const kid of kids) {
		next[kid] = first[node];
		first[node] = kid;
	}
}

/** Links the children that weigh something; key: null if they are in order. */
function linkOrdered(t, key) {
	const { n, parent, total, first, next, tall } = t, many = new Set();
	for (let i = n - 1; i > 0; i--) {
		if (total[i] <= 0) {
			continue;
		}
		const above = parent[i];
		let before = 0, after = first[above];
		for (let k = NEAR; key !== null && after !== 0 && key[after] > key[i];
			k--) {
			if (k === 0) {
				many.add(above);
				break;
			}
			before = after;
			after = next[after];
		}
		next[i] = after;
		if (before === 0) {
			first[above] = i;
		} else {
			next[before] = i;
		}
		if (tall[above] <= tall[i]) {
			tall[above] = tall[i] + 1;
		}
	}
	many.forEach((node) => sortKids(t, node, key));
}

/** A tree of a shape whose nodes weigh that.  @returns {Tree} */
function finishTree(shape, func, { self, samples, total }, model, order) {
	const { n, parent, depth, cut } = shape;
	const t = { n, cut, parent, func, self, samples, depth,
		total: total || sumUp(self, parent), first: new Int32Array(n),
		next: new Int32Array(n), tall: new Uint16Array(n) };
	linkOrdered(t, order === 'name' ? nameKeys(func, model) :
		order === 'time' ? null : t.total);
	return t;
}

/** A tree of nodes that no other tree has. @param {string} [order] */
export function treeOf(nodes, model, order) {
	const shape = new Shape(nodes);
	return finishTree(shape, shape.func, { self: nodes.column(nodes.self),
		samples: nodes.column(nodes.samples), total: undefined }, model, order);
}

/** Entries of one node, each at its place on the way outwards. */
class Wave {
	constructor(model, group) {
		this.at = group.node;
		this.weight = group.weight;
		this.count = group.count;
		this.order = this.at.map((_, e) => e);
		this.spare = new Int32Array(this.order.length);
		this.next = new Int32Array(model.funcs.all.n + 1); // by function
	}

	/**
	 * Sorts entries from...to by function: those at the root first.  Returns
	 * where each family begins.
	 */
	split(from, to, func) {
		const { at, order, spare, next } = this, found = [];
		for (let k = from; k < to; k++) {
			const f = func[at[order[k]]] + 1;
			if (next[f]++ === 0) {
				found.push(f);
			}
		}
		let sum = from;
		const starts = found.sort((a, b) => a - b).map((f) => {
			const part = { func: f - 1, from: sum, to: sum + next[f] };
			next[f] = sum;
			sum = part.to;
			return part;
		});
		for (let k = from; k < to; k++) {
			spare[next[func[at[order[k]]] + 1]++] = order[k];
		}
		found.forEach((f) => next[f] = 0);
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
				nodes.cut += part.to - part.from;
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
	free(wave.at, wave.weight, wave.count, wave.order, wave.spare, wave.next);
}

const MANY = 20000;

/** Where a tree the other way begins to leave out: only in large ones. */
function leastOf(entries, { weight }) {
	return entries > MANY ? weight / 5000 : 0;
}

/** Nodes from...to that have samples themselves, with what they weigh. */
function entriesOf(shape, { self, samples }, from, to) {
	const node = new Int32Array(to - from), weight = new Float64Array(to - from);
	const count = new Uint32Array(to - from);
	let n = 0;
	for (let i = from; i < to; i++) {
		if (samples[i] > 0) {
			node[n] = shape.mergedOf(i);
			weight[n] = self[i];
			count[n++] = samples[i];
		}
	}
	return { node: node.subarray(0, n), weight, count };
}

/** @param {any} filtered @param {TreeOptions} options @returns {Tree} */
export function buildTree(filtered, options) {
	const { model } = filtered, split = options.split || 'none';
	const { shape, func } = shapeOf(model.bothSides(filtered), split);
	const weighed = shape.weigh(filtered), { tops } = shape;
	if (!options.inverted) {
		return finishTree(shape, func, weighed, model, options.order);
	}
	const nodes = new Nodes(1024);
	for (let g = 0; g + 1 < tops.length; g++) {
		const list = entriesOf(shape, weighed, tops[g], tops[g + 1]);
		const n = list.node.length;
		if (n !== 0) {
			growUp(nodes, model, list, split === 'none' ? 0 :
				nodes.add(0, func[tops[g]]), leastOf(n, filtered));
		}
	}
	return treeOf(nodes, model, options.order);
}

/** The merged nodes of a function that are not below another one of it. */
function placesOf(model, func) {
	const { merged, funcs } = model, { text } = funcs.all;
	const inside = new Uint8Array(merged.n), places = [];
	for (let i = 1; i < merged.n; i++) {
		inside[i] = inside[merged.parent[i]] === 0 ? 0 : 1;
		if (inside[i] === 0 && text[merged.func[i]] === text[func]) {
			inside[i] = 2;
			places.push(i);
		}
	}
	return { inside, places };
}

function calleesOf(filtered, func, found) {
	const { model } = filtered, { parent, func: of, n } = model.merged;
	const nodes = new Nodes(1024), pairs = new Pairs(1024);
	const now = new Int32Array(n);
	nodes.func[0] = func;
	for (let i = 1; i < n; i++) {
		if (found.inside[i] === 0 || filtered.total[i] === 0) {
			continue;
		}
		if (found.inside[i] === 1) {
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
	const list = { node: Int32Array.from(places, (i) => model.merged.parent[i]),
		weight: Float64Array.from(places, (i) => filtered.total[i]),
		count: Float64Array.from(places, (i) => filtered.totalCount[i]) };
	nodes.func[0] = func;
	growUp(nodes, model, list, 0, leastOf(places.length, filtered));
	return nodes;
}

/** Who calls a function, and whom it calls; both roots are the function. */
export function buildSandwich(filtered, func) {
	const found = placesOf(filtered.model, func);
	const finish = (nodes) => treeOf(nodes, filtered.model);
	return { callers: finish(callersOf(filtered, func, found)),
		callees: finish(calleesOf(filtered, func, found)) };
}
