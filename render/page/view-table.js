// SPDX-License-Identifier: MIT
// @ts-check
// The table: functions, objects, lines, threads or commands of the selection.
import { upTo } from './decode.js';
import { afterNextPicture, button, el, fill } from './dom.js';
import { barCell, column, Grid, nameColumns } from './grid.js';
import { number, percent } from './numbers.js';
import { hasIntervals, intervalsOf } from './precision.js';
import { rowsFound } from './search.js';
import { needs } from './state.js';
import { isCode } from './table.js';
import { counted, intervalWords, weightWords } from './words.js';

// What a row is, and what it tells besides.
const BY = [['function', 'Function', 'Object'], ['object', 'Object', ''],
	['line', 'Line', ''], ['thread', 'Thread', 'PID/TID'],
	['comm', 'Command', '']];

/** Buttons of which one is pressed. */
export function choice(label, list, chosen, choose) {
	return el('span', { role: 'group', 'aria-label': label },
		...list.map(([name, title]) => button(title, () => choose(name),
			{ 'aria-pressed': String(name === chosen) })));
}

export const tableView = {
	name: 'table',
	title: 'Table',

	mount(element, app) {
		this.app = app;
		this.tools = el('div.tools');
		this.box = el('div');
		element.append(this.tools, this.box);
		// They take longer than the table: a drag over the strip shows those
		// of its end only.
		/** @type {[any, any, string][]} */
		this.waiting = [];
		this.later = afterNextPicture(() => this.showIntervals(), 150);
	},

	columns(by) {
		const { app } = this, [, name, detail] =
			BY.find((b) => b[0] === by) || BY[0];
		const share = (key, title) => ({ key, title, cls: 'share',
			order: (r) => r[key], show: (td, r) => {
				barCell(td, r[key], this.most[key],
					percent(r[key], this.whole));
				td.title = weightWords(app.model, app.state.selection.event,
					r[key]);
			} });
		const interval = (key) => ({ key: key + '95', title: '95 %',
			cls: 'interval', order: (r) => r[key], show: (td, r) => {
				this.waiting.push([td, r, key]);
				this.later();
			} });
		const list = [share('self', 'Self'), interval('self'),
			share('total', 'Total'), interval('total'),
			column('samples', 'Samples', '', (r) => r.samples, number),
			...nameColumns(name, detail, 'detail')];
		return list.filter((c) => c.title !== '' && (!/^total/.test(c.key) ||
			isCode(by)) &&
			(this.sure || c.cls !== 'interval'));
	},

	/** Fills the cells of rows that are shown, and drops the others. */
	showIntervals() {
		const { model, state } = this.app;
		const sure = intervalsOf(model, state.selection, state.by);
		for (const [td, row, key] of this.waiting.splice(0)) {
			if (td.isConnected) {
				td.textContent = intervalWords(sure(row, key));
			}
		}
	},

	/** What a click on a row selects. */
	choose(row) {
		const { app } = this, { by, selection } = app.state;
		if (by === 'function') {
			const same = row.func === selection.focus;
			app.select({ focus: same ? -1 : row.func });
		} else if (isCode(by)) {
			app.say(row.name + ': ' + percent(row.total, this.whole) +
				' of the selection');
		} else {
			const { group } = app.model.groups(
				app.model.filter(selection), by);
			app.select({ threads: new Set(upTo(group.length).filter((t) =>
				group[t] === row.number &&
				(selection.threads?.has(t) ?? true))) });
		}
	},

	build() {
		const { app, by } = this;
		this.grid = new Grid({ label: 'Table of the selection',
			columns: this.columns(by), sort: app.state.sort,
			search: () => app.state.selection.search,
			onsort: (sort) => app.set({ sort }, 'replaceState'),
			onrow: (row) => this.choose(row),
			marked: (row) => row.func >= 0 &&
				row.func === app.state.selection.focus });
		fill(this.box, this.grid.element);
	},

	renew(change) {
		const { app } = this, { selection } = app.state;
		if (change.has('by') || change.has('all')) {
			fill(this.tools, choice('Rows', BY.map(([key, name]) =>
				[key, name + 's']), app.state.by, (by) =>
				app.set({ by })), this.count = el('span.dim'));
		}
		const sure = hasIntervals(app.model, selection);
		if (this.by !== app.state.by || this.sure !== sure) {
			this.by = app.state.by;
			this.sure = sure;
			this.build();
		}
		if (needs(change, ['all', 'samples', 'by', 'search', 'sort'])) {
			this.grid.sort = app.state.sort;
			this.grid.show(this.rows(selection));
		} else if (change.has('focus')) {
			this.grid.mark();
		}
	},

	/** The rows that the search leaves. */
	rows(selection) {
		const { model, state } = this.app;
		const all = model.table(selection, state.by);
		const rows = rowsFound(all, selection.search, 'detail');
		const most = (key) => rows.reduce((a, r) => Math.max(a, r[key]), 0);
		this.whole = model.filter(selection).weight;
		this.most = { self: most('self'), total: most('total') };
		this.count.textContent = (rows.length === all.length ? '' :
			number(rows.length) + ' of ') + counted(all.length, 'rows');
		return rows;
	},
};
