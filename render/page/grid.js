// SPDX-License-Identifier: MIT
// @ts-check
// A table that is sorted by its heads and walked by keys.  It shows the first
// rows, and more as they are asked for.
import { button, el, fill, visible, whenResized } from './dom.js';
import { fitName } from './names.js';
import { number } from './numbers.js';
import { markText } from './search.js';
import { shortName } from './short.js';

const FIRST = 100, MORE = 1000, CHARACTER = 7.3; // pixels of one in a name

/**
 * @typedef {object} GridColumn
 * @property {string} key
 * @property {string} title
 * @property {string} [cls] of its cells
 * @property {function(any): any} order what it sorts by
 * @property {function(any, any): void} show fills the cell of a row
 */

/** A cell with a text, and a bar as long as the part of the most. */
export function barCell(td, part, most, text) {
	const share = most > 0 ? Math.min(part / most, 1) : 0;
	td.textContent = text;
	td.style.backgroundSize = (share * 56).toFixed(1) + 'px 9px';
}

/**
 * A column of what `of' gives of a row, in words of that and the row.
 * @type {(key: any, title: string, cls: any, of: function, words?: function)
 *   => any}
 */
export const column = (key, title, cls, of, words = String) => ({
	key: String(key), title, cls, order: of,
	show: (td, row) => td.append(visible(words(of(row), row))) });

/** The column of names, and that of objects, or of what `key' is. */
export const nameColumns = (name, title, key) => [{ key: 'name', title: name,
	cls: 'text name', order: (r) => r.name,
	show: (td, r) => nameCell(td, r.name, r.func) },
column(key, title, 'text detail', (r) => r[key])];

/** A cell for a name, which its table shows as far as there is room. */
export function nameCell(td, name, func) {
	td.func = func;
	td.title = visible(name);
	td.append(el('span'));
}

/** Shows of each name what fits into `room' pixels; callees are further in. */
function fitNames(cells, room, search) {
	const level = (td) => td.parentNode.getAttribute('aria-level') || 1;
	const deepest = Math.max(1, ...Array.from(cells, level));
	for (const td of cells) {
		const indent = Math.min(14, room / 3 / deepest) * (level(td) - 1);
		const left = room - 17 * td.children.length - indent;
		td.style.textIndent = indent + 'px';
		const [name] = td.title.split('\n'); // what follows is told of it
		markText(fill(td.lastChild), fitName(name, shortName(name),
			Math.max(Math.floor(left / CHARACTER), 3)), search);
	}
}

/**
 * What shows the names of a table's rows.  No text changes the width of their
 * column, so the width before is a good guess: to ask for it would lay out the
 * table once more.
 */
export function namesOf(table, search) {
	let room = 3000;
	return () => {
		const cells = table.querySelectorAll('td.name[title]');
		const show = () => fitNames(cells, room, search());
		if (cells.length > 0) {
			show();
			whenResized(cells[0], () => {
				const width = cells[0].clientWidth;
				if (width > 0 && width !== room) {
					room = width;
					show();
				}
			});
		}
	};
}

/** Gives the focus to a row, which alone of its table is a tab stop then. */
export function focusRow(row) {
	const before = row.parentNode.querySelector('[tabindex="0"]');
	before.tabIndex = -1;
	row.tabIndex = 0;
	row.focus();
}

/** Moves the focus among rows with the keys of a list. */
export function walkRows(e, row) {
	const up = e.key === 'ArrowUp', down = e.key === 'ArrowDown';
	const to = up ? row.previousElementSibling : down ?
		row.nextElementSibling : e.key === 'Home' ?
		row.parentNode.firstElementChild : e.key === 'End' ?
		row.parentNode.lastElementChild : null;
	if (to === null) {
		return up || down;
	}
	focusRow(to);
	return true;
}

/**
 * The first n rows in the order of what `of' gives, alike ones by their total;
 * what has no order is last.  Of 100,000 rows 100 are shown: those after the
 * first that are known are never sorted.
 * @param {any[]} rows @param {function(any): any} of
 * @param {number} way 1: least first @param {number} n
 */
