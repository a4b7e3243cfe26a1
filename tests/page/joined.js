// SPDX-License-Identifier: MIT
// joined.js FILE...: whether the parts of the page's script can stand in one
// function: no name is declared twice, and each part comes after those it
// needs.  TAP.
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { Script } from 'node:vm';

const files = process.argv.slice(2);
const DECLARED = /^(?:export )?(?:async )?(const|let|function|class) (.*)/gm;
let points = 0, failures = 0;

function ok(wrong, text) {
	console.log((wrong.length === 0 ? 'ok ' : 'not ok ') + ++points + ' - ' +
		text);
	wrong.forEach((why) => console.log('# ' + why));
	failures += wrong.length === 0 ? 0 : 1;
}

/** Names that a file declares outside of all functions. */
function namesIn(text) {
	const out = [];
	for (const m of text.matchAll(DECLARED)) {
		const rest = text.slice(m.index + m[0].length);
		const list = m[2] + rest.slice(0, Math.max(rest.search(/^\S/m), 0));
		out.push(/^\w*/.exec(m[2])[0], ...Array.from(
			list.matchAll(/,\s+([A-Z][A-Z_]+)(?= =)/g), (x) => x[1]));
	}
	return out.filter((name) => name !== '');
}

/** What is declared in two files. */
function declaredTwice(texts) {
	const first = new Map(), twice = [];
	texts.forEach((text, i) => namesIn(text).forEach((name) => {
		if (first.has(name) && first.get(name) !== i) {
			twice.push(`${name}: ${files[first.get(name)]}, ${files[i]}`);
		}
		first.set(name, i);
	}));
	return twice;
}

/** Parts that stand before one they import. */
function outOfOrder(texts) {
	const names = files.map((f) => basename(f)), wrong = [];
	texts.forEach((text, i) => {
		for (const m of text.matchAll(/^import .*from '.*?([^/']+)';$/gm)) {
			if (!names.includes(m[1]) || names.indexOf(m[1]) > i) {
				wrong.push(`${files[i]} needs ${m[1]}`);
			}
		}
	});
	return wrong;
}

/** Lines that the build would take apart wrongly. */
function oddLines(texts) {
	return texts.flatMap((text, i) => text.split('\n').filter((line) =>
		/^import (?!.*from '.*';$)/.test(line) || /^export (?:default|\{|\*)/
			.test(line))
		.map((line) => `${files[i]}: ${line}`));
}

const texts = files.map((f) => readFileSync(f, 'utf8'));
ok(files.length > 5 ? [] : ['no files'], 'the parts are there');
ok(declaredTwice(texts), 'no name is declared in two parts');
ok(outOfOrder(texts), 'each part comes after those it needs');
ok(oddLines(texts), 'imports, exports and comments are as the build takes them');
ok(declaredTwice([texts[0], texts[0]]).length !== 0 ? [] : ['not found'],
	'a name that is declared twice is found');
try {
	new Script('(function () {\n\'use strict\';\n' + texts.join('\n')
		.replace(/^import .*$/gm, '').replace(/^export /gm, '') + '})();\n');
	ok([], 'joined they are a script');
} catch (e) {
	ok([String(e)], 'joined they are a script');
}
console.log('1..' + points);
process.exit(failures > 0 ? 1 : 0);
