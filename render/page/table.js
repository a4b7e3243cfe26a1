// SPDX-License-Identifier: MIT
// @ts-check
// Tables of a selection: rows as `coldperf hotspots' counts them.  Self is
// what fell into a row, and counts for the function whose code it was; total is
// what fell into it or into what it called, once a sample.
import { free, hex64 } from './decode.js';
import { outermost, Pairs } from './paths.js';
import { compareBytes } from './folded.js';
import { NONE } from './funcs.js';
import { idText } from './pools.js';

const LEVELS = ['[?]', '[k]', '[.]', '[H]', '[g]', '[u]'];
const SOURCE_JIT = 7, SOURCE_MAP = 8;

/**
 * @typedef {object} TableRow
 * @property {number} number of the entity, thread or group
 * @property {string} name
 * @property {string} detail object, or process
 * @property {string} level [k] or [.]; '' of no code
 * @property {number} func -1: none
 * @property {number} thread row of data.threads; -1: none
 * @property {number} self
 * @property {number} total
 * @property {number} samples
 * @property {number} depth of the outermost place where it is
 * @property {() => string} where what tells it from others of its name
 */

/** Is the code made at run time, so that a function has many places? */
const isMoving = (source) => source === SOURCE_JIT || source === SOURCE_MAP;

/** The first of the symbols that are one function: by name and place. */
function firstSymbols({ symbols }) {
	const { n, raw, source, start } = symbols, out = new Uint32Array(n);
	const known = new Pairs(n), firsts = [];
	const same = (a, b) => ['raw', 'start', 'end', 'startLow', 'endLow']
		.every((c) => !symbols[c] || symbols[c][a] === symbols[c][b]);
	for (let s = 0; s < n; s++) {
		const moves = isMoving(source[s]);
		let key = moves ? -1 : start[s] % 65536, k = 0;
		do {
			k = known.put(raw[s], key++);
			firsts[k] = firsts[k] ?? s;
		} while (!moves && !same(firsts[k], s));
		out[s] = firsts[k];
	}
	return out;
}

/** What the parts of frames are rows of; number 0 is for no address. */
class Entities {
	constructor(model, by) {
		const { funcs, data } = model, n = funcs.funcOf.length;
		this.model = model;
		this.by = by;
		this.of = new Int32Array(n);
		/** The first part of each. */
		this.part = [-1];
		const named = new Map(funcs.objects.map((name, i) => [name, i]));
		this.objects = funcs.objects.map((name) => named.get(name));
		this.symbols = by === 'function' ? firstSymbols(data) : [];
		const known = new Pairs(data.symbols.n);
		for (let p = 1; p < n; p++) {
			const k = this.of[p] = this.number(known, p);
			if (k === this.part.length) {
				this.part.push(p);
			}
		}
		this.n = this.part.length;
		this.spots = new Map();
		this.nameless = new Uint8Array(this.n);
		for (let k = 1; by === 'function' && k < this.n; k++) {
			this.nameless[k] = funcs.codeOf(this.part[k]) === 0 ? 1 : 0;
		}
	}

	/**
	 * The first part of a row at the address of a part: each of several
	 * captures has frames of its own.
	 */
	firstAt(row, p) {
		const { sides, funcs, data } = this.model, { spots } = this;
		if (sides === null) {
			return p;
		}
		const key = row + ' ' + hex64(data.frames, 'addr', funcs.frameOf[p]);
		spots.set(key, spots.get(key) ?? p);
		return spots.get(key);
	}

	/** A number that the parts of one row have, and no others. */
	number(known, p) {
		const { funcs, data: { frames, spots } } = this.model;
		if (this.by === 'line') {
			const spot = spotOf(this.model, p);
			return spot < 0 ? known.put(0, 0) :
				known.put(spots.file[spot], spots.line[spot] | 0);
		}
		const frame = funcs.frameOf[p];
		const symbol = this.by === 'object' ? 0 : this.symbols[funcs.codeOf(p)];
		return known.put(symbol !== 0 || this.by === 'object' ? symbol :
			-1 - frames.level[frame], this.objects[frames.object[frame]]);
	}

