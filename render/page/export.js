// SPDX-License-Identifier: MIT
// @ts-check
// What is shown, for other tools: the command that shows the same, a link,
// folded stacks, the table as CSV, the picture as SVG or PNG.
import { button, el, isDark, minor, offer, openDialog } from './dom.js';
import { isTimed } from './filter.js';
import { escapeText } from './folded.js';
import { trustOf } from './frames.js';
import { inkOf, pngOf, SANS, svgOf } from './pen.js';
import { idText } from './pools.js';
import { listingsOf } from './listing.js';
import { intervalsOf } from './precision.js';
import { commandOrder, isCode } from './table.js';
import { commandWords, filterWords, keepsMore } from './words.js';

const COMMANDS = { flame: ['flame'], icicle: ['flame', '--icicle'],
	calls: ['flame'], table: ['hotspots'], sandwich: ['hotspots'],
	lanes: ['timeline'], source: ['annotate'] };
const BY_KEYS = { function: 'dso,symbol', object: 'dso', line: 'line',
	thread: 'comm,pid,tid', comm: 'comm' };

const LEGEND = 24; // pixels of it under a picture

const isTree = (view) => COMMANDS[view]?.[0] === 'flame';

/** The command of what is shown. */
export function shownCommand(app) {
	const { state, model } = app, sel = state.selection, { view } = state;
	const { analysis, given = [] } = model.data.meta;
	const words = [...COMMANDS[view] || [analysis, ...given.flat()]];
	const name = model.funcs.all.name[sel.focus];
	if (view === 'table') {
		words.push(...isCode(state.by) ? ['--children'] : [], '--by',
			BY_KEYS[state.by], '--top', '0');
	} else if (view === 'source' ? listingsOf(model.data).some((l) =>
		l.name === name) : view === 'sandwich' && trustOf(model, sel.focus)) {
		words.push(view === 'source' ? '--function' : '--callers',
			name.replace(/ \(inlined\)$/, ''));
	} else if (isTree(view)) {
		words.push(...state.inverted ? ['--reverse'] : [],
			...state.split === 'none' ? ['--no-comm'] : []);
	}
	return commandWords(model, sel, words);
}

/** The folded stacks of what is shown, as `flame --lost-callers=mark` writes
 *  them; but of waits `flame' knows nothing. */
export const foldedOf = ({ state, model }) => model.folded(state.selection,
	isTree(state.view) ? state : {});

/** Would a spreadsheet compute it?  Not a number, nor a sign alone. */
const isFormula = (text) => /^[=@]|^[-+]./.test(text) &&
	!/^[-+]\d+(\.\d*)?([eE][-+]?\d*)?$/.test(text);

