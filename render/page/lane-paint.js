// SPDX-License-Identifier: MIT
// @ts-check
// What a lane looks like: states in their colours, how many samples there are
// and of what, and, in an open lane, the stacks over time.
import { shadeOf } from './palette.js';

export const LANE = 22, STACK_ROW = 14, MOST_ROWS = 40;
const BAR = 2; // pixels of samples that are one bar
export const TONES = ['plain', 'run', 'wait', 'block', 'idle', 'unknown'];

/**
 * @typedef {object} Look what a lane is painted with
 * @property {any} model
 * @property {import('./lane-rows.js').Tracks} tracks
 * @property {import('./time-window.js').Scale} scale
 * @property {any} names
 * @property {any} colours
 * @property {any} bright of bars without text
 * @property {any} tones
 * @property {any} ink
 * @property {Uint8Array|null} hits functions that a search finds
 * @property {number} charWidth
 */
/** @typedef {import('./lane-rows.js').Row} Row */
/** @typedef {import('./pen.js').Pen} Pen */

// Share of each tone in each pixel: [column * 6 + tone].
/** @param {Look} look @param {Row} row */
function toneShares(look, row) {
	const { scale, tracks, model } = look, { states } = model.data;
	const columns = Math.ceil(scale.width), n = Math.max(row.threads.length, 1);
	const share = new Float32Array(columns * TONES.length);
	let some = false;
	tracks.eachState(row, scale.from, scale.to, (s) => {
		const a = Math.max(scale.x(states.from[s]) - scale.left, 0);
		const b = Math.min(scale.x(states.to[s]) - scale.left, columns);
		some = true;
		for (let c = Math.floor(a); c < b; c++) {
			share[c * TONES.length + states.tone[s]] +=
				(Math.min(b, c + 1) - Math.max(a, c)) / n;
		}
	});
	return some ? share : null;
}
// States stacked in each pixel, running ones lowest.
/** @param {Pen} pen @param {Look} look @param {Row} row @param {number} y
 *  @param {number} high */
function paintStates(pen, look, row, y, high) {
	const share = toneShares(look, row), k = TONES.length;
	for (let c = 0; share !== null && c * k < share.length;) {
		let end = c + 1, below = y + high;
		const same = () => {
			for (let t = 0; t < k; t++) {
				if (Math.abs(share[end * k + t] - share[c * k + t]) > 0.02) {
					return false;
				}
			}
			return true;
		};
		while (end * k < share.length && same()) {
			end++;
		}
		for (const t of [1, 2, 3, 0, 4, 5]) {
			const h = Math.min(share[c * k + t], 1) * high;
			if (h > 0) {
				pen.rect(look.scale.left + c, below - h, end - c, h,
					look.tones[TONES[t]]);
				below -= h;
			}
		}
		c = end;
	}
	return share !== null;
}
// Samples in each pixel, coloured by the last one's innermost function, or as
// what a search finds if any function of its stack is.
/** @param {Pen} pen @param {Look} look @param {Row} row @param {number} y
 *  @param {number} high */
