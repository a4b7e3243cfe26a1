// SPDX-License-Identifier: MIT
// @ts-check
// What is known of a frame of a picture, in words: how much it weighs, in
// which file it is, how its name and its place on the stack were found.
import { factsOf } from './evidence.js';
import { sumUp } from './filter.js';
import { TONE_WORDS } from './frames.js';
import { percent, time } from './numbers.js';
import { cellWords, costWords, samplesWords, weightWords } from './words.js';

/** Adds to the name under the pointer what is known of it.
 *  @param {Facts} facts @param {any} target */
export function tellName(facts, target) {
	const cell = target.closest('td.name');
	const at = cell?.querySelector('[title]') || cell;
	if (at?.title && !at.title.includes('\n')) {
		const func = cell.func ?? facts.model.funcs.find(at.title);
		at.title = [at.title, ...facts.ofFunction(func)].join('\n');
	}
}

export class Facts {
	/** @param {any} model */
	constructor(model) {
		this.model = model;
	}
	// Where a function is and how its name was found.
	/** @param {number} func @returns {string[]} */
	ofFunction(func) {
		return func < 0 ? [] : factsOf(this.model, func)
			.filter(([what]) => what !== 'Name' && what !== 'Symbol')
			.map(([what, text]) => what + ': ' + text);
	}
	// How much a frame of a picture weighs.
	/** @param {import('./tree.js').Tree} f @param {number} i
	 *  @param {number} zoomed @param {number} event @returns {string[]} */
	ofFrame(f, i, zoomed, event) {
		const all = f.total[0], out = [percent(f.total[i], all) + ' of all'];
		if (zoomed !== 0 && i > zoomed) {
			out.push(percent(f.total[i], f.total[zoomed]) +
				' of the zoomed');
		}
		if (f.parts) {
			return out.concat(time(f.total[i]), f.cut > 0 ? [] : f.parts
				.map((part, k) => TONE_WORDS[k + 1] + ' ' + time(part[i]))
				.filter((_, k) => /** @type {any} */ (f.parts)[k][i] > 0));
		}
		const sums = f.sums = f.sums || sumUp(f.samples, f.parent), n = sums[i];
		if (f.total[i] !== n) {
			out.push(weightWords(this.model, event, f.total[i]));
		}
		out.push(samplesWords(n));
		if (f.self[i] > 0) {
			out.push('itself ' + percent(f.self[i], all));
		}
		return out;
	}
	// What a frame cost before and after, of several captures, or its CPI.
	/** @param {number} i of a tree of that state @param {any} state
	 *  @returns {string[]} */
	ofShade(i, { colour, selection: sel, split }) {
		const { model } = this, { few, many } =
			model.shadesBy(colour, sel, split) || {};
		if (few) {
			return few[i] > 0 ? ['CPI ' + (many[i] / few[i]).toFixed(2)] : [];
		}
		if (model.sides === null) {
			return [];
		}
		const { before, after } = model.shades(sel, split);
		const words = (/** @type {number} */ v) => costWords(model, sel.event, v);
		return ['before ' + words(before[i]) + ', after ' + words(after[i]) +
			(before[i] > 0 ? ': ' + cellWords('change',
				after[i] / before[i] - 1) : '')];
	}
}