	/** First and last address, as digits that sort. */
	whereOf(p) {
		const { funcs, data } = this.model, symbol = funcs.codeOf(p);
		const { source } = data.symbols, digits = (table, name, i) =>
			hex64(table, name, i).padStart(16, '0');
		if (symbol === 0) {
			return digits(data.frames, 'level', funcs.frameOf[p]);
		}
		return isMoving(source[symbol]) ? '' : digits(data.symbols, 'start', symbol) +
			digits(data.symbols, 'end', symbol);
	}

	nameOf(p, object) {
		const { funcs, data } = this.model;
		return this.by === 'line' ? lineOf(this.model, p) :
			this.by === 'object' ? object : funcs.symbolOf[p] !== 0 ?
				funcs.all.name[funcs.funcOf[p]] :
				data.strings[data.symbols.name[funcs.codeOf(p)]];
	}

	/**
	 * What stands for a name: how many addresses have samples of their own; the
	 * only address met, or the only one of a row that calls nothing.
	 */
	namelessName(k, { own, met, self, total }) {
		const { funcs, data } = this.model, count = own.count[k];
		const one = met.count[k] === 1 ? met : own;
		if (one === own && count > 1) {
			return '[' + count + ' addresses]';
		}
		return one === own && (count === 0 || total[k] > self[k]) ?
			'[addresses]' : '0x' + hex64(data.frames, 'addr',
				funcs.frameOf[one.part[k]]).padStart(16, '0');
	}
}

/** A row of code; there may be 100,000. @implements {TableRow} */
class CodeRow {
	thread = -1;
	constructor(sums, k) {
		const { all, least } = sums;
		const { model: { funcs, data: { frames } }, by } = all;
		const part = all.part[k], frame = funcs.frameOf[part];
		const code = k !== 0 && by === 'function';
		const object = k === 0 ? '[unknown]' :
			funcs.objects[frames.object[frame]];
		this.sums = sums;
		this.number = k;
		this.part = part;
		this.name = k !== 0 ? all.nameOf(part, object) :
			by === 'function' ? '[no address]' : '[unknown]';
		this.detail = code || k === 0 ? object : '';
		this.level = k === 0 ? '[?]' : code ?
			LEVELS[frames.level[frame]] || '[?]' : '';
		this.func = code ? funcs.funcOf[part] : -1;
		this.depth = k !== 0 ? least[k] : 0;
	}

	get self() {
		return this.sums.self[this.number];
	}

	get total() {
		return this.sums.total[this.number];
	}

	get samples() {
		return this.sums.samples[this.number];
	}

	where() {
		return this.part < 0 ? '' : this.sums.all.whereOf(this.part);
	}
}

/** The line of a part's function; -1: it is not known. */
function spotOf({ funcs, data: { frames, spots } }, p) {
	const frame = funcs.frameOf[p];
	const spot = frames.firstSpot[frame] + p - funcs.first[frame];
	return frames.spots[frame] === 0 || spots.file[spot] === 0 ? -1 : spot;
}

/** file:line of a part's function. */
export function lineOf(model, p) {
	const { strings, spots } = model.data, spot = spotOf(model, p);
	return spot < 0 ? '[unknown]' :
		strings[spots.file[spot]] + ':' + spots.line[spot];
}

/**
 * The entities; of each node of the paths, that of its part and that which its
 * own samples fell into; and its depth if none of the same is above it.
 */
export function entitiesOf(model, by) {
	return model.keepAll('entities|' + by, () => {
		const all = new Entities(model, by), { paths } = model;
		const nodes = paths.part.map((p) => all.of[p]);
		return { all, nodes, depth: outermost(paths, nodes, all.n) };
	});
}

/** The addresses of a selection that have no function. */
class Met {
	constructor(all) {
		this.all = all;
		this.nameless = all.nameless;
		this.seen = new Uint8Array(all.of.length);
		this.count = new Uint32Array(all.n);
		this.part = new Int32Array(all.n);
	}

	add(entity, part) {
		const place = this.all.firstAt(entity, part);
		if (this.seen[place] === 0) {
			this.seen[place] = 1;
			this.count[entity]++;
			this.part[entity] = part;
		}
	}
}

