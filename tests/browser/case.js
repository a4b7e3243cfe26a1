// SPDX-License-Identifier: MIT
// The page as a person uses it: views by mouse and by keys, links, notes that
// are kept in a copy, exports, small windows.
'use strict';
const fs = require('fs');
const path = require('path');
const { ok, is, skip, open, close, until, print, unprint, onPaper, run } =
	require('./page.js');
const folder = path.resolve(process.argv[2]);

const shown = async (page) => (await page.locator('[role=tab]' +
	'[aria-selected=true]').textContent());
const rows = (page) => page.locator('.view-table tbody tr').count();
const hash = (page) => page.evaluate(() => location.hash);
// Intervals come after the table.
const tableText = async (page) => {
	const table = page.locator('.view-table tbody');
	await table.locator('.interval').first().filter({ hasText: /./ }).waitFor();
	return table.textContent();
};

async function openCase(name, after = '', options = {}) {
	const page = await open(name + '.html', options);
	if (after !== '') {
		await page.evaluate((h) => {
			location.hash = h;
		}, after);
	}
	await page.locator('.app').waitFor();
	return page;
}

async function views() {
	const page = await openCase('plain');
	const tabs = await page.locator('[role=tab]').allTextContents();
	for (let i = 0; i < tabs.length; i++) {
		await page.keyboard.press(String(i + 1));
		is(await shown(page), tabs[i], 'key ' + (i + 1) + ' goes to ' +
			tabs[i]);
		ok(await page.locator('.main > .view:visible').count() === 1,
			tabs[i] + ' is the only view there');
	}
	await page.keyboard.press('ArrowLeft');
	is(await shown(page), tabs[tabs.length - 2], 'arrows go on from a tab');
	await page.goBack();
	is(await shown(page), tabs[tabs.length - 1], 'Back goes back');
	await page.goForward();
	is(await shown(page), tabs[tabs.length - 2], 'Forward, too');
	await page.keyboard.press('?');
	ok(await page.locator('dialog[open] kbd').count() > 5, '? lists the keys');
	await page.keyboard.press('Escape');
	is(await page.locator('dialog[open]').count(), 0, 'Escape closes it');
	await close(page, 'views');
}

async function table() {
	const page = await openCase('plain', 'view=table');
	const all = await rows(page), first = await tableText(page);
	ok(all > 3, 'the table has rows', all);
	await page.getByRole('button', { name: 'Samples' }).click();
	is(await page.locator('th[aria-sort=descending]').textContent(),
		'Samples\u25be', 'a click on a head sorts');
	await page.getByRole('button', { name: 'Samples' }).click();
	is(await page.locator('th[aria-sort=ascending]').count(), 1,
		'another one the other way');
	await page.getByRole('button', { name: 'Self' }).click();
	is(await tableText(page), first, 'and back');
	const name = await page.locator('.view-table tbody td.name').first()
		.textContent();
	await page.keyboard.press('/');
	await page.keyboard.type(name.toUpperCase());
	ok(await rows(page) < all && (await tableText(page)).includes(name),
		'the search leaves what it finds');
	ok((await hash(page)).includes('search='), 'a link has the search');
	await page.keyboard.press('Escape');
	is(await rows(page), all, 'Escape ends it');
	await page.locator('.view-table tbody tr').first().focus();
	await page.keyboard.press('ArrowDown');
	await page.keyboard.press('Enter');
	is(await page.locator('.chip').count(), 1, 'Enter chooses a function');
	is(await page.locator('tr[aria-selected=true]').count(), 1,
		'its row is marked');
	ok((await page.locator('.side dl').first().textContent())
		.includes('Names from'), 'evidence says where its name is from');
	await page.keyboard.press('f');
	is(await shown(page), 'Callers and callees', 'f shows its callers');
	ok(await page.locator('.view-sandwich tbody tr').count() > 0,
		'which are there');
	await page.keyboard.press('a');
	is(await page.locator('.chip').count(), 0, 'a ends all selections');
	await close(page, 'table');
}

// An event of which each occurrence was recorded has no intervals.
async function counts() {
	const page = await openCase('waits', 'view=table');
	const heads = page.locator('.view-table thead th');
	is((await heads.allTextContents()).join(), 'Self\u25be,Total,Samples,' +
		'Function,Object', 'no column of intervals that has none');
	await page.getByRole('button', { name: 'Commands' }).click();
	is((await heads.allTextContents()).join(), 'Self\u25be,Samples,Command',
		'nor of commands');
	await close(page, 'an event that was counted');
}

