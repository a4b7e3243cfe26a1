// SPDX-License-Identifier: MIT
// @ts-check
// The 95 % intervals of a table's shares, as `coldperf hotspots' has them:
// docs/intervals.md.  How much a row's share varies is measured on the order of
// the samples, for the heaviest rows; the others have the mean of these.
import { Filtered } from './filter.js';
import { NONE } from './funcs.js';
import { leading } from './grid.js';
import { buildTable, commandOrder, entitiesOf, sumsOf } from './table.js';

const PIECE = 1024, PIECES = 32; // of neighbours that are looked at
const MEASURED = 100, Z = 1.959963984540054;
const SHORTEST_BLOCK = 16, LEAST_BLOCKS = 16, LEAST_PHASES = 8;
const COMMON_PHASES = 4, LEAST_CHANGES = 32, SAME_MOMENT = 100;

/**
 * The order of the samples of a selection: those that are looked at; of each
 * the one before of the same CPU, or thread if that is not known, or -1; how
 * many have one; and 1 where a round or a moment begins.
 */
function orderOf({ model, kept }) {
	const { time, cpu, thread } = model.data.samples;
	const { tid } = model.data.threads, last = new Map();
	let stride = 1, known = 0, couples = 0;
	while (kept.length > stride * PIECES * PIECE) {
		stride *= 2;
	}
	const seen = kept.filter((_, i) => Math.floor(i / PIECE) % stride === 0);
	// The one before the first of a piece is not known.
	const alone = (i) => i === 0 || stride > 1 && i % PIECE === 0;
	const before = Int32Array.from(seen, (s, i) => {
		const lane = cpu[s] !== NONE ? cpu[s] : -1 - tid[thread[s]];
		const b = last.get(lane) ?? -1;
		known = alone(i) ? i : known;
		last.set(lane, i);
		couples += b < known ? 0 : 1;
		return b < known ? -1 : b;
	});
	const near = periodOf(seen, before, time) / SAME_MOMENT;
	const starts = (apart) => {
		let start = 0;
		return seen.map((s, i) => {
			const begins = alone(i) || before[i] >= start ||
				apart(time[s], time[seen[i - 1]]);
			start = begins ? i : start;
			return begins ? 1 : 0;
		});
	};
	return { seen, before, couples,
		/** In a round none of them ticks twice. */
		rounds: starts(() => false),
		/** In a moment all tick at the same time. */
		moments: starts((t, from) => !(near > 0 && from >= 0 && t >= from &&
			t - from <= Math.floor(near))) };
}

/** The median time between ticks; 0: not known. */
function periodOf(seen, before, time) {
	const gaps = [];
	seen.forEach((s, i) => {
		const from = before[i] < 0 ? -1 : time[seen[before[i]]];
		if (from >= 0 && from <= time[s]) {
			gaps.push(time[s] - from);
		}
	});
	return Float64Array.from(gaps).sort()[gaps.length >> 1] || 0;
}

/** Estimates the correlation of neighbours over all rows. */
function stayOf({ before, couples }, label) {
	const n = label.length, count = new Map();
	let same = 0, chance = 0;
	label.forEach((l, i) => {
		count.set(l, (count.get(l) || 0) + 1);
		same += before[i] >= 0 && label[before[i]] === l ? 1 : 0;
	});
	for (const c of count.values()) {
		chance += c / n * c / n;
	}
	return couples - same >= LEAST_CHANGES && chance < 1 ?
		(same / couples - chance) / (1 - chance) : 0;
}

/** The variance of groups of samples. */
function groupedVariance(has, p, begins) {
	let sum = 0, group = 0;
	for (let i = 0; i < has.length; i++) {
		if (begins[i] === 1) {
			sum += group * group;
			group = 0;
		}
		group += has[i] - p;
	}
	return sum + group * group;
}

/**
 * How many times the variance of independent samples the share of those samples
 * has that are marked with 1.
 */
function dispersionOf({ before, couples, rounds, moments }, stay, has) {
	const n = has.length, count = has.reduce((a, b) => a + b, 0);
	if (count === 0 || count === n) {
		return 1;
	}
	const p = count / n, variance = p * (1 - p);
	let sum = 0, changes = 0;
	for (let i = 0; i < n; i++) {
		const b = before[i];
		if (b >= 0) {
			sum += (has[i] - p) * (has[b] - p);
			changes += has[i] !== has[b] ? 1 : 0;
		}
	}
	const phases = changes >> 1, r = phases < LEAST_PHASES ? stay :
		(phases * sum / (couples * variance) + COMMON_PHASES * stay) /
		(phases + COMMON_PHASES);
	const d = Math.max(1, ...[moments, rounds].map((begins) =>
		groupedVariance(has, p, begins) / (n * variance))) *
		(r > 0 && r < 1 ? (1 + r) / (1 - r) : 1);
	return Math.min(Math.max(d, bursts(has, variance)), n);
}

/** The most that blocks of one length differ from their neighbours. */
function bursts(has, variance) {
	let most = 0, blocks = has.length / SHORTEST_BLOCK | 0;
	const count = new Int32Array(blocks);
	for (let i = 0; i < blocks * SHORTEST_BLOCK; i++) {
		count[i / SHORTEST_BLOCK | 0] += has[i];
	}
	for (let l = SHORTEST_BLOCK; blocks >= LEAST_BLOCKS; l *= 2) {
		let sum = 0;
		for (let b = 1; b < blocks; b++) {
			sum += (count[b] - count[b - 1]) ** 2;
		}
		most = Math.max(most, sum / (2 * (blocks - 1) * l * variance) *
			(1 - Math.sqrt(3 / blocks) / 2));
		blocks = blocks / 2 | 0;
		for (let b = 0; b < blocks; b++) {
			count[b] = count[2 * b] + count[2 * b + 1];
		}
	}
	return most;
}

