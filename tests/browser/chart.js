// SPDX-License-Identifier: MIT
// Drives the charts in the folder given through Chromium; prints TAP.
// With $SHOTS, leaves pictures of what it saw in that folder.
'use strict';
const { ok, is, open, close, text, tip, drawn, run } = require('./page.js');

const told = (page) => text(page, 'g.foot text');
const boxes = (page) => page.evaluate(() =>
	Array.from(document.querySelectorAll('.plot path'))
		.filter((p) => p.getAttribute('class') !== 'marked')
		.reduce((n, p) => n + p.getAttribute('d').split('z').length - 1, 0));
const area = (page) => page.evaluate(() => {
	const r = document.querySelector('.plot .ground').getBoundingClientRect();
	const l = Array.from(document.querySelectorAll('.plot path'))
		.map((p) => p.getBoundingClientRect()).filter((b) => b.width > 0);
	return { x: Math.min(...l.map((b) => b.x)), y: r.y,
		right: Math.max(...l.map((b) => b.right)), bottom: r.bottom };
});
const press = async (page, ...keys) => {
	for (const k of keys) {
		await page.keyboard.press(k);
	}
};

// ---- the points
async function heatMap() {
	const page = await open('charts-subsecond');
	const a = await area(page), w = (a.right - a.x) / 120;
	const h = (a.bottom - a.y) / 50;
	const to = (x, y) => [a.x + (x + 0.5) * w, a.bottom - (y + 0.5) * h];
	ok(await boxes(page) > 4000, 'each cell has a box');
	await page.mouse.move(...to(4, 10));
	let seen = await tip(page);
	ok(/^2[0-3] samples second \+4 s offset 200 ms$/.test(seen),
		'the mouse shows what a cell holds', seen);
	await page.mouse.move(...to(10, 5));
	await page.mouse.down();
	await page.mouse.move(...to(12, 7));
	await page.mouse.up();
	seen = await told(page);
	ok(/^--time \+10\.1,\+12\.159999999 .*samples, .*% of all$/.test(seen),
		'dragging gives a window for --time', seen);
	await press(page, 'Escape');
	ok(!/--time/.test(await told(page)), 'Escape ends it');
	await press(page, 'ArrowRight', 'ArrowRight', 'ArrowDown');
	seen = await tip(page);
	ok(/second \+1 s offset 960/.test(seen), 'arrows move', seen);
	await press(page, 'Shift+ArrowRight', 'Shift+ArrowRight');
	seen = await told(page);
	ok(/^--time \+1\.96,\+3\.979999999 /.test(seen),
		'arrows with Shift choose a window', seen);
	await close(page, 'heat map');
}
async function lanes() {
	const page = await open('charts-threads');
	ok(/^--time \+0,\+62\.499/.test(await told(page)),
		'lanes tell their window', await told(page));
	const a = await area(page), s = (a.right - a.x) / 62.5;
	await page.mouse.move(a.x + 3.25 * s, a.y + 27);
	let seen = await tip(page);
	ok(/^worker\/1 4712 \+3\.2\d* s futex 500\.0 ms woken by main 4711$/
		.test(seen) || /worker\/1 4712.*(running|runnable|futex)/.test(seen),
	'the mouse shows a span', seen);
	await page.mouse.move(a.x + 10 * s, a.y + 20);
	await page.mouse.down();
	await page.mouse.move(a.x + 20 * s, a.y + 30);
	await page.mouse.up();
	seen = await told(page);
	await page.mouse.move(2, 2);
	seen = await told(page);
	let m = seen.match(/--time \+([\d.]+),\+([\d.]+)/);
	ok(m && Math.abs(m[1] - 10) < 0.2 && Math.abs(m[2] - 20) < 0.2,
		'dragging zooms', seen);
	await press(page, 'Escape', '+');
	m = (await told(page)).match(/--time \+([\d.]+),\+([\d.]+)/);
	ok(m && m[2] - m[1] > 31 && m[2] - m[1] < 32, 'plus zooms by two', m);
	await press(page, 'u');
	ok(/\+62\.499/.test(await told(page)), 'u goes back');
	await press(page, 'ArrowDown', 'ArrowDown', 'ArrowRight');
	seen = await tip(page);
	ok(/^worker\/1 4712 .*s (running|futex|runnable)/.test(seen),
		'arrows go from span to span', seen);
	await close(page, 'lanes');
}
const addressIs = (page, re) => page.waitForFunction(
	(r) => new RegExp(r).test(location.hash), re).then(() => true, () => false);
