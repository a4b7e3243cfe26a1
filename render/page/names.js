// SPDX-License-Identifier: MIT
// @ts-check
// Names of frames where space is short, as common/fit-name.c cuts them: a
// picture and the page both have this file.  A picture gives the short form,
// without template arguments and parameters, where it is another.  Namespaces
// go then, and the middle last.
const SUFFIX = /^(?:isra|constprop|part|cold|cfi|llvm|lto_priv|so|ko|localalias|\d)/;
// Goes first where there is no room: colours and tables tell it, too.
export const INLINED = ' (inlined)';
/** @param {string} s @param {number} at @param {boolean} slash */
function separator(s, at, slash) {
	const next = s[at + 1] || '';
	if (slash) {
		return s[at] === '/' && next !== '' ? 1 : 0;
	}
	if (s[at] === ':' && next === ':') {
		return 2;
	}
	if (s[at] === ' ' && /[A-Za-z]/.test(next)) {
		return s.includes('<\u2026>', at) ? 1 : 0;
	}
	return s[at] === '.' && /[A-Za-z(]/.test(next) &&
		!SUFFIX.test(s.slice(at + 1, at + 12)) ? 1 : 0;
}
// What follows the next separator outside brackets, or null.
/** @param {string} s @param {boolean} slash @returns {string|null} */
function nextPart(s, slash) {
	for (let i = 0, depth = 0; i < s.length; i++) {
		const n = depth === 0 ? separator(s, i, slash) : 0;
		if (n > 0) {
			return s.slice(i + n);
		}
		if (s.startsWith('operator', i)) {
			return null;
		}
		if ('<([{'.includes(s[i])) {
			depth++;
		} else if (depth > 0 && '>)]}'.includes(s[i])) {
			depth--;
		}
	}
	return null;
}
/** @param {string} text @param {number} n */
function cutMiddle(text, n) {
	const chars = [...text];
	if (chars.length <= n) {
		return text;
	}
	const first = Math.floor(n / 2), last = Math.max(n - first - 1, 0);
	return chars.slice(0, first).join('') + '\u2026' +
		chars.slice(chars.length - last).join('');
}
// Words with blanks between them, and no name of a function.
/** @param {string} s */
function isProse(s) {
	return s.includes(' ') && !s.includes('::') && !s.includes('\u2026') &&
		s[0] !== '<';
}
/** @param {string} text */
const charsIn = (text) => Array.from(text).length;
/**
 * @param {string} name
 * @param {string|undefined} brief its short form, where that is another
 * @param {number} n characters there are
 */
export function fitName(name, brief, n) {
	if (charsIn(name) <= n) {
		return name;
	}
	let s = brief ?? name;
	if (charsIn(s) > n) {
		[s] = s.split(INLINED);
	}
	const all = s;
	const file = /\.so$|\.so\./.test(s); // its dots part no namespaces
	if (isProse(s) && charsIn(s) > n) {
		return [...s].slice(0, n - 1).join('') + '\u2026';
	}
	while (charsIn(s) + (s !== all ? 1 : 0) > n) {
		const next = nextPart(s, file || nextPart(s, true) !== null);
		if (next === null) {
			break;
		}
		s = next;
	}
	// That there are template arguments says less than the name.
	const rest = charsIn(s) > n ? s.replaceAll('<\u2026>', '') : s;
	return (s !== all && charsIn(rest) < n ? '\u2026' : '') + cutMiddle(rest, n);
}
