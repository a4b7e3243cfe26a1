// SPDX-License-Identifier: MIT
// @ts-check
// Lanes: what each thread, or each CPU, did over time.  A click on a wait tells
// who waited, how long, for what, and who ended it.
import { button, clamp, coloursOf, el, fill, isDark } from './dom.js';
import { isShortcut, listen, menu, paper, pointIn } from './dom.js';
import { swatch, take, whenResized, widthOf } from './dom.js';
import { withNextPicture } from './dom.js';
import { upTo } from './decode.js';
import { Colours, TONE_WORDS } from './frames.js';
import { threadFlags } from './filter.js';
import { picturesOf } from './flame-view.js';
import { LANE, paintLane, pathOf, STACK_ROW } from './lane-paint.js';
import { MOST_ROWS, stackBoxes, TONES } from './lane-paint.js';
import { cpuRows, threadRows, Tracks } from './lane-rows.js';
import { time } from './numbers.js';
import { CanvasPen, inkOf, MONO, SANS } from './pen.js';
import { Scale, TimeInput, windowOf, zoomWindow } from './time-window.js';
import { momentWords } from './words.js';
import { NONE } from './funcs.js';
import { matchesOf } from './search.js';
import { needs } from './state.js';

const NAMES = 176, LAST = 6, HEAD_ROW = 18, TOP = 18;
const STACK_SHOWN = 12;
const FEW = 4; // lanes are open at first if there are no more
/** @typedef {import('./lane-rows.js').Row} Row */

class Lanes {
	/** @type {Tracks} */
	tracks;
	/** @type {CanvasPen} */
	pen;
	/** @type {Scale} */
	scaleNow;
	/** @type {TimeInput} */
	input;
	/** @type {Colours} */
	colours;
	/** @type {Colours} */
	bright;
	/** @type {import('./lane-paint.js').Look} */
	look;
	/** @type {Uint8Array|null} functions that the search finds */
	hits = null;
	/** Pixels of all rows. */
	high = 0;
	name = 'lanes';
	title = 'Lanes';
	/** @type {Row[]} */
	all = [];
	/** @type {Row[]} that are not folded away */
	rows = [];
	focused = 0;
	later = withNextPicture(() => this.draw());
	width = 0;
	/** Keys of rows that are not as at first: open, or the other way. */
	turned = new Set();
	keys = [['arrows', 'to a lane, or earlier and later'],
		['Shift-arrows, drag', 'select time'],
		['Enter', 'tell what is there'],
		['o', 'open or close a lane, or a group'],
		['t', 'select the threads of a lane, or its CPU'],
		['+, \u2212, wheel', 'zoom'], ['z', 'zoom to what is selected']];
	/** @param {any} element @param {any} app */
	mount(element, app) {
		this.app = app;
		this.common = picturesOf(app);
		this.tracks = new Tracks(app.model);
		this.canvas = el('canvas');
		this.space = el('div.flame-space', {}, this.canvas);
		this.box = el('div.flame lanes', { tabindex: '0',
			role: 'application', 'aria-label': 'Lanes of threads over time. ' +
			'Arrow keys move, Enter tells what is there.' },
		this.space);
		this.pen = new CanvasPen(this.canvas);
		this.detail = el('div.lane-detail', { role: 'status',
			hidden: true });
		this.by = menu([['thread', 'threads'], ['cpu', 'CPUs']],
			(/** @type {string} */ rows) => app.set({ rows }));
		fill(element, el('div.tools', {},
			el('label.choice', {}, 'Lanes of ', this.by),
			this.button('Zoom in', 0.5), this.button('Zoom out', 2),
			this.button('All', 1e9), this.legend()), this.box, this.detail);
		this.scaleNow = new Scale(windowOf(app), NAMES, 100);
		this.input = new TimeInput(app, this.box, {
			scale: () => this.scaleNow, redraw: this.later,
			told: (when, e) => this.tell(when, e),
			left: () => this.common.tip.hide(), clicked: (e) => this.click(e) });
		this.listen();
	}
	listen() {
		const { box, later } = this;
		listen(box, { scroll: later, focus: later, blur: later,
			keydown: (/** @type {KeyboardEvent} */ e) => this.key(e) });
		whenResized(box, later);
	}
	// A button that makes the window so many times as wide.
	/** @param {string} text @param {number} factor */
	button(text, factor) {
		return button(text, () => zoomWindow(this.app, factor,
			this.input.moment()));
	}
	legend() {
		const keys = this.app.data.states.n === 0 ? [] : TONES.slice(1);
		return el('span.legend', {}, ...keys.map((tone, k) =>
			swatch(['var(--' + tone + ')', TONE_WORDS[k + 1]])));
	}
	/** @param {Set<string>} change */
	renew(change) {
		const { app } = this, { selection } = app.state;
		this.tracks.use(selection);
		this.detail.hidden ||= needs(change, ['all', 'samples', 'rows']);
		if (needs(change, ['all', 'threads', 'side', 'rows', 'lanes'])) {
			this.regroup();
		}
		if (needs(change, ['all', 'search'])) {
			this.hits = matchesOf(selection.search,
				app.model.funcs.all.name);
		}
		if (needs(change, ['all', 'colour', 'theme'])) {
			this.colours = new Colours(app.model, app.state.colour, isDark());
			this.bright = new Colours(app.model, app.state.colour, false);
		}
		this.colours.shades = this.bright.shades = app.model.shadesBy(
			app.state.colour, selection, app.state.split);
		this.later();
	}