async function findings() {
	const page = await openCase('long');
	const said = page.locator('.findings span', { hasText: 'step_40' });
	ok(/^outer::inner<\u2026>::step_40 took 100/.test(
		await said.textContent()), 'findings have the names of the graph');
	await close(page, 'findings');
}

// What Evidence says of a capture without samples.
async function evidence() {
	const page = await openCase('empty');
	const titles = await page.locator('.side h2').allTextContents();
	ok(titles.includes('Quality') && !titles.join().includes('Names, by'),
		'Evidence has no heading with nothing under it', titles);
	const words = await page.locator('.side dt').allTextContents();
	ok(words.includes('bytes total') && words.includes('gap time') &&
		!words.join().includes('_'), 'and says keys in words', words);
	await close(page, 'evidence');
}

async function lacking() {
	const page = await openCase('jit');
	const hint = await page.locator('.side pre').first().textContent();
	ok(/^coldperf pack .*\/good-jit\.data'? /.test(hint),
		'what has no name has a command with the path of the capture', hint);
	await close(page, 'lacking names');
}

async function threads() {
	const page = await openCase('plain', 'view=table&by=thread');
	const before = await page.locator('.sum').textContent();
	await page.locator('.view-table tbody tr').first().click();
	ok((await page.locator('.chip').textContent()).includes('1 thread'),
		'a click on a thread selects it');
	const text = await page.locator('.sum').textContent();
	ok(text !== before && text.includes('of the event'),
		'the sum is that of the thread', text);
	const again = await openCase('plain', (await hash(page)).slice(1));
	is(await again.locator('.sum').textContent(), text,
		'a link has the selection');
	is(await tableText(again), await tableText(page), 'and the table');
	await close(again, 'a link');
	await page.locator('.chip button').click();
	is(await page.locator('.sum').textContent(), before,
		'the chip is the way back');
	await close(page, 'threads');
	const twice = await openCase('inherit', 'view=table&by=thread');
	const row = twice.locator('.view-table tbody tr', { hasText: '8/9' });
	is(await row.count(), 1, 'two threads of one number are a row');
	await row.click();
	ok(/^3 samples/.test(await twice.locator('.sum').textContent()),
		'which selects both');
	await close(twice, 'a number used twice');
}

// What has the focus may go, but the focus does not.
async function focus() {
	const page = await openCase('plain', 'view=table&threads=0');
	const focused = page.locator('button:focus-visible');
	for (const [what, first, keys, tab] of [
		['a part of the selection', '.chip button', 'Enter', 'Table'],
		['a kind of rows', '.view-table .tools button + button', 'Enter',
			'Table'],
		['callers', '.view-table tbody tr', 'f', 'Callers and callees']]) {
		await page.locator(first).first().focus();
		await page.keyboard.press(keys);
		is(await focused.textContent(), tab, what + ' leaves the focus to ' +
			tab);
	}
	// A row of calls keeps it, or the first row of another function's.
	const row = page.locator('tr:focus'), stops = (view) => page.locator(
		view + ' tbody tr[tabindex="0"]').count();
	const caller = page.locator('.view-sandwich table').first()
		.locator('tbody tr').first();
	await caller.focus();
	await page.keyboard.press('Enter');
	is(await caller.evaluate((e) => e === document.activeElement), true,
		'callers of another function: the first has the focus');
	await page.keyboard.press('Escape');
	await page.getByRole('tab', { name: 'Calls', exact: true }).click();
	await page.locator('.view-calls tbody tr').nth(2).focus();
	await page.keyboard.press('ArrowDown');
	is(await stops('.view-calls'), 1, 'one row of them is a tab stop');
	const name = await row.locator('td.name').getAttribute('title');
	await page.evaluate(() => location.hash += '&time=1000,900000000000');
	await page.locator('.chip').first().waitFor();
	is(await row.locator('td.name').getAttribute('title').catch(() => ''),
		name, 'a row keeps the focus in another selection');
	is(await stops('.view-calls'), 1, 'and is the one tab stop');
	await page.keyboard.press('Escape');
	await close(page, 'focus');
}

