// SPDX-License-Identifier: MIT
// @ts-check
// The panel beside the views: what is known of the function in focus, what
// the capture is, what was lost, and what has no name.
import { afterNextPicture, el, fill, link, minor } from './dom.js';
import { OTHERS } from './funcs.js';
import { number, percent } from './numbers.js';
import { needs } from './state.js';
import { captureOf, cellWords, quoted, weightWords } from './words.js';

const NAME_SOURCES = ['nowhere', 'the capture', 'a bundle', 'the build-ID cache',
	'debuginfod', 'a file of the machine that made this page',
	'/proc/kallsyms', 'a jitdump', 'a perf map', 'the Go program itself',
	'simpleperf', 'what perf script printed'];
/** How far a name can be trusted: enum cp_trust. */
export const TRUST = ['no name', 'build ID equal', 'no build ID',
	'another build', 'as recorded'];
const FLAG = { GUESSED: 2, SCANNED: 16, EDGE: 32 };

/** How a frame was found, by its flags. */
export function foundWords(flags) {
	if ((flags & FLAG.SCANNED) !== 0) {
		return 'guessed: a word of the stack that looks like a return address';
	}
	if ((flags & FLAG.EDGE) !== 0) {
		return 'guessed from the instructions near it';
	}
	return (flags & FLAG.GUESSED) !== 0 ? 'guessed by the frame pointer' :
		'recorded, or by an unwind table';
}

/** Facts of a function: [[what, text]]. */
export function factsOf(model, func) {
	const { funcs, data } = model, part = funcs.all.part[func];
	const name = funcs.all.name[func];
	if (part < 0) {
		return [['Name', name]];
	}
	const { frames, objects, strings, symbols } = data;
	const frame = funcs.frameOf[part], object = frames.object[frame];
	const symbol = funcs.symbolOf[part];
	const spot = frames.firstSpot[frame] + part - funcs.first[frame];
	const file = frames.spots[frame] === 0 ? 0 : data.spots.file[spot];
	const raw = strings[symbols.raw[symbol]];
	return [['Name', strings[symbols.label[symbol]] || name],
		['Object', (object === 0 ? '[unknown]' :
			strings[objects.name[object]]) +
			(funcs.all.object[func].endsWith(OTHERS) ? OTHERS : '')],
		['Build ID', strings[objects.buildId[object]] || 'not recorded'],
		['Names from', NAME_SOURCES[symbol !== 0 ? symbols.source[symbol] :
			objects.source[object]]],
		['Check', TRUST[symbol !== 0 ? symbols.trust[symbol] : 0]],
		['Why', strings[objects.reason[object]]],
		['Frame', foundWords(frames.flags[frame])],
		['Symbol', symbol !== 0 && raw !== name && raw],
		['Line', file !== 0 && strings[file] + ':' + data.spots.line[spot]],
		['File', strings[objects.file[object]]]].filter(([, text]) => text);
}

export const facts = (rows) => el('dl', {}, ...rows.flatMap(([what, text]) =>
	[el('dt', what), el('dd', text)]));

// What keys of `quality' do not say by themselves.
const KEYS = { lost: 'lost records', samples_unknown_id:
	'samples of no known event', unmapped_ips: 'samples outside all mappings',
unwound_part: 'unwound in part' };

/** A key of the report in words: bytes_total, gap_time_ns. */
export const keyWords = (key) => Object.hasOwn(KEYS, key) ? KEYS[key] :
	key.replace(/_ns$/, '').replaceAll('_', ' ');

/** The scalars of a section. */
export const scalarFacts = ({ scalars }) => facts(scalars.map((v) =>
	[keyWords(v.key), cellWords(v.type, v.value)]));

/**
 * Weight by a class, 0...n, of the innermost frames: [[class, weight]]; `none'
 * is the class of samples without one.
 */
function weightsBy(kept, n, none, classOf) {
	const { weight, count } = kept.byFrame;
	const sums = new Float64Array(n), seen = new Uint8Array(n);
	for (let f = 0; f < count.length; f++) {
		if (count[f] > 0) {
			const which = f === 0 ? none : classOf(f);
			sums[which] += weight[f];
			seen[which] = 1;
		}
	}
	return Array.from(sums, (w, which) => [which, w])
		.filter(([which]) => seen[which]).sort((a, b) => b[1] - a[1]);
}

