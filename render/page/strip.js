// SPDX-License-Identifier: MIT
// @ts-check
// The overview above all views: samples, CPUs in use, threads that could run
// and threads that wait, and losses, over time; time is selected here.
import { coloursOf, el, fill, isDark, listen } from './dom.js';
import { whenResized, widthOf, withNextPicture } from './dom.js';
import { picturesOf } from './flame-view.js';
import { ALL_TIME, isTimed, selectionKey } from './filter.js';
import { number } from './numbers.js';
import { CanvasPen, inkOf, SANS } from './pen.js';
import { changePoints } from './series.js';
import { Scale, TimeInput, windowOf } from './time-window.js';
import { cellWords, momentWords } from './words.js';

const LEFT = 120, RIGHT = 6, AXIS_ROOM = 16, LOST_ROOM = 10;
// A row of the strip: what of a series it shows, and how.
const TRACKS = [
	{ name: 'samples', label: 'Samples', high: 26, colour: 'bar' },
	{ name: 'other', label: 'Other side', high: 26, colour: 'unknown' },
	{ name: 'busy', label: 'CPUs in use', high: 22, colour: 'run' },
	{ name: 'runnable', label: 'Could run', high: 16, colour: 'wait' },
	{ name: 'blocked', label: 'Waiting', high: 16, colour: 'block' }];