async function tree() {
	const page = await openCase('plain', 'view=calls&split=none');
	const all = page.locator('.view-calls tbody tr');
	for (const view of ['Calls', 'Table']) {
		await page.getByRole('tab', { name: view, exact: true }).click();
		const name = page.locator('.main>.view:not([hidden]) td.name').last();
		const before = await name.getAttribute('title');
		await name.hover();
		const lines = (await name.getAttribute('title')).split('\n');
		ok(lines[0] === before && ['Object: ', 'Build ID: ', 'Check: ',
			'Frame: '].every((word) => lines.some((line) =>
			line.startsWith(word))), view + ': on hover a name tells its ' +
			'file, its check and how it was found', lines);
		await page.setViewportSize({ width: 900, height: 700 });
		ok(before.startsWith((await name.textContent()).slice(0, 3)),
			view + ': and is still shown', await name.textContent());
		await page.setViewportSize({ width: 1280, height: 800 });
	}
	await page.getByRole('tab', { name: 'Calls', exact: true }).click();
	await all.first().focus();
	await page.keyboard.press('h');
	const depth = Number(await page.locator('.view-calls tr:focus')
		.getAttribute('aria-level'));
	ok(depth > 1, 'h opens the heaviest path', depth);
	const open = await all.count();
	await page.keyboard.press('Home');
	await page.keyboard.press('ArrowLeft');
	ok(await all.count() < open, 'the left arrow closes a row');
	await page.keyboard.press('ArrowRight');
	is(await all.count(), open, 'the right arrow opens it again');
	await close(page, 'tree');
}

// The code of a page that annotate did not make, by keyboard alone.
async function code() {
	const page = await openCase('plain', 'view=source');
	if (await page.locator('.view-source').count() === 0) {
		skip('no instructions here, so no code');
		await close(page, 'no code');
		return;
	}
	const table = page.locator('.view-source .code-table');
	const first = await table.getAttribute('aria-label');
	ok(await table.locator('tbody tr').count() > 3, 'code has rows');
	ok(/%/.test(await table.locator('td.share').allTextContents()
		.then((all) => all.join(''))), 'some have shares');
	await page.locator('.view-source select').focus();
	await page.keyboard.press('ArrowDown');
	const second = await table.getAttribute('aria-label');
	ok(second !== first, 'an arrow chooses another function', second);
	ok((await hash(page)).includes('focus='), 'a link has it');
	const again = await openCase('plain', (await hash(page)).slice(1));
	is(await again.locator('.code-table').getAttribute('aria-label'), second,
		'and leads to its code');
	await close(again, 'a link to code');
	await page.keyboard.press('Escape');
	await close(page, 'code');
}

async function download(page, act) {
	const [file] = await Promise.all([page.waitForEvent('download'), act()]);
	const to = path.join(folder, 'got-' + file.suggestedFilename());
	await file.saveAs(to);
	return to;
}

async function notes() {
	const page = await openCase('plain', 'view=table&by=object');
	await page.keyboard.press('n');
	await page.keyboard.type('look </script><b>here</b> & there');
	await page.keyboard.press('Control+Enter');
	is(await page.locator('.note p').first().textContent(),
		'look </script><b>here</b> & there', 'a note is text');
	const saved = await download(page, () => page.getByRole('button',
		{ name: 'Save a copy' }).click());
	await close(page, 'a page with a note');
	fs.renameSync(saved, path.join(folder, 'copy.html'));
	const copy = await openCase('copy');
	is(await shown(copy), 'Table', 'a copy opens with the view it had');
	is(await copy.locator('.note p').first().textContent(),
		'look </script><b>here</b> & there', 'it has the note');
	await copy.keyboard.press('1');
	await copy.getByRole('button', { name: 'Show' }).click();
	ok((await hash(copy)).includes('by=object'),
		'the note leads to what it was written to');
	await copy.keyboard.press('1');
	await copy.getByRole('button', { name: 'Edit' }).click();
	ok(!/shown now/.test(await copy.locator('dialog h2').textContent()),
		'also when it is edited elsewhere');
	await copy.keyboard.press('Escape');
	await copy.getByRole('button', { name: 'Show' }).click();
	const twice = await download(copy, () => copy.getByRole('button',
		{ name: 'Save a copy' }).click());
	is(fs.readFileSync(twice, 'utf8'), fs.readFileSync(path.join(folder,
		'copy.html'), 'utf8'), 'a copy of the copy is the same');
	await close(copy, 'a copy');
}

