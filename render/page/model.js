// SPDX-License-Identifier: MIT
// @ts-check
// The model: a capture's samples, and every table, tree and series of a
// selection of them.  It knows no page and runs in Node, too.
import { Funcs } from './funcs.js';
import { Groups, idText, poolsOf, taskName } from './pools.js';
import { buildTable } from './table.js';
import { buildSeries } from './series.js';
import { foldTree } from './folded.js';
import { expandStacks, mergePaths } from './paths.js';
import { ALL_TIME, CPUS, Filtered, selectionKey } from './filter.js';
import { wholeSelection } from './filter.js';
import { alignCaptures, joinCaptures } from './captures.js';
import { changeTable, shadesOf } from './change.js';
import { cpiEvents, cpiShades } from './cpi.js';
import { buildSandwich, buildTree } from './tree.js';
import { FEW_SAMPLES, isApart, isMany } from './shape.js';
import { buildRow } from './in-time.js';
import { buildApart, callsByGroup } from './opened.js';
import { rowBy } from './rows.js';
import { timeTree } from './waits.js';

/** The event that the report speaks of, or that with the most samples. */
function mainEvent({ events, strings, meta }) {
	let best = 0;
	for (let i = 0; i < events.n; i++) {
		if (events.samples[i] > 0 && strings[events.name[i]] === meta.event) {
			return i;
		}
		if (events.samples[i] > events.samples[best]) {
			best = i;
		}
	}
	return best;
}

/** The end of the capture in ns from its start. */
function lastMoment(data) {
	let last = (data.meta.end || 0) - (data.meta.start || 0);
	for (const { n, time } of [data.samples, data.marks]) {
		for (let i = 0; i < n; i++) {
			last = Math.max(last, time[i]);
		}
	}
	const { n, to } = data.states;
	for (let i = 0; i < n; i++) {
		last = Math.max(last, to[i]);
	}
	return last;
}

/** Times to search in: those not known are that of the sample before. */
function sortedTimes(time) {
	if (time.every((t) => t >= 0)) {
		return time;
	}
	let last = 0;
	return time.map((t) => {
		last = t >= 0 ? t : last;
		return last;
	});
}

// How much is kept of the latest selections.  A tree of a million nodes takes
// 30 MB, and its shape about as much.
const KEPT = 16, KEPT_BYTES = 96 << 20;

/** How many bytes something kept has that `seen' has not. */
function sizeInBytes(made, seen) {
	if (Array.isArray(made)) {
		return made.length * 60;
	}
	return Object.values(made).reduce((sum, v) => {
		if (ArrayBuffer.isView(v) && !seen.has(v.buffer)) {
			seen.add(v.buffer);
			return sum + v.byteLength;
		}
		return v?.constructor === Object ? sum + sizeInBytes(v, seen) : sum;
	}, 0);
}

export class Model {
	length = 0; // ns
	/** @param {any} data what decode.js makes of the page's columns */
	constructor(data) {
		this.data = data;
		/** What is before and after; null: there is one capture. */
		this.sides = joinCaptures(data);
		/** Instructions and cycles, if there are samples of both. */
		this.cpi = this.sides === null ? cpiEvents(data) : null;
		this.funcs = new Funcs(data);
		/** Paths with each inlined function, and merged by function. */
		this.paths = expandStacks(data, this.funcs);
		this.merged = mergePaths(this.paths, this.funcs);
		/** Those that samples or states are of, in order. @type {number[]} */
		this.cpus = [];
		const seen = new Uint8Array(CPUS), add = (cpu) => {
			if (cpu < CPUS && seen[cpu] === 0) {
				seen[cpu] = 1;
				this.cpus.push(cpu);
			}
		};
		data.samples.cpu.forEach(add);
		data.states.cpu?.forEach(add);
		this.cpus.sort((a, b) => a - b);
		this.kept = new Map();
		this.once = new Map();
		this.readTimes();
		this.event = mainEvent(data);
	}

