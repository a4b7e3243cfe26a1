// SPDX-License-Identifier: MIT
// @ts-check
// The stretch of time that strip and lanes show, how it zooms, its axis, and
// choosing a part of it by mouse and keys.
import { clamp, isShortcut, listen, pointIn, take } from './dom.js';
import { ALL_TIME, isTimed } from './filter.js';
import { momentWords } from './words.js';

const LEAST = 1000; // ns; nothing is shown wider than that

/**
 * @typedef {object} Window
 * @property {number} from
 * @property {number} to
 * @property {number} origin where the axis counts from
 */

/** @param {any} app @returns {Window} */
export function windowOf(app) {
	const [from, to] = app.state.window.split(',').map(Number);
	const length = Math.max(app.model.length, 1);
	const origin = app.data.meta.origin || 0;
	return from >= 0 && to > from && from < length ?
		{ from, to: Math.min(to, length), origin } :
		{ from: 0, to: length, origin };
}
/** @param {any} app @param {number} from @param {number} to */
export function setWindow(app, from, to) {
	const length = Math.max(app.model.length, 1);
	const wide = Math.min(Math.max(to - from, LEAST), length);
	const at = clamp(from, 0, length - wide);
	app.set({ window: wide >= length ? '' : Math.round(at) + ',' +
		Math.round(at + wide) }, 'replaceState');
}
// Makes it so many times as wide, with one moment where it is.
/** @param {any} app @param {number} factor @param {number} about */
export function zoomWindow(app, factor, about) {
	const { from, to } = windowOf(app);
	setWindow(app, about - (about - from) * factor,
		about + (to - about) * factor);
}
/** @param {any} app @param {number} part of its width */
export function moveWindow(app, part) {
	const { from, to } = windowOf(app), by = (to - from) * part;
	setWindow(app, from + by, to + by);
}
// The window becomes what is selected, or all.
/** @param {any} app */
export function windowToSelection(app) {
	const { from, to } = app.state.selection, { length } = app.model;
	setWindow(app, from ?? 0, to ?? length);
}

// A round step so that labels of so many pixels do not touch.
/** @param {number} range @param {number} pixels @param {number} room */
function roundStep(range, pixels, room) {
	const least = range / Math.max(Math.floor(pixels / room), 1);
	const ten = Math.pow(10, Math.floor(Math.log10(Math.max(least, 1))));
	return [1, 2, 5, 10].map((k) => k * ten).find((s) => s >= least) ||
		10 * ten;
}
// Pixels for moments, and back.
export class Scale {
	/** @param {Window} window @param {number} left @param {number} width */
	constructor(window, left, width) {
		this.from = window.from;
		this.to = window.to;
		this.origin = window.origin;
		this.left = left;
		this.width = Math.max(width, 1);
		this.perNs = this.width / (this.to - this.from);
	}
	/** @param {number} time */
	x(time) {
		return this.left + (time - this.from) * this.perNs;
	}
	/** @param {number} x */
	time(x) {
		return clamp(this.from + (x - this.left) / this.perNs, this.from,
			this.to);
	}
	/** @param {import('./pen.js').Pen} pen @param {any} ink
	 *  @param {number} y @param {number} high of the lines */
	axis(pen, ink, y, high) {
		const step = roundStep(this.to - this.from, this.width, 90);
		const digits = Math.max(0, Math.ceil(9 - Math.log10(step)));
		const first = Math.ceil((this.from - this.origin) / step) * step;
		for (let t = first; t <= this.to - this.origin; t += step) {
			const x = this.x(t + this.origin);
			pen.rect(Math.round(x), y - high, 1, high, ink.line);
			const text = (t / 1e9).toFixed(digits) + ' s';
			if (x + 3 + pen.widthOf(text) <= this.left + this.width) {
				pen.text(text, x + 3, y - 3, ink.dim);
			}
		}
	}
	// Veils what is not selected.
	/** @param {import('./pen.js').Pen} pen @param {any} ink @param {any} sel
	 *  @param {number} high */
	veil(pen, ink, sel, high) {
		if (!isTimed(sel)) {
			return;
		}
		const end = this.left + this.width;
		const a = clamp(this.x(sel.from || 0), this.left, end);
		const b = clamp(this.x(sel.to ?? Infinity), this.left, end);
		pen.rect(this.left, 0, a - this.left, high, ink.veil);
		pen.rect(b, 0, end - b, high, ink.veil);
		pen.rect(a - 0.5, 0, 1, high, ink.ring);
		pen.rect(b - 0.5, 0, 1, high, ink.ring);
	}
}