	// ---- rows
	regroup() {
		const { app } = this, { selection, rows, lanes } = app.state;
		const shown = threadFlags(app.model, selection);
		const list = upTo(app.data.threads.n).filter((t) =>
			shown === null || shown[t] === 1);
		this.turned = new Set(lanes === '' ? [] : lanes.split('\0'));
		this.by.value = rows;
		this.all = rows === 'cpu' ? cpuRows(app.model.cpus) :
			threadRows(this.tracks, list);
		this.tracks.numberPools(this.all);
		this.arrange();
	}
	// Finds what is shown and where.
	arrange() {
		const folded = new Set();
		let y = TOP;
		this.rows = [];
		for (const row of this.all) {
			const group = row.kind === 'process' || row.kind === 'pool';
			row.folded = group && (row.kind === 'pool') !==
				this.turned.has(row.key);
			row.open = !group && (this.all.length <= FEW &&
				row.kind === 'thread') !== this.turned.has(row.key);
			if (row.folded) {
				folded.add(row.key);
			}
			if (!row.inside.some((key) => folded.has(key))) {
				row.y = y;
				row.high = row.kind === 'process' ? HEAD_ROW : LANE +
					(row.open ? this.deepOf(row) * STACK_ROW : 0);
				y += row.high;
				this.rows.push(row);
			}
		}
		this.high = y + 4;
		this.focused = Math.min(this.focused, this.rows.length - 1);
		this.space.style.height = this.high + 'px';
		this.later();
	}
	// Rows for the deepest stack of a lane in the whole capture, so that
	// nothing moves in a zoom.
	/** @param {Row} row */
	deepOf(row) {
		const { model } = this.app, { merged } = model;
		const { stack } = model.data.samples, seen = new Set();
		let deep = 1;
		this.tracks.eachSample(row, 0, model.length, (s) => {
			if (!seen.has(stack[s]) && deep < MOST_ROWS) {
				let rows = 0;
				seen.add(stack[s]);
				for (let i = merged.at[stack[s]]; i !== 0; rows++) {
					i = merged.parent[i];
				}
				deep = Math.max(deep, rows);
			}
		});
		return Math.min(deep, MOST_ROWS);
	}
	/** @param {MouseEvent} e */
	rowAt(e) {
		const at = pointIn(this.box, e)[1] + this.box.scrollTop;
		return this.rows.findIndex((r) => at >= r.y && at < r.y + r.high);
	}