/**
 * What a sample counts for: a number of a row for itself, and those of the rows
 * that it is below.
 */
function rowsOfSamples(filtered, by) {
	const { model } = filtered, { data, paths } = model;
	const { stack, thread } = data.samples;
	if (isOfThreads(by)) {
		const { group } = model.groups(filtered, by);
		return { self: (s) => group[thread[s]] };
	}
	const { nodes } = entitiesOf(model, by);
	return {
		self: (s) => nodes[paths.at[stack[s]]],
		above: (s, mark) => {
			let i = paths.at[stack[s]];
			do {
				mark(nodes[i]);
				i = paths.parent[i];
			} while (i > 0);
		},
	};
}

/** The first n rows in the command's order. */
function heaviest(rows, by, n) {
	const some = leading(rows, (r) => r.total, -1, n);
	const least = some.length < n ? 0 : some[n - 1].total;
	return commandOrder(rows.filter((r) => r.total >= least), by).slice(0, n);
}

/** How much the shares of the heaviest rows vary, by row, and their mean. */
function measure(filtered, rows, by) {
	const order = orderOf(filtered), { seen } = order;
	const { self, above } = rowsOfSamples(filtered, by);
	const some = heaviest(rows, by, above ? MEASURED / 2 : MEASURED);
	const make = () => new Map(some.map((r) =>
		[r.number, new Uint8Array(seen.length)]));
	const total = make(), own = make(), label = Array.from(seen, self);
	const mark = (all, k, i) => {
		if (all.has(k)) {
			all.get(k)[i] = 1;
		}
	};
	label.forEach((l, i) => {
		mark(own, l, i);
		if (above) {
			above(seen[i], (k) => mark(total, k, i));
		}
	});
	const stay = above ? stayOf(order, label) : 0, of = new Map();
	let sum = 0;
	for (const { number: k } of some) {
		for (const all of above ? [total, own] : [own]) {
			const d = dispersionOf(order, stay, all.get(k));
			of.set((all === own ? 'self' : 'total') + k, d);
			sum += d;
		}
	}
	return { of, mean: sum / of.size };
}

/** Wilson's interval of a share; rounded as report/shares.c does it. */
function wilson(p, n) {
	if (!(n > 0)) {
		return [0, 1];
	}
	const most = 1 + Z * Z / n, mid = (p + Z * Z / (2 * n)) / most;
	const half = Z / most * Math.sqrt(p * (1 - p) / n + Z * Z / (4 * n * n));
	return [p > 0 ? Math.max(0, mid - half) : 0,
		p < 1 ? Math.min(1, mid + half) : 1];
}

/**
 * How many samples of equal weights tell as much of a share p: w is the weight
 * of all, `square' and `all' are the sums of squares of the part and of all.
 */
function equalSamples(p, w, square, all) {
	const n = all > 0 ? w * w / all : 0;
	const found = square * (1 - p) * (1 - p) +
		Math.max(all - square, 0) * p * p;
	const other = p * (1 - p) * w * w / found;
	return p > 0 && p < 1 && found > 0 && other < n * (1 - 1e-9) ? other : n;
}

/** The sums of the squares of weights: of all samples, and by row. */
function squaresOf(filtered, by) {
	const { model, kept, weighs: w, sel, weight } = filtered, one = w[kept[0]];
	if (kept.every((i) => w[i] === one)) {
		return { all: weight * one, of: (row, key) => row[key] * one };
	}
	const squares = new Float64Array(w.length);
	for (const i of kept) {
		squares[i] = w[i] * w[i];
	}
	const squared = new Filtered(model, sel, squares);
	/** @type {any} */
	const sums = isOfThreads(by) ? { self: new Map(buildTable(squared, by)
		.map((r) => [r.number, r.self])) } : sumsOf(squared, by);
	return { all: squared.weight, of: (row, key) => isOfThreads(by) ?
		sums.self.get(row.number) : sums[key][row.number] };
}

/** Are rows of threads, which have no callees? */
const isOfThreads = (by) => by === 'thread' || by === 'comm';

/**
 * Has a share an interval?  An event of which each occurrence was recorded has
 * none, nor have samples that were merged or are of several captures.
 */
export function hasIntervals({ data: { events, meta }, sides }, { event, side }) {
	return !(event < 0 || events.complete[event] || meta.binned ||
		sides !== null && sides.after.filter((after) =>
			side !== (after ? 'before' : 'after')).length > 1);
}

/**
 * A function that tells the interval of a row's share, `self' or `total': its
 * two ends; [] where there is none.
 * @returns {(row: any, key: string) => number[]}
 */
export function intervalsOf(model, sel, by) {
	return !hasIntervals(model, sel) || model.filter(sel).samples === 0 ?
		() => [] :
		model.keep('intervals|' + by, sel, () =>
			tellerOf(model.filter(sel), model.table(sel, by), by));
}

function tellerOf(filtered, rows, by) {
	const { of, mean } = measure(filtered, rows, by), { weight } = filtered;
	const squares = squaresOf(filtered, by);
	return (row, key) => {
		const p = weight > 0 ? Math.min(row[key] / weight, 1) : 0;
		return wilson(p, equalSamples(p, weight, squares.of(row, key),
			squares.all) / (of.get(key + row.number) ?? mean));
	};
}
