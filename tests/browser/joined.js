// SPDX-License-Identifier: MIT
// Writes the page of pictures-page.js: modules joined in the order of their
// imports, as the build joins those of the real page, with its style and under
// its policy.
'use strict';
const crypto = require('crypto');
const fs = require('fs');
const path = require('path');
const room = path.join(__dirname, '../../render/page');
const read = (file) => fs.readFileSync(file, 'utf8');

// All files a module needs, those it needs first.
function inOrder(file, seen = []) {
	for (const [, from] of read(file)
		.matchAll(/^import .*? from '(.*?)';$/gm)) {
		const other = path.join(path.dirname(file), from);
		if (!seen.includes(other)) {
			inOrder(other, seen);
		}
	}
	if (!seen.includes(file)) {
		seen.push(file);
	}
	return seen;
}
const stripped = (file) => read(file).replace(/^import .*$/gm, '')
	.replace(/^export /gm, '');
// The script of a file and all it needs; `last' stands at its end.
const join = (file, last = '') => '(() => {\n\'use strict\';\n' +
	inOrder(file).map(stripped).join('\n') + last + '})();\n';
const hash = (text) => '\'sha256-' + crypto.createHash('sha256')
	.update(text).digest('base64') + '\'';

const script = (join(path.join(__dirname, '../page/fake.js'),
	'window.fakeData = fakeData;') +
	join(path.join(__dirname, 'pictures-page.js'))).replace(/<\//g, '<\\/');
const style = ['page.css', 'views.css'].map((name) =>
	read(path.join(room, name))).join('');
process.stdout.write('<!DOCTYPE html>\n<html lang="en"><head>' +
	'<meta charset="utf-8"><title>pictures</title>' +
	'<meta name="viewport" content="width=device-width">' +
	'<meta http-equiv="Content-Security-Policy" content="default-src ' +
	'\'none\'; script-src ' + hash(script) + '; style-src ' + hash(style) +
	'; img-src data: blob:"><style>' + style + '</style></head><body>' +
	'<script>' + script + '</script></body></html>\n');
