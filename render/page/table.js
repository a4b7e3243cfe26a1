// SPDX-License-Identifier: MIT
// @ts-check
// Tables of a selection: rows as `coldperf hotspots' counts them.  Self is
// what fell into a row, and counts for the function whose code it was; total is
// what fell into it or into what it called, once a sample.
import { free, hex64 } from './decode.js';
import { outermost } from './paths.js';
import { compareBytes } from './folded.js';
import { idText } from './pools.js';

const LEVELS = ['[?]', '[k]', '[.]', '[H]', '[g]', '[u]'];
const SOURCE_JIT = 7, SOURCE_MAP = 8;

/**
 * @typedef {object} TableRow
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
	const { n, raw, source, start } = symbols, known = new Map();
	const same = (a, b) => ['raw', 'start', 'end', 'startLow', 'endLow']
		.every((c) => !symbols[c] || symbols[c][a] === symbols[c][b]);
	return Uint32Array.from({ length: n }, (_, s) => {
		const moves = isMoving(source[s]);
		let key = moves ? -1 - raw[s] : raw[s] * 65536 + start[s] % 65536;
		while (!moves && known.has(key) && !same(known.get(key), s)) {
			key++;
		}
		if (!known.has(key)) {
			known.set(key, s);
		}
		return known.get(key);
	});
}

/** What the parts of frames are rows of; number 0 is for no address. */
class Entities {
	constructor(model, by) {
		const { funcs } = model, n = funcs.funcOf.length;
		this.model = model;
		this.of = new Int32Array(n);
		this.part = [-1];
		/** @type {TableRow[]} */
		this.rows = [];
		const named = new Map(funcs.objects.map((name, i) => [name, i]));
		this.objects = funcs.objects.map((name) => named.get(name));
		this.symbols = firstSymbols(model.data);
		const known = new Map();
		for (let p = 1; p < n; p++) {
			const key = this.key(p, by);
			if (!known.has(key)) {
				known.set(key, this.part.length);
				this.part.push(p);
			}
			this.of[p] = known.get(key);
		}
		this.nameless = Uint8Array.from(this.part, (p) => by ===
			'function' && p > 0 && funcs.codeOf(p) === 0 ? 1 : 0);
		this.n = this.part.length;
		this.by = by;
	}

	/** A number that the parts of one row have, and no others. */
	key(p, by) {
		const { funcs, data: { frames, spots } } = this.model;
		const frame = funcs.frameOf[p], n = this.objects.length;
		const object = this.objects[frames.object[frame]];
		if (by === 'line') {
			const spot = spotOf(this.model, p);
			return spot < 0 ? -1 : spots.file[spot] * 2 ** 32 + spots.line[spot];
		}
		const symbol = by === 'object' ? 0 : this.symbols[funcs.codeOf(p)];
		return object + n * (symbol !== 0 ? symbol : by === 'object' ? 0 :
			-1 - frames.level[frame]);
	}

	/** @returns {TableRow} of its own, with nothing counted */
	row(e) {
		this.rows[e] = this.rows[e] || this.makeRow(e);
		return { ...this.rows[e] };
	}