	// ---- drawing
	draw() {
		const { box, pen } = this;
		this.width = widthOf(box);
		if (this.width > NAMES + 40 && box.clientHeight > 0) {
			this.scaleNow = new Scale(windowOf(this.app), NAMES,
				this.width - NAMES - LAST);
			// Paper has no scroll bar.
			const whole = paper.on;
			this.paint(pen, whole ? 0 : box.scrollTop, whole ? this.high :
				box.clientHeight);
		}
	}
	/** @param {import('./pen.js').Pen} pen @param {number} from
	 *  @param {number} high */
	paint(pen, from, high) {
		const ink = inkOf(isDark());
		pen.begin(this.width, high, ink.ground);
		pen.font(11, MONO);
		const look = { model: this.app.model, tracks: this.tracks,
			scale: this.scaleNow, names: this.common.names, ink,
			colours: this.colours, bright: this.bright,
			tones: coloursOf(TONES), hits: this.hits,
			charWidth: pen.widthOf('x'.repeat(50)) / 50 || 6.6 };
		this.look = look;
		this.rows.forEach((row, i) => {
			const y = row.y - from;
			if (y < high && y + row.high > TOP) {
				this.paintRow(pen, look, row, y, i);
			}
		});
		pen.rect(0, 0, this.width, TOP, ink.ground);
		pen.font(11, SANS);
		if (this.app.model.length > 0) { // else no time is known
			this.scaleNow.axis(pen, ink, TOP - 1, TOP - 1);
		}
		this.scaleNow.veil(pen, ink, this.input.selection(), high);
		if (this.rows.length === 0) {
			pen.text('There are none.', 12, TOP + 20, ink.dim);
		}
	}
	/** @param {any} pen @param {any} look @param {Row} row
	 *  @param {number} y @param {number} i */
	paintRow(pen, look, row, y, i) {
		const { ink } = look, group = row.kind === 'process';
		const seen = i === this.focused &&
			this.box.matches(':focus-visible');
		pen.rect(0, y + row.high - 1, this.width, 1, ink.line);
		if (group || seen) {
			pen.rect(0, y, seen && !group ? NAMES : this.width, row.high - 1,
				ink.shade);
		}
		const sign = row.kind === 'cpu' ? '' : (group || row.kind === 'pool' ?
			!row.folded : row.open) ? '\u25be ' : '\u25b8 ';
		pen.font(11, group ? SANS : MONO, group ? 600 : 400);
		const room = Math.floor((group ? this.width : NAMES - 20) /
			look.charWidth) - 2;
		const label = row.label.length > room ?
			row.label.slice(0, room - 1) + '\u2026' : row.label;
		pen.text(sign + label, row.inside.length === 0 ? 4 : 14, y + (group ? 13 : 15), ink.text);
		pen.font(11, MONO);
		if (!group) {
			paintLane(pen, look, row, y);
		}
		if (seen) {
			pen.frame(1, y + 1, this.width - 2, row.high - 3, ink.ring, 2);
			pen.rect(this.scaleNow.x(this.input.moment()) - 1, y, 2,
				row.high, ink.ring);
		}
	}

