// SPDX-License-Identifier: MIT
// @ts-check
// The short form of a function's name, as match/short-name.c makes it: no
// template arguments, no parameters, usual words for long ones.
const ARGUMENTS = '<\u2026>';
/** @param {string} c */
const isWord = (c) => /[\w$\u0080-\uffff]/.test(c);

// Where the bracket at `at` ends, one after it; -1: it stays open.
/** @param {string} s @param {number} at */
function pastBracket(s, at) {
	const open = s[at], shut = '>)]}'['<([{'.indexOf(open)];
	let depth = 0, round = 0;
	for (let i = at; i < s.length; i++) {
		const c = s[i];
		if (open === '<' && c === '(') {
			round++;
		} else if (open === '<' && c === ')' && round > 0) {
			round--;
		} else if (round > 0 || (c === '>' && s[i - 1] === '-')) {
			continue;
		} else if (c === open) {
			depth++;
		} else if (c === shut && --depth === 0) {
			return i + 1;
		}
	}
	return -1;
}
// True if what is in the bracket at `at` may be left out.
/** @param {string} s @param {number} at */
function opensArguments(s, at) {
	const before = at > 0 ? s[at - 1] : ' ';
	if (s[at] === '<') {
		return s[at + 1] !== ' ' && (isWord(before) || before === ':');
	}
	if (s[at] === '(') {
		return isWord(before) || '>]})!'.includes(before);
	}
	return s[at] === '[' && isWord(before) && s[at + 1] !== ']';
}
const QUALIFIERS = /( const)?( volatile)?(&&)?&?/y;
/** @param {string} s @param {number} at */
function pastQualifiers(s, at) {
	QUALIFIERS.lastIndex = at;
	QUALIFIERS.test(s);
	return QUALIFIERS.lastIndex;
}
const STRING =
	/std::(?:__(?:cxx11|ndk1|1)::)?basic_string<char(?=[,>])/y;
