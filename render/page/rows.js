// SPDX-License-Identifier: MIT
// @ts-check
// The samples of a selection in a row: those of a group of threads together,
// and in it by thread and time, or by path.
import { upTo } from './decode.js';
import { selectionKey } from './filter.js';
import { sortedBy } from './shape.js';

/**
 * What a tree is asked for says in which order.  Of each sample the merged
 * node, weight, count and thread, so that memory is read from one end to the
 * other; where each group ends, and its label.  With `stays' the row of this
 * selection is kept for good.
 * @param {any} filtered
 * @param {{split?: string, order?: string, stays?: boolean}} options
 */
export function rowBy(filtered, { split = 'none', order, stays }) {
	const { model, sel, kept, weighs } = filtered, n = kept.length;
	const { data: { threads, samples }, merged, counts } = model;
	const { thread, stack } = samples, timed = order === 'time';
	const keep = (what, make) => stays ? model.keepAll(what + timed + '|' +
		selectionKey(sel), make) : model.keep(what + timed, sel, make);
	const inOrder = () => (timed ?
		sortedBy(kept, threads.n, thread, upTo(threads.n)) :
		sortedBy(kept, merged.n, stack, merged.at)).list;
	return keep('row|' + split, () => {
		const { labels, group } = split !== 'none' ?
			model.groups(filtered, split) :
			{ labels: [], group: new Int32Array(threads.n) };
		const first = keep('order', () => ({ list: inOrder() }));
		const { list, ends } = sortedBy(first.list, labels.length || 1, thread,
			group);
		// A loop for each column: reading five columns in random order at once
		// takes three times as long.
		const where = new Uint32Array(n), heavy = new Float64Array(n);
		const many = new counts.constructor(n);
		const who = new Uint32Array(timed ? n : 0);
		for (let k = 0; k < n; k++) {
			where[k] = merged.at[stack[list[k]]];
		}
		for (let k = 0; k < n; k++) {
			heavy[k] = weighs[list[k]];
		}
		for (let k = 0; k < n; k++) {
			many[k] = counts[list[k]];
		}
		for (let k = 0; k < who.length; k++) {
			who[k] = thread[list[k]];
		}
		return { ends, labels: labels.map((label) =>
			model.funcs.label(label)), where, weighs: heavy, counts: many, who };
	});
}

/** What samples from...to of a row weigh, where a group or a function of the
 *  path matches; to: 0 is the end. */
export function weighMatches(filtered, how, matches, from, to) {
	const { func, parent, n } = filtered.model.merged;
	const { ends, labels, where, weighs } = rowBy(filtered, how);
	const hit = new Uint8Array(n), end = to || where.length;
	let sum = 0, g = 0;
	for (let i = 1; i < n; i++) {
		hit[i] = hit[parent[i]] | matches[func[i]];
	}
	for (let k = from; k < end; k++) {
		while (k >= ends[g]) {
			g++;
		}
		sum += hit[where[k]] || matches[labels[g]] ? weighs[k] : 0;
	}
	return sum;
}