class Strip {
	/** @type {CanvasPen} */
	pen;
	/** @type {Scale} */
	scaleNow;
	/** @type {TimeInput} */
	input;
	/** @type {ReturnType<typeof changePoints>} */
	changes;
	name = 'strip';
	title = 'Overview';
	place = 'strip';
	/** @type {any} */
	series = null;
	key = '';
	/** @type {any} */
	tones = {};
	later = withNextPicture(() => this.draw());
	width = 0;
	bar = 1; // pixels of a bin
	/** @param {any} element @param {any} app */
	mount(element, app) {
		this.app = app;
		this.canvas = el('canvas');
		this.box = el('div.strip-box', { tabindex: '0',
			role: 'application', 'aria-label': 'Overview over time. Arrow ' +
			'keys move, with Shift they select.' },
		this.canvas);
		this.pen = new CanvasPen(this.canvas);
		this.tip = picturesOf(app).tip;
		this.scaleNow = new Scale(windowOf(app), LEFT, 100);
		this.input = new TimeInput(app, this.box, {
			scale: () => this.scaleNow, redraw: this.later,
			told: (time, e) => this.tell(time, e),
			left: () => this.tip.hide(), clicked: () => this.clear() });
		listen(this.box, { focus: this.later, blur: this.later,
			keydown: (/** @type {KeyboardEvent} */ e) => this.input.key(e) });
		this.changes = changePoints(app.data, app.model.length);
		if (this.changes.length > 0) {
			this.keys = [['c', 'next change of the rate', () => this.step(1)],
				['C', 'the one before', () => this.step(-1)]];
		}
		fill(element, this.box);
		whenResized(this.box, this.later);
	}
	renew() {
		this.later();
	}
	// The series of what is selected but for the time.
	read() {
		const { app, width } = this, { selection } = app.state;
		const { from, to, origin } = windowOf(app);
		const room = Math.max(1, Math.floor(width - LEFT - RIGHT));
		const all = app.model.filter({ ...selection, ...ALL_TIME });
		// A bin holds a few samples, or it tells nothing of a rate; states
		// are known everywhere.
		const enough = app.data.states.n > 0 ? room : Math.floor(all.samples /
			4 * (to - from) / Math.max(app.model.length, 1));
		const bins = Math.max(1, Math.min(room, Math.max(60, enough)));
		const key = [selectionKey({ ...selection, from, to }), bins,
			app.state.align].join('|');
		if (key !== this.key) {
			this.key = key;
			this.series = app.model.series(selection, bins, from, to);
			this.series.other = selection.side === '' ? null :
				app.model.series({ ...selection, side: selection.side ===
					'after' ? 'before' : 'after' }, bins, from, to).samples;
		}
		this.scaleNow = new Scale({ from, to, origin }, LEFT, room);
		this.bar = room / bins;
	}
	tracks() {
		return TRACKS.filter((t) => this.series[t.name] &&
			this.series[t.name].some((/** @type {number} */ v) => v > 0));
	}
	draw() {
		this.width = widthOf(this.box);
		if (this.width < LEFT + RIGHT + 20) {
			return;
		}
		this.read();
		this.tones = coloursOf([...TRACKS.map((t) => t.colour), 'lost']);
		const ink = inkOf(isDark()), { pen } = this, tracks = this.tracks();
		const top = this.loses() ? LOST_ROOM : 0;
		const high = tracks.reduce((sum, t) => sum + t.high + 3,
			AXIS_ROOM + top);
		pen.begin(this.width, high, ink.ground);
		pen.font(11, SANS);
		if (tracks.length > 0) {
			this.scaleNow.axis(pen, ink, high, high);
		} else {
			pen.text('No samples with a time are selected.', 12, high - 4, ink.dim);
		}
		let y = 2 + top;
		for (const track of tracks) {
			this.drawTrack(track, y, ink);
			y += track.high + 3;
		}
		this.drawLost(ink);
		this.drawChanges(high);
		this.scaleNow.veil(pen, ink, this.input.selection(), high);
		if (this.box.matches(':focus-visible')) {
			pen.rect(this.scaleNow.x(this.input.moment()) - 1, 0, 2, high,
				ink.ring);
		}
	}
	/** @param {{name: string, label: string, high: number,
	 *  colour: string}} track @param {number} y @param {any} ink */
	drawTrack(track, y, ink) {
		const { pen } = this, values = this.series[track.name];
		const most = values.reduce((/** @type {number} */ a,
			/** @type {number} */ b) => Math.max(a, b), 0);
		for (let b = 0; b < values.length; b++) {
			const h = values[b] / most * track.high;
			const x = Math.round(b * this.bar);
			if (h > 0) {
				pen.rect(LEFT + x, y + track.high - h, Math.round((b + 1) *
					this.bar) - x, h, this.tones[track.colour]);
			}
		}
		pen.text(track.label, 12, y + track.high / 2 + 4, ink.text);
		pen.text(most < 10 && most % 1 > 0 ? most.toPrecision(2) :
			number(most), LEFT - 6,
			y + track.high / 2 + 4, ink.dim, 'right');
	}
	loses() {
		return this.series.lost.some((/** @type {number} */ v) => v > 0);
	}
	/** @param {any} ink */
	drawLost(ink) {
		const { lost } = this.series;
		for (let b = 0; b < lost.length; b++) {
			if (lost[b] > 0) {
				this.pen.rect(LEFT + b * this.bar - 1, 0, 3, 5,
					this.tones.lost);
			}
		}
		if (this.loses()) {
			this.pen.text('lost', 12, 10, ink.mark);
		}
	}
	// Lines where the rate of samples changes.
	/** @param {number} high */
	drawChanges(high) {
		const { from, to } = this.scaleNow;
		for (const { at } of this.changes) {
			const x = Math.round(this.scaleNow.x(at));
			for (let y = 0; at >= from && at <= to && y < high; y += 6) {
				this.pen.rect(x, y, 1, 4, this.tones.lost);
			}
		}
	}
	// To the next change; the time until the one after it is selected.
	/** @param {number} by 1 or -1 */
	step(by) {
		const { app, changes, input } = this, { from } = app.state.selection;
		const ahead = changes.filter((c) => (c.at - (from ?? -1)) * by > 0);
		const list = ahead.length > 0 ? ahead : changes;
		const { at, to } = list[by > 0 ? 0 : list.length - 1];
		app.select({ from: at, to });
		input.goTo(at, false);
	}
	/** @param {number} time @param {MouseEvent|null} e */
	tell(time, e) {
		this.read(); // keys may have moved the window
		const s = this.series, b = Math.min(s.samples.length - 1,
			Math.floor((time - s.from) / s.width));
		const lines = [momentWords(this.app.model, Math.round(time))];
		for (const t of this.tracks()) {
			const v = s[t.name][b];
			lines.push(t.label + ': ' + (t.name === 'samples' ? number(v) :
				v.toFixed(2)));
		}
		for (const { at, change } of this.changes) {
			if (Math.abs(at - time) * this.scaleNow.perNs < 5) {
				lines.push('Change of the rate: ' +
					cellWords('change', change));
			}
		}
		if (s.lost[b] > 0) {
			lines.push('Lost: ' + number(s.lost[b]));
		}
		this.app.say(lines.join(' \u00b7 '));
		if (e !== null) {
			this.tip.show(lines, e.clientX, e.clientY);
		}
	}
	// A click without a drag takes the selected time back.
	clear() {
		if (isTimed(this.app.state.selection)) {
			this.app.select(ALL_TIME);
		}
		this.later();
	}
}
export const stripView = () => new Strip();