	readTimes() {
		const { data } = this;
		/** All time of the latest selection that it was asked of. @type {any} */
		this.time = null;
		/** How many samples a row stands for: many, if they were merged. */
		this.counts = data.samples.count ||
			new Uint8Array(data.samples.n).fill(1);
		this.sorted = sortedTimes(data.samples.time);
		this.length = lastMoment(data);
	}

	/** Lays several captures over one another: 'start' or 'share'. */
	align(how) {
		if (this.sides !== null && alignCaptures(this.data, this.sides, how)) {
			this.kept.clear();
			this.once.clear();
			this.readTimes();
		}
	}

	/** The samples of both sides, so that their trees have one shape. */
	bothSides(filtered) {
		return this.sides === null ? filtered :
			this.filter({ ...filtered.sel, side: '' });
	}

	/** What the samples of a side cost, by the unit of the comparison. */
	costs(sel, side) {
		const of = { ...sel, side };
		return this.keep('cost of', of, () =>
			new Filtered(this, of, this.sides?.cost));
	}

	/** @returns {import('./change.js').ChangeRow[]} in no order */
	changes(sel) {
		return this.keep('changes', { ...sel, side: '' }, () =>
			changeTable(this, sel));
	}

	/**
	 * How far each node of a tree, or each function, is above or below what
	 * `by' tells of all; null: it tells nothing of this capture.
	 */
	shadesBy(by, sel, split) {
		return by === 'change' && this.sides !== null ?
			this.shades(sel, split) : by === 'cpi' && this.cpi !== null ?
				this.keep('cpi|' + split, sel, () =>
					cpiShades(this, sel, split)) : null;
	}

	/** How far each node of a tree changed, or each function of it. */
	shades(sel, split) {
		return this.keep('shades|' + split, { ...sel, side: '' }, () =>
			shadesOf(this, sel, split));
	}

	string(i) {
		return this.data.strings[i];
	}

	/** The selection of all samples of an event, or of the main one. */
	whole(event = this.event) {
		return wholeSelection(event);
	}

	/** What was made of the latest selections, by name. */
	keep(what, sel, make) {
		const name = what + '|' + selectionKey(sel);
		if (this.once.has(name)) {
			return this.once.get(name);
		}
		const made = this.kept.get(name) || make();
		this.kept.delete(name);
		this.kept.set(name, made);
		this.forget();
		return made;
	}

	/** Forgets what was used least lately, if there is much; the latest stays. */
	forget() {
		const seen = new Set();
		let bytes = 0;
		Array.from(this.kept).reverse().forEach(([name, made], k) => {
			bytes += sizeInBytes(made, seen);
			if (k > 0 && (k >= KEPT || bytes > KEPT_BYTES)) {
				this.kept.delete(name);
			}
		});
	}

	/** What is made once and stays. */
	keepAll(name, make) {
		if (!this.once.has(name)) {
			this.once.set(name, make());
		}
		return this.once.get(name);
	}

	/** @returns {Filtered} */
	filter(sel) {
		return this.keep('filter', sel, () => new Filtered(this, sel));
	}

	/**
	 * A tree; of a picture, if `zoom' tells which of its frames is shown.
	 * @param {any} sel @param {import('./tree.js').TreeOptions} options
	 * @returns {import('./tree.js').Tree}
	 */
	tree(sel, options = {}) {
		const { inverted, split, order, zoom } = options;
		const key = ['tree', inverted ? 1 : 0, split, order].join('|');
		if (order !== 'time' && (zoom === undefined || !isApart(this, split))) {
			return this.keep(key, sel, () => buildTree(this.filter(sel), options));
		}
		const make = order !== 'time' && inverted ? buildApart : buildRow;
		const part = (from, to) => this.keep([key, from, to].join('|'), sel,
			() => {
				/** @type {any} */
				const t = make(this.filter(sel), options, from, to);
				return Object.assign(t, { finer: (i) => t.cut === 0 ? t :
					part(t.start[i], t.end[i]) });
			});
		return part(0, 0);
	}

