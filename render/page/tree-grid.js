// SPDX-License-Identifier: MIT
// @ts-check
// A tree as a table: rows are opened and closed, the heaviest path by one key.
import { el, fill, headRow } from './dom.js';
import { barCell, focusRow, nameCell, namesOf, walkRows } from './grid.js';
import { sumUp } from './filter.js';
import { CUT } from './nodes.js';
import { number, percent } from './numbers.js';

const ROWS = 1000, KIDS = 200;

export class TreeGrid {
	/** @param {any} app @param {string} label */
	constructor(app, label) {
		this.app = app;
		this.open = new Set(); // paths of rows
		this.words = ''; // of those that the reader opened
		/** @type {function(string): void} is told of them */
		this.opened = () => {};
		this.body = el('tbody', { onkeydown: (e) => this.press(e),
			onclick: (e) => this.click(e) });
		const head = this.head = headRow(['Total', '', 'Samples', 'Function',
			'Object'], 3);
		head.querySelector('th:last-child').classList.add('detail');
		this.element = el('table.grid', { role: 'treegrid',
			'aria-label': label }, head, this.body);
		/** Tells whether rows are left out; for a view to place. */
		this.cut = el('span');
		this.names = namesOf(this.element, () =>
			app.state.selection.search);
	}

	/** Shows another tree.  Rows that the reader opened stay open; if there are
	 *  none, or the tree is of another function, the heaviest path is open.
	 *  up: what is below a row calls it. */
	show(tree, whole, up = false) {
		this.head.querySelectorAll('th')[1].textContent = up ? 'Outermost' :
			'Self';
		/** @type {any} */
		const at = document.activeElement;
		const way = this.body.contains(at) ? this.path(at.node) : undefined;
		this.mine &&= (this.tree || tree).func[0] === tree.func[0];
		this.whole = whole;
		this.take(tree);
		if (!this.mine) {
			this.open.clear();
			this.openHeaviest(0, 0.15);
		}
		this.draw(way);
	}

	take(tree) {
		this.tree = tree;
		this.samples = sumUp(tree.samples, tree.parent);
		this.cut.textContent = tree.cut ? CUT : '';
	}

	/** Makes the calls of open groups, and of this one. */
	grow(node) {
		const { tree } = this, grown = tree.grow?.((top) => top === node ||
			this.isOpen(top)) || tree;
		if (grown !== tree) {
			this.take(grown);
		}
	}

	/** What a node is called, with all above it. */
	path(node) {
		const words = [], { parent, func } = this.tree;
		for (let i = node; i !== 0; i = parent[i]) {
			words.push(func[i]);
		}
		return words.join('/');
	}

	isOpen(node) {
		return this.open.has(this.path(node));
	}

	/** Opens the heaviest child again and again; answers the last. */
	openHeaviest(node, least) {
		const heaviest = (i) => {
			this.grow(i);
			return this.tree.first(i);
		};
		let at = node;
		for (let k = heaviest(at); k !== 0 && this.tree.total[k] >=
			least * this.tree.total[node]; k = heaviest(at)) {
			if (at !== 0 && this.tree.depth[at] < ROWS) { // no more are shown
				this.open.add(this.path(at));
			}
			at = k;
		}
		return at;
	}

	/** way: to the row that gets the focus; undefined: none does. */
	draw(way) {
		this.grow(-1);
		const rows = [], { first, next, depth } = this.tree;
		const stack = [[first(0), KIDS]];
		while (stack.length !== 0 && rows.length < ROWS) {
			const top = stack[stack.length - 1], [node, left] = top;
			if (node === 0 || left === 0) {
				stack.pop();
				continue;
			}
			top[0] = next[node];
			top[1]--;
			rows.push(this.row(node, depth[node]));
			if (this.isOpen(node)) {
				stack.push([first(node), KIDS]);
			}
		}
		fill(this.body, ...rows, rows.length === 0 ?
			el('tr', {}, el('td.text dim', { colspan: 5, text: 'none' })) : null);
		this.names();
		if (rows.length !== 0) {
			rows[0].tabIndex = 0;
		}
		if (rows.length !== 0 && way !== undefined) {
			focusRow(rows.find((r) => this.path(r.node) === way) || rows[0]);
		}
	}

