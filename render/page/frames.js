// SPDX-License-Identifier: MIT
// @ts-check
// What frames of a picture are called, how they are coloured, and the way to
// one in the page's address.
import { fitName } from './names.js';
import { shortName } from './short.js';
import { hashOf, kindColours, nthColour, scaleColours } from './palette.js';
import { shadeOf, stepOf } from './palette.js';
import { visible } from './dom.js';
import { TRUST } from './evidence.js';
import { KIND } from './funcs.js';
import { SMALL } from './nodes.js';
import { BLOCK, RUN, WAIT } from './series.js';

// Names of functions, whole and short, and cut to a number of characters.
export class Names {
	/** @type {string[]} */
	full = [];
	/** @type {(string|undefined)[]} */
	brief = [];
	cuts = new Map();
	/** @param {any} funcs the model's functions */
	constructor(funcs) {
		this.all = funcs.all;
	}
	/** @param {number} func */
	of(func) {
		if (func < 0) {
			return func === SMALL ? 'small' : 'all';
		}
		if (this.full[func] === undefined) {
			const name = this.all.name[func], brief = shortName(name);
			this.full[func] = visible(name);
			this.brief[func] = brief === name ? undefined : visible(brief);
		}
		return this.full[func];
	}
	// In an address; another kind of function may have the same name.
	/** @param {number} func */
	word(func) {
		return hashOf(this.of(func) + this.all.kind[func]).toString(36);
	}
	/** @param {number} func @param {number} n */
	fit(func, n) {
		const name = this.of(func), key = func * 1024 + Math.min(n, 1023);
		if (func < 0 || name.length <= n) {
			return name.slice(0, n);
		}
		let text = this.cuts.get(key);
		if (text === undefined) {
			if (this.cuts.size > 50000) {
				this.cuts.clear();
			}
			text = fitName(name, this.brief[func], n);
			this.cuts.set(key, text);
		}
		return text;
	}
}

/** What threads do, by enum cp_tone. */
export const TONE_WORDS = ['', 'running', 'could run', 'waiting', 'idle',
	'unknown'];
// The kind that has the colour of a tone.
const TONE_KINDS = [KIND.UNKNOWN, KIND.KERNEL, KIND.CXX];
/** @type {Record<string, string[]>} */
const SHADE_WORDS = { change: ['half or less', 'the same, or chance',
	'twice or more', 'too few samples'], cpi: ['a quarter of all',
	'as all, or chance', 'four times all', 'too few samples'] };
const TRUST_COLOURS = [['#c3c6ca', '#4d5156'], ['#8fc8a9', '#2b5f45'],
	['#eecb7d', '#6b5420'], ['#e89a8c', '#7c3428'], ['#93b8e6', '#2c5282']];
// Of classes of waits: as far from one another and from those of tones as can
// be for eyes that see all colours, no red, no green or no blue.
const WAIT_COLOURS = [['#b96e7d', '#6a1b2a'], ['#5ec989', '#2d764a'],
	['#b470e1', '#7e2db4'], ['#ac9a53', '#524514'], ['#6e8cb9', '#243042'],
	TRUST_COLOURS[0]];

