// SPDX-License-Identifier: MIT
// @ts-check
// The report's own tables, histograms and facts as panels.  A row leads to
// what it speaks of: threads, a function, or a moment.
import { upTo } from './decode.js';
import { el, fill, link, visible } from './dom.js';
import { barCell, column, Grid } from './grid.js';
import { scalarFacts } from './evidence.js';
import { edgeText, number, percent, value } from './numbers.js';
import { changePoints, WAIT } from './series.js';
import { literal } from './search.js';
import { shortName } from './short.js';
import { cellOrder, cellWords } from './words.js';

const FUNCTION = /^(symbol|function|name|caller|callee|where)$/i;
const PLACE = /^(code|data|from|to)$/i;
// By tones of states: enum cp_tone.
const STATES = ['', 'on CPU', 'runnable', 'blocked', '', 'unknown'];
const THREAD = /^(command|comm|thread|task|name|woken|waker)$/i;

/** A window of `ns' from a moment of the capture's clock on. */
function since(model, clock, ns) {
	const from = Math.max(clock - (model.data.meta.start || 0), 0);
	return { from: Math.ceil(from), to: Math.ceil(from + ns) - 1 };
}

/** What a row of a table speaks of, as a change of the selection. */
export function selectionOf(model, columns, { values }) {
	/** @type {any} */
	const patch = {}, { data } = model, cell = (name) =>
		values[columns.findIndex((c) => c.name === name)];
	const by = (name) => parseInt(cell(name)), object = cell('Object');
	const withId = (column, id) =>
		threadsBy(model, (of, t) => of[column][t] === id);
	let threads = withId('tid', by('TID')) || withId('pid', by('PID'));
	columns.forEach(({ name, type }, i) => {
		const v = values[i], text = type === 'text';
		const func = text && (FUNCTION.test(name) || PLACE.test(name)) ?
			model.funcs.find(v.replace(/^[<>] |\+0x.*/g, '')) : -1;
		// An event without samples is in no menu that leads away again.
		const event = text && name === 'Event' ? data.events.name.findIndex(
			(s, e) => model.string(s) === v && data.events.samples[e]) : -1;
		const [, cpu] = text && /^CPU (\d+)$/.exec(v) || [];
		if (func >= 0) {
			patch.focus = func;
		} else if (cpu) {
			patch.cpus = new Set([+cpu]);
		} else if (name === 'Wait') {
			const reason = data.strings.indexOf(v);
			Object.assign(patch, statesWhere(model, (of, s) =>
				of.reason[s] === reason));
		} else if (name === 'State') {
			const tone = STATES.indexOf(v.split(',')[0]);
			Object.assign(patch, statesWhere(model, (of, s) =>
				of.tone[s] === tone));
		} else if (event >= 0) {
			patch.event = event;
		} else if (text && THREAD.test(name)) {
			threads ||= threadsBy(model, (of, t) =>
				model.string(of.name[t]) === v);
		} else if (name === 'Window') { // until the next change
			const found = changePoints(data, model.length)
				.find((p) => p.after === values[0]);
			Object.assign(patch, found && { from: found.at, to: found.to });
		} else if (type === 'clock' && v > 0 && !/ at$/.test(name)) {
			Object.assign(patch, since(model, v, values[columns.findIndex(
				({ type }) => type === 'time')] || model.length / 100));
		}
	});
	if (threads) {
		patch.threads = threads;
	} else if (by('CPU') >= 0) {
		patch.cpus = new Set([by('CPU')]);
	}
	return Object.keys(patch).length > 0 ? patch : object ?
		{ search: literal(object.replace(/.*\//, '')) } : null;
}

/** What a cell of a grid speaks of, as a change of the selection. */
export function cellSelection(model, { x, y }, [i, j]) {
	const inner = y.name === 'offset';
	return x.type !== 'clock' ? null : { ...since(model, x.from + i * x.step +
		(inner ? j * y.step : 0), inner ? y.step : x.step),
	...y.name === 'CPU' ? { cpus: new Set([Number(y.labels[j])]) } : {} };
}

/** The threads that a test finds, or null. */
function threadsBy(model, has) {
	const { threads } = model.data;
	const found = upTo(threads.n).filter((t) => has(threads, t));
	return found.length > 0 ? new Set(found) : null;
}

/** Rows that lead to what they speak of. */
function linked(app, label, columns, sort, rows, patchOf) {
	const grid = new Grid({ label, columns, sort,
		onrow: (row) => {
			const patch = patchOf(row);
			if (patch) {
				app.select(patch);
			} else {
				app.say('Nothing to select here.');
			}
		} });
	grid.table.className = '';
	grid.show(rows);
	return grid.element;
}

function tablePanel(app, s) {
	const columns = s.columns.map((c, i) => ({ ...column(i, c.name,
		c.type !== 'text' ? '' : FUNCTION.test(c.name) ?
			'text name' : i === s.columns.length - 1 ? 'text long' : 'text',
		(row) => cellOrder(row.values[i])),
	show: (td, row) => {
		const title = String(cellWords(c.type, row.values[i]));
		td.append(/name/.test(td.className) ? el('span', { title,
			text: shortName(title) }) : visible(title));
		if (row.depth > 0 && c.type === 'text') {
			td.style.paddingLeft = row.depth * 14 + 'px';
		}
	} })).filter((_, i) => s.rows.length === 0 || s.rows.some((row) =>
		/[^-]/.test(cellWords(s.columns[i].type, row.values[i]))));
	if (columns.length > 8) { // names first, as the last column is out of sight
		columns.sort((a, b) => b.cls.indexOf('name') - a.cls.indexOf('name'));
	}
	return [linked(app, s.title, columns, '', s.rows, (row) =>
		selectionOf(app.model, s.columns, row)),
	s.rest && s.rest.rows > 0 ? el('p.dim',
		number(s.rest.rows) + ' more rows were left out') : null];
}

/** Whose states a test finds, and from the first of them to the last. */
function statesWhere({ data: { states } }, has) {
	const threads = new Set(), patch = { threads, from: Infinity, to: 0 };
	for (let i = 0; i < states.n; i++) {
		if (has(states, i)) {
			threads.add(states.thread[i]);
			patch.from = Math.min(patch.from, states.from[i]);
			patch.to = Math.max(patch.to, states.to[i]);
		}
	}
	return threads.size ? patch : null;
}

/** What a bar of waits for a CPU speaks of: who waited so long, and when. */
export const barSelection = (model, { lo, hi }) => statesWhere(model,
	({ tone, from, to }, i) => tone[i] === WAIT && to[i] - from[i] >= lo &&
		to[i] - from[i] < hi);

/** Bars of a histogram as a table: bounds, count, bar. */
function histogramPanel(app, s) {
	const most = s.bins.reduce((a, b) => Math.max(a, b.count), 0);
	const sum = s.bins.reduce((a, b) => a + b.count, 0);
	const count = (b) => b.count, words = (v) => value(v, s.axis.type);
	return [linked(app, s.title, [column('lo', s.axis.name, '', (b) => b.lo,
		(lo, { hi }) => words(lo) + ' \u2026 ' + words(hi)),
	column('count', 'Count', '', count, number),
	{ ...column('share', 'Share', 'share', count), show: (td, b) =>
		barCell(td, b.count, most, percent(b.count, sum)) }],
	'lo', s.bins, (b) => s.slug === 'delays' ? barSelection(app.model, b) :
		null)];
}

/** The heaviest nodes of a tree; the graph of all samples is another view. */
function treePanel(app, s) {
	const whole = s.nodes.length === 0 ? 0 : s.nodes[0].total;
	const share = (key, title) => column(key, title, '', (n) => n[key],
		(v) => percent(v, whole));
	return [linked(app, s.title, [share('self', 'Self'),
		share('total', 'Total'),
		column('name', 'Name', 'text name', (n) => n.name),
		column('in', 'Object', 'text', (n) => n.detail)],
	'-self', s.nodes.slice(1).filter((n) => n.self > 0), (n) => {
		const focus = app.model.funcs.find(n.name);
		return focus < 0 ? null : { focus };
	})];
}

/** A grid as its cells, heaviest first; a clock counts from the origin. */
function gridPanel(app, s) {
	const { start = 0, origin = 0 } = app.data.meta;
	const axis = (a) => a.type !== 'clock' ? a :
		{ ...a, from: a.from - start - origin };
	const place = (a, k) => column(k, a.name, '', (c) => c[k],
		(v) => edgeText(a, v));
	return [linked(app, s.title, [place(axis(s.x), 0), place(axis(s.y), 1),
		column(2, s.value.name, '', (c) => c[2],
			(v) => cellWords(s.value.type, v))], '-2', s.cells,
	(c) => cellSelection(app.model, s, c))];
}

/** What shows a section, by its type. */
const CONTENTS = { table: tablePanel, histogram: histogramPanel,
	tree: treePanel, grid: gridPanel, scalars: (_, s) => [scalarFacts(s)],
	notes: (_, s) => s.notes.map((text) => el('p', text)) };

export const reportView = {
	name: 'report',
	title: 'Report',

	mount(element, app) {
		const sections = (app.data.meta.sections || []).filter((s) =>
			Object.hasOwn(CONTENTS, s.type) && s.slug !== 'profile');
		// What the page opens at comes first; Evidence has the label, too.
		sections.sort((a, b) => +(a.slug === 'label') - +(b.slug === 'label'));
		const panels = sections.map((s) => el('section.panel', {
			'aria-label': 'Report: ' + s.title }, el('h2', { text: s.title, tabindex: -1 }),
		...CONTENTS[s.type](app, s).filter((x) => x !== null)));
		const links = sections.map((s, i) => link(s.title, () => {
			panels[i].scrollIntoView();
			panels[i].querySelector('h2').focus();
		}));
		fill(element, el('nav.tools links', { 'aria-label': 'Sections' },
			...links), ...panels);
		if (panels.length === 0) {
			element.append(el('p.empty', 'The report has no tables.'));
		}
	},

	renew() {},
};
