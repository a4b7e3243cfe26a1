// SPDX-License-Identifier: MIT
// @ts-check
// Cycles per instruction of functions and of nodes of trees, as far as those
// of all samples: where a capture has samples of both.
import { upTo } from './decode.js';
import { byFunction, shadeOfChange } from './change.js';
import { sumUp } from './filter.js';
import { shapeOf } from './shape.js';

/**
 * The events that count instructions and cycles in one place, or null.  What
 * has a frequency and no periods does not say how many it counts.
 */
export function cpiEvents({ events, strings }) {
	const scope = (e) => strings[events.name[e]].split(':')[1];
	const [cycles, instructions] = [0, 1].map((config) =>
		upTo(events.n).filter((e) =>
			events.type[e] === 0 && events.config[e] === config &&
			events.samples[e] > 0 && !(events.freq[e] &&
			events.weight[e] === events.samples[e])));
	const pairs = cycles.flatMap((c) => instructions.filter((i) =>
		scope(i) === scope(c)).map((i) => [i, c]));
	return pairs[0] || null;
}

const FOUR_TIMES = 2; // steps of the logarithm

/** Shades by node and by function, and what nodes count of both events. */
export function cpiShades(model, sel, split) {
	const both = model.cpi.map((event) => model.filter({ ...sel, event }));
	const ratio = both[1].weight / both[0].weight;
	const shade = (few, many, n, m) => shadeOfChange(few * ratio, many, n, m,
		FOUR_TIMES);
	const [own, n, cycles, m] = byFunction(model, both,
		(i) => model.merged.func[i], ({ own }) => [own.weight, own.count]);
	const filtered = model.filter(sel), { first } = filtered.byThread;
	const { shape } = shapeOf(filtered, split);
	// A group is that of the threads that the selection has.
	const threads = split === 'none' ? sel.threads : new Set(
		Array.from(first.keys()).filter((t) => first[t] >= 0));
	const [few, many] = model.cpi.map((event) => {
		const of = model.filter({ ...sel, threads, event });
		const { self, samples } = shape.weigh(of);
		return { sum: sumUp(self, shape.parent),
			n: sumUp(samples, shape.parent) };
	});
	return { few: few.sum, many: many.sum,
		funcs: own.map((v, f) => shade(v, cycles[f], n[f], m[f])),
		nodes: few.sum.map((v, i) => shade(v, many.sum[i], few.n[i],
			many.n[i])) };
}