	// ---- what is told
	/** @param {number} when @param {MouseEvent|null} e */
	tell(when, e) {
		const row = this.rows[e === null ? this.focused : this.rowAt(e)];
		if (row === undefined) {
			this.common.tip.hide();
			return;
		}
		const lines = [row.label, ...this.linesAt(row, when)];
		const box = e !== null && row.open ? this.boxAt(row, e) : null;
		if (box !== null) {
			lines.unshift(this.common.names.of(box.func));
		}
		this.app.say(lines.slice(0, 4).join(' \u00b7 '));
		if (e !== null) {
			this.common.tip.show(lines.slice(0, 5), e.clientX, e.clientY);
		}
	}
	/** @param {Row} row @param {MouseEvent} e */
	boxAt(row, e) {
		const [x, y] = pointIn(this.box, e);
		return stackBoxes(this.look, row).find((b) => x >= b.x && x < b.to &&
			b.row === Math.floor((y + this.box.scrollTop - row.y - LANE) /
			STACK_ROW)) || null;
	}
	// What is known of a lane at a moment: its state, and a sample near it.
	/** @param {Row} row @param {number} when @returns {string[]} */
	linesAt(row, when) {
		const { model, data } = this.app, out = [momentWords(model,
			Math.round(when))];
		if (row.kind === 'process') {
			return out;
		}
		this.tracks.eachState(row, when, when, (s) =>
			out.push(...this.stateLines(row, s)));
		const near = 3 / this.scaleNow.perNs;
		let best = -1;
		this.tracks.eachSample(row, when - near, when + near, (i) => {
			const far = (/** @type {number} */ k) =>
				Math.abs(data.samples.time[k] - when);
			best = best < 0 || far(i) < far(best) ? i : best;
		});
		return best < 0 ? out : out.concat(this.sampleLines(row, best));
	}
	/** @param {Row} row @param {number} s @returns {string[]} */
	stateLines(row, s) {
		const { states, strings } = this.app.data;
		const reason = strings[states.reason[s]], waker = states.waker[s];
		const out = [TONE_WORDS[states.tone[s]] + (reason ? ' (' + reason +
			')' : '') + ' for ' + time(states.to[s] - states.from[s])];
		if (row.kind !== 'thread') {
			out.push('thread ' + this.threadName(states.thread[s]));
		}
		if (waker !== NONE && waker !== undefined) {
			out.push('woken by ' + this.threadName(waker));
		}
		return out.concat(this.stackLines(states.stack[s], 'in '));
	}
	/** @param {Row} row @param {number} i @returns {string[]} */
	sampleLines(row, i) {
		const { samples, strings } = this.app.data;
		const labels = samples.labels && strings[samples.labels[i]];
		return (row.kind !== 'thread' ? ['thread ' +
			this.threadName(samples.thread[i])] : [])
			.concat(labels ? labels.split('\n') : [],
				this.stackLines(samples.stack[i], 'sampled in '));
	}
	/** @param {number} t */
	threadName(t) {
		const { strings, threads } = this.app.data;
		return strings[threads.name[t]] + ' ' + (threads.tid[t] === NONE ?
			'' : threads.tid[t]);
	}
	// The innermost functions of a stack.
	/** @param {number} stack @param {string} first @returns {string[]} */
	stackLines(stack, first) {
		return stack === 0 ? [] : pathOf(this.app.model, stack).reverse()
			.slice(0, STACK_SHOWN).map((func, i) => (i === 0 ? first :
				'from ') + this.common.names.of(func));
	}
	// Tells all of what is where the keys, or a click, are.
	pick() {
		const row = this.rows[this.focused];
		if (row === undefined) {
			return;
		}
		const lines = this.linesAt(row, this.input.moment());
		this.detail.hidden = false;
		fill(this.detail, el('strong', row.label),
			...lines.map((text) => el('span', text)));
		this.later();
	}

	// ---- mouse and keys
	/** @param {MouseEvent} e */
	click(e) {
		const i = this.rowAt(e);
		if (i >= 0) {
			this.focused = i;
			if (pointIn(this.box, e)[0] < NAMES || this.rows[i].kind === 'process') {
				this.toggle(this.rows[i]);
			} else {
				this.pick();
			}
		}
	}
	// Opens or closes a lane, or a group of them; a CPU is selected.
	/** @param {Row} row */
	toggle(row) {
		if (row.kind === 'cpu') {
			this.select(row);
			return;
		}
		if (!this.turned.delete(row.key)) {
			this.turned.add(row.key);
		}
		this.app.set({ lanes: [...this.turned].join('\0') },
			'replaceState');
	}
	/** @param {Row} row */
	select(row) {
		this.app.select(row.kind === 'cpu' ? { cpus: new Set([row.nth]) } :
			{ threads: new Set(row.threads) });
	}
	/** @param {number} by */
	walk(by) {
		const { box, rows } = this;
		this.focused = clamp(this.focused + by, 0, rows.length - 1);
		const row = rows[this.focused];
		if (row !== undefined) {
			if (row.y - TOP < box.scrollTop) {
				box.scrollTop = row.y - TOP;
			} else if (row.y + LANE > box.scrollTop +
				box.clientHeight) {
				box.scrollTop = row.y + LANE - box.clientHeight;
			}
			this.tell(this.input.moment(), null);
		}
		this.later();
	}
	/** @param {KeyboardEvent} e */
	key(e) {
		const row = this.rows[this.focused];
		/** @type {Record<string, () => void>} */
		const actions = { ArrowUp: () => this.walk(-1),
			ArrowDown: () => this.walk(1), Enter: () => this.pick(),
			o: () => this.toggle(row), t: () => this.select(row) };
		if (!isShortcut(e) && !this.input.key(e) && actions[e.key] && row) {
			actions[e.key]();
			take(e);
		}
	}
	/** @param {import('./pen.js').Pen} pen */
	drawFile(pen) {
		this.paint(pen, 0, Math.min(this.high, 32000));
		this.later();
	}
}
export const lanesView = () => new Lanes();
