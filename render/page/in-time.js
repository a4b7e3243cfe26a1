// SPDX-License-Identifier: MIT
// @ts-check
// Trees of samples that stand in a row: neighbours that were called alike are
// one.  In the order of time, or those of a group by path, which makes a tree
// like others.  Of many samples only what can be seen becomes nodes.
import { free, upTo } from './decode.js';
import { SMALL, Nodes } from './nodes.js';
import { Filtered, flagsOf } from './filter.js';
import { sortedBy } from './shape.js';
import { treeOf } from './tree.js';

// Of more samples, what weighs less than a slice of them all, or of the frame
// that is zoomed, may be left out: it is narrower than a pixel.
const ALL = 20000, SLICES = 2048;

/**
 * All samples in the order of a row: by thread and time, or by group and path;
 * groups are always those of a split by thread.  Also the merged node and the
 * weight of each sample in that order, so that a selection reads the memory
 * from one end to the other; and where each thread or group ends.
 */
function standing(model, { labels, group }, timed) {
	const { data: { threads, samples }, merged } = model;
	const { n, thread, stack, weight } = samples;
	return model.keepAll(timed ? 'by thread' : 'by group', () => {
		const all = new Filtered(model, model.whole(-1)).kept;
		const { list, ends } = timed ?
			sortedBy(all, threads.n, thread, upTo(threads.n)) :
			sortedBy(sortedBy(all, merged.n, stack, merged.at).list,
				labels.length, thread, group);
		const nodes = new Uint32Array(n), weighs = new Float64Array(n);
		list.forEach((i, k) => {
			nodes[k] = merged.at[stack[i]];
			weighs[k] = weight[i];
		});
		return { list, ends, nodes, weighs };
	});
}

/** A row of samples; of its nodes those that are open at a place of it. */
class Row {
	constructor(filtered, groups, timed, inverted) {
		const { model, kept } = filtered, n = kept.length;
		const { labels, group } = groups;
		this.filtered = filtered;
		this.timed = timed;
		this.turned = inverted;
		this.n = 0;
		this.ends = new Uint32Array(labels.length); // 0: of none
		this.where = new Uint32Array(n);
		this.weighs = new Float64Array(n);
		this.counts = new model.counts.constructor(n);
		this.who = new Uint32Array(timed ? n : 0);
		const some = flagsOf(kept, model.data.samples.n);
		const stand = standing(model, groups, timed);
		const all = upTo(timed ? group.length : labels.length);
		for (const part of timed ?
			sortedBy(all, labels.length, all, group).list : all) {
			this.fill(stand, part, some);
			this.ends[timed ? group[part] : part] = this.n;
		}
		/** @type {any} with columns of its own */
		this.grown = new Nodes(4096, 'start', 'end');
		/** @type {{node: number, trail: number, cost: number,
		 *   counts: number}[]} open[n]: where n functions are open; with
		 *   what is small and goes on from there */
		this.opened = [];
		this.to = 0; // where they end
		this.goesOn = 0; // 1: so does the latest sample of common()
	}

	/** Adds the selected samples of a thread or group. */
	fill({ list, ends, nodes, weighs }, part, some) {
		const { where, who, filtered: { model: { counts } } } = this;
		let at = this.n;
		for (let k = ends[part - 1] || 0; k < ends[part]; k++) {
			const i = list[k];
			if (some[i] === 1) {
				where[at] = nodes[k];
				this.counts[at] = counts[i];
				this.weighs[at++] = weighs[k];
			}
		}
		who.fill(part, this.n, at);
		this.n = at;
	}

	/** What comes next is of another group. */
	begin(label, at) {
		this.close(0);
		this.opens(label === null ? 0 : this.grown.add(0, label), -1, at);
	}

	opens(node, trail, at) {
		this.grown.start[node] = at;
		this.opened.push({ node, trail, cost: 0, counts: 0 });
	}

	/** Leaves only the first n. */
	close(n) {
		while (this.opened.length > n) {
			const last = this.opened[this.opened.length - 1];
			this.settle(last);
			this.grown.end[last.node] = this.to;
			this.opened.pop();
		}
	}

	/** What is small below a node becomes one. */
	settle(open) {
		const { cost, counts, node } = open, { grown } = this;
		if (counts > 0) {
			grown.count(grown.add(node, SMALL), cost, counts);
			grown.cut += counts;
			open.cost = open.counts = 0;
		}
	}

	/** The way to a sample: functions if it is inverted, or merged nodes. */
	path(at) {
		const { parent, func } = this.filtered.model.merged, out = [];
		for (let i = this.where[at]; i !== 0; i = parent[i]) {
			out.push(this.turned ? func[i] : i);
		}
		return this.turned ? out : out.reverse();
	}

	/** How much of the first n parts of a path a sample has. */
	common(path, n, at) {
		const { size } = this.filtered.model.merged, where = this.where[at];
		while (n > 0 && where - path[n - 1] >>> 0 >= size[path[n - 1]]) {
			n--;
		}
		this.goesOn = where === (n === 0 ? 0 : path[n - 1]) ? 0 : 1;
		return n;
	}