async function exports_() {
	const page = await openCase('plain', 'view=table');
	await page.keyboard.press('e');
	ok((await page.locator('dialog pre').textContent()).startsWith(
		'coldperf hotspots --children --by dso,symbol'),
	'the command of what is shown');
	const file = await download(page, () => page.getByRole('button',
		{ name: 'Folded stacks' }).click());
	is(fs.readFileSync(file, 'utf8'), fs.readFileSync(path.join(folder,
		'plain.folded'), 'utf8'), 'folded stacks are those of the command');
	const csv = await download(page, () => page.getByRole('button',
		{ name: 'Table as CSV' }).click());
	is(fs.readFileSync(csv, 'utf8').trimEnd().split('\n').length - 1,
		fs.readFileSync(path.join(folder, 'plain.csv'), 'utf8').trimEnd()
			.split('\n').length - 1, 'CSV has the rows of the command');
	await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', {}));
	await page.getByRole('button', { name: 'Copy the link' }).click();
	ok(/no page copy/.test(await page.locator('.said').textContent()),
		'a page without a clipboard tells so');
	await page.keyboard.press('Escape');
	await page.evaluate(() => {
		location.hash = 'view=sandwich';
	});
	await page.locator('.view-sandwich tbody tr').first().waitFor();
	await page.keyboard.press('e');
	is((await page.locator('dialog button').allTextContents()).filter((s) =>
		/CSV/.test(s)).join(), '', 'CSV is offered of the table alone');
	await close(page, 'exports');
}

async function windows() {
	for (const [width, height] of [[1024, 600], [1280, 800]]) {
		const page = await openCase('plain', 'view=table',
			{ viewport: { width, height } });
		const size = await page.evaluate(() => {
			const { scrollWidth, scrollHeight } = document.scrollingElement;
			const main = document.querySelector('.main')
				.getBoundingClientRect();
			return [scrollWidth, scrollHeight, main.height];
		});
		ok(size[0] <= width && size[1] <= height && size[2] >= 300,
			width + 'x' + height + ': all in sight', size);
		const bar = page.locator('.bar'), { height: high } =
			await bar.boundingBox();
		await page.evaluate(() => {
			location.hash += '&time=0,5000&threads=0-9&cpus=0&focus=main';
		});
		await page.locator('.chip').nth(3).waitFor();
		is((await bar.boundingBox()).height, high,
			'four parts of a selection take no more room');
		ok(await page.locator('.chip').evaluateAll((all) => all.every((c) =>
			c.getBoundingClientRect().width >= 50)), 'and can be read');
		await close(page, width + 'x' + height);
	}
	const lanes = await openCase('plain', 'view=lanes', { viewport: {
		width: 1024, height: 400 } });
	await print(lanes);
	const [drawn, high] = await lanes.locator('.lanes').evaluate((box) =>
		['canvas', '.flame-space'].map((css) =>
			parseFloat(box.querySelector(css).style.height)));
	ok(drawn === high && high > 250, 'all lanes are on paper', [drawn, high]);
	await close(lanes, 'lanes on paper');
	const phone = await openCase('plain', '', { viewport: { width: 390,
		height: 844 } });
	ok(await phone.evaluate(() => document.scrollingElement.scrollWidth) <=
		390, 'a phone has to scroll one way only');
	ok((await phone.pdf()).length > 1000, 'a page can be printed');
	ok(await phone.locator('.findings').evaluate((box) => {
		box.querySelector('li').textContent = 'outer::inner::'.repeat(99);
		return box.scrollWidth <= box.clientWidth;
	}), 'findings break long names');
	await phone.keyboard.press((await phone.locator('[role=tab]')
		.allTextContents()).indexOf('Table') + 1 + '');
	const name = await phone.locator('.view-table tbody td.name').first()
		.boundingBox();
	ok(name.width >= 100 && name.x + name.width <= 390,
		'names of a table are in sight of it', name);
	const foot = await phone.locator('.line').boundingBox();
	ok(foot.y + foot.height >= 843, 'the last line ends the window', foot);
	await close(phone, 'phone');
	const small = await openCase('plain', 'view=table&threads=0&time=0,99999999',
		{ viewport: { width: 360, height: 640 }, isMobile: true });
	is(await small.evaluate(() => document.scrollingElement.scrollWidth), 360,
		'nor has a small one with a selection');
	await close(small, 'small phone');
	for (const width of [390, 1024]) {
		const page = await openCase('plain', '', { viewport: { width,
			height: 600 } });
		const side = page.locator('.side');
		const button = page.getByRole('button', { name: 'Evidence' });
		await button.click();
		const box = await side.boundingBox();
		ok(box.x + box.width <= width && box.height >= 200,
			width + ': Evidence comes', box);
		await button.click();
		ok(!await side.isVisible(), width + ': and its button is in reach');
		await close(page, 'evidence ' + width);
	}
	for (const width of [390, 1024]) {
		const page = await openCase('part', '', { viewport: { width,
			height: 600 } });
		const line = page.locator('.head .who p');
		ok(/only --comm .*--symbol/.test(await line.textContent()) &&
			await line.evaluate((e) => e.scrollWidth <= e.clientWidth),
		width + ': all that is told of the capture is in sight',
		await line.textContent());
		await close(page, 'part ' + width);
	}
	for (const [width, least] of [[390, 100], [1024, 200]]) {
		const page = await openCase('changed', 'view=change',
			{ viewport: { width, height: 600 } });
		const box = await page.locator('.view-change tbody td.name').first()
			.boundingBox();
		ok(box.width >= least && box.x + box.width <= width,
			width + ': names of changes are in sight', box);
		await close(page, 'changes ' + width);
	}
	for (const [view, width] of [['table', 320], ['table', 390],
		['calls', 390], ['calls', 1440]]) {
		const page = await openCase('long', 'view=' + view,
			{ viewport: { width, height: 600 } });
		const names = page.locator('.view-' + view + ' td.name');
		const room = await names.evaluateAll((cells) => cells.every((td) =>
			td.scrollWidth <= td.clientWidth && td.getBoundingClientRect()
				.right <= innerWidth));
		const text = await names.last().textContent();
		ok(await names.count() >= 40 && room && /step_\d+(\(long\))?$/.test(text), view +
			' of ' + width + ' pixels: names end with the function', text);
		await close(page, 'long names ' + view + ' ' + width);
	}
	const long = await openCase('plain', 'view=source', { viewport: {
		width: 1024, height: 600 } });
	await long.locator('.tools select:visible').first().waitFor();
	for (const list of await long.locator('.tools select:visible').all()) {
		const box = await list.evaluate((select) => {
			select.options[0].textContent = 'outer::inner<'.repeat(99);
			return select.getBoundingClientRect().right;
		});
		ok(box <= 1024, 'a list with long names ends in the window', box);
	}
	await close(long, 'long names');
}

