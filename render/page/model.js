// SPDX-License-Identifier: MIT
// @ts-check
// The model: a capture's samples, and every table, tree and series of a
// selection of them.  It knows no page and runs in Node, too.
import { Funcs, NONE } from './funcs.js';
import { expandStacks, mergePaths } from './paths.js';
import { Filtered, selectionKey, wholeSelection } from './filter.js';
import { buildSandwich, buildTree } from './tree.js';

/** The event with the most samples of those that weigh something. */
function mainEvent(events) {
	let best = 0;
	for (let i = 1; i < events.n; i++) {
		if (events.samples[i] > events.samples[best]) {
			best = i;
		}
	}
	return best;
}

export class Model {
	/** @param {any} data what decode.js makes of the page's columns */
	constructor(data) {
		this.data = data;
		this.funcs = new Funcs(data);
		/** Paths with each inlined function, and merged by function. */
		this.paths = expandStacks(data, this.funcs);
		this.merged = mergePaths(this.paths, this.funcs);
		this.cpus = 0;
		for (let i = 0; i < data.samples.n; i++) {
			const cpu = data.samples.cpu[i];
			if (cpu !== NONE && cpu >= this.cpus) {
				this.cpus = cpu + 1;
			}
		}
		this.kept = new Map();
		this.event = mainEvent(data.events);
	}

	string(i) {
		return this.data.strings[i];
	}

	/** The selection of all samples of an event, or of the main one. */
	whole(event = this.event) {
		return wholeSelection(event);
	}

	/** What was made of the latest selections, by name. */
	keep(name, make) {
		if (!this.kept.has(name)) {
			if (this.kept.size >= 12) {
				this.kept.delete(this.kept.keys().next().value);
			}
			this.kept.set(name, make());
		}
		return this.kept.get(name);
	}

	/** @returns {Filtered} */
	filter(sel) {
		return this.keep('filter|' + selectionKey(sel),
			() => new Filtered(this, sel));
	}

	/** @returns {import('./tree.js').Tree} */
	tree(sel, options = {}) {
		const key = [selectionKey(sel), options.inverted ? 1 : 0,
			options.split, options.order, options.min].join('|');
		return this.keep('tree|' + key,
			() => buildTree(this.filter(sel), options));
	}

	/** @returns {{callers: import('./tree.js').Tree,
	 *   callees: import('./tree.js').Tree}} */
	sandwich(sel, func, options = {}) {
		return this.keep('sandwich|' + selectionKey(sel) + '|' + func,
			() => buildSandwich(this.filter(sel), func, options));
	}

	/** The group of each thread in a split tree: {labels, group}. */
	groups(filtered, split) {
		const { threads } = this.data, labels = [], byName = new Map();
		const group = new Int32Array(threads.n);
		for (let t = 0; t < threads.n; t++) {
			const name = this.groupName(t, split);
			if (!byName.has(name)) {
				byName.set(name, labels.length);
				labels.push(name);
			}
			group[t] = byName.get(name);
		}
		return { labels, group };
	}

	groupName(thread, split) {
		const { pid, tid, name } = this.data.threads;
		const id = (v) => v === NONE ? '-' : String(v);
		if (split === 'process') {
			return 'process ' + id(pid[thread]);
		}
		if (split === 'thread') {
			return this.string(name[thread]) + ' ' + id(pid[thread]) + '/' +
				id(tid[thread]);
		}
		return this.string(name[thread]);
	}
}
