// SPDX-License-Identifier: MIT
// @ts-check
// Trees of a selection: calls from the outermost inwards or the other way,
// whole or split by command, process or thread.
import { free } from './decode.js';
import { Nodes, SMALL } from './nodes.js';
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
 * @property {(node: number) => number} first child, 0: none
 * @property {Int32Array} next sibling, 0: none; of those asked for
 * @property {Uint16Array} tall rows above each node
 * @property {number} cut how many nodes were left out, or samples go on there
 * @property {(chosen: (top: number) => boolean) => Tree} [grow] of trees whose
 *   groups are opened one by one: opened.js
 * @property {ArrayLike<number>} [sums] samples with those of all above it
 * @property {Uint8Array} [looks] of trees of all time: waits.js
 * @property {number[][]} [met] and classes of waits, each with its function
 * @property {Float64Array[]} [parts] of trees of all time: how much of it
 *   threads ran, could run, and waited
 * @property {Int32Array} [start] of trees of a row: where each node starts, or
 *   its group
 * @property {Int32Array} [end] and ends
 * @property {(node: number) => Tree} [finer] of pictures that leave out what is
 *   small: the same with more of a node
 */

/** @typedef {{inverted?: boolean, split?: string, order?: string,
 *   zoom?: string}} TreeOptions */

/** Compares nodes by name, the last first; the root has none. */
function byName(func, { funcs: { all: { name } } }) {
	return (a, b) => {
		const x = name[func[a]] || '', y = name[func[b]] || '';
		return x > y ? -1 : +(x < y);
	};
}

// So many children, or nodes with samples, that work on all is felt.
const MANY = 20000;

/**
 * Sorts as Array.sort() does, but many: by 16 bits of the keys at a time, the
 * lowest first.  The bits of floats that are not negative sort as these do.
 */
function sortMany(list, key) {
	const bits = new Uint16Array(key.buffer);
	for (let digit = 0; digit < 4; digit++) {
		const of = (k) => bits[k * 4 + digit];
		const ends = new Uint32Array(0x10001), out = new Uint32Array(list.length);
		list.forEach((k) => ends[of(k) + 1]++);
		for (let i = 1; i < ends.length; i++) {
			ends[i] += ends[i - 1];
		}
		list.forEach((k) => out[ends[of(k)]++] = k);
		list = out;
	}
	return list;
}

/**
 * Links the children of a node that weigh something: the heaviest first, or in
 * the order of `compare', the last first; null: as they stand.  Answers the
 * first.
 */
function linkKids({ total, next }, { last, prior }, node, compare) {
	const kids = [];
	for (let k = last[node]; k !== 0; k = prior[k]) {
		if (total[k] > 0) {
			kids.push(k);
		}
	}
	// Alike: last first, as now.
	const sorted = compare === null ? kids : compare ? kids.sort(compare) :
		kids.length > MANY ? sortMany(kids, total) :
			kids.sort((a, b) => total[a] - total[b]);
	return sorted.reduce((after, k) => {
		next[k] = after;
		return k;
	}, 0);
}

/** What nodes weigh with what is above them, and how many rows that has. */
function sumsAndRows({ n, parent }, self) {
	// What stays 0, as most does of a small selection, takes no memory.
	const total = new Float64Array(n), tall = new Uint16Array(n);
	for (let i = n - 1; i >= 0; i--) {
		const sum = total[i] + self[i];
		if (sum) {
			const above = parent[i], rows = tall[i];
			total[i] = sum;
			total[above] += i && sum;
			if (i && sum > 0 && tall[above] <= rows) {
				tall[above] = rows + 1;
			}
		}
	}
	return { total, tall };
}

/**
 * A tree of a shape whose nodes weigh that.  Children are linked when they are
 * asked for: of a million nodes a picture shows thousands.
 * @returns {Tree}
 */
function finishTree(shape, func, { self, samples }, model, order) {
	const { n, parent, depth, cut } = shape, linked = new Int32Array(n);
	const { total, tall } = sumsAndRows(shape, self);
	const compare = order === 'name' ? byName(func, model) :
		order === 'time' ? null : undefined;
	const t = { n, cut, parent, func, self, samples, depth, total, tall,
		next: new Int32Array(n),
		first: (i) => linked[i] = linked[i] || linkKids(t, shape, i, compare) };
	return t;
}

/** A tree of nodes that no other tree has. @param {string} [order] */
export function treeOf(nodes, model, order) {
	const shape = new Shape(nodes);
	return finishTree(shape, shape.func, { self: nodes.column(nodes.self),
		samples: nodes.column(nodes.samples) }, model, order);
}

/** Entries on their way outwards, those of a node together. */
export class Wave {
	constructor(model) {
		const n = model.funcs.all.n + 1;
		this.model = model;
		this.next = new Int32Array(n); // these by function
		this.sum = new Float64Array(n);
		this.samples = new Float64Array(n);
	}

	/** Takes the entries of a group. @param {any} entries */
	begin({ node, weight, count }) {
		this.at = node;
		this.weight = weight;
		this.count = count;
		this.order = node.map((_, e) => e);
		this.spare = new Int32Array(node.length);
	}

	/** Counts entries from...to by function; those at the root are the first. */
	families(from, to) {
		const { at, order, next, weight, count, sum, samples } = this;
		const { func } = this.model.merged, found = [];
		for (let k = from; k < to; k++) {
			const e = order[k], f = func[at[e]] + 1;
			if (next[f]++ === 0) {
				found.push(f);
				sum[f] = samples[f] = 0;
			}
			sum[f] += weight[e];
			samples[f] += count[e];
		}
		return Int32Array.from(found).sort();
	}

