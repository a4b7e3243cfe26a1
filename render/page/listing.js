// SPDX-License-Identifier: MIT
// @ts-check
// Code of functions, as `annotate' wrote it into the report, and how often a
// selection's samples were at each of its instructions.
import { firstOf, hex64 } from './decode.js';
import { escapeText } from './folded.js';

const COLUMNS = ['Address', 'Where', 'Code'];

/**
 * @typedef {object} CodeRow
 * @property {number} at bytes from the function's begin; -1: the row has none
 * @property {string} address
 * @property {string} where
 * @property {string} code
 * @property {number} depth
 */

/** @typedef {{head: string, name: string, object: number, event: string,
 *   start: bigint, rows: CodeRow[]}} Listing */

/** A function and its object, as a listing begins: "leaf (known)". */
export const headOf = (name, object) => name + ' (' + object + ')';

/** @returns {Listing[]} of each event, the heaviest first */
export function listingsOf({ meta: { sections = [] }, objects, strings }) {
	/** @type {Listing[]} */
	const all = [];
	for (const s of sections) {
		const at = COLUMNS.map((name) => (s.columns || [])
			.findIndex((c) => c.name === name));
		for (const row of at.includes(-1) ? [] : s.rows) {
			const [address, where, code] = at.map((i) => row.values[i]);
			const { depth } = row, last = all.at(-1);
			if (depth === 0) {
				// Names of samples have no hidden characters.
				const object = objects.id.indexOf(row.object);
				const end = headOf('', strings[objects.nickname[object]]);
				const head = escapeText(code);
				all.push({ head, object, event: s.title, rows: [],
					name: head.slice(0, -end.length),
					start: BigInt(row.at || 0) });
			} else if (last) {
				// A line of the source has its first instruction's address.
				last.rows.push({ where, depth,
					address: where === '' ? address : '',
					code: (where && where + '  ') + code,
					at: row.at ? Number(BigInt(row.at) - last.start) : -1 });
			}
		}
	}
	return all;
}

/** Those of an event, or of the main one if it has none.  Events that are
 *  counted together have one title, "a + b"; `annotate' adds the samples. */
export function listingsOfEvent(all, event) {
	const some = all.filter((l) => [' + ', ': '].some((end) =>
		(' + ' + l.event + ': ').includes(' + ' + event + end)));
	return some.length > 0 ? some : all.filter((l) => l.event === all[0].event);
}

const exactly = (table, name, i) => BigInt('0x' + hex64(table, name, i));

/** Instructions left out after row i, of which the address may be one. */
function leftOut(rows, i, address) {
	const next = rows[i + 1];
	return next !== undefined && next.at < 0 && address !== rows[i].at &&
		next.depth === rows[i].depth;
}

/** The last row that begins at or before an address; -1: none does. */
function rowAt(rows, order, address) {
	const lo = firstOf(0, order.length, (k) => rows[order[k]].at <= address);
	return lo === 0 || leftOut(rows, order[lo - 1], address) ? -1 :
		order[lo - 1];
}

/**
 * Weight and samples of a selection by row; rest is what fell into the function
 * and has no row.
 * @param {any} filtered @param {Listing} listing
 */
export function weighRows(filtered, { name, object, start, rows }) {
	const { frames, symbols, strings } = filtered.model.data;
	const { weight, count } = filtered.byFrame;
	const order = rows.map((_, i) => i).filter((i) => rows[i].at >= 0)
		.sort((a, b) => rows[a].at - rows[b].at);
	const out = { weight: new Float64Array(rows.length), rest: 0, sum: 0,
		samples: new Float64Array(rows.length) };
	for (let f = 1; f < frames.n; f++) {
		const symbol = frames.symbol[f];
		if (count[f] === 0 || strings[symbols.name[symbol]] !== name ||
			frames.object[f] !== object ||
			exactly(symbols, 'start', symbol) !== start) {
			continue;
		}
		const i = rowAt(rows, order,
			Number(exactly(frames, 'addr', f) - start));
		out.sum += weight[f];
		if (i < 0) {
			out.rest += weight[f];
		} else {
			out.weight[i] += weight[f];
			out.samples[i] += count[f];
		}
	}
	return out;
}