const WORD =
	/std::__(?:cxx11|ndk1|1)::|\(anonymous namespace\)|\{lambda(?=\()/y;
const OPERATOR = /operator(?![\w$\u0080-\uffff])(?:\(\)|\[\]|<[<=>]*|[>=!+*/%^&|~,-]*)/y;

/** @typedef {[string, number]|null} Step what is written, where it goes on */

/** @param {string} s @param {number} at @returns {Step} */
function shortString(s, at) {
	STRING.lastIndex = at;
	const end = STRING.test(s) ? pastBracket(s, s.indexOf('<', at)) : -1;
	return end < 0 ? null : ['std::string', end];
}
/** @param {string} s @param {number} at @returns {Step} */
function shortWord(s, at) {
	WORD.lastIndex = at;
	if (!WORD.test(s)) {
		return null;
	}
	const end = s[at] === '{' ? pastBracket(s, WORD.lastIndex) :
		WORD.lastIndex;
	return end < 0 ? null : [s[at] === '{' ? '{lambda' :
		s[at] === 's' ? 'std::' : '(anon)', end];
}
/** @param {string} s @param {number} at @returns {Step} */
function shortOperator(s, at) {
	OPERATOR.lastIndex = at;
	const found = OPERATOR.exec(s);
	if (found === null) {
		return null;
	}
	let text = found[0], i = at + text.length;
	if (s[i] === '<' || s.startsWith(' <', i)) {
		const end = pastBracket(s, i + (s[i] === ' ' ? 1 : 0));
		if (end >= 0) {
			text += ARGUMENTS;
			i = end;
		}
	}
	const end = s[i] === '(' ? pastBracket(s, i) : -1;
	return [text, end >= 0 ? pastQualifiers(s, end) : i];
}
// The last name of a type: "&core::option::Option<T>" is "&Option<...>".
/** @param {string} s */
function shortType(s) {
	let last = 0, depth = 0, end = s.length;
	for (let i = 0; i < s.length; i++) {
		const c = s[i];
		if ('<(['.includes(c)) {
			if (depth++ === 0 && i > last) {
				end = Math.min(end, i);
			}
		} else if ('>)]'.includes(c) && s[i - 1] !== '-') {
			depth -= depth > 0 ? 1 : 0;
		} else if (depth === 0 && c === ':') {
			last = i + 1;
			end = s.length;
		}
	}
	return s.slice(0, last).replace(/[^&*].*/, '') + s.slice(last, end) +
		(end < s.length ? ARGUMENTS : '');
}
// Rust's <Type as Trait>; s is what its brackets hold.
/** @param {string} s */
function shortTrait(s) {
	let depth = 0;
	for (let i = 0; i < s.length; i++) {
		if ('<('.includes(s[i])) {
			depth++;
		} else if ('>)'.includes(s[i])) {
			depth -= depth > 0 && s[i - 1] !== '-' ? 1 : 0;
		} else if (depth === 0 && i > 0 && s.startsWith(' as ', i)) {
			return '<' + shortType(s.slice(0, i)) + ' as ' +
				shortType(s.slice(i + 4)) + '>';
		}
	}
	return '<' + shortType(s) + '>';
}
/** @param {string} s @param {number} at @returns {Step} */
function shortBracket(s, at) {
	const end = '<(['.includes(s[at]) ? pastBracket(s, at) : -1;
	if (end < 0) {
		return null;
	}
	if (at === 0 && s[0] === '<' && s[1] !== ' ') {
		return [shortTrait(s.slice(1, end - 1)), end];
	}
	if (!opensArguments(s, at) || (s[at] !== '(' && end - at <= 2)) {
		return null;
	}
	if (s[at] === '(') {
		return s[at - 1] === '!' ? ['(\u2026)', end] : // of a template of D
			['', pastQualifiers(s, end)];
	}
	return [s[at] === '[' ? '[\u2026]' :
		s.startsWith('<impl ', at) ? '<impl \u2026>' : ARGUMENTS, end];
}
/** @param {string} s @param {number} at @returns {Step} */
function shortKnown(s, at) {
	const word = at === 0 || !isWord(s[at - 1]);
	return word && (shortString(s, at) || shortWord(s, at) ||
		shortOperator(s, at)) || shortBracket(s, at);
}
/** @param {string} name */
export function shortName(name) {
	if (/^0x[\da-f]+$/.test(name)) {
		return name.replace(/^0x0+(?=.)/, '0x');
	}
	if (/^(?:JS|LazyCompile|Function|Eval):.*? .*\//s.test(name)) {
		return name.replace(/ .*\//s, ' '); // V8's function and file
	}
	// CPython's function and file; Java's without the type of the result
	// and the package; the hash that ends Rust's older names, and a linker's
	// numbers.
	name = name.replace(/^py::(.*?):(.*\/)?/, '$1 ').
		replace(/^[^(:<]* (?=[^ (]+\.[^ (]+\()/, '').
		replace(/^L(?:[a-z_][a-z\d_]*\/)+([A-Z][\w$\u0080-\uffff]*);(?:::|\.)?/,
			'$1.').
		replace(/^(?:(?:[a-z_][a-z\d_]*\/)+|(?:[a-z_][a-z\d_]*\.){2,})(?=[A-Z][\w$\u0080-\uffff]*(?:\.|::))/, '').
		replace(/(?:::h[\da-f]{16}|\.llvm\.\d+)(?=$| \(inlined\))/, '');
	// Brackets that nothing closes: looking for their ends takes
	// quadratic time.
	let out = '', lost = 0;
	for (let i = 0; i < name.length;) {
		const step = lost < 16 ? shortKnown(name, i) : null;
		if (step === null) {
			lost += '<(['.includes(name[i]) ? 1 : 0;
			out += name[i++];
		} else {
			out += step[0];
			i = step[1];
		}
	}
	// Rust's f::<T>, whose last name is f.
	return out.replaceAll('::' + ARGUMENTS, ARGUMENTS);
}
