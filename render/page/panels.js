// SPDX-License-Identifier: MIT
// @ts-check
// The report's own tables, histograms and facts as panels.  A row leads to
// what it speaks of: threads, a function, or a moment.
import { el, fill, headRow, visible } from './dom.js';
import { Grid } from './grid.js';
import { facts, threadsBy } from './evidence.js';
import { edgeText, number, percent, value } from './numbers.js';
import { cellOrder, cellWords } from './words.js';

const KNOWN = ['table', 'histogram', 'scalars', 'notes', 'tree', 'grid'];
const FUNCTION = /^(symbol|function|name|caller|callee|where)$/i;
const THREAD = /^(command|comm|thread|task|name)$/i;

/** What a row of a table speaks of, as a change of the selection. */
export function selectionOf(model, columns, row) {
	const patch = {};
	columns.forEach((c, i) => {
		const v = row.values[i];
		if (/^tid$/i.test(c.name)) {
			patch.threads = threadsBy(model, 'tid', Number(v)) ||
				patch.threads;
		} else if (/^pid$/i.test(c.name) && patch.threads === undefined) {
			patch.threads = threadsBy(model, 'pid', Number(v)) ||
				patch.threads;
		} else if (c.type === 'text' && FUNCTION.test(c.name) &&
			model.funcs.find(v) >= 0) {
			patch.focus = model.funcs.find(v);
		} else if (c.type === 'text' && THREAD.test(c.name) &&
			patch.threads === undefined) {
			patch.threads = threadsNamed(model, v) || undefined;
		}
	});
	if (patch.threads === undefined) {
		delete patch.threads;
	}
	return Object.keys(patch).length === 0 ? null : patch;
}

function threadsNamed(model, name) {
	const { threads } = model.data, found = new Set();
	for (let t = 0; t < threads.n; t++) {
		if (model.string(threads.name[t]) === name) {
			found.add(t);
		}
	}
	return found.size === 0 ? null : found;
}

function tablePanel(app, s) {
	const columns = s.columns.map((c, i) => ({ key: String(i), title: c.name,
		cls: c.type !== 'text' ? '' : FUNCTION.test(c.name) ?
			'text name' : i === s.columns.length - 1 ? 'text long' : 'text', order: (row) => cellOrder(row.values[i]),
		show: (td, row) => {
			td.append(visible(String(cellWords(c.type, row.values[i]))));
			if (row.depth > 0 && c.type === 'text') {
				td.style.paddingLeft = row.depth * 14 + 'px';
			}
		} }));
	const grid = new Grid({ label: s.title, columns, sort: '',
		onrow: (row) => {
			const patch = selectionOf(app.model, s.columns, row);
			if (patch === null) {
				app.say('This row speaks of no thread or function of the page.');
			} else {
				app.select(patch);
			}
		} });
	grid.table.className = '';
	grid.show(s.rows);
	const rest = s.rest && s.rest.rows > 0 ? el('p.dim',
		number(s.rest.rows) + ' more rows were left out') : null;
	return [grid.element, rest];
}

/** Bars of a histogram as a table: bounds, count, bar. */
function histogramPanel(s) {
	const most = s.bins.reduce((a, b) => Math.max(a, b.count), 0);
	const sum = s.bins.reduce((a, b) => a + b.count, 0);
	const rows = s.bins.map((b) => {
		const bar = el('i');
		bar.style.width = (most > 0 ? 100 * b.count / most : 0) + '%';
		return el('tr', {}, el('td', value(b.lo, s.axis.type) +
			' \u2026 ' + value(b.hi, s.axis.type)),
		el('td', number(b.count)),
		el('td', percent(b.count, sum)),
		el('td.fill', {}, el('span.barcell', {}, bar)));
	});
	return [el('table.hist', {}, headRow([s.axis.name, 'Count', 'Share', '']),
		el('tbody', {}, ...rows))];
}

const LISTED = 200;

/** The heaviest nodes of a tree; the graph of all samples is another view. */
function treePanel(s) {
	const whole = s.nodes.length === 0 ? 0 : s.nodes[0].total;
	const nodes = s.nodes.slice(1).sort((a, b) => b.self - a.self)
		.slice(0, LISTED).filter((n) => n.self > 0);
	return [el('table', {}, headRow(['Self', 'Total', 'Name', 'Object'], 2),
	el('tbody', {}, ...nodes.map((n) => el('tr', {},
		el('td', percent(n.self, whole)),
		el('td', percent(n.total, whole)),
		el('td.text name', n.name),
		el('td.text', n.detail)))))];
}

/** A grid as its heaviest cells. */
function gridPanel(s) {
	const cells = s.cells.slice().sort((a, b) => b[2] - a[2])
		.slice(0, LISTED);
	return [el('table', {}, headRow([s.x.name, s.y.name, s.value.name]),
		el('tbody', {}, ...cells.map((c) =>
		el('tr', {}, el('td', edgeText(s.x, c[0])),
			el('td', edgeText(s.y, c[1])),
			el('td', value(c[2], s.value.type))))))];
}

function contents(app, s) {
	switch (s.type) {
	case 'table': return tablePanel(app, s);
	case 'histogram': return histogramPanel(s);
	case 'tree': return treePanel(s);
	case 'grid': return gridPanel(s);
	case 'scalars': return [facts(s.scalars.map((v) =>
		[v.key, cellWords(v.type, v.value)]))];
	default: return s.notes.map((text) => el('p', text));
	}
}

export const reportView = {
	name: 'report',
	title: 'Report',

	mount(element, app) {
		const sections = (app.data.meta.sections || []).filter((s) =>
			KNOWN.includes(s.type) && s.slug !== 'profile');
		const panels = sections.map((s) => el('section.panel', {
			'aria-label': 'Report: ' + s.title }, el('h2', { text: s.title, tabindex: -1 }),
		...contents(app, s).filter((x) => x !== null)));
		const links = sections.map((s, i) => el('button.link', { text: s.title,
			onclick: () => {
				panels[i].scrollIntoView();
				panels[i].querySelector('h2').focus();
			} }));
		fill(element, el('nav.tools links', { 'aria-label': 'Sections' },
			...links), ...panels);
		if (panels.length === 0) {
			element.append(el('p.empty', 'The report has no tables.'));
		}
	},

	update() {},
};