async function laneLink() {
	let page = await open('charts-threads');
	await press(page, '+', '+');
	ok(await addressIs(page, '^#from=\\d+&to=\\d+$'),
		'the window of lanes is in the address', page.url());
	const link = page.url(), seen = await told(page);
	await close(page, 'lanes before the link');
	page = await open('charts-threads');
	await page.goto(link);
	await page.reload();
	is(await told(page), seen, 'a link opens at its window');
	await press(page, 'Escape');
	ok(/\+62\.499/.test(await told(page)), 'Escape shows all of it');
	ok(await addressIs(page, '^$'), 'and the address forgets it');
	await page.evaluate(() => {
		location.hash = 'from=9000000000000000&to=1';
	});
	ok(await addressIs(page, '^$'), 'a window that is none is all');
	ok(/\+62\.499/.test(await told(page)), 'and so it is shown');
	await close(page, 'link of lanes');
}
// Three cells share a place: 0, 3 and 0, or 3, 0 and 3; nothing on CPU 1.
async function merged() {
	for (const [name, cell, range] of [['rates', '1.00', '0.667'],
		['most', '3', '3']]) {
		const page = await open('charts-' + name);
		await press(page, 'ArrowDown');
		let seen = await tip(page);
		ok(seen.startsWith(cell + ' waiting') && /cells\)/.test(seen),
			name + ': what several cells are in one', seen);
		await press(page, 'Shift+ArrowRight', 'Shift+ArrowRight');
		seen = await told(page);
		ok(seen.includes(range + ' waiting') && !seen.includes('%'),
			name + ': what a window is', seen);
		await close(page, name);
	}
}
async function bars() {
	const page = await open('charts-delay');
	await press(page, 'ArrowDown', 'ArrowDown');
	let seen = await tip(page);
	ok(/^340, 0\.95% delay 2\.000 us \u2013 4\.000 us total 918\.0 us$/
		.test(seen), 'arrows show a bin', seen);
	await press(page, 'Shift+ArrowDown');
	seen = await told(page);
	ok(/^2\.000 us \u2013 8\.000 us 5,460, 15\.32%$/.test(seen),
		'with Shift they add bins up', seen);
	await close(page, 'histogram');
}
async function colors() {
	const page = await open('charts-cpi');
	await page.mouse.move(800, 107);
	let seen = await tip(page);
	ok(/CPI 4\.4.*cycles 45,000/.test(seen),
		'a frame tells its ratio', seen);
	const fill = (c) => page.evaluate((q) => getComputedStyle(
		document.querySelector(q)).fill, '.frames .' + c);
	const rgb = async (c) => (await fill(c)).match(/\d+/g).map(Number);
	const [red, blue] = [await rgb('v16'), await rgb('v1')];
	ok(red[0] > red[2] + 60 && blue[2] > blue[0] + 60,
		'four times is red, a quarter is blue', [red, blue]);
	await close(page, 'ratios');
	const other = await open('charts-change');
	await other.mouse.move(800, 107);
	seen = await tip(other);
	ok(/change \+114\.3%.*before 24\.42%/.test(seen),
		'a frame tells its change', seen);
	await close(other, 'changes');
}
async function surroundings() {
	for (const name of ['delay', 'subsecond', 'by-cpu', 'threads',
		'cpi']) {
		const page = await open('charts-' + name, { colorScheme: 'dark',
			viewport: { width: 360, height: 560 } });
		is(await page.evaluate(() => document.documentElement
			.getBoundingClientRect().width), 360,
		name + ' fits a narrow window');
		const wide = await page.evaluate(() => Math.max(...Array.from(
			document.querySelectorAll('text'), (t) =>
				t.getBoundingClientRect().right)));
		ok(wide <= 361, name + ': texts stay inside', wide);
		await close(page, name + ' narrow and dark');
	}
	for (const kind of ['h', 'g', 'l']) {
		let page = await open('hostile-' + kind);
		await page.mouse.move(600, 150);
		await press(page, 'ArrowDown', 'ArrowRight', 'Shift+ArrowDown', '+',
			'-', 'Escape');
		is(await page.evaluate(() => document.querySelectorAll(
			'script').length + ' ' + document.querySelectorAll(
			'[onload], svg svg').length), '2 0',
		kind + ': nothing came with a name');
		await close(page, 'hostile ' + kind);
		page = await open('empty-' + kind);
		await press(page, 'ArrowDown', '+', 'Escape');
		ok(/nothing to show/.test(await told(page)), kind +
			': an empty chart says so');
		await close(page, 'empty ' + kind);
	}
	const page = await open('charts.html');
	await page.setViewportSize({ width: 320, height: 700 });
	await page.waitForFunction(() => window.innerWidth === 320);
	await drawn(page);
	is(await page.evaluate(() => document.documentElement.scrollWidth), 320,
		'a page of charts fits 320 pixels');
	await close(page, 'page of charts');
}

run(heatMap, merged, lanes, laneLink, bars, colors, surroundings);
