// SPDX-License-Identifier: MIT
// @ts-check
// Colours of frames, as svg/palette.c makes them: a hue for each kind, and a
// shade by the name, so that one function looks the same everywhere.
const SHADES = 8, STEPS = 17;

// Letter, label, hue in degrees, saturation; in the order of enum cp_kind.
/** @type {[string, string, number, number][]} */
export const KINDS = [['t', 'thread', 215, 0.14], ['u', 'user', 27, 0.82],
	['k', 'kernel', 212, 0.72], ['i', 'inlined', 174, 0.45],
	['j', 'JIT', 104, 0.48], ['c', 'C++', 48, 0.85],
	['h', 'hypervisor', 268, 0.60], ['g', 'guest', 318, 0.55],
	['x', 'no name', 30, 0.05]];

/** @param {number} n @param {number} hue @param {number} s @param {number} l */
function channel(n, hue, s, l) {
	const k = (n + hue / 30) % 12, a = s * Math.min(l, 1 - l);
	const v = l - a * Math.max(-1, Math.min(k - 3, 9 - k, 1));
	return Math.round(v * 255).toString(16).padStart(2, '0');
}
/** @param {number} hue @param {number} s @param {number} l */
const rgb = (hue, s, l) => '#' + channel(0, hue, s, l) +
	channel(8, hue, s, l) + channel(4, hue, s, l);

/** @param {number} hue @param {number} s @param {number} shade
 *  @param {boolean} dark @param {number} spread */
function shaded(hue, s, shade, dark, spread) {
	const at = shade - (SHADES - 1) / 2;
	const swing = shade * 3 % SHADES - 3.5;
	const l = dark ? 0.285 + swing * 0.007 : 0.73 + swing * 0.016;
	return rgb((hue + at * spread / 3.5 * 1.6 + 360) % 360,
		dark ? s * 0.62 : s, l);
}
const utf8 = new TextEncoder();
/** @param {string} name */
export function hashOf(name) {
	let h = 2166136261; // FNV-1a, of its bytes
	for (const byte of utf8.encode(name)) {
		h = Math.imul(h ^ byte, 16777619);
	}
	return (h ^ h >>> 15) >>> 0;
}
/** @param {string} name */
export const shadeOf = (name) => hashOf(name) % SHADES;

// All colours of kinds: [kind * 8 + shade].
/** @param {boolean} dark */
export function kindColours(dark) {
	return KINDS.flatMap(([, , hue, s]) => Array.from({ length: SHADES },
		(_, shade) => shaded(hue, s, shade, dark, 3)));
}
// Hues far apart, one after the other: of objects, threads, processes.
/** @param {number} n @param {boolean} dark */
export const nthColour = (n, dark) => shaded(n * 137.508 % 360,
	n % 2 === 0 ? 0.62 : 0.42, n * 5 % SHADES, dark, 0);

// Steps from blue over neutral to red.
/** @param {number} step @param {boolean} dark */
function stepColour(step, dark) {
	const at = step / (STEPS - 1) * 2 - 1, far = Math.abs(at);
	return rgb(at < 0 ? 214 : 8,
		at === 0 ? 0.06 : 0.30 + far * (dark ? 0.34 : 0.50),
		dark ? 0.235 + far * 0.165 : 0.885 - far * 0.305);
}
/** @param {boolean} dark */
export const scaleColours = (dark) => Array.from({ length: STEPS },
	(_, step) => stepColour(step, dark));
// The step of a value in -1...1; -1: not known.
/** @param {number} v */
export const stepOf = (v) => Math.abs(v) <= 1 ?
	Math.round((v + 1) / 2 * (STEPS - 1)) : -1;
