// SPDX-License-Identifier: MIT
// @ts-check
// What the page shows now, and how that is written after # in its address.
import { CPUS, isTimed } from './filter.js';

/**
 * @typedef {object} State
 * @property {import('./filter.js').Selection} selection
 * @property {string} view the name of the view in the middle
 * @property {string} colour kind, object, trust, wall, cpi or change
 * @property {string} order heavy, name or time
 * @property {boolean} inverted
 * @property {string} split none, comm, process or thread
 * @property {string} by what a row of the table is
 * @property {string} sort column and direction of the table: -self, name
 * @property {string} zoom the flame graph's, in words of its own
 * @property {string} rows of lanes: thread or cpu
 * @property {string} lanes keys of those that are not as at first, a NUL
 *  between them
 * @property {string} align of several captures: start or share
 * @property {string} calls rows of the call tree that the reader opened
 * @property {string} evidence is it shown: on, off, or '' if there is room
 * @property {string} window the time that strip and lanes show: from,to
 */

const WORDS = ('view colour order split by sort zoom window align rows lanes ' +
	'calls evidence').split(' ');

/** Is one of these words among what changed? @param {Set<string>} change */
export const needs = (change, words) => words.some((w) => change.has(w));

/**
 * How threads are apart in trees.
 * @type {[string, string][]}
 */
export const SPLITS = [['none', 'Together'], ['comm', 'By command'],
	['process', 'By process'], ['thread', 'By thread']];

const VIEWS = { report: 'flame', flame: 'flame', profile: 'flame',
	diff: 'flame', wall: 'flame', offcpu: 'flame', hotspots: 'table',
	annotate: 'source' };

/** Pages of samples; others show all time of threads, if that is known. */
const SAMPLED = ['flame', 'profile', 'hotspots', 'annotate'];

/** What the command of a page is about; the report has what has no view. */
const viewOf = ({ analysis = 'report' }) => VIEWS[analysis] || 'report';

/** @returns {State} */
export function firstState(model) {
	const one = model.sides === null;
	const { given = [], analysis = '' } = model.data.meta, words = given.join();
	return { selection: { ...model.whole(), side: one ? '' : 'after' },
		view: viewOf(model.data.meta), colour: !one ? 'change' :
			model.data.states.n > 0 && !SAMPLED.includes(analysis) ?
				'wall' : 'kind', align: 'start',
		order: words.includes('--order,time') ? 'time' : 'heavy',
		inverted: words.includes('--reverse'),
		split: words.includes('--no-comm') ? 'none' :
			words.includes('--threads') ? 'thread' : 'comm', by: 'function',
		sort: '-self', zoom: '', window: '', rows: 'thread', lanes: '',
		calls: '', evidence: '' };
}

/** 3-5,9 for a set of numbers. */
export function writeSet(set) {
	const all = Array.from(set).sort((a, b) => a - b), out = [];
	for (let i = 0, end; i < all.length; i = end) {
		for (end = i + 1; end < all.length &&
			all[end] === all[end - 1] + 1; end++);
		out.push(end - i > 1 ? all[i] + '-' + all[end - 1] : all[i]);
	}
	return out.join(',');
}

/** Numbers below n; null for what is no such list. */
export function readSet(text, n = CPUS) {
	const out = new Set();
	for (const part of text.split(',')) {
		const m = /^(\d{1,7})(?:-(\d{1,7}))?$/.exec(part);
		if (m === null) {
			return null;
		}
		const to = Number(m[2] || m[1]);
		for (let i = Number(m[1]); i <= to && i < n; i++) {
			out.add(i);
		}
	}
	return out.size > 0 ? out : null;
}

/** The part of the address after #; what is as at first is left out. */
export function writeState(state, model) {
	const out = new URLSearchParams(), first = firstState(model);
	const sel = state.selection;
	for (const word of WORDS) {
		if (state[word] !== first[word]) {
			out.set(word, state[word]);
		}
	}
	if (state.inverted !== first.inverted) {
		out.set('inverted', String(Number(state.inverted)));
	}
	if (isTimed(sel)) {
		out.set('time', [sel.from, sel.to].join());
	}
	for (const name of ['threads', 'cpus']) {
		if (sel[name] !== null) {
			out.set(name, writeSet(sel[name]));
		}
	}
	if (sel.event !== first.selection.event) {
		out.set('event', String(sel.event));
	}
	if (sel.side !== first.selection.side) {
		out.set('side', sel.side || 'both');
	}
	if (sel.search !== '') {
		out.set('search', sel.search);
	}
	if (sel.focus >= 0) {
		out.set('focus', focusWord(model.funcs, sel.focus));
	}
	return out.toString();
}

/** The name of a function, with its number if another has that name, too. */
function focusWord({ all }, func) {
	const name = all.name[func];
	return all.name.indexOf(name) === func ? name : name + '\t' + func;
}

function readFocus({ all }, text) {
	const func = Number(text.split('\t').pop());
	return text === all.name[func] + '\t' + func ? func :
		all.name.indexOf(text);
}

function readTime(sel, text) {
	[sel.from, sel.to] = (text + ',').split(',').map((s) => {
		const ns = Math.round(Number(s));
		return s !== '' && ns >= 0 && Number.isSafeInteger(ns) ? ns : null;
	});
}

/** @returns {State} */
export function readState(text, model) {
	const words = new URLSearchParams(text), state = firstState(model);
	const sel = state.selection, event = Number(words.get('event'));
	for (const word of WORDS) {
		state[word] = words.get(word) || state[word];
	}
	if (!/^(object|line|thread|comm)$/.test(state.by)) {
		state.by = 'function';
	}
	if (words.has('inverted')) {
		state.inverted = words.get('inverted') === '1';
	}
	readTime(sel, words.get('time') || '');
	sel.threads = readSet(words.get('threads') || '', model.data.threads.n);
	sel.cpus = readSet(words.get('cpus') || '');
	if (words.has('event') && event >= 0 && event < model.data.events.n) {
		sel.event = Math.floor(event);
	}
	if (model.sides !== null && words.has('side')) {
		sel.side = words.get('side') === 'before' ? 'before' : '';
	}
	sel.search = words.get('search') || '';
	sel.focus = words.has('focus') ? readFocus(model.funcs,
		words.get('focus')) : -1;
	return state;
}
