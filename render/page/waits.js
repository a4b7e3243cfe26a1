// SPDX-License-Identifier: MIT
// @ts-check
// All time of a selection's threads, whether they ran or not: samples of a
// clock and states become the samples of a model of its own.  What a thread did
// in a state is one more function on its stack, as `coldperf offcpu' has it.
import { free } from './decode.js';
import { selectionKey, stateTest } from './filter.js';
import { SMALL } from './nodes.js';
import { ordered, Pairs } from './paths.js';
import { BLOCK, RUN, WAIT } from './series.js';

/** What a thread did in a state. */
const endOf = (tone, reason) => tone === RUN ? '[on CPU]' :
	reason === 'woken' ? '[waits for the CPU]' :
		'[' + (reason || 'unknown') + ']';

/** Classes of waits with a colour of their own; others have one together. */
export const OWN_COLOURS = 5;

/**
 * What threads waited for, as functions: those of most time in the capture
 * first, so that a class has one colour in all selections.
 */
const classesOf = (model) => model.keepAll('classes', () => {
	const { data: { states, strings }, funcs } = model, times = new Map();
	for (let s = 0; s < states.n; s++) {
		if (states.tone[s] === BLOCK) {
			times.set(states.reason[s], (times.get(states.reason[s]) || 0) +
				states.to[s] - states.from[s]);
		}
	}
	return [...times].sort((a, b) => b[1] - a[1]).map(([reason]) =>
		funcs.label(endOf(BLOCK, strings[reason])));
});

/** The states of a selection in the order of time, of a tone and those above. */
function statesOf(model, sel, least) {
	const { from, to, tone } = model.data.states;
	const keeps = stateTest(model, sel);
	return model.keepAll('states', () => Uint32Array.from(from.keys())
		.sort((a, b) => from[a] - from[b])).filter((s) =>
		tone[s] >= least && tone[s] <= BLOCK &&
		to[s] > (sel.from || 0) && (sel.to === null || from[s] < sel.to) &&
		keeps(s));
}

/** Paths that go on with what threads did. */
class Ends {
	constructor(model) {
		this.model = model;
		this.couples = new Pairs(1024);
		this.funcs = new Map();
		/** The tone of each function that is such an end. */
		this.tones = new Map();
	}

	/** The node of a state's stack and end. */
	node(state) {
		const { funcs, data: { states, strings }, merged } = this.model;
		const tone = states.tone[state], reason = states.reason[state];
		const key = reason * 4 + tone;
		if (!this.funcs.has(key)) {
			const func = funcs.label(endOf(tone, strings[reason]));
			this.funcs.set(key, func);
			this.tones.set(func, tone);
		}
		return merged.n - 1 + this.couples.put(merged.at[states.stack[state]],
			this.funcs.get(key));
	}

	/** All nodes, each of them a stack. */
	paths() {
		const { couples: { n, a, b }, model: { merged } } = this;
		const joined = (some, more) => {
			const out = new Int32Array(merged.n + n);
			out.set(some);
			out.set(more.subarray(1, n + 1), merged.n);
			return out;
		};
		return ordered(merged.n + n, joined(merged.parent, a),
			joined(merged.func, b));
	}
}

/** A model whose samples are the time of a selection. */
function timeOf(model, sel) {
	const { data, merged: { at } } = model, { samples, states } = data;
	const kept = model.filter(sel), clock = data.events.clock[sel.event] > 0;
	const list = statesOf(model, sel, clock ? WAIT : RUN);
	const ends = new Ends(model), counts = [];
	/** @type {any} */
	const out = { n: 0, time: [], weight: [], stack: [], thread: [] };
	const put = (time, weight, path, thread, count) => {
		out.n = counts.push(count);
		out.time.push(time);
		out.weight.push(weight);
		out.stack.push(path);
		out.thread.push(thread);
	};
	let k = 0;
	const putStates = (until) => {
		for (; k < list.length && states.from[list[k]] <= until; k++) {
			const s = list[k], from = Math.max(states.from[s], sel.from || 0);
			put(from, Math.min(states.to[s], sel.to ?? Infinity) - from,
				ends.node(s), states.thread[s], 1);
		}
	};
	if (clock) {
		kept.kept.forEach((i) => {
			putStates(samples.time[i]);
			put(samples.time[i], samples.weight[i], at[samples.stack[i]],
				samples.thread[i], model.counts[i]);
		});
	}
	putStates(Infinity);
	return Object.assign(Object.create(model), { data: { ...data, samples: out },
		merged: ends.paths(), tones: ends.tones,
		classes: classesOf(model), counts, sides: null,
		kept: new Map(), once: new Map() });
}

/**
 * What of each node's time its threads ran, could run, and waited; but of what
 * is small nobody knows.  And how a node looks: the tone of most of its time;
 * of waits, BLOCK and the number of the class of most.
 */
function partsOf({ n, func, self, parent }, { tones, classes }) {
	const look = new Uint8Array(n).fill(RUN);
	for (let i = 1; i < n; i++) {
		const tone = tones.get(func[i]);
		look[i] = func[i] === SMALL ? 0 : tone === BLOCK ? BLOCK +
			Math.min(classes.indexOf(func[i]), OWN_COLOURS) :
			tone || look[parent[i]];
	}
	const sum = (from, to) => {
		const out = new Float64Array(n);
		for (let i = n - 1; i >= 0; i--) {
			const own = look[i] >= from && look[i] <= to ? self[i] : 0;
			const all = out[i] + own;
			if (all) { // most nodes have none of a class
				out[i] = all;
				out[parent[i]] += i && all;
			}
		}
		return out;
	};
	const parts = [sum(RUN, RUN), sum(WAIT, WAIT), sum(BLOCK, BLOCK + OWN_COLOURS)];
	const looks = new Uint8Array(n), most = new Float64Array(n), met = [];
	const put = (k, times) => {
		for (let i = 0; i < n; i++) {
			if (times[i] > most[i]) {
				most[i] = times[i];
				looks[i] = k;
			}
		}
	};
	for (let k = BLOCK; k <= BLOCK + OWN_COLOURS; k++) {
		if (!look.includes(k)) {
			continue;
		}
		const times = sum(k, k);
		put(k, times);
		if (times[0] > 0) {
			met.push([k, k < BLOCK + OWN_COLOURS ? classes[k - BLOCK] : -1]);
		}
		free(times);
	}
	most.set(parts[2]);
	[RUN, WAIT].forEach((k) => put(k, parts[k - 1]));
	free(look, most);
	return { parts, looks, met };
}

/** The tree of all time of a selection. */
export function timeTree(model, sel, options) {
	const key = selectionKey(sel);
	if (model.time?.key !== key) {
		model.time = { key, of: timeOf(model, sel) };
	}
	const { of } = model.time, tree = of.tree(of.whole(-1), options);
	return tree.parts ? tree : Object.assign(tree, partsOf(tree, of));
}