export function leading(rows, of, way, n) {
	/** @type {{row: any, by: any}[]} */
	let best = [];
	// Rows without a total are as they stand.
	const order = (a, b) => a.by < b.by ? -way : a.by > b.by ? way :
		b.row.total - a.row.total || 0;
	const cut = () => best = best.sort(order).slice(0, n);
	/** @type {any} */
	let last = null;
	for (const row of rows) {
		const key = of(row), by = key !== key ? way * Infinity : key;
		if (last === null || order({ row, by }, last) < 0) {
			if (best.push({ row, by }) >= 2 * n) {
				last = cut()[n - 1];
			}
		}
	}
	return cut().map((k) => k.row);
}

export class Grid {
	rows = [];
	shown = FIRST;
	/** @param {{label: string, columns: GridColumn[], sort: string,
	 *   search?: function(): string, // what to mark in names
	 *   onsort?: function(string): void, onrow?: function(any): void,
	 *   marked?: function(any): boolean}} how */
	constructor(how) {
		this.how = how;
		this.sort = how.sort;
		this.body = el('tbody');
		this.heads = el('tr');
		this.more = button('', () => this.showMore());
		this.table = el('table.grid', { role: 'grid',
			'aria-label': how.label }, el('thead', {}, this.heads), this.body);
		this.element = el('div', { onkeydown: (e) => this.press(e) },
			this.table, el('div.tools', { hidden: true }, this.more));
		this.names = namesOf(this.table, how.search);
	}

	/** Shows rows; the sort stays. */
	show(rows) {
		this.rows = rows;
		this.shown = FIRST;
		this.draw();
	}

	columnOf(key) {
		return this.how.columns.find((c) => c.key === key);
	}

	sortBy(key) {
		const column = this.columnOf(key);
		const text = column !== undefined && /text/.test(column.cls || '');
		const first = text ? key : '-' + key, other = text ? '-' + key : key;
		this.sort = this.sort === first ? other : first;
		if (this.how.onsort) {
			this.how.onsort(this.sort); // which shows the rows again
		} else {
			this.draw();
		}
	}

	/** The rows that are shown, in order: without one, as they stand. */
	sorted() {
		const { down, key } = this.order(), column = this.columnOf(key);
		return leading(this.rows, column?.order || (() => 0), down ? -1 : 1,
			this.shown);
	}

	order() {
		const down = this.sort[0] === '-';
		return { down, key: down ? this.sort.slice(1) : this.sort };
	}

	drawHeads() {
		const { down, key } = this.order();
		fill(this.heads, ...this.how.columns.map((c) => {
			const on = c.key === key;
			return el('th', { class: c.cls, scope: 'col', 'aria-sort': !on ?
				'none' : down ? 'descending' : 'ascending' },
			el('button', { onclick: () => this.sortBy(c.key),
				'data-key': c.key }, c.title, el('span.way', {
				'aria-hidden': 'true',
				text: !on ? '' : down ? '\u25be' : '\u25b4' })));
		}));
	}

	draw() {
		const at = /** @type {HTMLElement|null} */ (document.activeElement);
		const focused = at !== null && this.heads.contains(at) ?
			at.dataset.key : undefined;
		this.drawHeads();
		if (focused !== undefined) {
			this.heads.querySelector('[data-key="' + focused + '"]').focus();
		}
		const part = this.sorted();
		fill(this.body, ...part.map((row, i) => this.drawRow(row, i)));
		this.names();
		const left = this.rows.length - part.length;
		this.more.textContent = number(left) + ' more rows';
		this.more.parentElement.hidden = left <= 0;
	}

	drawRow(row, i) {
		const { columns, marked, onrow } = this.how;
		const tr = el('tr', { tabindex: i === 0 ? 0 : -1, 'aria-selected':
			marked ? String(marked(row)) : null,
		onclick: onrow && (() => onrow(row)) });
		for (const c of columns) {
			const td = el('td', { class: c.cls });
			c.show(td, row);
			tr.append(td);
		}
		tr.row = row;
		return tr;
	}

	/** Marks rows anew, without a new table. */
	mark() {
		const { marked } = this.how;
		for (const tr of this.body.children) {
			tr.setAttribute('aria-selected', String(marked?.(tr.row)));
		}
	}

	showMore() {
		const had = this.shown;
		this.shown += MORE;
		this.draw();
		focusRow(this.body.children[had]);
	}

	press(e) {
		const row = e.target.closest('tbody tr');
		if (row === null || row !== e.target) {
			return;
		}
		if (e.key === 'Enter') {
			this.how.onrow?.(row.row);
		} else if (!walkRows(e, row)) {
			return;
		}
		e.preventDefault();
	}
}
