// SPDX-License-Identifier: MIT
// @ts-check
// The table of a comparison: what each function cost before and after.
import { foundOfAll } from './change.js';
import { el, fill } from './dom.js';
import { column, Grid, nameColumns } from './grid.js';
import { number } from './numbers.js';
import { rowsFound } from './search.js';
import { needs } from './state.js';
import { cellWords, costWords } from './words.js';

const RANKS = { more: 3, less: 3, new: 3, gone: 3, undecided: 2 };
const wordOf = (row) => row.found === null ? '' : row.found.word;
const changeOf = (r) => r.before > 0 ? r.after / r.before - 1 :
	r.after > 0 ? Infinity : 0;
const growthWords = (change) => change === Infinity ? 'new' :
	cellWords('change', change);

/** An interval in words. */
const between = ([from, to]) => Number.isFinite(from) && Number.isFinite(to) ?
	growthWords(from) + ' \u2026 ' + growthWords(to) : '';

export const changeView = {
	name: 'change',
	title: 'Change',

	mount(element, app) {
		this.app = app;
		this.all = el('p.tools change-all', { role: 'status' });
		const amount = (key, title, words, cls) => column(key, title, cls,
			(r) => r[key], words);
		const cost = (v) => this.costOf(v);
		const [names, objects] = nameColumns('Function', 'Object', 'object');
		this.grid = new Grid({ label: 'What changed', sort: '-found',
			search: () => app.state.selection.search,
			columns: [{ key: 'found', title: 'Found', cls: 'found-word',
				order: (r) => (RANKS[wordOf(r)] || 0) * 1e18 +
					Math.min(Math.abs(r.after - r.before), 1e17),
				show: (td, r) => this.showFound(td, r) },
			column('change', 'Change', '', changeOf, growthWords), names,
			amount('before', 'Before', cost),
			amount('after', 'After', cost),
			column('delta', 'Difference', '', (r) => r.after - r.before,
				(v) => this.signed(v)),
			amount('samplesBefore', 'Samples before', number, 'detail'),
			amount('samplesAfter', 'Samples after', number, 'detail'),
			objects],
			onrow: (r) => app.select({ focus:
				r.func === app.state.selection.focus ? -1 : r.func }),
			marked: (r) => r.func === app.state.selection.focus });
		fill(element, this.all, this.grid.element);
	},

	costOf(v) {
		const { model, state } = this.app;
		return costWords(model, state.selection.event, v);
	},

	signed(v) {
		return (v < 0 ? '-' : '+') + this.costOf(Math.abs(v));
	},

	showFound(td, row) {
		const { found } = row, word = wordOf(row);
		td.append(word);
		td.classList.add('found-' + word.replace(/\W/g, '-'));
		if (found !== null && Number.isFinite(found.p)) {
			td.title = 'over all samples: ' + between(found.interval) +
				', p ' + cellWords('chance', found.p);
		}
	},

	renew(change) {
		const { app } = this, { selection } = app.state;
		if (needs(change, ['all', 'samples', 'search'])) {
			const rows = app.model.changes(selection);
			this.showAll(rows);
			this.grid.show(rowsFound(rows, selection.search, 'object'));
		} else if (change.has('focus')) {
			this.grid.mark();
		}
	},

	/** How much the selection changed, and what diff found of everything. */
	showAll(rows) {
		const { app } = this, { model } = app, sel = app.state.selection;
		const [before, after] = ['before', 'after'].map((side) =>
			model.costs(sel, side).weight);
		const all = foundOfAll(app.data.meta);
		this.all.textContent = 'The selection cost ' +
			this.costOf(before) + ' before and ' +
			this.costOf(after) + ' after: ' +
			growthWords(changeOf({ before, after })) + '.' +
			(all === null ? '' : ' Over all samples diff found: ' +
			(all.word || 'chance explains it') + ', ' +
			between(all.interval) + '.') + ' ' + number(rows.length) +
			' functions.';
	},
};
