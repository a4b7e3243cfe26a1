// SPDX-License-Identifier: MIT
// @ts-check
// Values, times and selections in words.
import { plainValue } from './cells.js';
import { isTimed } from './filter.js';
import { number, percent, time, value } from './numbers.js';
import { NONE } from './funcs.js';
import { writeSet } from './state.js';

/** An interval in percent, as the command prints it.
 *  @param {number[]} ends */
export const intervalWords = (ends) => ends.map((v) => (100 * v)
	.toFixed(ends[1] < 0.1 ? 2 : 1)).join('\u2013');

/** A share as tables show it, with its interval if there is one. */
const shareWords = ({ value: share, interval }) => share === null ? '-' :
	percent(share, 1) + (interval ? ' (' + intervalWords(interval) + ')' : '');

function rateWords(v) {
	const n = Math.abs(v);
	return n >= 1e9 ? v.toExponential(3) : n >= 1000 ? v.toFixed(0) :
		n >= 0.1 || n === 0 ? v.toFixed(3) : v.toPrecision(3);
}

function changeWords(v) {
	return v >= 1e6 ? '>\u00d71e6' : v >= 10 ? '\u00d7' + (1 + v).toFixed(0) :
		(v > 0 ? '+' : '') + (100 * v).toFixed(1) + '%';
}

function chanceWords(p) {
	return p < 1e-6 ? '<1e-6' : p < 0.001 ? p.toExponential(0) : p.toFixed(3);
}

/** The ends of an interval, if a cell has one; null is too much to count. */
const endsOf = ({ interval }, words) => interval ? ' (' + interval.map((v) =>
	words(v ?? Infinity)).join('\u2026') + ')' : '';

/** A cell of a report's table, by the type of its column. */
export function cellWords(type, v) {
	if (type === 'text') {
		return v;
	}
	if (v === null || v === undefined) {
		return '-';
	}
	if (type === 'share') {
		return shareWords(v);
	}
	const inner = plainValue(v);
	if (inner === null) {
		return '-';
	}
	switch (type) {
	case 'rate': return rateWords(inner) + endsOf(v, rateWords);
	case 'change': return changeWords(inner) + endsOf(v, changeWords);
	case 'chance': return chanceWords(inner);
	case 'clock': return (inner / 1e9).toFixed(9) + ' s';
	default: return value(inner, type);
	}
}

/** The number by which a cell sorts. */
export function cellOrder(v) {
	const inner = plainValue(v);
	return inner === null || inner === undefined ? -Infinity : inner;
}

/** A weight in the unit of the selected event. */
export function weightWords(model, event, weight) {
	const { events } = model.data;
	if (event < events.n && events.clock[event]) {
		return time(weight);
	}
	const unit = event < events.n ? model.string(events.unit[event]) : '';
	return unit === '' ? number(weight) : counted(weight, unit);
}

/** What a side cost, by the unit of the comparison. */
export const costWords = (model, event, cost) => model.sides.counts ?
	samplesWords(Math.round(cost)) :
	weightWords(model, event, Math.round(cost));

/** A number of things; "ns" is no plural. */
export const counted = (n, things) => number(n) + ' ' +
	(n === 1 ? things.replace(/(..)s$/, '$1') : things);

export const samplesWords = (n) => counted(n, 'samples');

/** Where the report counts from, in ns of the page's times. */
const originOf = (model) => model.data.meta.origin || 0;

/** A moment in the capture: +1.250000 s. */
export function momentWords(model, ns) {
	const from = ns - originOf(model);
	return (from < 0 ? '' : '+') + (from / 1e9).toFixed(6) + ' s';
}

export function windowWords(model, sel) {
	const from = sel.from ?? originOf(model), to = sel.to ?? model.length;
	return momentWords(model, from) + ' \u2026 ' + momentWords(model, to) +
		' (' + time(to - from) + ')';
}

/** Names of a set of threads, in short. */
export function threadsWords(model, set) {
	const { threads } = model.data, names = new Set();
	for (const t of set) {
		if (t < threads.n) {
			names.add(model.string(threads.name[t]));
		}
	}
	const list = [...names];
	return counted(set.size, 'threads') + ': ' +
		list.slice(0, 3).join(', ') + (list.length > 3 ? ' \u2026' : '');
}