const CLASSES = [...TRUST, 'unknown', 'no address'];

function trustRows(model, kept) {
	const { frames, symbols } = model.data, last = CLASSES.length - 1;
	return weightsBy(kept, last + 1, last, (f) =>
		Math.min(symbols.trust[frames.symbol[f]], last - 1))
		.map(([which, w]) => [CLASSES[which], percent(w, kept.weight)]);
}

/** Objects whose code has no name, heaviest first. */
export function unnamedObjects(model, kept) {
	const { frames, objects } = model.data, { symbolOf, first } = model.funcs;
	return weightsBy(kept, objects.n, 0, (f) =>
		symbolOf[first[f]] !== 0 ? 0 : frames.object[f])
		.filter(([object]) => object !== 0);
}

function lossRows(model, event) {
	const { events } = model.data;
	if (event >= events.n) {
		return [];
	}
	return [['Samples', number(events.samples[event])],
		['Lost records', number(events.lost[event])],
		['Lost samples', number(events.lostSamples[event])],
		['Throttled', number(events.throttled[event]) + ' times']];
}

/** How to get an object's names, as a command. */
function hintOf(model, object) {
	const { objects, strings } = model.data;
	const id = strings[objects.buildId[object]];
	return id !== '' ? 'debuginfod-find debuginfo ' + id :
		'coldperf pack ' + (model.sides === null ?
		quoted(captureOf(model.data.meta)) : 'perf.data') +
		'   # where it was recorded';
}

export const evidenceView = {
	name: 'evidence',
	title: 'Evidence',
	place: 'side',

	mount(element, app) {
		this.app = app;
		this.focus = el('section', { 'aria-label': 'Function' });
		this.quality = el('section', { 'aria-label': 'Quality' });
		this.notes = el('section', { 'aria-label': 'Notes' });
		element.append(this.focus, this.notes, this.quality);
		this.showLabel(element);
		// Sums come after what was selected is drawn: those of a drag's end.
		this.later = afterNextPicture(() =>
			this.showQuality(app.state.selection), 150);
	},

	renew(change) {
		const { app } = this, sel = app.state.selection;
		const samples = needs(change, ['all', 'samples']);
		if (samples || change.has('focus')) {
			this.showFocus(sel);
		}
		if (samples) {
			this.later();
		}
		if (needs(change, ['all', 'notes'])) {
			fill(this.notes, ...app.notes.list());
		}
	},

	showFocus(sel) {
		const { app } = this;
		fill(this.focus, minor('Function'), ...sel.focus < 0 ?
			[el('p.dim', 'Choose one to see where its name comes from.')] :
			[facts(factsOf(app.model, sel.focus)), el('p', {},
				link('Callers and callees', () =>
					app.set({ view: 'sandwich' })))]);
	},

	showQuality(sel) {
		const { model } = this.app, kept = model.filter(sel);
		const { objects, strings } = model.data;
		const unnamed = unnamedObjects(model, kept).slice(0, 8);
		const { meta } = this.app.data, trust = trustRows(model, kept);
		fill(this.quality, minor('Losses of the event'),
			facts(lossRows(model, sel.event)),
			...trust.length === 0 ? [] :
				[minor('Names, by weight in the selection'), facts(trust)],
			meta.binned ?
				el('p.dim', 'Samples are in bins of ' + cellWords('time',
					meta.binned.ns) + ': there were too many for a page.') :
				null, unnamed.length === 0 ? null :
				minor('Without names'),
			...unnamed.map(([object, w]) => el('div.note', {},
				el('p', strings[objects.name[object]] + ': ' +
					percent(w, kept.weight) + ', ' +
					weightWords(model, sel.event, w)),
				el('pre', hintOf(model, object)))));
	},

	/** The scalars of the report: host, kernel, command line. */
	showLabel(element) {
		const { sections } = this.app.data.meta;
		for (const s of (sections || []).filter((x) =>
			x.type === 'scalars' && /^(label|quality)$/.test(x.slug))) {
			element.append(minor(s.title), scalarFacts(s));
		}
	},
};