const csvText = (text) => {
	const plain = (isFormula(text) ? "'" : '') + escapeText(text, { '"': '""' });
	return /[",]/.test(text) ? '"' + plain + '"' : plain;
};

/** A number as %.9g writes it. */
export function csvNumber(v) {
	if (!Number.isFinite(v)) {
		return '';
	}
	const short = Number(v.toPrecision(9)), exponent = v === 0 ? 0 :
		Math.floor(Math.log10(Math.abs(short)));
	if (exponent >= -4 && exponent < 9) {
		return exponent < 0 ? short.toFixed(8 - exponent)
			.replace(/\.?0+$/, '') : String(short);
	}
	const [digits, power] = short.toExponential().split('e');
	return digits + 'e' + power[0] + power.slice(1).padStart(2, '0');
}

/** What the last columns of CSV are called. */
const csvHeads = (by) => BY_KEYS[by].replace('dso', 'object')
	.replace('symbol', 'level,symbol').replace('comm', 'command');

/** The table as CSV, as the command writes it. */
export function csvOf(model, sel, by) {
	const code = isCode(by);
	const whole = model.filter(sel).weight, { pid, tid } = model.data.threads;
	const sure = intervalsOf(model, sel, by);
	const share = (r, key) => {
		const [lo, hi] = sure(r, key);
		return [whole > 0 ? r[key] / whole : 0, lo, hi].map(csvNumber).join();
	};
	const texts = (r) => by === 'function' ? [csvText(r.detail), r.level,
		csvText(r.name)] : by === 'thread' ? [csvText(r.name),
		idText(pid[r.thread]), idText(tid[r.thread])] : [csvText(r.name)];
	const heads = (name) => name + ',' + name + '_lo,' + name + '_hi';
	const lines = [[...code ? [heads('children')] : [],
		heads(code ? 'self' : 'share'), 'samples', csvHeads(by)]];
	for (const r of commandOrder(model.table(sel, by), by)) {
		lines.push([...code ? [share(r, 'total')] : [], share(r, 'self'), r.samples,
			...texts(r)]);
	}
	return lines.map((cells) => cells.join(',') + '\n').join('');
}

export class Exports {
	constructor(app) {
		this.app = app;
		// What it offers is of what was shown when it was opened.
		app.listeners.push(() => this.dialog?.close());
	}

	/** Pages of http: have no clipboard. */
	async copy(text) {
		try {
			await navigator.clipboard.writeText(text);
			this.app.say('Copied.');
		} catch {
			this.app.say('The browser lets no page copy.');
		}
	}

	/** What the view gives: [[label, function]]. */
	ways() {
		const { app } = this, { model, state } = app, sel = state.selection;
		const view = app.views.get(state.view);
		const list = [['Copy the link', () => this.copy(location.href)],
			['Folded stacks', () => offer('flame.folded', foldedOf(app),
				'text/plain')],
			['Save a copy with notes', () => app.notes.save()]];
		if (state.view === 'table') {
			list.push(['Table as CSV', () => offer('table.csv',
				csvOf(model, sel, state.by), 'text/csv')]);
		}
		if (view.drawFile) {
			list.push(['Picture as SVG', () => offer(view.name + '.svg',
				this.svg(), 'image/svg+xml')], ['Picture as PNG', async () =>
				offer(view.name + '.png', await this.png(), 'image/png')]);
		}
		return list;
	}

	/** Draws the view that is shown, and not only what is in sight. */
	draw(pen) {
		const { views, state } = this.app, view = views.get(state.view);
		const { begin } = pen, { ground, dim } = inkOf(isDark());
		pen.begin = (w, h) => begin.call(pen, w, h + LEGEND, ground);
		view.drawFile(pen);
		const y = pen.height - LEGEND;
		pen.rect(0, y, pen.width, LEGEND, ground);
		pen.font(11, SANS);
		let x = 8;
		for (const key of view.element.querySelectorAll('.legend>*')) {
			const text = key.textContent;
			pen.rect(x, y + 8, 9, 9, getComputedStyle(key.firstChild)
				.backgroundColor);
			pen.text(text, x + 14, y + 16, dim);
			x += 30 + pen.widthOf(text);
		}
	}

	svg() {
		return svgOf((pen) => this.draw(pen), this.app.data.meta.title);
	}

	png() {
		return pngOf((pen) => this.draw(pen));
	}

	open() {
		const { app } = this, { model, state } = app, sel = state.selection;
		const { meta } = model.data, command = shownCommand(app), remark = (shown, text) =>
			el('p.dim', { text, hidden: !shown });
		const dialog = this.dialog = openDialog('Export',
			el('h2', 'Export what is shown'),
			minor('The command'), el('pre', command),
		button('Copy the command', () => this.copy(command)),
		remark(sel.search !== '', 'The search is no filter of the command.'),
		remark(isTree(state.view) && model.picture(sel, state).parts,
			'The command shows no waits.'),
		remark(isTimed(sel) && (meta.binned || (model.sides === null ?
			meta.origin === null : state.align !== 'start')),
		'The command has other times.'),
		remark(filterWords(model, sel).includes('-1'),
			'Threads without a TID have no filter.'),
		remark(keepsMore(model, sel), 'The command has more samples: threads ' +
			'have had each other\u2019s names.'),
		el('div.row', {}, ...this.ways().map(([text, fn]) =>
			button(text, fn)), button('Close', () => dialog.close())));
	}
}
