// SPDX-License-Identifier: MIT
// @ts-check
// Source and instructions of the function in focus, with the shares that the
// selection's samples have of them.
import { el, fill, headRow, visible } from './dom.js';
import { barCell } from './grid.js';
import { headOf, listingsOf, listingsOfEvent, weighRows } from './listing.js';
import { number, percent } from './numbers.js';
import { needs } from './state.js';

/** Has the report any code? */
export const hasCode = (data) => listingsOf(data).length > 0;

export const sourceView = {
	name: 'source',
	title: 'Code',

	mount(element, app) {
		this.app = app;
		this.chooser = el('select', { 'aria-label': 'Function',
			autocomplete: 'off', onchange: () =>
			this.choose(this.all[Number(this.chooser.value)]) });
		this.told = el('span.dim', { role: 'status' });
		this.box = el('div');
		fill(element, el('div.tools', {}, this.chooser, this.told),
			this.box);
	},

	/** The functions of the selected event. */
	list() {
		const { model, state } = this.app, { events } = model.data;
		this.all = listingsOfEvent(listingsOf(model.data),
			model.string(events.name[state.selection.event]));
		fill(this.chooser, ...this.all.map(({ head }, i) =>
			el('option', { value: i, text: head })));
		this.last = this.all[0];
	},

	choose(listing) {
		const { app } = this, focus = app.model.funcs.find(listing.name);
		this.last = listing;
		if (focus >= 0) {
			app.select({ focus });
		}
		this.show();
	},

	/** The code of the function in focus, or else the first code.  Of several
	 *  functions of its name: that which was chosen. */
	listing() {
		const { all } = this.app.model.funcs, { focus } =
			this.app.state.selection, own = all.name[focus];
		if (this.last.name !== own) {
			const head = headOf(own, all.object[focus]);
			this.last = this.all.find((l) => l.head === head) ||
				this.all.find(({ name }) => name === own) || this.all[0];
		}
		return this.last;
	},

	renew(change) {
		if (needs(change, ['all', 'event'])) {
			this.list();
		}
		if (needs(change, ['all', 'samples', 'focus'])) {
			this.show();
		}
	},

	show() {
		const { app } = this, { model } = app, listing = this.listing();
		const kept = model.filter(app.state.selection);
		const sums = weighRows(kept, listing);
		const { focus } = app.state.selection, other = focus >= 0 &&
			model.funcs.all.name[focus] !== listing.name;
		this.chooser.value = String(this.all.indexOf(listing));
		this.told.textContent = percent(sums.sum, kept.weight) +
			' of the selection' + (sums.rest > 0 ? ', of which ' +
			percent(sums.rest, sums.sum) + ' have no row' : '') + (other ?
			'. The page has no code of ' + visible(model.funcs.all.name[focus]) :
			'');
		fill(this.box, el('table.code-table', {
			'aria-label': 'Code of ' + visible(listing.name) },
		headRow(['Local', 'Samples', 'Address', 'Code'], 3), el('tbody', {},
			...listing.rows.map((row, i) => this.row(row, sums, i)))));
	},

	row(row, sums, i) {
		const share = el('td.share');
		if (sums.weight[i] > 0) {
			barCell(share, sums.weight[i], sums.sum,
				percent(sums.weight[i], sums.sum));
		}
		return el('tr', { class: row.where === '' ? '' : 'code-line' }, share,
			el('td', sums.samples[i] > 0 ? number(sums.samples[i]) :
				''), el('td.dim', row.address),
			el('td.text name', visible(row.code)));
	},
};