/** What nodes weigh by the entity that their samples fell into. */
function selvesOf({ weight, count }, { all, nodes }, part, own) {
	const self = new Float64Array(all.n), samples = new Float64Array(all.n);
	for (let i = 0; i < count.length; i++) {
		if (count[i] !== 0) {
			const k = nodes[i];
			self[k] += weight[i];
			samples[k] += count[i];
			if (own.nameless[k] !== 0) {
				own.add(k, part[i]);
			}
		}
	}
	return { self, samples };
}

/** What a selection weighs in each entity, and what its rows show besides. */
export function sumsOf(filtered, by) {
	const { model } = filtered, { parent, part, at, n: nodes } = model.paths;
	const entities = entitiesOf(model, by), { all, depth } = entities;
	const { n, nameless } = all;
	const own = new Met(all), met = new Met(all);
	const { weight, count } = filtered.add(nodes, at);
	const { self, samples } = selvesOf({ weight, count }, entities, part, own);
	const total = new Float64Array(n), least = new Uint32Array(n).fill(NONE);
	total[0] = weight[0];
	for (let i = nodes - 1; i > 0; i--) {
		if (count[i] === 0) {
			continue;
		}
		const k = entities.nodes[i], above = parent[i], d = depth[i];
		count[above] = 1;
		weight[above] += weight[i];
		if (nameless[k] !== 0) {
			met.add(k, part[i]);
		}
		if (d !== 0) { // no other one is above it
			total[k] += weight[i];
			if (d < least[k]) {
				least[k] = d;
			}
		}
	}
	free(weight, count, own.seen, met.seen);
	return { all, self, total, samples, least, met, own };
}

function rowsOf(sums) {
	const { all } = sums, rows = [];
	for (let k = 0; k < all.n; k++) {
		if (sums.samples[k] !== 0 || sums.least[k] < NONE) {
			const row = new CodeRow(sums, k);
			if (all.nameless[k] !== 0) {
				row.name = all.namelessName(k, sums);
			}
			rows.push(row);
		}
	}
	return rows;
}

/** @returns {TableRow} */
function threadRow(model, t, by, labels, group) {
	const { pid, tid, name, process } = model.data.threads;
	const one = by === 'thread';
	return { number: group[t],
		name: one ? model.string(name[t]) : labels[group[t]],
		detail: !one ? '' : idText(pid[t]) + '/' + idText(tid[t]) +
			(process[t] !== 0 ? ' of ' + model.string(process[t]) : ''),
		level: '', func: -1, thread: one ? t : -1, self: 0, total: 0,
		samples: 0, depth: 0, where: () => !one ? '' :
			[pid[t], tid[t]].map((id) => String(id).padStart(10, '0')).join() };
}

/**
 * Rows of threads, or of commands with pools as one.  Threads one after the
 * other that had one number and name are a row.
 */
function threadTable(filtered, by) {
	const { model } = filtered, { weight, count } = filtered.byThread;
	const { labels, group } = model.groups(filtered, by);
	const rows = new Map();
	for (let t = 0; t < count.length; t++) {
		if (count[t] === 0) {
			continue;
		}
		const key = group[t];
		if (!rows.has(key)) {
			rows.set(key, threadRow(model, t, by, labels, group));
		}
		const row = rows.get(key);
		row.self += weight[t];
		row.total += weight[t];
		row.samples += count[t];
	}
	return Array.from(rows.values());
}

/** Are rows of functions, objects or lines, not of threads? */
export const isCode = (by) => /^[fol]/.test(by);

/** Sorts rows as the command does: heaviest first, callers before callees. */
export function commandOrder(rows, by) {
	return rows.slice().sort((a, b) => (isCode(by) ? b.total - a.total ||
		a.depth - b.depth : 0) || b.self - a.self ||
		(by === 'function' ? compareBytes(a.detail, b.detail) : 0) ||
		compareBytes(a.name, b.name) || compareBytes(a.where(), b.where()));
}

/** @returns {TableRow[]} by function, object, line, thread or comm */
export function buildTable(filtered, by) {
	return isCode(by) ? rowsOf(sumsOf(filtered, by)) :
		threadTable(filtered, by);
}
