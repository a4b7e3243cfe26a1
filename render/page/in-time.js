// SPDX-License-Identifier: MIT
// @ts-check
// A tree over a sequence of samples: neighbours with a common path share its
// nodes.  In the order of time that is a flame chart; sorted by path it is the
// usual tree of a group.  Only nodes wide enough to be seen are made.
import { SLICES, SMALL, Nodes } from './nodes.js';
import { rowBy } from './rows.js';
import { treeOf } from './tree.js';

// Of more samples, what weighs less than a slice of them all, or of the frame
// that is zoomed, may be left out: it is narrower than a pixel.
const ALL = 20000;

/** A row of samples; of its nodes those that are open at a place of it. */
class Row {
	/** @param {any} filtered @param {any} row
	 *  @param {import('./tree.js').TreeOptions} options */
	constructor(filtered, row, { order, inverted }) {
		this.filtered = filtered;
		this.timed = order === 'time';
		this.turned = inverted;
		/** @type {any} */
		this.places = row;
		/** @type {any} with columns of its own */
		this.grown = new Nodes(4096, 'start', 'end');
		/** @type {{node: number, trail: number, cost: number,
		 *   counts: number}[]} open[n]: where n functions are open; with
		 *   what is small and goes on from there */
		this.opened = [];
		this.to = 0; // where they end
		this.goesOn = 0; // 1: so does the latest sample of common()
	}

	/** What comes next is of another group. */
	begin(label, at) {
		this.close(0);
		this.opens(label >= 0 ? this.grown.add(0, label) : 0, -1, at);
	}

	opens(node, trail, at) {
		this.grown.start[node] = at;
		this.opened.push({ node, trail, cost: 0, counts: 0 });
	}

	/** Leaves only the first n. */
	close(n) {
		while (this.opened.length > n) {
			const last = /** @type {any} */ (this.opened.pop());
			this.settle(last);
			this.grown.end[last.node] = this.to;
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
		for (let i = this.places.where[at]; i !== 0; i = parent[i]) {
			out.push(this.turned ? func[i] : i);
		}
		return this.turned ? out : out.reverse();
	}

	/** How much of the first n parts of a path a sample has. */
	common(path, n, at) {
		const { size } = this.filtered.model.merged;
		const where = this.places.where[at];
		while (n > 0 && where - path[n - 1] >>> 0 >= size[path[n - 1]]) {
			n--;
		}
		this.goesOn = where === (n === 0 ? 0 : path[n - 1]) ? 0 : 1;
		return n;
	}

	/** The same of functions. */
	alike(path, n, at) {
		const { parent, func } = this.filtered.model.merged;
		let k = 0, i = this.places.where[at];
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
		const { weighs, counts } = this.places;
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
		return this.places.who[a] !== this.places.who[b];
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
			sum += this.places.weighs[at];
		}
		return to - from <= ALL ? 0 : sum / SLICES;
	}

	/** Where a slice that weighs most ends, which begins there. */
	sliceEnd(at, end, most) {
		let sum = 0;
		do {
			sum += this.places.weighs[at++];
		} while (at < end && sum < most);
		return at;
	}
}

/**
 * @param {any} filtered @param {import('./tree.js').TreeOptions} options
 * @param {number} from the first place in the row that needs more
 * @param {number} to and the end of these
 * @returns {import('./tree.js').Tree}
 */
export function buildRow(filtered, options, from = 0, to = 0) {
	const row = rowBy(filtered, options), { ends, weighs, labels } = row;
	const made = new Row(filtered, row, options), { grown } = made;
	const least = made.sliceOf(0, weighs.length);
	const fine = made.sliceOf(from, to);
	let at = 0;
	for (let g = 0; at < weighs.length; g++) {
		if (ends[g] > at) {
			made.begin(labels[g], at);
		}
		for (let next = at; at < ends[g]; at = next) {
			const stop = [from, to, ends[g]].find((k) => k > at && k <= ends[g]);
			next = made.sliceEnd(at, stop,
				at >= from && at < to ? fine : least);
			made.piece(at, next);
		}
	}
	made.close(0);
	return Object.assign(treeOf(grown, filtered.model, options.order), { start:
		grown.column(grown.start), end: grown.column(grown.end) });
}
