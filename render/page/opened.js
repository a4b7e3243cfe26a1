// SPDX-License-Identifier: MIT
// @ts-check
// The calls of each group of threads, made when the group is opened: those of a
// million samples by thread would be millions of nodes, of which a table shows
// a thousand rows.
import { entriesOf, growUp, treeOf, Wave } from './tree.js';
import { Nodes, SLICES, SMALL } from './nodes.js';
import { rowBy } from './rows.js';

/** Adds the calls of samples from...to of a row below a node. */
function growDown(nodes, { size, parent, func }, row, from, to, top) {
	// Samples are sorted by path: paths[0...deep] leads to the latest one.
	const paths = [0], made = [top];
	let deep = 0;
	for (let k = from; k < to; k++) {
		const where = row.where[k];
		while (where - paths[deep] >>> 0 >= size[paths[deep]]) {
			deep--;
		}
		const above = deep;
		for (let i = where; i !== paths[above]; i = parent[i]) {
			paths[++deep] = i;
		}
		for (let i = above + 1, j = deep; i < j; i++, j--) {
			[paths[i], paths[j]] = [paths[j], paths[i]];
		}
		for (let i = above; i < deep; i++) {
			made[i + 1] = nodes.add(made[i], func[paths[i + 1]]);
		}
		nodes.count(made[deep], row.weighs[k], row.counts[k]);
	}
}

/**
 * Adds the groups of a row.  What is below each is one node, but samples without
 * a stack are the group's own.
 */
function addClosed(nodes, { labels, ends, where, weighs, counts }) {
	return labels.flatMap((label, g) => {
		const from = ends[g - 1] || 0, to = ends[g];
		if (from === to) {
			return [];
		}
		const top = nodes.add(0, label), rest = nodes.add(top, SMALL);
		for (let k = from; k < to; k++) {
			nodes.count(where[k] ? rest : top, weighs[k], counts[k]);
		}
		return [{ top, from, to }];
	});
}

/** Takes away what a closed group weighs, as its nodes will. */
function empty(nodes, top) {
	nodes.self.fill(0, top, top + 2);
	nodes.samples.fill(0, top, top + 2);
}

/**
 * The tree of a picture from the innermost functions outwards: nodes narrower
 * than a pixel are one, but those of the group that is zoomed, whose samples
 * stand from...to in the row.
 * @param {any} filtered @param {import('./tree.js').TreeOptions} options
 * @param {number} from @param {number} to @returns {import('./tree.js').Tree}
 */
export function buildApart(filtered, options, from, to) {
	const row = rowBy(filtered, options), { model } = filtered;
	const wave = new Wave(model), pixel = filtered.weight / SLICES;
	/** @type {any} with columns of its own */
	const nodes = new Nodes(1024, 'start', 'end');
	for (const group of addClosed(nodes, row)) {
		const { top } = group, { n } = nodes;
		const zoomed = group.from === from && group.to === to;
		// A group of less than two pixels shares a box with its neighbours.
		if (zoomed || nodes.self[top] + nodes.self[top + 1] > 2 * pixel) {
			empty(nodes, top);
			growUp(nodes, wave, entriesOf(row, group.from, group.to), top,
				zoomed ? 0 : pixel);
		} else {
			nodes.cut++;
		}
		for (const [i, j] of [[top, top + 2], [n, nodes.n]]) {
			nodes.start.fill(group.from, i, j);
			nodes.end.fill(group.to, i, j);
		}
	}
	return Object.assign(treeOf(nodes, model, options.order), {
		start: nodes.column(nodes.start), end: nodes.column(nodes.end) });
}

/**
 * A tree in which what is below a group is one node until grow() makes it.
 * grow(chosen) makes the calls of the groups that chosen(top) accepts and
 * returns the tree with them; nodes keep their numbers.
 * @param {any} filtered @param {import('./tree.js').TreeOptions} options
 * @returns {{tree: import('./tree.js').Tree}} the latest one, and what it is
 *   made of: kept as long
 */
export function callsByGroup(filtered, { split, inverted }) {
	const { model } = filtered, row = rowBy(filtered, { split });
	const nodes = new Nodes(1024);
	let closed = addClosed(nodes, row);
	/** @type {any} */
	const held = { row };
	const make = () => {
		held.nodes = { ...nodes, column: (all) => all.slice(0, nodes.n) };
		return held.tree = Object.assign(treeOf(held.nodes, model), { grow });
	};
	const open = ({ top, from, to }) => {
		empty(nodes, top);
		if (inverted) {
			growUp(nodes, new Wave(model), entriesOf(row, from, to), top);
		} else {
			growDown(nodes, model.merged, row, from, to, top);
		}
	};
	const grow = (chosen) => {
		const some = closed.filter(({ top }) => chosen(top));
		closed = closed.filter((group) => !some.includes(group));
		some.forEach(open);
		return some.length === 0 ? held.tree : make();
	};
	make();
	return held;
}