	/** The tree of a table whose rows are opened one by one. */
	calls(sel, { split, inverted }) {
		const how = { split, inverted };
		return isApart(this, split) ? this.keep('calls|' + split + inverted, sel,
			() => callsByGroup(this.filter(sel), how)).tree :
			this.tree(sel, { ...how, order: 'heavy' });
	}

	/**
	 * The tree that a state's picture shows: with the waits of threads if these
	 * are asked for, or if nothing else is there.
	 */
	picture(sel, state) {
		return this.data.states.n > 0 && (state.colour === 'wall' ||
			this.filter(sel).samples === 0) ? timeTree(this, sel, state) :
			this.tree(sel, state);
	}

	/** @returns {{callers: import('./tree.js').Tree,
	 *   callees: import('./tree.js').Tree, self: number}} */
	sandwich(sel, func) {
		return this.keep('sandwich|' + func, sel, () =>
			buildSandwich(this.filter(sel), func));
	}

	/** The group of each thread in a split tree: {labels, group}. */
	groups(filtered, split) {
		if (split === 'comm') {
			return poolsOf(filtered);
		}
		const { threads } = this.data, groups = new Groups(threads.n);
		for (let t = 0; t < threads.n; t++) {
			groups.put(t, this.groupName(t, split));
		}
		return groups;
	}

	groupName(thread, split) {
		const { pid, tid, name, process } = this.data.threads;
		if (split === 'recorded') { // commands without pools
			return this.string(name[thread]);
		}
		return split === 'process' ?
			taskName(this.string(process[thread]), pid[thread]) :
			taskName(this.string(name[thread]), tid[thread],
				idText(pid[thread]) + '/');
	}

	/** The function chosen, or the heaviest; -1: there is none. */
	middle(sel) {
		return sel.focus >= 0 ? sel.focus : this.table(sel, 'function')
			.reduce((best, row) => row.func >= 0 && row.self > best.self ?
				row : best, { func: -1, self: 0 }).func;
	}

	/** @returns {import('./table.js').TableRow[]} in no order */
	table(sel, by) {
		return this.keep('table|' + by, sel, () =>
			buildTable(this.filter(sel), by));
	}

	/**
	 * Functions to call when the page is idle.  Each makes a tree of some
	 * samples and throws it away: a browser compiles what has run, so the
	 * first selection of many samples need not wait for that.  Two rows of all
	 * samples stay.
	 */
	rehearsals() {
		const { sorted } = this, few = new Set([0, 1]);
		const some = { ...this.whole(), to: sorted[3 * FEW_SAMPLES] };
		const rows = [{ order: 'time', split: 'comm' }, { split: 'thread', zoom: '' }];
		return !isMany(this) ? [] : [
			() => this.tree({ ...some, cpus: few, threads: few }),
			...rows.map((how) => () =>
				rowBy(this.filter(this.whole()), { ...how, stays: true })),
			...[{ inverted: true }, ...rows].map((how) => () =>
				this.tree(some, how)),
		].map((make) => () => {
			const { kept } = this;
			this.kept = new Map();
			make();
			this.kept = kept;
		});
	}

	/** The lines of `coldperf flame -f folded', or those of all time. */
	folded(sel, { inverted = false, split = 'comm', colour = '' } = {}) {
		return foldTree(this.picture(sel, { inverted, order: 'name', colour,
			split: split === 'none' ? split : 'recorded' }), this.funcs);
	}

	/**
	 * @returns {import('./series.js').Series} over a time, whatever time is
	 * selected; not kept, as each step of a zoom has another
	 */
	series(sel, bins, from = 0, to = Math.max(this.length, 1)) {
		return buildSeries(this.filter({ ...sel, ...ALL_TIME }),
			bins, from, to);
	}
}