	/** Takes entries from...to, but for what is settled, a step outwards. */
	outwards(from, to, end) {
		const { at, order, spare, next } = /** @type {any} */ (this);
		const { func, parent } = this.model.merged;
		for (let k = from; k < to; k++) {
			const e = order[k], i = at[e];
			if (next[func[i] + 1] >= 0) {
				spare[next[func[i] + 1]++] = e;
				at[e] = parent[i];
			}
		}
		order.set(spare.subarray(from, end), from);
	}
}

const sumOf = (list) => list.reduce((a, b) => a + b, 0);

/**
 * Adds a group's paths below `top`, innermost first.  Nodes that weigh less than
 * `pixel' are one; of many, the smallest get no children: what is above them
 * counts as theirs.
 */
export function growUp(nodes, wave, group, top, pixel = 0) {
	const { next, sum, samples } = wave, min = pixel ||
		(group.node.length > MANY ? sumOf(group.weight) / 5000 : 0);
	wave.begin(group);
	const todo = [{ node: top, from: 0, to: wave.order.length }];
	for (let head = 0; head < todo.length; head++) {
		const { node, from, to } = todo[head];
		const found = wave.families(from, to);
		let end = from, rest = 0;
		for (const f of found) {
			const n = next[f], small = f !== 0 && sum[f] < min;
			const kid = f === 0 ? node : small && rest || nodes.add(node,
				small && pixel ? SMALL : f - 1);
			if (f === 0 || small) {
				rest = pixel && f && kid;
				nodes.count(kid, sum[f], samples[f]);
				nodes.cut += f && n;
				next[f] = -1;
			} else {
				todo.push({ node: kid, from: end, to: end + n });
				next[f] = end;
				end += n;
			}
		}
		wave.outwards(from, to, end);
		found.forEach((f) => next[f] = 0);
		todo[head] = todo[0];
	}
	free(wave.at, wave.weight, wave.count, wave.order, wave.spare);
}

/** What stands in a row from...to, by node: those alike are neighbours. */
export function entriesOf({ where, weighs, counts }, from, to) {
	const node = new Int32Array(to - from), weight = new Float64Array(to - from);
	const count = new Uint32Array(to - from);
	let n = 0;
	for (let k = from; k < to; k++) {
		const at = where ? where[k] : k;
		if (counts[k] > 0) {
			n -= +(node[n - 1] === at); // it is there
			node[n] = at;
			weight[n] += weighs[k];
			count[n++] += counts[k];
		}
	}
	return { node: node.subarray(0, n), weight, count };
}

/** The shape of both sides, with the groups as they are called in this one. */
function shapeFor(filtered, split) {
	const { model } = filtered;
	const { shape, func } = shapeOf(model.bothSides(filtered), split);
	return { shape, func: split !== 'none' && model.sides !== null &&
		shape.renamed(filtered, model.groups(filtered, split)) || func };
}

/**
 * A tree from the innermost functions outwards.
 * @param {any} filtered @param {TreeOptions} options
 */
function buildInverted(filtered, { split = 'none', order }) {
	const { model } = filtered, nodes = new Nodes(1024), wave = new Wave(model);
	const { shape, func } = shapeFor(filtered, split);
	const { self, samples } = shape.weigh(filtered), { merged, tops } = shape;
	tops.slice(1).forEach((end, g) => {
		const list = entriesOf({ where: merged, weighs: self, counts: samples },
			tops[g], end);
		if (list.node.length > 0) {
			growUp(nodes, wave, list, split === 'none' ? 0 :
				nodes.add(0, func[tops[g]]));
		}
	});
	return treeOf(nodes, model, order);
}

/** @param {any} filtered @param {TreeOptions} options @returns {Tree} */
export function buildTree(filtered, options) {
	if (options.inverted) {
		return buildInverted(filtered, options);
	}
	const { model } = filtered;
	const { shape, func } = shapeFor(filtered, options.split || 'none');
	return finishTree(shape, func, shape.weigh(filtered), model, options.order);
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
	const { model, own } = filtered, { parent, func: of, n } = model.merged;
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
		nodes.count(now[i], own.weight[i], own.count[i]);
	}
	return nodes;
}

function callersOf(filtered, func, found) {
	const { model, total, own } = filtered, nodes = new Nodes(1024);
	const { parent } = model.merged, counts = sumUp(own.count, parent);
	const places = found.places.filter((i) => total[i] > 0);
	const list = { node: Int32Array.from(places, (i) => parent[i]),
		weight: Float64Array.from(places, (i) => total[i]),
		count: Float64Array.from(places, (i) => counts[i]) };
	nodes.func[0] = func;
	growUp(nodes, new Wave(model), list, 0);
	return nodes;
}

/** Who calls a function, and whom it calls; both roots are the function. */
export function buildSandwich(filtered, func) {
	const found = placesOf(filtered.model, func);
	const { model } = filtered, { text } = model.funcs.all;
	const callees = treeOf(calleesOf(filtered, func, found), model);
	return { callers: treeOf(callersOf(filtered, func, found), model), callees,
		// What the function cost in itself, also where it called itself.
		self: callees.self.reduce((sum, v, i) => sum +
			(text[callees.func[i]] === text[func] ? v : 0), 0) };
}