// A finger over strip and lanes selects time, one up or down scrolls.
async function fingers() {
	const page = await openCase('plain', 'view=lanes', { viewport: {
		width: 390, height: 500 }, hasTouch: true, isMobile: true });
	const screen = await page.context().newCDPSession(page);
	const touch = (type, ...touchPoints) => screen.send(
		'Input.dispatchTouchEvent', { type, touchPoints });
	const swipe = async (box, right, down) => {
		const x = box.x + 200, y = box.y + 30;
		await touch('touchStart', { x, y });
		for (let i = 1; i <= 10; i++) {
			await touch('touchMove', { x: x + right * i / 10,
				y: y + down * i / 10 });
		}
		await touch('touchEnd');
	};
	// What stands above them, and how high it is, is another matter.
	const bring = async (css) => {
		await page.locator(css).evaluate((e) => scrollBy(0,
			e.getBoundingClientRect().top - 150));
		return page.locator(css).boundingBox();
	};
	for (const css of ['.strip-box', '.lanes']) {
		const box = await bring(css);
		const before = await page.evaluate(() => scrollY);
		await swipe(box, 5, -60);
		await page.waitForFunction((y) => scrollY > y, before);
		is(await page.locator('.chip').count(), 0, css + ': a finger scrolls');
		await swipe(await bring(css), 100, 4);
		await page.locator('.chip').waitFor();
		ok(true, css + ': a finger selects time');
		await page.keyboard.press('a');
		await page.locator('.chip').waitFor({ state: 'detached' });
	}
	const { x, y } = await bring('.lanes');
	await page.touchscreen.tap(x + 40, y + 30);
	await until(page, () => location.hash.includes('lanes=t'));
	ok(true, 'a tap opens a lane');
	await page.touchscreen.tap(x + 250, y + 30);
	await page.locator('.lane-detail').waitFor();
	ok(true, 'and tells what is there');
	await close(page, 'fingers');
}

async function cpus() {
	const page = await openCase('waits', 'view=lanes&rows=cpu', { viewport: {
		width: 390, height: 700 }, hasTouch: true, isMobile: true });
	const chip = page.locator('.chip', { hasText: 'CPU 1' });
	const lanes = page.locator('.lanes');
	await lanes.tap({ position: { x: 40, y: 50 } });
	await chip.waitFor();
	ok(true, 'a tap on the name of a CPU selects it');
	await page.keyboard.press('a');
	await lanes.focus();
	await page.keyboard.press('t');
	await chip.waitFor();
	ok((await hash(page)).includes('cpus=1'), 'so does its key');
	await close(page, 'CPUs');
	const none = await openCase('plain', 'view=lanes&rows=cpu');
	await none.locator('.lanes').focus();
	await none.keyboard.press('t');
	await none.keyboard.press('o');
	is(await none.locator('.chip').count(), 0, 'no CPU is known, so none is');
	await close(none, 'no CPUs');
}