	/** The same of functions. */
	alike(path, n, at) {
		const { parent, func } = this.filtered.model.merged;
		let k = 0, i = this.where[at];
		for (; k < n && i !== 0 && func[i] === path[k]; k++) {
			i = parent[i];
		}
		this.goesOn = i === 0 ? 0 : 1;
		return k;
	}

	/**
	 * Runs from a place to another: neighbours that have the first parts of
	 * its path in common, each fewer, while these are more than `least'.
	 * costs, counts: [of those that end there, of those that go on]
	 */
	runs(first, end, least) {
		const { weighs, counts } = this;
		/** @type {any[]} */
		const out = [];
		const path = this.path(first), by = first < end ? 1 : -1;
		let n = path.length;
		/** @type {any} */
		let run = null;
		for (let at = first; at !== end; at += by) {
			n = this.apart(at, first) ? 0 : n;
			n = this.turned ? this.alike(path, n, at) :
				this.common(path, n, at);
			if (n <= least) {
				break;
			}
			if (n !== run?.n) {
				out.push(run = { path, n, from: at, to: at + 1,
					costs: [0, 0], counts: [0, 0] });
			}
			if (by > 0) {
				run.to = at + 1;
			} else {
				run.from = at;
			}
			run.costs[this.goesOn] += weighs[at];
			run.counts[this.goesOn] += counts[at];
		}
		return out;
	}

	/** Does what is at two places not belong together? */
	apart(a, b) {
		return this.who[a] !== this.who[b];
	}

	/** Adds samples from...to: the runs at both ends, and what is between. */
	piece(from, to) {
		const ahead = this.runs(from, to, -1), last = ahead[ahead.length - 1];
		const back = this.runs(to - 1, from - 1, last.n).reverse();
		for (const run of back) {
			last.costs[1] -= run.costs[0] + run.costs[1];
			last.counts[1] -= run.counts[0] + run.counts[1];
		}
		if (this.apart(from, from - 1)) {
			this.close(1);
		}
		ahead.concat(back).forEach((run) => this.add(run));
		this.shrink();
	}

	add({ path, n, from, to, costs, counts }) {
		const { opened: open, grown } = this;
		const { func } = this.filtered.model.merged;
		let k = 0;
		while (k < n && open[k + 1]?.trail === path[k]) {
			k++;
		}
		this.close(k + 1);
		for (; k < n; k++) {
			const part = path[k];
			if (this.timed) {
				this.settle(open[k]);
			}
			this.opens(grown.add(open[k].node, this.turned ? part :
				func[part]), part, from);
		}
		this.to = to;
		grown.count(open[n].node, costs[0], counts[0]);
		open[n].cost += costs[1];
		open[n].counts += counts[1];
	}

	shrink() {
		const { opened: open } = this, to = this.grown.shrink(this.filtered,
			open.map(({ node }) => node));
		if (to !== null) {
			open.forEach((o) => o.node = to[o.node]);
		}
	}

	/** What a slice of samples from...to weighs; 0: each is one. */
	sliceOf(from, to) {
		let sum = 0;
		for (let at = from; at < to; at++) {
			sum += this.weighs[at];
		}
		return to - from <= ALL ? 0 : sum / SLICES;
	}

	/** Where a slice that weighs most ends, which begins there. */
	sliceEnd(at, end, most) {
		let sum = 0;
		do {
			sum += this.weighs[at++];
		} while (at < end && sum < most);
		return at;
	}

	/** @returns {import('./tree.js').Tree} */
	tree(order) {
		const { grown, filtered: { model } } = this;
		this.close(0);
		free(this.where, this.weighs, this.counts);
		return Object.assign(treeOf(grown, model, order), { start:
			grown.column(grown.start), end: grown.column(grown.end) });
	}
}

/**
 * @param {any} filtered @param {import('./tree.js').TreeOptions} options
 * @param {number} from the first place in the row that needs more
 * @param {number} to and the end of these
 * @returns {import('./tree.js').Tree}
 */
export function buildRow(filtered, options, from = 0, to = 0) {
	const { model } = filtered, { split = 'none', order } = options;
	const groups = split !== 'none' ? model.groups(filtered, split) :
		{ labels: [0], group: new Int32Array(model.data.threads.n) };
	const timed = order === 'time';
	const made = new Row(filtered, groups, timed, options.inverted);
	const { ends, weighs } = made;
	const least = made.sliceOf(0, weighs.length);
	const fine = made.sliceOf(from, to);
	let at = 0;
	for (let g = 0; at < weighs.length; g++) {
		if (ends[g] > at) {
			made.begin(split === 'none' ? null :
				model.funcs.label(groups.labels[g]), at);
		}
		for (let next = at; at < ends[g]; at = next) {
			const stop = [from, to, ends[g]].find((k) => k > at && k <= ends[g]);
			next = made.sliceEnd(at, stop,
				at >= from && at < to ? fine : least);
			made.piece(at, next);
		}
	}
	return made.tree(order);
}
