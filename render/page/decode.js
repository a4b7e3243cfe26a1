// SPDX-License-Identifier: MIT
// @ts-check
// The page's data: docs/page-format.md.  Numbers come as planes of bytes,
// deflated, in base64; they become typed arrays.

/**
 * @typedef {{name: string, code: string, n: number, size: number,
 *	text: string}} Block
 */

const FORMAT = 'coldperf-page';
const VERSION = 2;

/** The blocks of a page. @param {any} document @returns {Block[]} */
export function blocksOf(document) {
	return Array.from(document.querySelectorAll('script.cp-data'), (e) => ({
		name: e.dataset.name,
		code: e.dataset.code,
		n: Number(e.dataset.n || 0),
		size: Number(e.dataset.size),
		text: e.textContent,
	}));
}

/**
 * Gives the memory of columns back at once: browsers look for what is unused
 * late, as it takes little of the script's heap.
 */
export function free(...columns) {
	for (const { buffer } of columns) {
		buffer?.transfer?.(0); // browsers of 2024 and later
	}
}

/** @param {string} text base64 @returns {Uint8Array} */
export function fromBase64(text) {
	const native = /** @type {any} */ (Uint8Array);
	if (native.fromBase64) { // browsers of 2025 and later
		return native.fromBase64(text);
	}
	const binary = atob(text), bytes = new Uint8Array(binary.length);
	for (let i = 0; i < binary.length; i++) {
		bytes[i] = binary.charCodeAt(i);
	}
	return bytes;
}

/** The bytes of a block. @param {Block} block */
async function bytesOf(block) {
	const bytes = new Uint8Array(block.size);
	if (block.size === 0) {
		return bytes;
	}
	// Compilers differ in what types they know of these.
	const { DecompressionStream, ReadableStream } =
		/** @type {any} */ (globalThis);
	const packed = fromBase64(block.text);
	const reader = new ReadableStream({
		start(to) {
			to.enqueue(packed); // a Blob's bytes went to the browser and back
			to.close();
		},
	}).pipeThrough(new DecompressionStream('deflate-raw')).getReader();
	let at = 0;
	for (;;) {
		const { done, value } = await reader.read();
		if (done) {
			break;
		}
		bytes.set(value, at);
		at += value.length;
	}
	free(packed);
	if (at !== block.size) {
		throw new Error(block.name + ' is damaged');
	}
	return bytes;
}

/** Adds the planes from `first' on, as numbers of 32 bits. */
function joinPlanes(bytes, n, first) {
	const out = new Uint32Array(n);
	for (let k = first; k < first + 4 && (k + 1) * n <= bytes.length; k++) {
		const shift = 8 * (k - first), from = k * n;
		for (let i = 0; i < n; i++) {
			out[i] |= bytes[from + i] << shift;
		}
	}
	return out;
}

/** Numbers in as few bytes as the largest has. */
function narrowest(bytes, n) {
	const low = joinPlanes(bytes, n, 0);
	if (bytes.length > 2 * n) {
		return low;
	}
	const out = bytes.length > n ? new Uint16Array(low) : new Uint8Array(low);
	free(low);
	return out;
}

/** Numbers of more than 32 bits, where they cannot be taken apart. */
function joinHalves(low, high) {
	const out = new Float64Array(low.length);
	for (let i = 0; i < low.length; i++) {
		out[i] = high[i] * 4294967296 + low[i];
	}
	return out;
}

/** Undoes what was done to numbers of up to 2^53. */
function undo(v, has) {
	const n = v.length;
	if (has.delta) {
		for (let i = 0, sum = 0; i < n; i++) {
			const half = Math.floor(v[i] / 2);
			sum += v[i] > 2 * half ? -half - 1 : half;
			v[i] = sum;
		}
	}
	if (has.back) {
		for (let i = 0; i < n; i++) {
			v[i] = i - v[i];
		}
	}
	if (has.more) {
		for (let i = 0; i < n; i++) {
			v[i]--; // 0 becomes 2^32 - 1 in an array of 32 bits
		}
	}
	return v;
}

/** One column: name, and low and high halves where there are such. */
function columnsOf(block, bytes) {
	const words = block.code.split(' ');
	const has = { delta: words.includes('delta'), back: words.includes('back'),
		more: words.includes('more') };
	if (words.length === 1 && words[0] === 'u32') {
		return [['', narrowest(bytes, block.n)]];
	}
	const low = joinPlanes(bytes, block.n, 0);
	if (words[0] === 'u32' && !has.delta) {
		return [['', undo(low, has)]];
	}
	const high = joinPlanes(bytes, block.n, 4);
	if (words[0] !== 'u64') {
		const all = undo(joinHalves(low, high), has);
		free(low, high);
		return [['', words[0] === 'f64' ? all : new Uint32Array(all)]];
	}
	for (let i = 0; has.more && i < low.length; i++) {
		if (low[i]-- === 0) {
			high[i]--;
		}
	}
	return [['', joinHalves(low, high)], ['Low', low], ['High', high]];
}

/** Numbers from 0 on. */
export const upTo = (n) => Array.from({ length: n }, (_, i) => i);

/** The first of from...to, or `to', of which `before' does not hold. */
export function firstOf(from, to, before) {
	while (from < to) {
		const mid = from + to >>> 1;
		if (before(mid)) {
			from = mid + 1;
		} else {
			to = mid;
		}
	}
	return from;
}

/** A number of 64 bits as hexadecimal text: hex64(data.frames, 'addr', i). */
export function hex64(table, name, i) {
	const high = table[name + 'High']?.[i];
	return high ? high.toString(16) + table[name + 'Low'][i].toString(16)
		.padStart(8, '0') : table[name][i].toString(16);
}

function put(data, name, block, bytes) {
	const [table, column] = name.split('.');
	data[table] = data[table] || { n: block.n };
	for (const [suffix, values] of columnsOf(block, bytes)) {
		data[table][column + suffix] = values;
	}
}

function textsOf(bytes) {
	const all = new TextDecoder().decode(bytes).split('\0');
	all.pop(); // a NUL ends the last one, too
	return all;
}

/**
 * The data of a page's blocks.
 * @param {Block[]} blocks @returns {Promise<any>}
 */
export async function decode(blocks) {
	const data = { meta: {}, strings: [''] }, json = {};
	for (const block of blocks) { // one by one: memory for one is enough
		if (block.code === 'script') {
			continue; // unpack.js ran it
		}
		const bytes = await bytesOf(block);
		if (block.code === 'json') {
			json[block.name] = JSON.parse(new TextDecoder().decode(bytes));
		} else if (block.code === 'texts') {
			data.strings = textsOf(bytes);
		} else {
			put(data, block.name, block, bytes);
			free(bytes);
		}
	}
	data.meta = { ...json.report, ...json.meta };
	if (data.meta.format !== FORMAT || data.meta.version > VERSION) {
		throw new Error('the page is of another format');
	}
	return data;
}
