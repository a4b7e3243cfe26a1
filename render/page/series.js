// SPDX-License-Identifier: MIT
// @ts-check
// What happened over time, in bins: samples, CPUs in use, threads that could
// run and did not, threads that wait, losses.

import { tableOf, valuesOf } from './cells.js';
import { firstOf } from './decode.js';
import { stateTest } from './filter.js';

/**
 * @typedef {object} Series
 * @property {number} from
 * @property {number} to
 * @property {number} width of a bin, in ns
 * @property {Float64Array} samples
 * @property {?Float64Array} busy CPUs in use; null: not known
 * @property {?Float64Array} runnable threads that wait for a CPU
 * @property {?Float64Array} blocked threads that wait for something else
 * @property {Float64Array} lost records and samples lost
 */

// Tones of states: enum cp_tone.
export const RUN = 1, WAIT = 2, BLOCK = 3;
const MARK_LOST = 5;

/** Adds a span to bins: the part of each bin that it fills. */
function addSpan(out, s, from, to) {
	const lo = Math.max(from, s.from), hi = Math.min(to, s.to);
	for (let b = Math.floor((lo - s.from) / s.width); b < out.length; b++) {
		const begin = s.from + b * s.width, end = begin + s.width;
		if (begin >= hi) {
			return;
		}
		out[b] += (Math.min(hi, end) - Math.max(lo, begin)) / s.width;
	}
}

function addStates(s, filtered, bins) {
	const { model, sel } = filtered, { states } = model.data;
	const keeps = stateTest(model, sel);
	const of = [];
	if (states.n === 0) {
		return;
	}
	for (const [tone, name] of [[RUN, 'busy'], [WAIT, 'runnable'],
		[BLOCK, 'blocked']]) {
		of[tone] = s[name] = new Float64Array(bins);
	}
	for (let i = 0; i < states.n; i++) {
		const out = of[states.tone[i]];
		if (out !== undefined && states.to[i] > s.from &&
			states.from[i] < s.to && keeps(i)) {
			addSpan(out, s, states.from[i], states.to[i]);
		}
	}
}

/**
 * Without states, samples of a clock tell how many CPUs were in use: each
 * stands for the time before it.  In bins of few samples that matters: three
 * of a CPU may lie where two and a half belong.
 */
function addUse(out, s, bin, time, weight) {
	if (weight * 8 > s.width) {
		addSpan(out, s, time - weight, time);
	} else {
		out[bin] += weight / s.width;
	}
}

/**
 * Where the rate of samples changes, as `timeline' found it: moment, how long
 * after the origin, change, and where the next one is.
 * @returns {{at: number, after: number, to: number, change: number}[]}
 */
export function changePoints({ meta }, length) {
	const rows = valuesOf(tableOf(meta, 'changes'), 'At', 'Change').map(
		([after, change]) => ({ at: (meta.origin || 0) + after, after, change }));
	return rows.map((r, i) => ({ ...r, to: i + 1 < rows.length ?
		rows[i + 1].at - 1 : length }));
}

/** @returns {Series} over a time; no time is selected in `filtered' */
export function buildSeries(filtered, bins, from, to) {
	const { model } = filtered, { samples, marks, events } = model.data;
	/** @type {Series} */
	const s = { from, to, width: (to - from) / bins,
		samples: new Float64Array(bins), lost: new Float64Array(bins),
		busy: events.clock[filtered.sel.event] ? new Float64Array(bins) : null,
		runnable: null, blocked: null };
	const bin = (time) => Math.min(bins - 1, Math.floor((time - from) /
		s.width));
	const { kept } = filtered, { counts, sorted } = model;
	const { time, weight } = samples, { samples: many, busy: use } = s;
	let k = firstOf(0, kept.length, (at) => sorted[kept[at]] < from);
	for (; k < kept.length && sorted[kept[k]] <= to; k++) {
		const i = kept[k], b = bin(time[i]);
		if (b >= 0) {
			many[b] += counts[i];
			if (use) {
				addUse(use, s, b, time[i], weight[i]);
			}
		}
	}
	addStates(s, filtered, bins);
	for (let i = 0; i < marks.n; i++) {
		if (marks.kind[i] === MARK_LOST && marks.time[i] >= from &&
			marks.time[i] <= to) {
			s.lost[bin(marks.time[i])] += marks.count[i];
		}
	}
	return s;
}
