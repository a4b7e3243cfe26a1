// SPDX-License-Identifier: MIT
// A page that was used shows what a fresh page at its address shows, and
// nothing that was chosen before.
'use strict';
const fs = require('fs');
const path = require('path');
const { ok, is, skip, open, close, drawn, run } = require('./page.js');
const folder = path.resolve(process.argv[2]);

// The page is idle when what comes after a picture has come.
const idle = async (page) => {
	await drawn(page);
	await page.waitForTimeout(400);
	await drawn(page);
};
async function openAt(name, hash = '') {
	const page = await open(name + '.html');
	await page.locator('.app').waitFor();
	if (hash !== '') {
		await goTo(page, hash);
	}
	return page;
}
async function goTo(page, hash) {
	await page.evaluate((h) => {
		location.hash = h;
	}, hash);
	await idle(page);
}

// All that is seen, without a pointer or a focus.
async function seen(page) {
	await page.mouse.move(1, 1);
	await page.evaluate(() => document.activeElement.blur());
	await idle(page);
	return page.evaluate(() => {
		const all = (css, fn) => Array.from(document.querySelectorAll(css))
			.filter((e) => e.getClientRects().length > 0).map(fn).join('\n');
		return { text: all('.bar, .side, .main, .line', (e) => e.innerText),
			menus: all('select, input', (e) => e.value + e.checked),
			pictures: all('canvas', (e) => e.toDataURL()) };
	});
}

async function again(page, what) {
	const got = await seen(page), fresh = await open('plain.html');
	await fresh.goto('about:blank');
	await fresh.goto(page.url());
	await fresh.locator('.app').waitFor();
	const want = await seen(fresh);
	for (const part of Object.keys(want)) {
		const at = Array.from(want[part]).findIndex((c, i) =>
			c !== got[part][i]);
		ok(got[part] === want[part], what + ': ' + part + ' as in a fresh page',
			[got[part].slice(at, at + 80), want[part].slice(at, at + 80)]);
	}
	await close(fresh, what + ', a fresh page');
}

async function table() {
	const page = await openAt('plain', 'view=table');
	await page.locator('.view-table tbody tr').nth(1).click();
	await page.getByRole('button', { name: 'Samples' }).click();
	await idle(page);
	await page.goBack();
	await again(page, 'Back to a table that was sorted otherwise');
	await page.getByRole('button', { name: 'Objects' }).click();
	await page.locator('.view-table tbody tr').first().click();
	ok(/of the selection/.test(await page.locator('.said').textContent()),
		'a row tells its share');
	await goTo(page, 'view=table&by=object&time=0,300000000');
	await again(page, 'another selection');
	await close(page, 'tables');
}

async function code() {
	const page = await openAt('plain', 'view=source');
	if (await page.locator('.view-source').count() === 0) {
		skip('no instructions here, so no code');
	} else {
		await page.locator('.view-source select').selectOption({ index: 2 });
		await page.evaluate(() => document.activeElement.blur());
		await page.keyboard.press('a');
		await again(page, 'no function after one with code');
	}
	await close(page, 'code');
}

async function exports_() {
	const page = await openAt('plain', 'view=table');
	await page.keyboard.press('1');
	await page.keyboard.press('e');
	await page.goBack();
	await idle(page);
	is(await page.locator('dialog').count(), 0,
		'Back closes what would export the page before');
	await close(page, 'exports');
}

async function flame() {
	const page = await openAt('plain', 'view=flame&colour=object');
	const box = await page.locator('.view-flame canvas').boundingBox();
	await page.mouse.click(box.x + box.width * 0.9, box.y + box.height - 40);
	await page.mouse.click(box.x + 500, box.y + box.height - 80);
	ok(page.url().includes('zoom='), 'a frame is zoomed', page.url());
	await again(page, 'a zoom');
	await close(page, 'a flame graph');
}

async function trees() {
	const page = await openAt('waits', 'view=calls&threads=0');
	await goTo(page, 'view=calls');
	await again(page, 'the tree of other threads');
	const rows = page.locator('.view-calls tbody tr');
	const before = await rows.count();
	await rows.first().focus();
	await page.keyboard.press('ArrowLeft');
	const closed = await rows.count();
	await page.getByLabel('Search functions').fill('a');
	await idle(page);
	ok(closed < before && await rows.count() === closed,
		'what the reader closed stays so', [before, closed]);
	await again(page, 'a row that was closed');
	await rows.first().focus();
	await page.keyboard.press('h');
	const deep = await rows.count();
	ok(deep > closed && await page.evaluate(() =>
		document.activeElement.closest('tbody') !== null),
	'the heaviest path is open, and has the focus', [closed, deep]);
	await page.getByRole('button', { name: 'Evidence' }).click();
	await again(page, 'an open path, and no evidence');
	await page.keyboard.press('1');
	await page.goBack();
	await idle(page);
	is(await rows.count(), deep, 'Back has the rows that were open');
	await rows.first().focus();
	await page.keyboard.press('ArrowLeft');
	ok(await rows.count() < deep, 'a row closes over those open below it');
	await again(page, 'a row closed over open ones');
	await goTo(page, 'view=calls');
	await again(page, 'a link that tells of no rows');
	await close(page, 'trees');
}

async function lanes() {
	const page = await openAt('changed', 'view=lanes&side=both');
	await goTo(page, 'side=both');
	await page.locator('select[aria-label=Times]').selectOption('share');
	await goTo(page, 'view=lanes&side=both&align=share');
	await again(page, 'lanes of captures that lie otherwise');
	await close(page, 'lanes of captures');
	const one = await openAt('waits', 'view=lanes');
	const box = await one.locator('.lanes canvas').boundingBox();
	await one.mouse.click(box.x + 500, box.y + 40);
	ok(await one.locator('.lane-detail').isVisible(), 'a click tells of a lane');
	await goTo(one, 'view=lanes&threads=0');
	await again(one, 'lanes of other threads');
	await close(one, 'lanes');
}

// Browsers put back what menus had when the page was left.
async function menus() {
	const page = await openAt('changed');
	await page.locator('.view-flame select').nth(1).selectOption('time');
	await page.goto('about:blank');
	await page.evaluate(() => {
		setTimeout(() => history.go(-2)); // not before this has returned
	});
	await page.locator('.app').waitFor();
	await again(page, 'back from elsewhere');
	await close(page, 'menus');
}

async function copies() {
	const page = await openAt('plain', 'view=table&by=object');
	const [file] = await Promise.all([page.waitForEvent('download'),
		page.getByRole('button', { name: 'Save a copy' }).click()]);
	await file.saveAs(path.join(folder, 'copy.html'));
	await close(page, 'a page that is copied');
	const copy = await openAt('copy');
	ok(fs.existsSync(path.join(folder, 'copy.html')) &&
		copy.url().endsWith('#view=table&by=object'), 'a copy opens with ' +
		'what it was saved with', copy.url());
	await copy.getByRole('button', { name: 'Functions' }).click();
	await copy.keyboard.press('1');
	ok(copy.url().endsWith('#'), 'a copy that shows all', copy.url());
	await again(copy, 'a copy that shows all');
	await close(copy, 'a copy');
}

run(table, code, exports_, flame, trees, lanes, menus, copies);
