// SPDX-License-Identifier: MIT
// Drives the pictures of the page through Chromium; prints TAP.  With $SHOTS,
// leaves pictures of what it saw in that folder.
'use strict';
const { ok, is, open, close, text, drawn, print, unprint, onPaper, run } =
	require('./page.js');

// A page of pictures; words: what stands after "?" and "#" in the address.
async function show(words = '', options = {}) {
	const page = await open('pictures.html', options);
	if (words !== '') {
		await page.goto(page.url() + words);
	}
	await drawn(page);
	return page;
}
const state = (page) => page.evaluate(() => window.app.state);
const said = async (page) => {
	await drawn(page);
	return text(page, '.said');
};
const tip = async (page) => {
	await drawn(page);
	return text(page, '.tip:not([hidden])');
};
// What a test needs of the picture in a view.
const picture = (page, name = 'flame') => page.evaluate((n) => {
	const p = window.app.views.get(n).pane.picture;
	const r = p.element.getBoundingClientRect(), boxes = [];
	for (let b = 0; b < p.boxes.n; b++) {
		const func = p.tree.func[p.boxes.frame[b]];
		if (p.boxes.shared[b] === 0 && p.boxes.w[b] > 12) {
			boxes.push({ i: p.boxes.frame[b], depth: p.boxes.depth[b],
				w: p.boxes.w[b], name: p.names.of(func),
				total: p.tree.total[p.boxes.frame[b]],
				x: r.left + p.boxes.x[b] + 5, y: r.top + 8 -
					p.element.scrollTop + p.top(p.boxes.depth[b]) });
		}
	}
	return { boxes, zoomed: p.zoomedAt, focused: p.focused,
		all: p.tree.total[0], bottom: r.bottom };
}, name);
// How many colours a canvas has: 1 or 2 where nothing is drawn.
const colours = (page, css) => page.evaluate((c) => {
	const e = document.querySelector(c), seen = new Set();
	const { data } = e.getContext('2d').getImageData(0, 0, e.width, e.height);
	for (let i = 0; i < data.length; i += 4) {
		seen.add(data[i] << 16 | data[i + 1] << 8 | data[i + 2]);
	}
	return seen.size;
}, css);
// Pixels of a canvas that have the colour of what a search finds.
const lit = (page, css) => page.evaluate((c) => {
	const e = document.querySelector(c), copy = document.createElement('canvas');
	copy.width = e.width;
	copy.height = e.height;
	const pen = copy.getContext('2d', { willReadFrequently: true });
	pen.drawImage(e, 0, 0);
	const { data } = pen.getImageData(0, 0, e.width, e.height);
	let n = 0;
	for (let i = 0; i < data.length; i += 4) {
		n += data[i] === 0xc2 && data[i + 1] === 0x18 && data[i + 2] === 0x7a;
	}
	return n;
}, css);
const at = (boxes, depth) => boxes.filter((b) => b.depth === depth)
	.sort((a, b) => b.total - a.total)[0];
const share = (b, p) => (100 * b.total / p.all).toFixed(2) + '%';

