// SPDX-License-Identifier: MIT
// What the tests in a browser share: TAP, pages that notice errors, dialogs and
// requests, and what a person sees on them.
'use strict';
const path = require('path');
const { chromium } = require(path.resolve(process.env.PLAYWRIGHT));
const folder = path.resolve(process.argv[2]);
const ARGS = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic',
	'--no-first-run', '--disable-background-networking',
	'--disable-component-update', '--disable-sync'];
const PATIENCE_MS = 120000; // what has not come by then never will
let points = 0, failures = 0, browser;

function ok(held, text, why) {
	console.log((held ? 'ok ' : 'not ok ') + ++points + ' - ' + text);
	if (!held) {
		failures++;
		console.log('# ' + String(JSON.stringify(why)).slice(0, 400));
	}
}
const skip = (why) =>
	console.log('ok ' + ++points + ' # SKIP ' + why);
const is = (got, want, text) =>
	ok(got === want, text, { got: got, want: want });

async function open(name, options) {
	const page = await browser.newPage(Object.assign(
		{ viewport: { width: 1200, height: 700 } }, options));
	page.setDefaultTimeout(PATIENCE_MS);
	page.errors = [];
	page.on('console', (m) => page.errors.push(m.text()));
	page.on('pageerror', (e) => page.errors.push(String(e)));
	page.on('dialog', (d) => {
		page.errors.push('dialog ' + d.message());
		d.dismiss();
	});
	page.on('request', (r) => {
		if (!r.url().startsWith('file:')) {
			page.errors.push('request ' + r.url());
		}
	});
	await page.goto('file://' + path.join(folder,
		name.includes('.') ? name : name + '.svg'));
	return page;
}
async function close(page, what) {
	if (process.env.SHOTS) {
		await page.screenshot({ path: path.join(process.env.SHOTS,
			what.replace(/\W+/g, '-') + '.png') });
	}
	is(page.errors.join('; '), '', what + ': no error, dialog or request');
	await page.close();
}

// ---- what is seen
const text = (page, css) => page.evaluate((c) =>
	Array.from(document.querySelectorAll(c)).map((e) => e.textContent)
		.join(' '), css);
const tip = (page) => page.evaluate(() =>
	document.querySelector('.tip').getAttribute('display') === 'none' ? '' :
		Array.from(document.querySelectorAll('.tip text'))
			.map((e) => e.textContent).join(' '));
// The events of scrolling and resizing come with the next frame that is drawn.
const drawn = (page) => page.evaluate(() => new Promise((done) =>
	requestAnimationFrame(() => requestAnimationFrame(done))));

// Waits until a function of the page returns something.  Playwright's own way
// calls eval() if it has to wait, which the policy of our pages forbids.
async function until(page, fn) {
	const end = Date.now() + PATIENCE_MS;
	while (!await page.evaluate(fn) && Date.now() < end) {
		await drawn(page);
	}
}
// Makes the page one on paper, A4 within its rims, or one of a screen again.
async function print(page) {
	await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
	await page.emulateMedia({ media: 'print' });
	await page.setViewportSize({ width: 703, height: 1031 });
	await drawn(page);
}
async function unprint(page, width, height) {
	await page.setViewportSize({ width, height });
	await page.emulateMedia({ media: 'screen' });
	await drawn(page);
}
// Canvases of a picture on paper, in pixels of paper: the letters' height, and
// each canvas's.
const onPaper = (page, css) => page.locator(css + ' canvas').evaluateAll((all) =>
	all.map((c) => [12 * c.getBoundingClientRect().width /
		parseFloat(c.style.width),
		c.getBoundingClientRect().height]));

// Runs the points one after the other in a browser; ends the program.
async function run(...tests) {
	browser = await chromium.launch({ args: ARGS, timeout: PATIENCE_MS,
		executablePath: process.env.CHROMIUM });
	for (const test of tests) {
		await test();
	}
	await browser.close();
	console.log('1..' + points);
	process.exit(failures > 0 ? 1 : 0);
}

module.exports = { ok, is, skip, open, close, text, tip, drawn, until,
	print, unprint, onPaper, run: (...tests) => run(...tests).catch((e) => {
		console.log('Bail out! ' + e.stack.split('\n').slice(0, 3)
			.join(' | '));
		process.exit(99);
	}) };