async function themes() {
	const page = await openCase('plain', 'view=table', { colorScheme: 'dark' });
	const paper = () => page.evaluate(() =>
		getComputedStyle(document.body).backgroundColor);
	const dark = await paper();
	await page.keyboard.press('d');
	const light = await paper();
	ok(dark !== light && light === 'rgb(255, 255, 255)',
		'd makes a dark page light', [dark, light]);
	await page.keyboard.press('d');
	is(await paper(), dark, 'and dark again');
	await close(page, 'themes');
}

async function commands() {
	for (const [name, view] of [['plain', 'Flame graph'],
		['hotspots', 'Table'], ['quality', 'Report']]) {
		const page = await openCase(name);
		is(await shown(page), view, 'a page of ' + name + ' opens at ' + view);
		is(await hash(page), '', 'which is no part of its address');
		await close(page, 'a page of ' + name);
	}
	const odd = await openCase('plain', 'view=strip');
	is(await shown(odd), 'Flame graph', 'what is no tab is not gone to');
	await close(odd, 'a link to no tab');
}

// Is anything written where tracks have their labels?
const isStripSaid = (page) => page.locator('.strip-box canvas').evaluate((c) => {
	const { data } = c.getContext('2d').getImageData(0, 0, 110, c.height);
	return data.some((v, i) => v !== data[i % 4]);
});

// What a canvas is told to write from now on.
const written = (page) => page.evaluate(() => {
	const { prototype } = CanvasRenderingContext2D, { fillText } = prototype;
	window.written = [];
	prototype.fillText = function (text, ...where) {
		window.written.push(text);
		fillText.call(this, text, ...where);
	};
});

async function strips() {
	const page = await openCase('rare', 'view=table');
	await written(page);
	await page.setViewportSize({ width: 1100, height: 700 });
	await until(page, () => window.written.includes('Could run'));
	const texts = await page.evaluate(() => window.written);
	const most = Number(texts[texts.indexOf('Could run') + 1]);
	ok(most > 0.001 && most < 0.05, 'a strip tells small numbers', texts);
	await close(page, 'strip');
}

