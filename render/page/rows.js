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
 * other; where each group ends, and its label.  The row of all samples is kept.
 * @param {any} filtered @param {{split?: string, order?: string}} options
 */
export function rowBy(filtered, { split = 'none', order }) {
	const { model, sel, kept, weighs } = filtered, n = kept.length;
	const timed = order === 'time', key = selectionKey(sel);
	const make = () => {
		const { data: { threads, samples }, merged, counts } = model;
		const { thread, stack } = samples;
		const { labels, group } = split !== 'none' ?
			model.groups(filtered, split) :
			{ labels: [], group: new Int32Array(threads.n) };
		const first = timed ?
			sortedBy(kept, threads.n, thread, upTo(threads.n)) :
			sortedBy(kept, merged.n, stack, merged.at);
		const { list, ends } = sortedBy(first.list, labels.length || 1, thread,
			group);
		const row = { ends, labels: labels.map((label) =>
			model.funcs.label(label)), where: new Uint32Array(n),
			weighs: new Float64Array(n), counts: new counts.constructor(n),
			who: new Uint32Array(timed ? n : 0) };
		list.forEach((i, k) => {
			row.where[k] = merged.at[stack[i]];
			row.weighs[k] = weighs[i];
			row.counts[k] = counts[i];
			if (timed) {
				row.who[k] = thread[i];
			}
		});
		return row;
	};
	return key !== selectionKey(model.whole(sel.event)) ? make() :
		model.keepAll(key + split + timed, make);
}