function paintSamples(pen, look, row, y, high) {
	const { scale, model } = look, { samples } = model.data;
	const columns = Math.ceil(scale.width / BAR);
	const count = new Uint32Array(columns), last = new Int32Array(columns);
	let most = 0;
	const column = (/** @type {number} */ i) => Math.min(columns - 1,
		Math.floor((scale.x(samples.time[i]) - scale.left) / BAR));
	look.tracks.eachStretch(row, scale, (a, b) => column(a) === column(b),
		(first, latest, n) => {
			const c = column(first);
			last[c] = latest;
			most = Math.max(most, count[c] = n);
		});
	for (let c = 0; c < columns; c++) {
		if (count[c] > 0) {
			const h = Math.max(2, count[c] / most * high);
			pen.rect(scale.left + c * BAR, y + high - h, BAR, h,
				colourOf(look, row, last[c]));
		}
	}
}
// A lane of a CPU shows whose samples they are, others in what function.
/** @param {Look} look @param {Row} row @param {number} sample */
function colourOf(look, row, sample) {
	const { hits, model } = look, { data, merged } = model;
	const { samples, threads } = data;
	if (hits && pathOf(model, samples.stack[sample]).some((f) => hits[f])) {
		return look.ink.hit;
	}
	if (row.kind === 'cpu') {
		const name = data.strings[threads.name[samples.thread[sample]]] || '';
		return look.bright.kinds[8 + shadeOf(name) + 8 *
			(name.startsWith('swapper') ? 7 : 0)];
	}
	const at = merged.at[samples.stack[sample]];
	return look.bright.of(at === 0 ? -1 : merged.func[at]);
}
// The functions of a sample's stack, outermost first.
/** @param {any} model @param {number} stack @returns {number[]} */
export function pathOf(model, stack) {
	const { merged } = model, path = [];
	for (let i = merged.at[stack]; i !== 0; i = merged.parent[i]) {
		path.push(merged.func[i]);
	}
	return path.reverse();
}
// The stack at each pixel, one sample for each; a sample lasts until the next
// one, but not longer than four times what is usual.
/** @param {Look} look @param {Row} row @returns {{x: number, to: number,
 *  stack: number}[]} */
function sampledColumns(look, row) {
	const { scale, model } = look, { samples } = model.data;
	/** @type {{x: number, to: number, stack: number}[]} */
	const out = [];
	const x = (/** @type {number} */ i) => scale.x(samples.time[i]);
	look.tracks.eachStretch(row, scale, (a, b) => x(b) - x(a) < 1, (i) =>
		out.push({ x: x(i), to: x(i), stack: samples.stack[i] }));
	const gaps = out.slice(1).map((c, i) => c.x - out[i].x)
		.sort((a, b) => a - b);
	const usual = gaps.length === 0 ? 4 : gaps[gaps.length >> 1];
	out.forEach((c, i) => {
		const next = i + 1 < out.length ? out[i + 1].x :
			scale.left + scale.width;
		c.to = Math.min(next, c.x + Math.max(4 * usual, 2));
	});
	return out;
}
// Boxes of an open lane: {func, row, x, to}; equal neighbours are one.
/** @param {Look} look @param {Row} row */
export function stackBoxes(look, row) {
	/** @type {{func: number, row: number, x: number, to: number}[]} */
	const out = [], /** @type {typeof out} */ open = [];
	for (const c of sampledColumns(look, row)) {
		const path = pathOf(look.model, c.stack).slice(0, MOST_ROWS);
		let same = 0;
		while (same < path.length && same < open.length &&
			open[same].func === path[same] && c.x - open[same].to < 1) {
			open[same++].to = c.to;
		}
		open.length = same;
		for (let d = same; d < path.length; d++) {
			out.push(open[d] = { func: path[d], row: d, x: c.x, to: c.to });
		}
	}
	return out;
}
/** @param {Pen} pen @param {Look} look @param {Row} row @param {number} y */
function paintStacks(pen, look, row, y) {
	const { ink, hits } = look, end = look.scale.left + look.scale.width;
	for (const b of stackBoxes(look, row)) {
		const w = Math.min(b.to, end) - b.x, top = y + b.row * STACK_ROW;
		const hit = hits !== null && hits[b.func] > 0;
		pen.rect(b.x, top, Math.max(w - (w > 3 ? 0.7 : 0), 0.5),
			STACK_ROW - 1, hit ? ink.hit : look.colours.of(b.func));
		const room = Math.floor((w - 5) / look.charWidth);
		if (room >= 3) {
			pen.text(look.names.fit(b.func, room), b.x + 3, top + 10,
				hit ? ink.hitText : ink.text);
		}
	}
}
/** @param {Pen} pen @param {Look} look @param {Row} row @param {number} y */
export function paintLane(pen, look, row, y) {
	const states = paintStates(pen, look, row, y + 2, 7);
	paintSamples(pen, look, row, y + (states ? 10 : 2),
		states ? LANE - 12 : LANE - 4);
	if (row.open) {
		paintStacks(pen, look, row, y + LANE);
	}
}