async function others() {
	const timeless = await openCase('notime');
	ok(await isStripSaid(timeless), 'a strip without times tells so');
	for (const [page, times] of [[timeless, false],
		[await openCase('plain'), true]]) {
		await page.getByRole('tab', { name: 'Lanes' }).click();
		await page.keyboard.press('e');
		const svg = fs.readFileSync(await download(page, () =>
			page.getByRole('button', { name: 'SVG' }).click()), 'utf8');
		is(/>-?\d[\d.]* s</.test(svg), times,
			'lanes have an axis if times are known');
		await close(page, 'lanes ' + times);
	}
	const waits = await openCase('waits', 'view=lanes');
	await waits.keyboard.press('e');
	const svg = fs.readFileSync(await download(waits, () =>
		waits.getByRole('button', { name: 'SVG' }).click()), 'utf8');
	const fills = new Set(Array.from(svg.matchAll(/ fill="([^"]*)"/g),
		([, fill]) => fill));
	ok(fills.size > 6 && Array.from(fills).every((fill) =>
		/^(none|#[0-9a-f]{6}|rgb\(\d+, \d+, \d+\))$/.test(fill)),
	'lanes in a file have the colours of states', Array.from(fills));
	ok(/ fill="rgb\(230, 159, 0\)"\/?>[^\n]*\n[^\n]*>could run</.test(svg),
		'and a legend of them');
	await close(waits, 'lanes with states');
	for (const name of ['hostile', 'empty', 'events']) {
		const page = await openCase(name, 'view=table');
		for (let i = 1; i < 9; i++) {
			await page.keyboard.press(String(i));
		}
		is(await page.locator('.app img, .app script').count(), 0, name +
			': names are text');
		await close(page, name);
	}
}

// The rows of panels, by mouse and by keys.
async function panels() {
	const page = await openCase('waits', 'view=report');
	const rowsOf = (title) => page.locator('.panel[aria-label^="Report: ' +
		title + '"] tbody tr');
	const chips = () => page.locator('.chip').allTextContents()
		.then((all) => all.join(' '));
	await rowsOf('Longest waits').first().click();
	is(await chips(), '+0.000700 s \u2026 +0.000900 s (200.0 us)\u00d7 ' +
		'1 thread: alpha\u00d7', 'a wait leads to its thread and time');
	await page.evaluate(() => {
		location.hash = 'view=flame&colour=kind&' + location.hash.slice(1)
			.replace(/time=[^&]*/, 'time=750000,800000');
	});
	await page.locator('.view-flame .found', { hasText: 'waits' }).waitFor();
	ok((await page.locator('.sum').textContent()).startsWith('0 samples'),
		'nothing was sampled in a wait');
	await page.locator('.view-flame .flame').focus();
	for (let i = 0; i < 4; i++) {
		await page.keyboard.press('ArrowUp');
	}
	is(await page.locator('.said').textContent(), '[preempted] \u00b7 100.00% ' +
		'of all \u00b7 50.000 us \u00b7 could run 50.000 us',
	'but its flame graph has its stack, and what it was');
	await page.locator('.view-flame select').nth(2).selectOption('wall');
	ok((await page.locator('.view-flame .legend').textContent())
		.includes('could run'), 'all time has colours for what threads did');
	await page.evaluate(() => {
		location.hash = location.hash.replace(/time=[^&]*/, '');
	});
	await page.locator('.legend', { hasText: '[' }).waitFor();
	const keys = await page.locator('.view-flame .legend .swatch').evaluateAll(
		(all) => all.map((e) => e.style.background));
	ok(keys.length > 2 && new Set(keys).size === keys.length,
		'and one for each class of waits', keys);
	await page.getByRole('button', { name: 'Export' }).click();
	ok(/shows no waits/.test(await page.locator('dialog').textContent()),
		'what the command does not show is told');
	const stacks = await download(page, () => page.getByRole('button',
		{ name: 'Folded stacks' }).click());
	ok(/\[preempted\] \d/.test(fs.readFileSync(stacks, 'utf8')),
		'folded stacks have the waits that are shown');
	await page.keyboard.press('Escape');
	await page.goto(page.url().replace(/#.*/, '#view=report'));
	const bars = rowsOf('Waits for a CPU by length');
	await bars.first().focus();
	await page.keyboard.press('Enter');
	is(await chips(), '', 'a bar without waits leads nowhere');
	for (let i = 0; i < 20 && await chips() === ''; i++) {
		await page.keyboard.press('ArrowDown');
		await page.keyboard.press('Enter');
	}
	ok(/^\+0\.00.*\(1\d\.\d+ us\).* 1 thread: \w+\u00d7$/.test(await chips()),
		'a bar leads to who waited so long, and when', await chips());
	await page.keyboard.press('a');
	const cells = rowsOf('Utilization');
	is(await cells.first().textContent(), '+0.000 s01.049 ms',
		'a clock counts from the first sample');
	await cells.first().focus();
	await page.keyboard.press('ArrowDown');
	await page.keyboard.press('Enter');
	is(await rowsOf('Run queues: threads that waited on average').first()
		.locator('td').last().textContent(), '0.354',
	'a cell is the number of the text');
	ok(/^\+0\.00.* CPU [01]\u00d7$/.test(await chips()),
		'a cell leads to its time and CPU', await chips());
	await page.locator('.panel[aria-label^="Report: Utilization"] th button',
		{ hasText: 'busy' }).click();
	await page.locator('.panel[aria-label^="Report: Utilization"] th button',
		{ hasText: 'CPU' }).click();
	is(await cells.first().locator('td').nth(1).textContent(), '1',
		'heads sort the cells');
	await close(page, 'panels');
}

// Wide tables and the panel beside them.
async function beside() {
	const page = await openCase('changed', 'view=change',
		{ viewport: { width: 1280, height: 720 } });
	const last = await page.locator('.view-change thead th').last()
		.boundingBox();
	const side = await page.locator('.side').boundingBox();
	ok(last.x + last.width <= side.x, 'all columns of changes are in sight',
		[last, side]);
	await page.evaluate(() => {
		location.hash = 'view=report';
	});
	const name = page.locator('.panel:has(th:nth-child(9)) td.name').first();
	const at = await name.boundingBox();
	ok(at.x + at.width <= side.x, "and the report's wide tables begin with " +
		'names', [at, side]);
	await page.evaluate(() => {
		location.hash = 'view=change';
	});
	await page.setViewportSize({ width: 1024, height: 600 });
	const main = await page.locator('.main').boundingBox();
	const small = await page.locator('.side').boundingBox();
	ok(main.width > 600 && main.x + main.width <= small.x,
		'Evidence covers nothing of a small window', [main, small]);
	await page.evaluate(() => {
		document.documentElement.dataset.theme = 'dark';
	});
	await print(page);
	is(await page.evaluate(() => getComputedStyle(document.body).color),
		'rgb(27, 31, 36)', 'a dark page is printed with dark ink');
	is(await page.locator('.side button:visible').count(), 0,
		'and without buttons');
	await page.setViewportSize({ width: 700, height: 900 });
	await page.evaluate(() => {
		location.hash = 'view=report';
	});
	await page.locator('.panel').first().waitFor();
	is(await page.locator('.panel').evaluateAll((all) => all.filter((p) =>
		getComputedStyle(p).overflowX !== 'visible').length), 0,
	'paper cuts no table');
	await close(page, 'beside');
}

// A deep picture and a dark strip on paper; names of the report's tables.
async function printed() {
	const page = await openCase('long', '', { colorScheme: 'dark',
		viewport: { width: 1280, height: 900 } });
	await print(page);
	is(await page.locator('.strip canvas').evaluate((c) => c.getContext('2d')
		.getImageData(0, 0, 1, 1).data.join()), '255,255,255,255',
	'a dark strip is printed light');
	for (const [view, css] of [['flame', '.legend'], ['table', '.dim'],
		['sandwich', 'h2']]) {
		await page.evaluate((v) => {
			location.hash = 'view=' + v;
		}, view);
		const tools = page.locator('.view-' + view + ' .tools').first();
		await tools.locator(css).waitFor();
		is(await tools.locator('button:visible, select:visible').count(), 0,
			view + ': paper has words and no controls');
		ok(await page.locator('.view-' + view + ' td.name').evaluateAll((all) =>
			all.every((td) => getComputedStyle(td).whiteSpace === 'pre-wrap')),
		view + ': names take as many lines as they need');
	}
	await page.evaluate(() => {
		location.hash = '';
	});
	await page.locator('.view-flame canvas').waitFor();
	const sheets = await onPaper(page, '.view-flame');
	ok(sheets.every(([letters, high]) => letters > 8 && high < 800),
		'a deep graph has letters that can be read', sheets);
	const strip = await onPaper(page, '.strip');
	ok(strip[0][0] > 8 && await page.evaluate(() =>
		document.scrollingElement.scrollWidth) <= 703,
	'nothing is wider than paper', strip);
	await page.evaluate(() => {
		location.hash = 'view=report';
	});
	const names = page.locator('.panel td.name span');
	await names.first().waitFor();
	ok((await names.allTextContents()).some((text) =>
		/^outer::inner<\u2026>::step_40$/.test(text)),
	'tables have short names');
	ok(await page.locator('.panel td').evaluateAll((all) => all.every((td) =>
		td.getBoundingClientRect().right <= 700)), 'paper has all of them');
	await unprint(page, 1280, 900);
	is(await page.evaluate(() => getComputedStyle(document.body).color),
		'rgb(230, 233, 237)', 'then it is dark again');
	await close(page, 'printed');
}

// Rules of axe-core that people cannot do without, in each view, light and dark.
async function accessible() {
	const axe = path.resolve(process.env.PLAYWRIGHT, '../axe-core/axe.min.js');
	if (!fs.existsSync(axe)) {
		skip('axe-core is not there: npm ci in tests/browser');
		return;
	}
	const source = fs.readFileSync(axe, 'utf8');
	for (const colorScheme of ['light', 'dark']) {
		const page = await openCase('plain', '', { colorScheme,
			bypassCSP: true });
		const tabs = await page.locator('[role=tab]').allTextContents();
		await page.evaluate(source);
		for (let i = 0; i < tabs.length; i++) {
			await page.keyboard.press(String(i + 1));
			// The other rules do not see colours.
			const bad = await page.evaluate(async (dark) =>
				(await window.axe.run(dark ?
					{ runOnly: { type: 'rule', values: ['color-contrast'] } } : {}))
					.violations.filter((v) => /serious|critical/.test(v.impact))
					.map((v) => v.id + ': ' + v.nodes[0].html),
			colorScheme === 'dark');
			is(bad.join('; '), '', tabs[i] + ', ' + colorScheme +
				': nothing serious');
		}
		await close(page, 'axe ' + colorScheme);
	}
}

run(accessible, views, table, counts, findings, evidence, lacking, threads, focus, tree, code, notes, exports_,
	windows, fingers, cpus, themes, strips, others, commands, panels, beside, printed);
