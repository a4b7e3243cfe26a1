// SPDX-License-Identifier: MIT
// @ts-check
// What changed between the sides of a comparison, in a selection: of each
// function, and of each node of a tree.  What is chance and what is not was
// found by `coldperf diff' over all samples; its words stand beside.
import { sumUp } from './filter.js';
import { plainValue, tableOf, valuesOf } from './cells.js';
import { shapeOf } from './shape.js';

/**
 * @typedef {object} ChangeRow
 * @property {number} func
 * @property {string} name
 * @property {string} object
 * @property {number} before its own cost, by the unit of the comparison
 * @property {number} after
 * @property {number} samplesBefore
 * @property {number} samplesAfter
 * @property {?Found} found what diff says of all samples of it
 */

/**
 * @typedef {object} Found
 * @property {string} word more, less, new, gone, undecided ...; '': nothing
 * @property {number} p
 * @property {[number, number]} interval of the change
 */

const UNNAMED = '[unknown]';
// What diff leaves out of names: what compilers add to those of copies, and
// versions of objects.
const COPY = /(?!^)(\.(part|isra|constprop|lto_priv|llvm)\.|\.cold| \[clone ).*/;
const SO_VERSION = /^(?!\[)(.+?)[\d._-]*\.so.*/;

/** What diff's table says, by object and name; by name if it is alone. */
function foundBy(meta) {
	const out = new Map();
	for (const { values: v } of tableOf(meta, 'diff').rows) {
		const [word, change, p] = v, [object, shown] = v.slice(-2);
		// What has no name is called as its object.
		const name = shown === (object[0] === '[' ? object : `[${object}]`) ?
			UNNAMED : shown;
		const alone = '\n' + name, found = { word, p: plainValue(p) ?? NaN,
			interval: change.interval || [NaN, NaN] };
		out.set(alone, out.has(alone) ? null : found);
		out.set(object + alone, found);
	}
	return out;
}

/** What diff found of everything together: its first row. */
export const foundOfAll = (meta) => foundBy(meta).values().next().value || null;

/** The rows of diff's table, and the number of that of each frame. */
function changeRows({ data: { frames, meta }, funcs }) {
	const { all, first, funcOf, objects, symbolOf } = funcs;
	const known = foundBy(meta), numbers = new Map(), rows = [], as = new Map();
	for (const [object, gone, to] of valuesOf(tableOf(meta, 'pairs'), 'Object',
		'Only on one side', 'Counts as')) {
		const key = object + '\n' + gone;
		// Of what was inlined into several, each call counts as its caller.
		as.set(key, as.has(key) ? gone : to);
	}
	const names = all.name.map((name) => name.replace(COPY, ''));
	const homes = objects.map((name) => name.replace(SO_VERSION, '$1.so'));
	return { rows, of: first.slice(0, -1).map((p, f) => {
		const func = funcOf[p], object = homes[frames.object[f]];
		const own = symbolOf[p] ? names[func] : UNNAMED;
		const name = as.get(object + '\n' + own) || own, alone = '\n' + name;
		const found = known.get(object + alone) ||
			name !== UNNAMED && known.get(alone) || null;
		const key = found || object + alone;
		if (!numbers.has(key)) {
			numbers.set(key, rows.push({ func, name, object, found }) - 1);
		}
		return numbers.get(key);
	}) };
}

const sidesOf = (model, sel) => ['before', 'after'].map((side) =>
	model.costs(sel, side));

/** Costs and samples of two selections by function; of(i): that of a place. */
export function byFunction(model, both, of, placesOf) {
	return both.flatMap((filtered) =>
		placesOf(filtered).map((list) => {
			const out = new Float64Array(model.funcs.all.n + list.length);
			for (let i = 1; i < list.length; i++) {
				out[of(i)] += list[i];
			}
			return out;
		}));
}

/**
 * What was inlined into a function is its own, as diff counts.
 * @returns {ChangeRow[]} the functions of a selection with costs of their own
 */
export function changeTable(model, sel) {
	const { of, rows } = model.keepAll('rows of diff', () => changeRows(model));
	const [before, n, after, m] = byFunction(model, sidesOf(model, sel),
		(f) => of[f], ({ byFrame }) => [byFrame.weight, byFrame.count]);
	return rows.map((row, k) => ({ ...row, before: before[k], after: after[k],
		samplesBefore: n[k], samplesAfter: m[k] })).filter((row) =>
		row.samplesBefore + row.samplesAfter > 0);
}

const FEWEST = 10; // samples of both; fewer tell nothing

/**
 * The shade of a change: 1 is twice as much or more, -1 half or less, 0 what
 * the numbers of samples alone explain; NaN: too few.  `full': the logarithm
 * of what has the strongest shade.
 */
export function shadeOfChange(before, after, n, m, full = 1) {
	if (n + m < FEWEST || !(before + after > 0)) {
		return NaN;
	}
	const least = Math.max(before, after) / 1000;
	const change = Math.log2((after + least) / (before + least));
	// 95 % of the logarithm of a ratio of two counts, to the base of 2.
	const error = 1.96 / Math.LN2 * Math.sqrt(1 / (n + 1) + 1 / (m + 1));
	return Math.abs(change) <= error ? 0 :
		Math.max(-1, Math.min(1, change / full));
}

/** By node of the shape that trees of a selection have. */
function shadesOfNodes(model, sel, split) {
	const { shape } = shapeOf(model.bothSides(model.filter(sel)), split);
	const [b, a] = sidesOf(model, sel).map((of) => {
		const { self, samples } = shape.weigh(of);
		return { cost: sumUp(self, shape.parent),
			n: sumUp(samples, shape.parent) };
	});
	return { before: b.cost, after: a.cost,
		nodes: Float64Array.from(b.cost, (cost, i) =>
			shadeOfChange(cost, a.cost[i], b.n[i], a.n[i])) };
}

/**
 * Shades by node of a tree that is split so, and by function; costs of nodes.
 */
export function shadesOf(model, sel, split) {
	const [before, n, after, m] = byFunction(model, sidesOf(model, sel),
		(i) => model.merged.func[i], ({ own }) => [own.weight, own.count]);
	const funcs = before.map((cost, f) => shadeOfChange(cost, after[f], n[f],
		m[f]));
	return { funcs, ...shadesOfNodes(model, sel, split) };
}
