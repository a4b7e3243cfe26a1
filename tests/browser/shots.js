// SPDX-License-Identifier: MIT
// Takes a picture of each view of each page in the folder given, in each of
// some windows, into $SHOTS; says whether something is to be seen.  TAP.
'use strict';
const fs = require('fs');
const path = require('path');
const { ok, is, open, drawn, run } = require('./page.js');
const folder = path.resolve(process.argv[2]);

const WINDOWS = [
	{ name: 'light', colorScheme: 'light', width: 1280, height: 800,
		each: true },
	{ name: 'dark', colorScheme: 'dark', width: 1280, height: 800 },
	{ name: 'small', colorScheme: 'light', width: 1024, height: 600 },
	{ name: 'phone', colorScheme: 'light', width: 390, height: 844,
		each: true }];

// Words outside of heads and controls, and colours of canvases, of the view that
// is shown.
const content = (page) => page.evaluate(() => {
	const view = document.querySelector('.main > .view:not([hidden])');
	const copy = view.cloneNode(true);
	for (const tool of copy.querySelectorAll('.tools, thead, h2, ' +
		'button, select, input, [hidden]')) {
		tool.remove();
	}
	const seen = new Set();
	for (const c of view.querySelectorAll('canvas')) {
		const { data } = c.getContext('2d', { willReadFrequently: true })
			.getImageData(0, 0, c.width || 1, c.height || 1);
		for (let i = 0; i < data.length; i += 4) {
			seen.add(data[i] << 16 | data[i + 1] << 8 | data[i + 2]);
		}
	}
	return copy.textContent.trim().length > 10 || seen.size > 4;
});

// Intervals come after the table; an event that was counted has none.
async function intervals(page) {
	const first = page.locator('tbody .interval:visible').first();
	if (await first.count() > 0) {
		await first.filter({ hasText: /./ }).waitFor();
	}
}

async function look(name, view, page, window) {
	await page.evaluate((v) => {
		location.hash = 'view=' + v;
	}, view);
	await page.locator('.main > .view-' + view + ':visible').waitFor();
	await drawn(page);
	await intervals(page);
	const what = [name, view, window.name].join('-');
	ok(await content(page), what + ' shows something');
	is(await page.evaluate(() => document.scrollingElement.scrollWidth),
		window.width, what + ' does not scroll sideways');
	await page.screenshot({ path: path.join(process.env.SHOTS,
		what + '.png') });
}

async function views(name) {
	for (const window of WINDOWS) {
		const { width, height, colorScheme } = window;
		const page = await open(name + '.html', { colorScheme,
			viewport: { width, height } });
		await page.locator('.app').waitFor();
		const all = await page.locator('.main > .view').evaluateAll((list) =>
			list.map((view) => /view-(\w+)/.exec(view.className)[1]));
		ok(all.length > 3, name + ' has views', all);
		// What depends on the window alone is looked at on one page.
		for (const view of name === 'cpu' || window.each ? all : []) {
			await look(name, view, page, window);
		}
		is(page.errors.join('; '), '', name + ', ' + window.name +
			': no error, dialog or request');
		await page.close();
	}
}

// A view whose rows or picture are gone is noticed.
async function nothing() {
	const page = await open('cpu.html');
	for (const view of ['table', 'flame', 'calls']) {
		await page.evaluate((v) => {
			location.hash = 'view=' + v;
		}, view);
		await page.locator('.main > .view-' + view + ':visible').waitFor();
		await drawn(page);
		await page.locator('.view-' + view).evaluate((element) => {
			for (const part of element.querySelectorAll('tbody, canvas')) {
				part.remove();
			}
		});
		ok(!await content(page), view + ': nothing is noticed');
	}
	await page.close();
}

const pages = fs.readdirSync(folder).filter((f) => f.endsWith('.html'))
	.map((f) => f.slice(0, -5));
run(() => is(pages.length, 6, 'six captures have pages'), nothing,
	...pages.map((name) => () => views(name)));