// ---- the points
async function paper() {
	const page = await show('?size=deep');
	const canvas = () => page.evaluate(() => {
		const { picture } = window.app.views.get('flame').pane;
		const { canvas, element, high } = picture;
		return { height: canvas.height, seen: element.clientHeight,
			rows: 18 * (picture.tree.tall[0] + 1),
			below: high - element.scrollTop - element.clientHeight };
	});
	const before = await canvas();
	ok(before.rows > 90 * 18 && before.height === before.seen,
		'a window shows a part of a deep graph', before);
	await print(page);
	const sheets = await page.locator('.view-flame canvas').evaluateAll((all) =>
		all.map((c) => c.height));
	ok(sheets.length > 1 && sheets.every((high) => high % 18 === 0) &&
		sheets.reduce((a, b) => a + b) === before.rows,
	'paper shows it whole, some rows on each sheet', [sheets, before.rows]);
	const paper = await onPaper(page, '.view-flame');
	ok(paper.every(([letters, high]) => letters > 8 && high < 800),
		'in letters that can be read', paper);
	await unprint(page, 1200, 700);
	const after = await canvas();
	is(await page.locator('.view-flame canvas').count(), 1,
		'a window needs no sheets');
	ok(after.height === before.height && after.below < 2,
		'then the window has its part again', after);
	await close(page, 'paper');
}
async function zooming(name) {
	const page = await show('#view=' + name);
	ok(await colours(page, '.view-' + name + ' canvas') > 10,
		name + ': frames are drawn');
	const before = await picture(page, name), box = at(before.boxes, 2);
	ok(at(before.boxes, 0).y < before.bottom, name + ': its base is in sight');
	await page.mouse.click(box.x, box.y);
	const after = await picture(page, name);
	is(after.zoomed, box.i, 'a click zooms into a frame');
	ok(after.boxes.some((b) => b.i === 0 && b.w > 500) &&
		after.boxes.find((b) => b.i === box.i).w > 500,
	'it and its callers are as wide as the window', after.boxes[0]);
	ok(/zoom=/.test(page.url()), 'the address has it', page.url());
	await page.goBack();
	is((await picture(page, name)).zoomed, 0, 'Back leads back');
	await page.goForward();
	is((await picture(page, name)).zoomed, box.i, 'and forward again');
	await page.reload();
	await drawn(page);
	is((await picture(page, name)).zoomed, box.i, 'a link opens zoomed');
	await page.click('.view-' + name + ' >> text=Whole graph');
	is((await picture(page, name)).zoomed, 0, 'the button shows all');
	await close(page, 'zoom ' + name);
}
async function pointing() {
	const page = await show();
	const p = await picture(page), box = at(p.boxes, 2);
	await page.mouse.move(box.x, box.y);
	const seen = await tip(page);
	ok(seen.includes(box.name.slice(0, 40)) && seen.includes(share(box, p)),
		'the mouse shows name and share', seen);
	ok(/Build ID|Check/.test(seen), 'and how it was named', seen);
	ok((await said(page)).includes(share(box, p)), 'the line says it, too');
	await page.mouse.move(600, 5);
	is(await tip(page), '', 'it goes with the mouse');
	await close(page, 'tip');
}
async function keys(name) {
	const page = await show('#view=' + name);
	const p = await picture(page, name);
	const [out, back] = name === 'flame' ? ['ArrowUp', 'ArrowDown'] :
		['ArrowDown', 'ArrowUp'];
	await page.focus('.view-' + name + ' .flame');
	await page.keyboard.press(back);
	await page.keyboard.press(out);
	is((await picture(page, name)).focused, at(p.boxes, 1).i,
		name + ': an arrow goes to the heaviest callee');
	ok((await said(page)).includes(share(at(p.boxes, 1), p)),
		'which is read aloud', await said(page));
	await page.keyboard.press('ArrowRight');
	const next = await picture(page, name);
	ok(next.focused !== at(p.boxes, 1).i &&
		next.boxes.find((b) => b.i === next.focused).depth === 1,
	'right goes to the neighbour');
	await page.keyboard.press('Enter');
	is((await picture(page, name)).zoomed, next.focused, 'Enter zooms');
	await page.keyboard.press(back);
	is((await picture(page, name)).focused, 0, 'the way back is its caller');
	await page.keyboard.press('0');
	is((await picture(page, name)).zoomed, 0, '0 shows all');
	await page.keyboard.press(out);
	await page.keyboard.press(out);
	await page.keyboard.press('f');
	const s = await state(page);
	ok(s.view === 'sandwich' && s.selection.focus >= 0,
		'f shows callers and callees', s.view);
	ok(await colours(page, '.view-sandwich-picture canvas') > 3,
		'which are drawn');
	await close(page, 'keys ' + name);
}
async function searching() {
	const page = await show();
	await page.keyboard.press('/');
	await page.keyboard.type('insert');
	await drawn(page);
	const found = await text(page, '.view-flame .found');
	ok(/^[\d.]+% matched$/.test(found) && found !== '0.00% matched',
		'a search tells its share', found);
	await page.focus('.view-flame .flame');
	await page.keyboard.press('n');
	const p = await picture(page);
	ok(/insert/.test((p.boxes.find((b) => b.i === p.focused) ||
		{ name: await said(page) }).name), 'n goes to a match');
	await close(page, 'search');
}
async function selecting() {
	const page = await show();
	const box = await page.locator('.strip-box').boundingBox();
	const y = box.y + box.height / 2;
	ok(await colours(page, '.strip-box canvas') > 4, 'the strip is drawn');
	const whole = await text(page, '.sum');
	await page.mouse.move(box.x + 300, y);
	ok(/Samples: \d/.test(await tip(page)), 'the mouse tells what was then');
	await page.mouse.down();
	await page.mouse.move(box.x + 500, y, { steps: 4 });
	await page.mouse.up();
	let { selection } = await state(page);
	ok(selection.from > 0 && selection.to > selection.from &&
		/time=/.test(page.url()), 'a drag selects time', selection);
	await drawn(page);
	ok(await text(page, '.sum') !== whole, 'all follows the selection');
	const few = await picture(page);
	await page.mouse.click(box.x + 700, y);
	selection = (await state(page)).selection;
	is(selection.from, null, 'a click takes it back');
	ok((await picture(page)).all > few.all, 'and all samples come back');
	await page.mouse.wheel(0, -400);
	ok(/^\d+,\d+$/.test((await state(page)).window), 'the wheel zooms');
	await close(page, 'strip');
}
async function selectingByKeys() {
	const page = await show();
	await page.focus('.strip-box');
	await page.keyboard.press('ArrowRight');
	ok(/Samples: \d/.test(await said(page)), 'arrows tell what was then');
	for (let i = 0; i < 5; i++) {
		await page.keyboard.press('Shift+ArrowRight');
	}
	let { selection } = await state(page);
	ok(selection.to > selection.from && selection.from > 0,
		'with Shift they select', selection);
	await page.keyboard.press('z');
	const { window } = await state(page);
	is(window, Math.round(selection.from) + ',' + Math.round(selection.to),
		'z zooms to what is selected');
	await page.keyboard.press('Home');
	ok(/Samples: \d.*CPUs in use: \d/.test(await said(page)),
		'Home tells what was then, out of the window', await said(page));
	await page.keyboard.press('Escape');
	selection = (await state(page)).selection;
	is(selection.from, null, 'Escape takes the selection back');
	await page.keyboard.press('Escape');
	is((await state(page)).window, '', 'and then the zoom');
	await close(page, 'strip by keys');
}
async function changes() {
	const times = async (page, ...keys) => {
		const out = [];
		for (const key of keys) {
			await page.keyboard.press(key);
			const { from, to } = (await state(page)).selection;
			out.push(from === null ? '-' : from / 1e9 + '\u2026' + to / 1e9);
		}
		return out.join(' ');
	};
	const listed = async (page) => {
		await page.keyboard.press('?');
		const keys = await text(page, 'dialog kbd');
		await page.keyboard.press('Escape');
		return / c( |$)/.test(keys);
	};
	const page = await show('?changes');
	is(await times(page, 'c', 'c', 'c', 'C', 'C'),
		'2\u20264.999999999 5\u202610 2\u20264.999999999 5\u202610 ' +
		'2\u20264.999999999',
		'c goes from change to change, C the other way');
	ok(await listed(page), 'they are in the list of keys');
	await page.focus('.strip-box');
	is(await times(page, 'c'), '5\u202610', 'and work in the strip');
	await close(page, 'changes');
	const none = await show();
	is(await times(none, 'c'), '-', 'where nothing changes c does nothing');
	ok(!await listed(none), 'and is not listed');
	await close(none, 'no changes');
}
const rows = (page) => page.evaluate(() => {
	const v = window.app.views.get('lanes');
	const box = v.box.getBoundingClientRect();
	return v.rows.map((row) => ({ kind: row.kind, label: row.label,
		high: row.high, y: box.top + row.y - v.box.scrollTop + 6,
		x: box.left, right: box.right }));
});
async function lanes() {
	const page = await show('#view=lanes');
	ok(await colours(page, '.lanes canvas') > 6, 'lanes are drawn');
	let list = await rows(page);
	ok(list.some((r) => r.kind === 'process') &&
		list.some((r) => r.kind === 'pool'), 'threads are in groups',
	list.map((r) => r.label));
	const n = list.length, pool = list.find((r) => r.kind === 'pool');
	await page.mouse.click(pool.x + 40, pool.y);
	list = await rows(page);
	ok(list.length > n, 'a click unfolds a pool');
	const thread = list.find((r) => r.kind === 'thread');
	await page.mouse.click(thread.x + 40, thread.y);
	ok((await rows(page)).find((r) => r.label === thread.label).high >
		thread.high + 20, 'and opens a lane');
	is(await lit(page, '.lanes canvas'), 0, 'nothing is searched');
	await page.evaluate(() => window.app.select({ search: '.' }));
	await drawn(page);
	const all = await lit(page, '.lanes canvas');
	await page.evaluate(() => window.app.select({ search: 'no such name' }));
	await drawn(page);
	ok(all > 1000 && await lit(page, '.lanes canvas') === 0,
		'lanes show in which samples and frames a search finds a name', all);
	await page.evaluate(() => window.app.select({ search: '' }));
	const toldIn = async ({ x, y }) => {
		for (let dx = 220; dx < 700; dx += 20) {
			await page.mouse.click(x + dx, y);
			const told = await text(page, '.lane-detail');
			if (/waiting.*woken/.test(told)) {
				return told;
			}
		}
		return '';
	};
	let told = await toldIn(thread);
	ok(/waiting \(\w+\) for [\d.]+ \w+ ?woken by/.test(told),
		'a click on a wait tells why, how long and who ended it', told);
	told = await toldIn(list.find((r) => r.label === pool.label));
	ok(/waiting \(\w+\) for [\d.]+ \w+ ?thread \w+.*woken by \w+/
		.test(told), 'in a pool whose it is, too', told);
	await page.selectOption('.view-lanes select', 'cpu');
	list = await rows(page);
	ok(list.length === 8 && list[0].label === 'CPU 0', 'CPUs are lanes, too',
		list.map((r) => r.label));
	await page.evaluate(() => window.app.set({ view: 'flame' }));
	is(await page.locator('.lanes:visible').count(), 0,
		'lanes go when another view comes');
	await close(page, 'lanes');
}
async function lanesByKeys() {
	const page = await show('#view=lanes');
	await page.focus('.lanes');
	await page.keyboard.press('ArrowDown');
	await page.keyboard.press('ArrowRight');
	const list = await rows(page);
	ok((await said(page)).startsWith(list[1].label), 'arrows go and tell',
		await said(page));
	await page.keyboard.press('o');
	ok((await rows(page)).length !== list.length ||
		(await rows(page))[1].high !== list[1].high, 'o opens');
	await page.keyboard.press('Enter');
	ok((await text(page, '.lane-detail')).startsWith(list[1].label),
		'Enter tells what is there');
	await page.keyboard.press('+');
	ok(/^\d+,\d+$/.test((await state(page)).window), 'plus zooms');
	await page.keyboard.press('t');
	ok((await page.evaluate(() => window.app.state.selection.threads.size)) >
		0, 't selects the threads of a lane');
	await close(page, 'lanes by keys');
}
async function files() {
	const page = await show('?hostile');
	for (const name of ['flame', 'icicle', 'lanes', 'sandwich']) {
		await page.evaluate((n) => window.app.set({ view: n }), name);
		await drawn(page);
		const seen = await page.evaluate(async () => {
			const { exports } = window.app, svg = exports.svg();
			const doc = new DOMParser().parseFromString(svg, 'image/svg+xml');
			const png = await exports.png();
			return { root: doc.documentElement.nodeName,
				texts: doc.querySelectorAll('text').length,
				alien: doc.querySelectorAll('script,image,foreignObject')
					.length, png: png.type, size: png.size };
		});
		ok(seen.root === 'svg' && seen.texts > 3 && seen.alien === 0,
			name + ': its SVG is well formed, names are text', seen);
		ok(seen.png === 'image/png' && seen.size > 2000, 'and so is its PNG');
	}
	await close(page, 'files of hostile names');
}
async function hostile() {
	const page = await show('?hostile');
	const p = await picture(page);
	for (const box of p.boxes.slice(0, 12)) {
		await page.mouse.move(box.x, box.y);
	}
	ok(!/[\u0000-\u0008\u202e]/.test(await said(page)),
		'characters that hide are shown as such');
	is(await page.evaluate(() => document.querySelectorAll('img,svg').length),
		0, 'no name is markup');
	for (const size of ['empty', 'one']) {
		await page.goto(page.url().replace(/\?.*/, '?size=' + size));
		for (const view of ['flame', 'icicle', 'lanes', 'flame']) {
			await page.evaluate((v) => window.app.set({ view: v }), view);
			await drawn(page);
		}
		await page.focus('.view-flame .flame');
		for (const key of ['ArrowUp', 'Enter', '0', 'n', 'ArrowLeft']) {
			await page.keyboard.press(key);
		}
		ok(true, size + ': a page of next to nothing opens');
	}
	await close(page, 'hostile');
}
async function looks() {
	for (const [what, options] of [['dark', { colorScheme: 'dark' }],
		['small', { viewport: { width: 1024, height: 600 } }]]) {
		const page = await show('', options);
		const p = await picture(page);
		ok(p.bottom <= page.viewportSize().height &&
			at(p.boxes, 0).y < p.bottom, what + ': the base is in sight', p);
		ok(await page.evaluate(() => document.documentElement.scrollWidth <=
			innerWidth), what + ': nothing is wider than the window');
		await close(page, what);
	}
}
run(() => zooming('flame'), () => zooming('icicle'), pointing,
	() => keys('flame'), () => keys('icicle'), searching, selecting,
	selectingByKeys, changes, lanes, lanesByKeys, files, paper, hostile, looks);