	row(node, depth) {
		const { app, tree, whole } = this, { all } = app.model.funcs;
		const f = tree.func[node], kids = tree.first(node) !== 0;
		const open = this.isOpen(node), sel = app.state.selection;
		const cell = (value) => {
			const td = el('td.share');
			barCell(td, value, tree.total[0], percent(value, whole));
			return td;
		};
		const name = el('td.text name', {}, el('span.kids', {
			'aria-hidden': 'true',
			text: !kids ? '' : open ? '\u25be' : '\u25b8' }));
		nameCell(name, all.name[f], f);
		const tr = el('tr', { tabindex: -1, 'aria-level': depth,
			'aria-expanded': kids ? String(open) : null,
			'aria-selected': String(f === sel.focus) }, cell(tree.total[node]),
		cell(tree.self[node]), el('td', number(this.samples[node])),
		name, el('td.text detail', all.object[f]));
		tr.node = node;
		return tr;
	}

	toggle(node, open) {
		this.open[open ? 'add' : 'delete'](this.path(node));
		this.drawMine(node);
	}

	/** Draws rows as the reader opened them; tells the innermost open ones. */
	drawMine(node) {
		const shown = new Set(), inner = new Set();
		this.mine = true;
		this.draw(this.path(node));
		// Those above come first.
		for (const way of [...this.open].sort((a, b) =>
			a.length - b.length)) {
			const at = way.indexOf('/'), above = way.slice(at + 1);
			if (at < 0 || shown.has(above)) {
				inner.delete(above);
				inner.add(way);
				shown.add(way);
			}
		}
		this.words = '~' + [...inner].join('~');
		this.opened(this.words);
	}

	/** Opens the rows that the address tells.  False: they are open now. */
	reopen(words) {
		const others = words !== this.words;
		if (others) {
			this.words = words;
			this.mine = words !== '';
			this.open = new Set(words.split('~').flatMap((way) =>
				way.split('/').map((_, i, all) => all.slice(i).join('/'))));
		}
		return others;
	}

	click(e) {
		const row = e.target.closest('tr');
		if (row === null) {
			return;
		}
		if (e.target.classList.contains('kids')) {
			this.toggle(row.node, !this.isOpen(row.node));
		} else {
			this.focusOn(row.node);
		}
	}

	focusOn(node) {
		const func = this.tree.func[node];
		if (this.app.model.funcs.all.kind[func] !== 0) {
			this.app.select({ focus: func });
		}
	}

	press(e) {
		const row = e.target.closest('tr'), { node } = row;
		const { first, parent } = this.tree, open = this.isOpen(node);
		if (walkRows(e, row)) {
			e.preventDefault();
			return;
		}
		if (e.key === 'ArrowRight' && first(node) !== 0) {
			if (open) {
				this.goTo(first(node));
			} else {
				this.toggle(node, true);
			}
		} else if (e.key === 'ArrowLeft' && (open || parent[node] !== 0)) {
			if (open) {
				this.toggle(node, false);
			} else {
				this.goTo(parent[node]);
			}
		} else if (e.key === 'h') {
			this.open.add(this.path(node));
			this.drawMine(this.openHeaviest(node, 0.2));
		} else if (e.key === 'Enter') {
			this.focusOn(node);
		} else {
			return;
		}
		e.preventDefault();
	}

	goTo(node) {
		for (const row of this.body.children) {
			if (row.node === node) {
				focusRow(row);
			}
		}
	}

	/** The function in focus is another one. */
	mark() {
		for (const row of this.body.children) {
			row.setAttribute('aria-selected', String(
				this.tree.func[row.node] === this.app.state.selection.focus));
		}
	}
}
