// SPDX-License-Identifier: MIT
// @ts-check
// Functions as the page shows them.  A part is a function active at a frame:
// its own, then those inlined into it, outermost first.  Parts that show the
// same text and are of the same kind are one function, as in a flame graph.

import { free } from './decode.js';
import { INLINED } from './names.js';

export const NONE = 0xffffffff;

// The kinds of functions, by the numbers of enum cp_kind.
export const KIND = { LABEL: 0, USER: 1, KERNEL: 2, INLINED: 3, JIT: 4,
	CXX: 5, HYPERVISOR: 6, GUEST: 7, UNKNOWN: 8 };
export const KIND_NAMES = ['thread', 'user', 'kernel', 'inlined', 'JIT',
	'C++', 'hypervisor', 'guest', 'no name'];
const LEVEL_KINDS = [0, KIND.KERNEL, 0, KIND.HYPERVISOR, KIND.GUEST,
	KIND.GUEST];
/** Follows the object of a function that another one has, too. */
export const OTHERS = ', \u2026';
const OBJECT_ANON = 5, OBJECT_JIT = 6;
const SOURCE_JITDUMP = 7, SOURCE_PERF_MAP = 8, SOURCE_BOUNDS = 11;
// Rust's older names are such of C++ that end in a hash.
const IS_CXX = /^_Z(?!.*17h[\da-f]{16}E)/;

/** @typedef {{n: number, name: string[], kind: number[],
 *   object: string[], part: number[], text: number[]}} FuncTable */

export class Funcs {
	/** The first part of each frame. @type {Uint32Array} */
	first;
	/** @type {Uint32Array} */
	frameOf;
	/** @type {Uint32Array} */
	symbolOf;
	/** @type {Uint32Array} */
	funcOf;
	/** @param {any} data */
	constructor(data) {
		this.data = data;
		/** Names of objects as tables show them. */
		this.objects = Array.from(data.objects.nickname, (name, i) => i === 0 ?
			'[unknown]' : data.strings[name]);
		/** @type {FuncTable} */
		this.all = { n: 0, name: [], kind: [], object: [], part: [],
			text: [] };
		/** The number of each text, by the text or by that of the string. */
		this.texts = new Map();
		this.known = new Int32Array(data.strings.length);
		this.last = []; // function of each text
		this.prior = []; // one of the same text
		/** Of each symbol that is not inlined: the latest function, and in
		 *  what object and level. */
		this.latest = new Int32Array(data.symbols.n);
		this.place = new Int32Array(data.symbols.n);
		this.addParts();
		free(this.known, this.latest, this.place);
		this.known = [];
	}

	/** Numbers the parts of all frames, and finds the function of each. */
	addParts() {
		const frames = this.data.frames;
		const first = new Uint32Array(frames.n + 1);
		for (let f = 0; f < frames.n; f++) {
			first[f + 1] = first[f] + Math.max(frames.spots[f], 1);
		}
		this.first = first;
		this.frameOf = new Uint32Array(first[frames.n]);
		this.symbolOf = new Uint32Array(first[frames.n]);
		this.funcOf = new Uint32Array(first[frames.n]);
		for (let f = 0; f < frames.n; f++) {
			this.addFrame(f, first[f], first[f + 1]);
		}
	}

	addFrame(frame, from, to) {
		const { frames, symbols } = this.data, { funcOf, latest } = this;
		const object = frames.object[frame];
		const place = object * 256 + frames.level[frame] + 1;
		for (let p = from; p < to; p++) {
			this.frameOf[p] = frame;
			const symbol = this.codeOf(p);
			const shown = this.symbolOf[p] =
				symbols.source[symbol] === SOURCE_BOUNDS ? 0 : symbol;
			if (p === from && this.place[symbol] === place) {
				funcOf[p] = latest[symbol];
				continue;
			}
			funcOf[p] = this.intern(this.textOf(p, p > from),
				this.kindOf(p, p > from), this.objects[object], p,
				p > from ? 0 : symbols.name[shown]);
			if (p === from) {
				this.place[symbol] = place;
				latest[symbol] = funcOf[p];
			}
		}
	}

	/** The symbol of a part, or the bounds of its function without a name. */
	codeOf(part) {
		const { frames, spots } = this.data, frame = this.frameOf[part];
		const k = part - this.first[frame];
		return k === 0 ? frames.symbol[frame] :
			spots.symbol[frames.firstSpot[frame] + k];
	}

	textOf(part, inlined) {
		const { strings, symbols, frames } = this.data;
		const symbol = this.symbolOf[part];
		if (symbol !== 0) {
			const name = strings[symbols.name[symbol]];
			return !inlined || name.endsWith(INLINED) ? name :
				name + INLINED;
		}
		const object = this.objects[frames.object[this.frameOf[part]]];
		return object[0] === '[' ? object : '[' + object + ']';
	}

	kindOf(part, inlined) {
		const { strings, symbols, frames, objects } = this.data;
		const frame = this.frameOf[part], symbol = this.symbolOf[part];
		if (inlined) {
			return KIND.INLINED;
		}
		const kind = LEVEL_KINDS[frames.level[frame]];
		if (kind) {
			return kind;
		}
		const source = symbols.source[symbol];
		const object = objects.kind[frames.object[frame]];
		if (frames.object[frame] !== 0 &&
			(object === OBJECT_ANON || object === OBJECT_JIT)) {
			return KIND.JIT;
		}
		if (symbol === 0) {
			return KIND.UNKNOWN;
		}
		if (source === SOURCE_JITDUMP || source === SOURCE_PERF_MAP) {
			return KIND.JIT;
		}
		return IS_CXX.test(strings[symbols.raw[symbol]]) ? KIND.CXX : KIND.USER;
	}

	/** The number of a text, which is that string; 0: of none. */
	numberOf(name, string) {
		let text = (this.known[string] || 0) - 1;
		if (string > 0 && text >= 0) {
			return text;
		}
		// Only such a text can be that of another string, or of none.
		const alone = string > 0 && !/^\[|\\|\(inlined\)$/.test(name);
		text = alone ? this.last.length : this.texts.get(name) ??
			this.last.length;
		if (text === this.last.length) {
			this.last.push(-1);
		}
		if (alone) {
			this.known[string] = text + 1;
		} else {
			this.texts.set(name, text);
		}
		return text;
	}

	/** The number of a function; part is the first place where it is. */
	intern(name, kind, object, part, string = 0) {
		const { all, last, prior } = this, text = this.numberOf(name, string);
		let func = last[text];
		while (func >= 0 && all.kind[func] !== kind) {
			func = prior[func];
		}
		if (func < 0) {
			func = all.n++;
			prior.push(last[text]);
			last[text] = func;
			all.name.push(name);
			all.kind.push(kind);
			all.object.push(object);
			all.part.push(part);
			all.text.push(text);
		}
		const [own] = all.object[func].split(OTHERS);
		if (own !== object) {
			all.object[func] = own + OTHERS;
		}
		return func;
	}

	/** The function that stands for a thread or command in a tree. */
	label(name) {
		return this.intern(name, KIND.LABEL, '', -1);
	}

	/** The function of that name, or -1. */
	find(name) {
		return this.all.name.indexOf(name);
	}
}
