// SPDX-License-Identifier: MIT
// @ts-check
// The call tree as a table, and the callers and callees of one function.
import { button, el, fill, visible } from './dom.js';
import { CUT } from './nodes.js';
import { percent } from './numbers.js';
import { needs, SPLITS } from './state.js';
import { TreeGrid } from './tree-grid.js';
import { choice } from './view-table.js';

export const treeView = {
	name: 'calls',
	title: 'Calls',
	keys: [['h', 'open the heaviest path'],
		['\u2190 \u2192', 'close and open a row']],

	mount(element, app) {
		this.app = app;
		this.tools = el('div.tools');
		this.grid = new TreeGrid(app, 'Call tree');
		this.grid.opened = (calls) => app.set({ calls }, 'replaceState');
		element.append(this.tools, this.grid.element);
	},

	renew(change) {
		const { app } = this, { state } = app, sel = state.selection;
		if (needs(change, ['all', 'split', 'inverted'])) {
			fill(this.tools, choice('Threads', SPLITS, state.split, (split) =>
				app.set({ split })), button('From the inside', () =>
				app.set({ inverted: !state.inverted }), {
				'aria-pressed': String(state.inverted) }),
			el('span.dim', 'h opens the heaviest path'), this.grid.cut);
		}
		if (this.grid.reopen(state.calls) || needs(change, ['all', 'samples',
			'split', 'inverted', 'search'])) {
			this.grid.show(app.model.calls(sel, state),
				app.model.filter(sel).weight, state.inverted);
		} else if (change.has('focus')) {
			this.grid.mark();
		}
	},
};

export const sandwichView = {
	name: 'sandwich',
	title: 'Callers and callees',

	mount(element, app) {
		this.app = app;
		this.head = el('div.tools');
		this.callers = new TreeGrid(app, 'Callers');
		this.callees = new TreeGrid(app, 'Callees');
		this.tables = el('div.pair', {},
			el('h2', 'Called by'), this.callers.element,
			el('h2', 'Calls'), this.callees.element);
		element.append(this.head, app.slots.sandwich, this.tables);
	},

	drawFile(pen) {
		this.app.views.get('sandwich-picture').drawFile(pen);
	},

	renew(change) {
		const { app } = this, { model } = app, sel = app.state.selection;
		const func = model.middle(sel), none = func < 0;
		this.tables.hidden = app.slots.sandwich.hidden = none;
		if (none) {
			fill(this.head, 'No function has samples.');
			return;
		}
		if (!needs(change, ['all', 'samples', 'focus', 'search'])) {
			return;
		}
		const both = model.sandwich(sel, func);
		const { weight } = model.filter(sel), name =
			model.funcs.all.name[func];
		fill(this.head, el('h2.mono', visible(name)),
			el('span', percent(both.callees.total[0], weight) +
				' of the selection, ' + percent(both.self, weight) +
				' in itself, inlined calls aside' + (sel.focus < 0 ?
				'. The heaviest; choose another in a table or graph' : '') +
				(both.callers.cut ? '. ' + CUT : '')));
		this.callers.show(both.callers, weight, true);
		this.callees.show(both.callees, weight);
	},
};
