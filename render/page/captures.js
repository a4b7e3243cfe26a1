// SPDX-License-Identifier: MIT
// @ts-check
// Several captures in one page, as `coldperf diff' writes it: which are before
// and which after, and what a sample of each costs.
import { NONE } from './funcs.js';
import { tableOf, valuesOf } from './cells.js';

/**
 * @typedef {object} Sides
 * @property {number[]} compared rows of events, which are one
 * @property {Uint8Array} after by capture: 0 is before, 1 after, 2 between
 * @property {boolean} counts does each sample cost the same?  --per samples
 * @property {Uint8Array} of by thread: 1 is before, 2 after, 0 between
 * @property {Float64Array} cost of each sample, by the unit of the comparison
 * @property {Float64Array} timed the same in a selected time, which is as long
 *  in each capture
 * @property {string[]} names of the captures
 * @property {string} [aligned]
 * @property {any} [unmoved] the tables as they are from the start
 */

/** A version between the first and the last is on neither side. */
const SIDES = ['before', 'after', 'between'], BETWEEN = 2;

/** The rows of diff's table of captures. */
function comparedRows(data) {
	return valuesOf(tableOf(data.meta, 'captures'), 'Side', 'Samples',
		'Weight', 'Divided by', 'Event', 'Duration').map(([side, samples,
		weight, norm, event, long]) => ({ after: SIDES.indexOf(side), samples,
		weight, norm: norm || 1, event, long }));
}

const SUMS = ['samples', 'weight', 'lost', 'lostSamples', 'throttled'];

/** Makes one event of those that were compared, and of those of one name. */
function joinEvents(data, compared) {
	const { events, samples } = data, first = new Map();
	const to = Uint32Array.from(events.name, (name, e) => {
		const key = compared.includes(e) ? -1 : name;
		if (!first.has(key)) {
			first.set(key, e);
		}
		return first.get(key);
	});
	for (let e = 0; e < events.n; e++) {
		for (const sum of to[e] === e ? [] : SUMS) {
			events[sum][to[e]] += events[sum][e];
			events[sum][e] = 0;
		}
	}
	for (let i = 0; i < samples.n; i++) {
		samples.event[i] = to[samples.event[i]];
	}
}

/** What one of a capture's weights costs: of a run, on the average. */
function factorsOf(rows, weights) {
	const runs = [0, 0, 0];
	rows.forEach((r) => runs[r.after]++);
	return rows.map((r, c) => r.after === BETWEEN ? 0 : (weights[c] > 0 ?
		r.weight / weights[c] : 1) / r.norm / runs[r.after]);
}

/** @returns {?Sides} null: the page has one capture */
export function joinCaptures(data) {
	const { captures, threads, events, samples, strings } = data;
	/** @type {any[]} */
	const rows = captures === undefined ? [] : comparedRows(data);
	if (rows.length === 0 || rows.length !== captures.n) {
		return null;
	}
	// The cores of a hybrid processor have an event each.
	const compared = [...events.name.keys()].filter((e) =>
		rows[events.capture[e]].event.split(' + ')
			.includes(strings[events.name[e]]));
	const weights = rows.map(() => 0);
	for (const e of compared) {
		weights[events.capture[e]] += events.weight[e];
	}
	const counts = rows.some((r, c) => r.weight === r.samples &&
		r.weight !== weights[c]);
	const factors = factorsOf(rows, counts ? [] : weights);
	const costs = (of) => Float64Array.from(samples.weight, (w, i) =>
		(counts ? samples.count?.[i] || 1 : w) *
			of[threads.capture[samples.thread[i]]]);
	const cost = costs(factors);
	joinEvents(data, compared);
	return { compared, after: Uint8Array.from(rows, (r) => r.after),
		of: Uint8Array.from(threads.capture, (c) => [1, 2, 0][rows[c].after]),
		counts, cost, timed: /of a second/.test(
			JSON.stringify(data.meta.sections)) ? costs(factors.map((f, c) =>
				f * rows[c].long / rows[0].long)) : cost,
		names: Array.from(captures.name, (name) => strings[name]) };
}

/** How much longer each capture is shown, so that all end at once. */
function stretches({ captures }) {
	const most = captures.length.reduce((a, b) => Math.max(a, b), 0);
	return Array.from(captures.length, (length) => length > 0 ?
		most / length : 1);
}

/** Columns of samples in the order of time. */
function inOrder(samples, cost) {
	let last = 0;
	const when = samples.time.map((t) => {
		last = t >= 0 ? t : last;
		return last;
	});
	const order = Uint32Array.from(when.keys()).sort((a, b) =>
		when[a] - when[b] || a - b);
	const sorted = (column) => column.map((_, k) => column[order[k]]);
	const out = { n: samples.n, cost: sorted(cost) };
	for (const name of Object.keys(samples)) {
		if (name !== 'n') {
			out[name] = sorted(samples[name]);
		}
	}
	return out;
}

/** The tables that have times, by the captures' shares of time. */
function stretched(data, { cost }) {
	const { threads, states, marks, meta } = data, by = stretches(data);
	const origin = meta.origin || 0;
	const move = (times, of) => times.map((t, i) => t < 0 || of(i) === NONE ?
		t : Math.max(0, origin + (t - origin) * by[threads.capture[of(i)]]));
	const of = (table) => (i) => table.thread[i];
	const { samples } = data, moved = { ...samples,
		time: move(samples.time, of(samples)) };
	return { samples: inOrder(moved, cost),
		threads: { ...threads, start: move(threads.start, (i) => i),
			end: move(threads.end, (i) => i) },
		states: { ...states, from: move(states.from, of(states)),
			to: move(states.to, of(states)) },
		marks: { ...marks, time: move(marks.time, of(marks)) } };
}

/**
 * Lays the captures over one another: each from its start, or each by its
 * share of time.  @returns {boolean} whether anything moved
 */
export function alignCaptures(data, sides, how) {
	const { samples, threads, states, marks } = data;
	const now = sides.aligned || 'start';
	if (now === how) {
		return false;
	}
	sides.unmoved = sides.unmoved || { samples: { ...samples,
		cost: sides.cost }, threads, states, marks };
	Object.assign(data, sides.unmoved, how === 'share' ? stretched({ ...data,
		...sides.unmoved }, sides) : {});
	sides.cost = data.samples.cost;
	sides.aligned = how;
	return true;
}
