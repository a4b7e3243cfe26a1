// SPDX-License-Identifier: MIT
// @ts-check
// What a search means everywhere on the page: a regular expression, or the
// text itself where it is none; upper and lower case are the same.
import { el } from './dom.js';

/** What finds a text itself. @param {string} text */
export const literal = (text) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** @param {string} text @returns {RegExp|null} null: nothing is searched */
export function patternOf(text) {
	if (text === '') {
		return null;
	}
	try {
		return new RegExp(text, 'i');
	} catch {
		return new RegExp(literal(text), 'i');
	}
}
// A byte for each function: does its name match?
/** @param {string} text @param {string[]} names @returns {Uint8Array|null} */
export function matchesOf(text, names) {
	const pattern = patternOf(text);
	return pattern === null ? null :
		Uint8Array.from(names, (name) => pattern.test(name) ? 1 : 0);
}
/** Those of some rows whose name, or what else the key is of, is found.
 *  @param {any[]} rows @param {string} text @param {string} key */
export function rowsFound(rows, text, key) {
	const pattern = patternOf(text);
	return pattern === null ? rows :
		rows.filter((r) => pattern.test(r.name) || pattern.test(r[key]));
}
/** Puts a text into an element, with what the search finds marked in it.
 *  @param {any} node @param {string} text @param {string} search */
export function markText(node, text, search) {
	const pattern = patternOf(search), m = pattern && pattern.exec(text);
	if (!m || m[0] === '') {
		node.append(text);
		return;
	}
	node.append(text.slice(0, m.index), el('mark', m[0]),
		text.slice(m.index + m[0].length));
}