// The colour of each function, by its kind, its object, or how far its name
// can be trusted.
export class Colours {
	/** @type {any} how far nodes and functions changed: model.shades() */
	shades = null;
	/** @type {any} the tree, if it is one of all time */
	timed = null;
	/** @type {string[]} */
	known = [];
	/** @param {any} model @param {string} by @param {boolean} dark */
	constructor(model, by, dark) {
		this.model = model;
		this.by = by;
		this.dark = dark;
		this.kinds = kindColours(dark);
		this.scale = scaleColours(dark);
	}
	/** @param {number} func @param {number} node of a tree; -1: of none */
	of(func, node = -1) {
		if (this.shades !== null) {
			return this.ofChange(node >= 0 ? this.shades.nodes[node] :
				this.shades.funcs[func]);
		}
		if (this.timed !== null && node >= 0) {
			return this.ofLook(this.timed.looks[node], func);
		}
		if (func < 0) {
			return this.kinds[0];
		}
		if (this.known[func] === undefined) {
			this.known[func] = this.make(func);
		}
		return this.known[func];
	}
	// What most of the time is; functions that run differ a little.
	/** @param {number} look @param {number} func */
	ofLook(look, func) {
		const { name } = this.model.funcs.all;
		return look >= BLOCK ? WAIT_COLOURS[look - BLOCK][this.dark ? 1 : 0] :
			this.kinds[TONE_KINDS[look] * 8 +
				(func < 0 ? 2 : shadeOf(name[func]))];
	}
	/** @param {number} shade */
	ofChange(shade) {
		const step = stepOf(shade);
		return step < 0 ? this.kinds[8 * 8] : this.scale[step];
	}
	// Objects have the colour of their name, whatever else is there.
	/** @param {number} func */
	make(func) {
		const { all } = this.model.funcs, kind = all.kind[func];
		if (this.by === 'object' && kind !== 0) {
			return nthColour(hashOf(all.object[func]) % 64, this.dark);
		}
		if (this.by === 'trust' && kind !== 0) {
			return TRUST_COLOURS[trustOf(this.model, func)][
				this.dark ? 1 : 0];
		}
		return this.kinds[kind * 8 + shadeOf(all.name[func])];
	}
	// What the colours mean, [colour, words]: those that fill most of the
	// picture, of how wide the frames of each function are.
	/** @param {Map<number, number>} widths @param {string[]} kindNames
	 *  @returns {[string, string][]} */
	legend(widths, kindNames) {
		const out = new Map(), { all } = this.model.funcs;
		if (this.shades !== null) {
			return SHADE_WORDS[this.by].map((word, i) =>
				[this.ofChange([-1, 0, 1, NaN][i]), word]);
		}
		if (this.timed !== null) {
			return [[RUN, TONE_WORDS[RUN]], [WAIT, TONE_WORDS[WAIT]],
				...this.timed.met.map(([look, func]) => [look,
					func < 0 ? 'other waits' : all.name[func]])]
				.map(([look, word]) => [this.ofLook(look, -1), word]);
		}
		for (const [func, width] of widths) {
			if (func < 0) {
				continue;
			}
			const kind = all.kind[func];
			const word = kind === 0 || this.by === 'kind' ? kindNames[kind] :
				this.by === 'object' ? all.object[func] :
					TRUST[trustOf(this.model, func)];
			const row = out.get(word) || [this.by === 'kind' ?
				this.kinds[kind * 8 + 2] : this.of(func), word, 0];
			row[2] += width;
			out.set(word, row);
		}
		return Array.from(out.values()).sort((a, b) => b[2] - a[2]).slice(0, 9);
	}
}
// How far a function's name can be trusted: enum cp_trust.
/** @param {any} model @param {number} func */
export function trustOf(model, func) {
	const symbol = model.funcs.symbolOf[model.funcs.all.part[func]];
	return symbol ? model.data.symbols.trust[symbol] : 0;
}

// The way to a frame as a word for the address, and back: a hash of each name,
// and the place in the row, where a name may be met more than once.
/** @param {any} tree @param {number} i @param {Names} names */
export function wayTo(tree, i, names) {
	const out = [], { start, end } = tree;
	const place = start && i !== 0 ? '~' + start[i] + '-' + end[i] : '';
	for (; i !== 0; i = tree.parent[i]) {
		out.push(names.word(tree.func[i]));
	}
	return out.reverse().join('.') + place;
}
/** @param {any} tree @param {string} way @param {Names} names */
export function frameAtWay(tree, way, names) {
	const [text, place] = way.split('~'), from = parseInt(place, 10);
	let at = 0;
	for (const word of text === '' ? [] : text.split('.')) {
		let found = 0;
		for (let c = tree.first(at); c !== 0; c = tree.next[c]) {
			if (names.word(tree.func[c]) === word &&
				(found === 0 || tree.start?.[c] <= from)) {
				found = c;
			}
		}
		if (found === 0) {
			break;
		}
		at = found;
	}
	return at;
}