	/** What a row says in every selection.  @returns {TableRow} */
	makeRow(e) {
		const { funcs, data } = this.model, p = this.part[e];
		const row = { name: '[no address]', detail: '[unknown]',
			level: '[?]', func: -1, thread: -1, self: 0,
			total: 0, samples: 0, depth: 0, where: () => '' };
		if (e === 0) {
			row.name = this.by === 'function' ? row.name : '[unknown]';
			return row;
		}
		const frame = funcs.frameOf[p];
		row.detail = funcs.objects[data.frames.object[frame]];
		row.level = LEVELS[data.frames.level[frame]] || '[?]';
		row.func = funcs.funcOf[p];
		row.name = this.nameOf(p, row);
		row.where = () => this.whereOf(p);
		if (this.by !== 'function') {
			row.detail = '';
			row.level = '';
			row.func = -1;
		}
		return row;
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

	nameOf(p, row) {
		const { funcs, data } = this.model;
		if (this.by === 'line') {
			return lineOf(this.model, p);
		}
		if (this.by === 'object') {
			return row.detail;
		}
		if (funcs.symbolOf[p] !== 0) {
			return funcs.all.name[row.func];
		}
		return data.strings[data.symbols.name[funcs.codeOf(p)]];
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

function entitiesOf(model, by) {
	return model.keepAll('entities|' + by, () => {
		const e = new Entities(model, by), { paths } = model;
		const label = new Int32Array(paths.n);
		const depth = new Uint16Array(paths.n);
		for (let i = 1; i < paths.n; i++) {
			label[i] = e.of[paths.part[i]];
			depth[i] = depth[paths.parent[i]] + 1;
		}
		return { all: e, label, depth, selves: selvesOf(model, by, e.of, label),
			outer: outermost(paths.n, paths.parent, label, e.n) };
	});
}

/** The entity that the samples of each stack fell into. */
function selvesOf(model, by, of, label) {
	const { paths: { at } } = model;
	return at.map((node, s) => s === 0 ? 0 : by === 'line' ? label[node] :
		of[partOf(model, s)]);
}

/** The part of a frame that the samples of a stack fell into. */
function partOf({ funcs, data }, stack) {
	return funcs.first[data.stacks.frame[stack]];
}

/** The addresses of a selection that have no function. */
class Met {
	constructor(all) {
		this.nameless = all.nameless;
		this.seen = new Uint8Array(all.of.length);
		this.count = new Uint32Array(all.n);
		this.part = new Int32Array(all.n);
	}

	add(entity, part) {
		if (this.seen[part] === 0) {
			this.seen[part] = 1;
			this.count[entity]++;
			this.part[entity] = part;
		}
	}
}

/** What stacks weigh, at the innermost nodes of their paths. */
function addSelves(filtered, e, own) {
	const { model, weighs } = filtered, { paths, counts } = model;
	const { stack } = model.data.samples;
	const n = e.all.n, at = new Float64Array(paths.n);
	const self = new Float64Array(n), samples = new Float64Array(n);
	const seen = new Uint8Array(paths.n);
	filtered.each((i) => {
		const s = stack[i], k = e.selves[s], node = paths.at[s];
		self[k] += weighs[i];
		samples[k] += counts[i];
		if (own.nameless[k] !== 0) {
			own.add(k, partOf(model, s));
		}
		at[node] += weighs[i];
		seen[node] = 1;
	});
	return { self, samples, at, seen };
}

function codeTable(filtered, by) {
	const { model } = filtered, { parent, part, n: nodes } = model.paths;
	const e = entitiesOf(model, by), { label, outer, all: { n } } = e;
	const own = new Met(e.all), met = new Met(e.all);
	const { self, samples, at, seen } = addSelves(filtered, e, own);
	const total = new Float64Array(n), had = new Uint8Array(n);
	const depth = new Float64Array(n).fill(Infinity);
	total[0] = at[0];
	for (let i = nodes - 1; i > 0; i--) {
		if (seen[i] === 0) {
			continue;
		}
		const k = label[i], above = parent[i];
		seen[above] = had[k] = 1;
		at[above] += at[i];
		if (met.nameless[k] !== 0) {
			met.add(k, part[i]);
		}
		if (e.depth[i] < depth[k]) {
			depth[k] = e.depth[i];
		}
		if (outer[i] !== 0) {
			total[k] += at[i];
		}
	}
	depth[0] = 0;
	free(at, seen, own.seen, met.seen);
	return rowsOf(e.all, had, { self, total, samples, depth, met, own });
}

function rowsOf(all, had, sums) {
	const rows = [];
	for (let k = 0; k < all.n; k++) {
		if (sums.samples[k] === 0 && (k === 0 || had[k] === 0)) {
			continue;
		}
		const row = all.row(k);
		row.self = sums.self[k];
		row.total = sums.total[k];
		row.samples = sums.samples[k];
		row.depth = sums.depth[k];
		if (all.nameless[k] !== 0) {
			row.name = all.namelessName(k, sums);
		}
		rows.push(row);
	}
	return rows;
}

/** @returns {TableRow} */
function threadRow(model, t, by, labels, group) {
	const { pid, tid, name, process } = model.data.threads;
	const one = by === 'thread';
	return { name: one ? model.string(name[t]) : labels[group[t]],
		detail: !one ? '' : idText(pid[t]) + '/' + idText(tid[t]) +
			(process[t] !== 0 ? ' of ' + model.string(process[t]) : ''),
		level: '', func: -1, thread: one ? t : -1, self: 0, total: 0,
		samples: 0, depth: 0, where: () => !one ? '' :
			[pid[t], tid[t]].map((id) => String(id).padStart(10, '0')).join() };
}

/** Rows of threads, or of commands with pools as one. */
function threadTable(filtered, by) {
	const { model } = filtered, { weight, count } = filtered.byThread;
	const { labels, group } = model.groups(filtered, 'comm');
	const rows = new Map();
	for (let t = 0; t < count.length; t++) {
		if (count[t] === 0) {
			continue;
		}
		const key = by === 'thread' ? t : group[t];
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

/** Sorts rows as the command does: heaviest first, callers before callees. */
export function commandOrder(rows, by) {
	const code = by === 'function' || by === 'object' || by === 'line';
	return rows.slice().sort((a, b) => (code ? b.total - a.total ||
		a.depth - b.depth : 0) || b.self - a.self ||
		(by === 'function' ? compareBytes(a.detail, b.detail) : 0) ||
		compareBytes(a.name, b.name) || compareBytes(a.where(), b.where()));
}

/** @returns {TableRow[]} by function, object, line, thread or comm */
export function buildTable(filtered, by) {
	return by === 'thread' || by === 'comm' ? threadTable(filtered, by) :
		codeTable(filtered, by);
}
