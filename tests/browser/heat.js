// SPDX-License-Identifier: MIT
// What the colours of heat maps mean, in the folder given, in Chromium; prints
// TAP.
'use strict';
const fs = require('fs');
const path = require('path');
const { ok, is, open, close, run } = require('./page.js');

// Class and text of each key as the file has them, without a script.
const written = (name) => Array.from(fs.readFileSync(path.join(
	process.argv[2], name + '.svg'), 'utf8').matchAll(
	/<rect class="(q\d)" width="12"[^>]*\/><text [^>]*>([^<]*)</g),
(m) => m[1] + ' ' + m[2]).join(', ');
const shown = (page) => page.evaluate(() => Array.from(
	document.querySelectorAll('.legend > g'), (g) => g.querySelector('rect')
		.getAttribute('class') + ' ' + g.textContent).join(', '));
// The colour that each value has, by the tips of all columns of the top row.
async function colours(page, columns) {
	const seen = new Map();
	await page.keyboard.press('ArrowDown');
	for (let i = 0; i < columns; i++) {
		const [value, colour] = await page.evaluate(() => {
			const r = document.querySelector('.cursor').getBoundingClientRect();
			const at = document.elementsFromPoint(r.x + r.width / 2,
				r.y + r.height / 2).find((e) => /^q\d$/.test(
				e.getAttribute('class')));
			return [document.querySelector('.tip text').textContent,
				at ? at.getAttribute('class') : ''];
		});
		if (!/^0(\.0+)? /.test(value)) {
			seen.set(value, colour);
		}
		await page.keyboard.press('ArrowRight');
	}
	return seen;
}
// [value, number of the colour] of each key.
const keysOf = (legend) => legend.split(', ').map((k) =>
	[parseFloat(k.slice(3)), Number(k[1])]);
// What is more than a key's value is no paler than the key.
const fit = (keys, seen) => seen.size > 0 && Array.from(seen).every(([v, c]) =>
	keys.every(([of, colour]) => (parseFloat(v) - of) *
		(Number(c[1]) - colour) >= 0));

// Cells of 0, 3 and 0 share a column, or more of them.
async function shared(name, width) {
	const page = await open(name + '-1200');
	await page.setViewportSize({ width: width, height: 700 });
	await page.evaluate(() => new Promise((done) =>
		requestAnimationFrame(() => requestAnimationFrame(done))));
	const keys = keysOf(await shown(page));
	const seen = await colours(page, 40);
	ok(fit(keys, seen), name + ', ' + width +
		' pixels: the legend is that of what is drawn',
	[keys, Array.from(seen)]);
	if (width === 1200) {
		is(String(keysOf(written(name + '-1200'))), String(keys),
			name + ': and of what is drawn without a script');
	}
	await close(page, name);
}
run(...['subsecond', 'by-cpu', 'rates', 'most'].flatMap((name) =>
	[1200, 500].map((width) => () => shared(name, width))));