// Mouse, finger and keys of a picture over time.
export class TimeInput {
	/** @type {number|null} where mouse or finger came down */
	pressed = null;
	/** @type {{from: number, to: number}|null} dragged over now */
	drag = null;
	/** @type {number|null} the moment that keys move */
	at = null;
	/** @type {number|null} where keys began to select */
	grip = null;
	/**
	 * @param {any} app @param {HTMLElement} element
	 * @param {{scale: () => Scale, told: (time: number, e: MouseEvent|null)
	 *   => void, left: () => void, redraw: () => void,
	 *   clicked: (e: MouseEvent) => void}} how
	 */
	constructor(app, element, how) {
		this.app = app;
		this.element = element;
		this.how = how;
		/** @type {Record<string, (e: any) => void>} */
		const events = { pointerdown: (e) => this.press(e),
			pointermove: (e) => this.move(e), mouseleave: () => how.left(),
			dblclick: () => windowToSelection(app) };
		listen(element, events);
		listen(window, { pointerup: (/** @type {MouseEvent} */ e) =>
			this.release(e),
		// A finger scrolls.
		pointercancel: () => this.drag = this.pressed = null });
		element.addEventListener('wheel', (e) => this.wheel(e),
			{ passive: false });
	}
	/** @param {MouseEvent} e */
	timeOf(e) {
		return this.how.scale().time(pointIn(this.element, e)[0]);
	}
	/** @param {MouseEvent} e */
	press(e) {
		if (e.button === 0) {
			this.pressed = this.timeOf(e);
		}
	}
	/** @param {MouseEvent} e */
	move(e) {
		const time = this.timeOf(e);
		if (this.pressed !== null && Math.abs(time - this.pressed) *
			this.how.scale().perNs > 3) {
			this.drag = { from: Math.round(Math.min(time, this.pressed)),
				to: Math.round(Math.max(time, this.pressed)) };
			this.how.redraw();
			this.app.say('Selecting ' + momentWords(this.app.model,
				this.drag.from) +
				' \u2026 ' +
				momentWords(this.app.model, this.drag.to));
		} else {
			this.how.told(time, e);
		}
	}
	/** @param {MouseEvent} e */
	release(e) {
		const { drag, pressed } = this;
		this.drag = this.pressed = null;
		if (drag !== null) {
			this.app.select(drag);
			this.how.redraw();
		} else if (pressed !== null) {
			this.at = pressed;
			this.how.told(pressed, e);
			this.how.clicked(e);
		}
	}
	/** @param {WheelEvent} e */
	wheel(e) {
		const across = Math.abs(e.deltaX) > Math.abs(e.deltaY);
		if (across || e.shiftKey) {
			moveWindow(this.app, (e.deltaX || e.deltaY) / 1000);
		} else if (e.ctrlKey || this.element.scrollHeight <=
			this.element.clientHeight + 1) {
			zoomWindow(this.app, Math.exp(e.deltaY / 400), this.timeOf(e));
		} else {
			return; // there is something to scroll
		}
		e.preventDefault();
	}
	// What is selected, or would be when the mouse is let go.
	selection() {
		return this.drag || this.app.state.selection;
	}
	// The moment that keys are at; at first the middle.
	moment() {
		const { from, to } = this.how.scale();
		return this.at === null || this.at < from || this.at > to ?
			(from + to) / 2 : this.at;
	}
	// Goes to a moment; with Shift all from where it was is selected.
	/** @param {number} time @param {boolean} selects */
	goTo(time, selects) {
		const { from, to } = this.how.scale(), before = this.moment();
		const { length } = this.app.model;
		this.at = clamp(time, 0, length);
		this.grip = selects ? this.grip ?? before : null;
		if (this.at < from || this.at > to) {
			setWindow(this.app, this.at - (to - from) / 2,
				this.at + (to - from) / 2);
		}
		if (this.grip !== null && this.grip !== this.at) {
			this.app.select({
				from: Math.round(Math.min(this.grip, this.at)),
				to: Math.round(Math.max(this.grip, this.at)) },
			'replaceState');
		}
		this.how.redraw();
		this.how.told(this.at, null);
	}
	// Keys that mean the same in all pictures over time; false: another one.
	/** @param {KeyboardEvent} e */
	key(e) {
		const { app } = this, { from, to, perNs } = this.how.scale();
		const { selection } = app.state, wide = to - from;
		const at = this.moment();
		const zoomIn = () => zoomWindow(app, 0.5, at);
		const goes = (/** @type {number} */ time) => () =>
			this.goTo(time, e.shiftKey);
		/** @type {Record<string, () => void>} */
		const actions = { '+': zoomIn, '=': zoomIn,
			'-': () => zoomWindow(app, 2, at),
			PageUp: goes(at - wide / 10), PageDown: goes(at + wide / 10),
			Home: goes(0), End: goes(app.model.length),
			z: () => windowToSelection(app), ArrowLeft: goes(at - 8 / perNs),
			ArrowRight: goes(at + 8 / perNs) };
		if (isTimed(selection)) {
			actions.Escape = () => app.select(ALL_TIME);
		} else if (app.state.window !== '') {
			actions.Escape = () => setWindow(app, 0, app.model.length);
		}
		if (isShortcut(e) || !actions[e.key]) {
			return false;
		}
		actions[e.key]();
		take(e);
		return true;
	}
}
