// SPDX-License-Identifier: MIT
// @ts-check
// Folded stacks as render/folded.c writes them, byte for byte.
import { KIND } from './funcs.js';

const MARK = ' (inlined)', ANON = '(anonymous namespace)';
const HIDDEN_CHARS = [[0, 0x1f], [0x7f, 0x9f], [0xad, 0xad], [0x61c, 0x61c],
	[0x180e, 0x180e], [0x200b, 0x200f], [0x2028, 0x202e], [0x2060, 0x206f],
	[0xfdd0, 0xfdef], [0xfeff, 0xfeff], [0xfff9, 0xfffb],
	[0xe0000, 0xe0fff]];

const isHidden = (c) => (c & 0xfffe) === 0xfffe ||
	HIDDEN_CHARS.some(([from, to]) => c >= from && c <= to);

/** As cp_escape() does; `special' replaces characters that mean something. */
export function escapeText(text, special = {}) {
	let out = '';
	for (const c of text) {
		const code = c.codePointAt(0) || 0;
		if (Object.hasOwn(special, c)) {
			out += special[c];
		} else if (!isHidden(code)) {
			out += c;
		} else if (code < 0x80) {
			out += '\\x' + code.toString(16).padStart(2, '0');
		} else {
			out += '\\u' + code.toString(16).padStart(4, '0');
		}
	}
	return out;
}

const folded = (text) => escapeText(text, { ';': ':' });

/** Go methods look like "net/http.(*Client).Do": their parentheses stay. */
function isGoMethod(name) {
	const open = name.indexOf('.(');
	return open >= 0 && name.indexOf(').', open + 2) >= 0;
}

function withoutArguments(name) {
	for (let i = 0; i < name.length; i++) {
		if (name[i] === '(' && !name.startsWith(ANON, i)) {
			return name.slice(0, i);
		}
	}
	return name;
}

function tidyOne(name, inlined, java) {
	let s = isGoMethod(name) ? name : withoutArguments(name);
	s = s.replace(/["']/g, '');
	if (java && s[0] === 'L' && s.includes('/')) {
		s = s.slice(1);
	}
	return folded(s) + (inlined ? '_[i]' : '');
}

/** Where "->" joins two names, not after "operator"; -1. */
function chainArrow(name) {
	for (let at = name.indexOf('->'); at >= 0; at = name.indexOf('->', at + 2)) {
		if (!name.slice(0, at).endsWith('operator')) {
			return at;
		}
	}
	return -1;
}

export function tidyName(name, java) {
	let inlined = false, out = '';
	for (let at; (at = chainArrow(name)) >= 0; name = name.slice(at + 2)) {
		if (at > 0) {
			out += tidyOne(name.slice(0, at), inlined, java) + ';';
			inlined = true;
		}
	}
	if (name.endsWith(MARK)) {
		inlined = true;
		name = name.slice(0, -MARK.length);
	}
	return out + tidyOne(name, inlined, java);
}

function unnamed(object) {
	const slash = object.lastIndexOf('/');
	const name = object.slice(slash + 1);
	return '[' + (name !== '' && name !== '[unknown]' ? folded(name) :
		'unknown') + ']';
}

/** Compares texts as their bytes in UTF-8. */
export function compareBytes(a, b) {
	const n = Math.min(a.length, b.length);
	for (let i = 0; i < n; i++) {
		const x = a.charCodeAt(i), y = b.charCodeAt(i);
		if (x !== y) {
			const high = (c) => c >= 0xd800 && c < 0xe000;
			return high(x) === high(y) ? x - y : high(x) ? 1 : -1;
		}
	}
	return a.length - b.length;
}

/** The lines of a tree whose first level is the command. */
export function foldTree(t, funcs) {
	const { name, kind, object } = funcs.all, known = new Map();
	const path = new Array(t.n).fill(''), java = new Uint8Array(t.n);
	const tidy = (f, of) => {
		const key = f * 2 + of;
		if (!known.has(key)) {
			known.set(key, kind[f] === KIND.UNKNOWN || name[f] === '' ?
				unnamed(object[f]) : tidyName(name[f], of === 1));
		}
		return known.get(key);
	};
	const lines = new Map();
	for (let i = 1; i < t.n; i++) {
		const f = t.func[i], up = t.parent[i], top = up === 0;
		if (top && kind[f] === KIND.LABEL) {
			path[i] = folded(name[f]).replaceAll(' ', '_');
			java[i] = name[f].startsWith('java') ? 1 : 0;
		} else {
			java[i] = top ? 0 : java[up];
			path[i] = (top ? '' : path[up] + ';') + tidy(f, java[i]);
		}
		if (t.self[i] !== 0) {
			lines.set(path[i], (lines.get(path[i]) || 0) + t.self[i]);
		}
	}
	const plain = !name.some((text) => /[\ud800-\udfff]/.test(text));
	const order = plain ? undefined : compareBytes;
	return Array.from(lines.keys()).sort(order).map((line) =>
		line + ' ' + lines.get(line) + '\n').join('');
}
