// SPDX-License-Identifier: MIT
// @ts-check
// The calls of each group of threads, made when the group is opened: those of a
// million samples by thread would be millions of nodes, of which a table shows
// a thousand rows.
import { entriesOf, growUp, leastOf, treeOf, Wave } from './tree.js';
import { Nodes, SMALL } from './nodes.js';
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
 * A tree in which what is below a group is one node until grow() makes it.
 * grow(chosen) makes the calls of the groups that chosen(top) accepts and
 * returns the tree with them; nodes keep their numbers.
 * @param {any} filtered @param {import('./tree.js').TreeOptions} options
 * @returns {import('./tree.js').Tree}
 */
export function callsByGroup(filtered, { split, inverted }) {
	const { model } = filtered, row = rowBy(filtered, { split });
	const nodes = new Nodes(1024), closed = new Map();
	const make = () => Object.assign(treeOf({ ...nodes, column: (all) =>
		all.slice(0, nodes.n) }, model), { grow });
	const open = ([from, to], top) => {
		const weight = nodes.self[top] + nodes.self[top + 1];
		closed.delete(top);
		nodes.self.fill(0, top, top + 2);
		nodes.samples.fill(0, top, top + 2);
		if (inverted) {
			const list = entriesOf(row, from, to);
			growUp(nodes, new Wave(model), list, top,
				leastOf(list.node.length, { weight }));
		} else {
			growDown(nodes, model.merged, row, from, to, top);
		}
	};
	const grow = (chosen) => {
		const some = [...closed].filter(([top]) => chosen(top));
		some.forEach(([top, ends]) => open(ends, top));
		return tree = some.length === 0 ? tree : make();
	};
	row.labels.forEach((label, g) => {
		const from = row.ends[g - 1] || 0, to = row.ends[g];
		if (from < to) {
			const top = nodes.add(0, label), rest = nodes.add(top, SMALL);
			closed.set(top, [from, to]);
			for (let k = from; k < to; k++) { // those without a stack: its own
				nodes.count(row.where[k] ? rest : top, row.weighs[k],
					row.counts[k]);
			}
		}
	});
	let tree = make();
	return tree;
}
