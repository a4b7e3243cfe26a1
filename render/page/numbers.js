// SPDX-License-Identifier: MIT
// @ts-check
// Numbers and texts as people read them: pictures and the page have this file.
const PLAIN = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
/** @param {number} v */
export const number = (v) => PLAIN.format(v);
/** @param {number} part @param {number} whole */
export const percent = (part, whole) =>
	(whole > 0 ? 100 * part / whole : 0).toFixed(2) + '%';
/**
 * @param {number} v
 * @param {[number, string][]} units the largest first
 * @param {string} last of what is less than the smallest
 */
function scaled(v, units, last) {
	for (const [from, unit] of units) {
		if (v >= from) {
			return (v / from).toFixed(v / from < 100 ? 3 : 1) + ' ' + unit;
		}
	}
	return number(v) + last;
}
/** @type {[number, string][]} */
const TIMES = [[1e9, 's'], [1e6, 'ms'], [1e3, 'us']];
/** @param {number} v nanoseconds */
export const time = (v) => scaled(v, TIMES, ' ns');
/** @param {number} v */
export const bytes = (v) => scaled(v, [[1073741824, 'GiB'], [1048576, 'MiB'],
	[1024, 'KiB']], ' B');
// A number of one of the report's types, as the text has it.
/** @param {number} v @param {string} type */
export function value(v, type) {
	if (type === 'time') {
		return time(v);
	}
	if (type === 'clock') {
		return (v < 0 ? '\u2212' : '+') + (Math.abs(v) / 1e9).toFixed(3)
			.replace(/\.000$/, '') + ' s';
	}
	if (type === 'address') {
		return '0x' + v.toString(16);
	}
	if (type === 'rate') {
		return (v / 1000).toPrecision(3);
	}
	return type === 'bytes' ? bytes(v) : number(v);
}
// Decimals that tell one step from the next: all, if there are few.
/** @param {number} step @param {number} unit */
function decimals(step, unit) {
	const most = Math.max(1, Math.ceil(Math.log10(unit / step)));
	let n = 0;
	for (let rest = step % unit; n < most && rest !== 0; n++) {
		rest = rest * 10 % unit;
	}
	return n;
}
// The i-th edge of an axis: all of one with steps have one unit and one number
// of decimals.
/** @param {any} axis @param {number} i @returns {string} */
export function edgeText(axis, i) {
	const { labels, edges, from, step, count, type } = axis;
	if (labels) {
		return labels[i];
	}
	if (edges || !/^(time|clock)$/.test(type)) {
		return value(edges ? edges[Math.min(i, count)] : from + i * step, type);
	}
	const last = type === 'clock' ? 1e9 : from + (count - 1) * step;
	const [unit, word] = TIMES.find(([ns]) => last >= ns) || [1, 'ns'];
	const v = from + i * step, text = (Math.abs(v) / unit)
		.toFixed(decimals(step, unit)) + ' ' + word;
	return type !== 'clock' ? text : (v < 0 ? '\u2212' : '+') + text;
}