/** The captures that are before, 0, or after, 1. */
const capturesOf = ({ names, after }, side) =>
	names.filter((_, c) => after[c] === side);

/** What is before and what after: names of captures, or how many. */
export function sidesWords(sides) {
	const words = (side) => {
		const list = capturesOf(sides, side);
		return list.length === 1 ? list[0] : list.length + ' captures';
	};
	return words(0) + ' \u2192 ' + words(1);
}

/** A word for the shell: in quotes if it needs them. */
export function quoted(word) {
	return /^[\w@%+=:,./-]+$/.test(word) ? word :
		"'" + word.replaceAll("'", "'\\''") + "'";
}

/** A moment as --time takes it: from where the command counts; '' for all. */
const seconds = (model, ns) => Number.isFinite(ns) ? '+' + (Math.max(ns -
	originOf(model), 0) / 1e9).toFixed(9).replace(/\.?0+$/, '') + 's' : '';

/** The numbers and names of some threads. */
const idsOf = ({ tid, name }, set) => ({ names: new Set(Array.from(set, (t) =>
	name[t])), tids: new Set(Array.from(set, (t) => tid[t])) });

/**
 * The filters of a selection as options of the command, with those of the page
 * that say nothing of the same.
 */
export function filterWords(model, sel) {
	const { threads, events, meta: { options = [] } } = model.data, out = [];
	const { compared = [] } = model.sides || {};
	if (isTimed(sel)) {
		// A page that was made for a time has samples of that only.
		const all = options.flat().includes('--time') ? model.sorted :
			[-Infinity, Infinity], [first] = all, last = all.at(-1);
		out.push('--time', seconds(model, Math.max(sel.from ?? first, first)) +
			',' + seconds(model, Math.min(sel.to ?? last, last)));
	}
	if (sel.threads !== null) {
		const { tids, names } = idsOf(threads, sel.threads);
		out.push('--tid', Array.from(tids, (id) => id === NONE ? '-1' : id)
			.sort((a, b) => Number(a) - Number(b)).join(','));
		// A thread has a row for each name that it had.
		if (threads.tid.some((id, t) => tids.has(id) &&
			!names.has(threads.name[t]))) {
			out.push('--comm', Array.from(names, (s) => model.string(s)
				.replace(/[,\\/()<>[\]{}]/g, '\\$&')).join());
		}
	}
	if (sel.cpus !== null) {
		out.push('--cpu', writeSet(sel.cpus));
	}
	if (events.n > 1 && sel.event < events.n) {
		const same = compared.includes(sel.event) ? compared : [sel.event];
		for (const name of new Set(same.map((e) => events.name[e]))) {
			out.push('--event', model.string(name));
		}
	}
	return out.concat(...options.filter(([name]) => !out.includes(name)));
}

/**
 * Has a thread that is not selected the number of one that is, and the name of
 * one?  The command's filters then keep it.
 */
export function keepsMore(model, { threads: set }) {
	const { threads } = model.data;
	const { tids, names } = idsOf(threads, set || []);
	return threads.tid.some((id, t) => tids.has(id) && !set.has(t) &&
		names.has(threads.name[t]));
}

/** The path that the capture was read from. */
export function captureOf({ sections = [] }) {
	return sections.find((s) => s.slug === 'label')?.scalars
		.find((x) => x.key === 'capture')?.value || 'perf.data';
}

/** The command that shows the same: coldperf flame --time ... FILE. */
export function commandWords(model, sel, command) {
	const { sides, data: { meta } } = model;
	const of = (side) => capturesOf(sides, side);
	const files = sides === null ? meta.captures || [captureOf(meta)] :
		command[0] === 'diff' ? ['--before', ...of(0), '--after', ...of(1)] :
			sel.side === '' ? sides.names :
				of(sel.side === 'before' ? 0 : 1);
	return ['coldperf', ...command, ...filterWords(model, sel), ...files]
		.map(quoted).join(' ');
}
