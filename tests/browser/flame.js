// SPDX-License-Identifier: MIT
// Drives the flame graphs in the folder given through Chromium; prints TAP.
// With $SHOTS, leaves pictures of what it saw in that folder.
'use strict';
const { ok, is, open, close, text, tip, drawn, run } = require('./page.js');
// What a person takes for prompt, times three for a slow machine; CPU time.
const LOAD_MS = 6000, REACT_RATIO = 2; // of the time that loading takes

const labels = (page) => page.evaluate(() =>
	Array.from(document.querySelectorAll('.frames g text'))
		.map((e) => e.textContent));
// Number and box of the frame whose label begins so.
const frame = (page, label) => page.evaluate((l) => {
	const t = Array.from(document.querySelectorAll('.frames g text'))
		.find((e) => e.textContent.startsWith(l));
	const r = t && t.previousElementSibling;
	return r && { i: r.getAttribute('data-i'),
		x: Number(r.getAttribute('x')), y: Number(r.getAttribute('y')),
		width: Number(r.getAttribute('width')) };
}, label);
const clickFrame = async (page, label) => {
	const f = await frame(page, label);
	await page.click('rect[data-i="' + f.i + '"]',
		{ position: { x: Math.min(5, f.width / 2), y: 5 } });
	return f;
};
const ringAt = (page) => page.evaluate(() => {
	const r = document.querySelector('.ring');
	return r.getAttribute('display') === 'none' ? null :
		Number(r.getAttribute('y')) + 0.5;
});

// ---- the points
async function zooming() {
	const page = await open('plain');
	const before = await frame(page, 'db::Plan');
	await clickFrame(page, 'db::Plan');
	const after = await frame(page, 'db::Plan');
	ok(after.width > 1170 && after.width > 2 * before.width,
		'a click zooms a frame to the full width', after);
	ok(await frame(page, 'main'), 'its callers stay');
	ok(!await frame(page, 'swapper'), 'frames beside it go');
	const crumbs = await text(page, '.crumbs');
	ok(/^all .*Plan::execute/.test(crumbs), 'the way to it is shown', crumbs);
	await page.click('.crumb');
	is((await frame(page, 'db::Plan')).width, before.width,
		'the way leads back');
	await clickFrame(page, 'memcmp');
	await page.click('[aria-label="Reset zoom"]');
	is((await frame(page, 'db::Plan')).width, before.width,
		'the button resets');
	for (const key of ['Escape', 'Backspace', 'Home', '0']) {
		await clickFrame(page, 'memcmp');
		await page.keyboard.press(key);
		ok(await frame(page, 'swapper'), key + ' resets');
	}
	await clickFrame(page, 'main');
	await clickFrame(page, 'memcmp');
	await page.keyboard.press('u');
	ok((await frame(page, 'main')).width > 1170, 'u goes one zoom back');
	await close(page, 'zoom');
}
async function pointing() {
	const page = await open('plain');
	const f = await frame(page, 'memcmp');
	await page.mouse.move(f.x + 10, f.y + 8);
	let seen = await tip(page);
	ok(/memcmp.*8\.57% of all.*period 800,000.*800 samples.*libc\.so\.6/
		.test(seen), 'the mouse shows a tooltip', seen);
	seen = await text(page, 'g.foot text');
	ok(/memcmp.*8\.57%/.test(seen), 'and a line of details', seen);
	await page.mouse.move(600, 690);
	is(await tip(page), '', 'which goes with it');
	await close(page, 'mouse');
}
async function guesses() {
	const page = await open('plain');
	await page.hover('.frames rect.guess');
	let seen = await tip(page);
	ok(/^\[unknown\].*guessed: instructions, frame pointer, stack scan/
		.test(seen), 'a frame that was guessed says how', seen);
	is(await page.evaluate(() =>
		document.querySelectorAll('.frames rect.guess').length), 1,
	'only those are marked that mostly were');
	const f = await frame(page, 'db::Plan');
	await page.mouse.move(f.x + 10, f.y + 8);
	seen = await tip(page);
	ok(/7\.89% of it guessed: frame pointer/.test(seen),
		'others tell how much of them', seen);
	ok(/guessed/.test(await text(page, '.legend')), 'the legend knows it');
	await close(page, 'guesses');
}
async function keys() {
	const page = await open('plain');
	await page.keyboard.press('ArrowUp');
	is(await ringAt(page), (await frame(page, 'all')).y,
		'the first arrow marks the root');
	await page.keyboard.press('ArrowUp');
	is(await ringAt(page), (await frame(page, 'query server')).y,
		'up goes to the heaviest callee');
	await page.keyboard.press('ArrowRight');
	let seen = await tip(page);
	ok(/^swapper 16\.40%/.test(seen), 'right goes to the neighbour', seen);
	await page.keyboard.press('ArrowLeft');
	seen = await text(page, 'g.foot text');
	ok(/^query server 78\.24%/.test(seen), 'left goes back', seen);
	await page.keyboard.press('ArrowUp');
	await page.keyboard.press('Enter');
	ok((await frame(page, '_start')).width > 1170, 'Enter zooms');
	await page.keyboard.press('ArrowDown');
	await page.keyboard.press('ArrowDown');
	is(await ringAt(page), (await frame(page, 'all')).y,
		'down goes to the caller');
	await page.keyboard.press('?');
	seen = await text(page, '.panel');
	ok(/zoom into a frame.*host: db-7.*lost 12 records/.test(seen),
		'? shows keys and what was recorded', seen);
	await page.keyboard.press('Escape');
	is(await page.evaluate(() => document.querySelector('.panel')
		.getAttribute('display')), 'none', 'Escape closes it');
	is(await page.evaluate(() => document.querySelector('g.foot text')
		.getAttribute('aria-live')), 'polite',
	'the line of details is read aloud');
	for (let i = 0; i < 3; i++) {
		await page.keyboard.press('Tab');
	}
	ok(await page.evaluate(() => document.activeElement !== null &&
		document.activeElement.tagName !== 'svg'), 'Tab reaches controls');
	await close(page, 'keys');
}
// A mouse that rests is told by the browser when frames go away from under it.
async function resting() {
	const page = await open('plain');
	const f = await frame(page, 'memcmp');
	await page.mouse.move(f.x + 10, f.y + 8);
	await page.evaluate(() => document.querySelector('.frames')
		.addEventListener('mouseleave', () => {
			window.left = true;
		}));
	await page.keyboard.press('/');
	await page.keyboard.type('swapper');
	for (const key of ['Enter', 'Enter', 'ArrowDown']) {
		await page.keyboard.press(key);
	}
	await page.waitForFunction(() => window.left);
	ok(/^all 100/.test(await tip(page)),
		'a resting mouse does not take a tooltip of the keys away',
		await tip(page));
	ok(/^all/.test(await text(page, 'g.foot text')),
		'nor the line of details', await text(page, 'g.foot text'));
	await close(page, 'resting mouse');
}
async function searching() {
	const page = await open('plain');
	await page.keyboard.press('Control+f');
	await page.keyboard.type('lexer|^vfs_');
	// Slow typing is searched for in between; Enter does not wait.
	await page.waitForFunction(() => document.querySelector('.found')
		.textContent === 'matched 28.83%, 2 frames').catch(() => {});
	is(await page.evaluate(() => document.querySelectorAll('rect.hit')
		.length), 2, 'Ctrl-F marks what matches');
	let seen = await text(page, '.found');
	// (1,600,000 + 210,000 + 880,000) of 9,330,090
	is(seen, 'matched 28.83%, 2 frames', 'and tells its share');
	await page.keyboard.press('Enter');
	seen = await tip(page);
	ok(/^db::Lexer/.test(seen), 'Enter goes to the first match', seen);
	await page.keyboard.press('n');
	seen = await tip(page);
	ok(/^vfs_read/.test(seen), 'n goes to the next', seen);
	await page.keyboard.press('N');
	ok(/^db::Lexer/.test(await tip(page)), 'N goes back');
	await clickFrame(page, '__libc_pread64');
	for (const key of ['/', 'Enter', 'n']) {
		await page.keyboard.press(key);
	}
	ok(/^vfs_read/.test(await tip(page)) &&
		(await frame(page, '__libc_pread64')).width > 1170,
	'in a zoom Enter and n stay there', await tip(page));
	await page.keyboard.press('Backspace');
	await clickFrame(page, 'db::Plan');
	is((await text(page, '.found')).replace(/, .*/, ''), 'matched 27.74%',
		'zoomed, the share is of what is zoomed');
	await page.keyboard.press('/');
	await page.keyboard.press('Control+a');
	await page.keyboard.type('(');
	await page.waitForFunction(() => document.querySelector('.find.bad'));
	is(await text(page, '.found'), 'not a regular expression',
		'a bad pattern is told');
	await page.keyboard.press('Escape');
	is(await page.evaluate(() => document.querySelectorAll(
		'.hit, .searching').length), 0, 'Escape ends the search');
	await close(page, 'search');
}
async function linking() {
	let page = await open('plain');
	const wide = (await clickFrame(page, 'db::Plan')).i;
	await page.keyboard.press('/');
	await page.keyboard.type('memcmp|a+ b&c');
	const words = '#zoom=' + wide + '&search=memcmp%7Ca%2B+b%26c';
	await page.waitForFunction((w) => location.hash === w, words)
		.catch(() => {});
	const link = page.url();
	ok(link.endsWith(words), 'zoom and search are in the address', link);
	await close(page, 'link');
	page = await open('plain');
	await page.goto(link);
	await page.reload();
	ok((await frame(page, 'db::Plan')).width > 1170 &&
		!await frame(page, 'swapper'), 'a link opens zoomed');
	is(await page.evaluate(() => document.querySelector('.find').value),
		'memcmp|a+ b&c', 'and has searched');
	ok(await page.evaluate(() => document.querySelector('rect.hit') !== null),
		'what matches is marked');
	await page.evaluate(() => {
		location.hash = '#zoom=99999999&search=(';
	});
	await page.waitForFunction(() => document.querySelector('.find.bad'));
	ok(await frame(page, 'swapper'), 'a frame that is not there is none');
	await page.keyboard.press('Escape');
	await page.waitForFunction(() => location.hash === '').catch(() => {});
	is(await page.evaluate(() => location.hash), '',
		'the address forgets them');
	await close(page, 'opened link');
}
async function copying() {
	const page = await open('plain');
	await page.evaluate(() => {
		navigator.clipboard.writeText = (t) => {
			window.copied = t;
			return Promise.resolve();
		};
	});
	await page.keyboard.press('ArrowUp');
	await page.keyboard.press('ArrowUp');
	await page.keyboard.press('c');
	is(await page.evaluate(() => window.copied), 'query server',
		'c copies the name');
	ok(/^Copied: query server/.test(await text(page, 'g.foot text')),
		'and says so');
	await close(page, 'copy');
}
async function windows() {
	const page = await open('plain',
		{ viewport: { width: 320, height: 560 } });
	const wide = await page.evaluate(() => {
		const out = [];
		for (const e of document.querySelectorAll('text, rect, input')) {
			const b = e.getBoundingClientRect();
			if (b.width > 0 && (b.right > 321 || b.left < -1)) {
				out.push(e.tagName + ' ' + e.textContent);
			}
		}
		return out.concat(document.documentElement.scrollWidth > 320 ?
			['scrolls sideways'] : []);
	});
	is(wide.join('; '), '', '320 pixels: nothing sticks out');
	const over = await page.evaluate(() => {
		const out = [];
		for (const t of document.querySelectorAll('.frames g text')) {
			const b = t.getBoundingClientRect();
			const r = t.previousElementSibling.getBoundingClientRect();
			if (b.right > r.right + 0.5) {
				out.push(t.textContent);
			}
		}
		return out;
	});
	is(over.join('; '), '', '320 pixels: labels fit their frames');
	await page.setViewportSize({ width: 900, height: 560 });
	await page.waitForFunction(() => Number(document.querySelector(
		'[data-i="0"]').getAttribute('width')) > 870);
	ok(true, 'the picture follows the window');
	await page.setViewportSize({ width: 320, height: 560 });
	await close(page, '320 pixels');
}
// Contrast of each class' fill with the labels, as WCAG has it.
async function contrast(scheme) {
	const page = await open('plain', { colorScheme: scheme });
	const worst = await page.evaluate(() => {
		const light = (c) => {
			const v = c.match(/[\d.]+/g).slice(0, 3).map((x) => {
				x /= 255;
				return x <= 0.04045 ? x / 12.92 :
					((x + 0.055) / 1.055) ** 2.4;
			});
			return 0.2126 * v[0] + 0.7152 * v[1] + 0.0722 * v[2];
		};
		const frames = document.querySelector('.frames > g');
		const ratios = [];
		const sample = (name, hit) => {
			const r = document.createElementNS(
				'http://www.w3.org/2000/svg', 'rect');
			const t = document.createElementNS(
				'http://www.w3.org/2000/svg', 'text');
			r.setAttribute('class', name);
			t.setAttribute('class', hit);
			frames.append(r, t);
			const a = light(getComputedStyle(r).fill);
			const b = light(getComputedStyle(t).fill);
			ratios.push([(Math.max(a, b) + 0.05) /
				(Math.min(a, b) + 0.05), name]);
		};
		for (const k of 'tukijchgx') {
			for (let s = 0; s < 8; s++) {
				sample(k + s, '');
			}
		}
		sample('u0 hit', 'hit');
		const body = light(getComputedStyle(
			document.querySelector('.fact')).fill);
		const bg = light(getComputedStyle(
			document.querySelector('.bg')).fill);
		ratios.push([(Math.max(body, bg) + 0.05) /
			(Math.min(body, bg) + 0.05), 'fact']);
		ratios.sort((a, b) => a[0] - b[0]);
		frames.replaceChildren();
		return { ratio: ratios[0][0], name: ratios[0][1], bg: bg };
	});
	ok(worst.ratio >= 4.5, scheme + ': text has contrast, at least ' +
		worst.ratio.toFixed(1), worst);
	ok(scheme === 'dark' ? worst.bg < 0.05 : worst.bg > 0.9,
		scheme + ': the ground is ' + scheme, worst);
	await page.evaluate(() => window.dispatchEvent(new Event('resize')));
	await page.waitForFunction(() => document.querySelector('[data-i]'));
	await close(page, scheme);
}
// What the browser tells a page that goes to paper, where it has other room.
async function printing() {
	const page = await open('deep');
	const box = () => page.evaluate(() => {
		const root = document.documentElement;
		return [root.getAttribute('viewBox'), root.style.height,
			root.querySelector('.head').getAttribute('transform')].join();
	});
	const before = await box();
	await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
	ok(/^0 0 1[12]\d\d 147\d{3},auto,$/.test(await box()),
		'paper has all of the picture, as wide as the page', await box());
	await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
	await drawn(page);
	is(await box(), before, 'then the window has it again');
	await close(page, 'print');
}
async function hostile() {
	const page = await open('hostile');
	const seen = await labels(page);
	const start = '"><script>alert(1)</script>'.slice(0, 4);
	ok(seen.some((t) => t.startsWith(start)), 'markup is text', seen);
	// Names are cut in the middle: what is left tells that they are escaped.
	ok(seen.some((t) => /^e.*\\x1b|^e.*…[\w[\\]*m?$/.test(t)) &&
		!seen.some((t) => t.includes('\x1b')),
		'control characters are seen', seen);
	ok(seen.some((t) => /^bid.*202c$|^bidi\\u2/.test(t)) &&
		!seen.some((t) => /[\u202a-\u202e]/.test(t)),
		'characters that turn text are seen', seen);
	ok(seen.some((t) => t.startsWith('bad\\xff')),
		'bytes that are no text are seen', seen);
	is(await page.evaluate(() => document.querySelectorAll('script').length),
		2, 'no script came with a name');
	is(await page.evaluate(() => document.querySelectorAll(
		'svg svg, [onload], b').length), 0, 'no element came with a name');
	await page.keyboard.press('/');
	await page.keyboard.type('<script>alert\\(1\\)');
	await page.keyboard.press('Enter');
	const shown = await tip(page);
	ok(shown.startsWith('"><script>alert(1)</script>'),
		'a tooltip shows markup as text', shown);
	const f = await frame(page, 'very_long');
	await page.mouse.move(f.x + 20, f.y + 8);
	const size = await page.evaluate(() => {
		const b = document.querySelector('.tip').getBoundingClientRect();
		return [b.left, b.right, b.bottom];
	});
	ok(size[0] >= 0 && size[1] <= 1200 && size[2] <= 700,
		'a tooltip of 20,000 bytes stays in the window', size);
	await page.keyboard.press('Escape');
	await page.keyboard.press('Escape');
	await page.keyboard.press('?');
	ok((await text(page, '.panel')).includes('alert(1)'),
		'the help shows markup as text');
	await close(page, 'hostile names');
}
async function scrolling(page) {
	const y = () => page.evaluate(() => window.scrollY);
	await drawn(page);
	const before = await y();
	for (let i = 0; i < 60; i++) {
		await page.keyboard.press('ArrowUp');
	}
	await drawn(page);
	ok(await tip(page) !== '' && await y() < before - 100,
		'a tooltip stays when its frame was scrolled into sight',
		[before, await y(), await tip(page)]);
	await page.evaluate(() => window.scrollBy(0, -300));
	await drawn(page);
	is(await tip(page), '', 'and goes when the picture is scrolled');
}
async function others() {
	let page = await open('empty');
	ok(/no samples/.test(await text(page, 'g.foot')),
		'a graph without samples says so');
	await close(page, 'empty');
	page = await open('icicle');
	ok((await frame(page, 'all')).y < (await frame(page, 'main')).y,
		'an icicle hangs from its root');
	await page.keyboard.press('ArrowDown');
	await page.keyboard.press('ArrowDown');
	ok(/^query/.test(await tip(page)), 'and down leads to callees');
	await close(page, 'icicle');
	page = await open('deep');
	await page.keyboard.press('ArrowUp');
	await page.keyboard.press('ArrowUp');
	ok(/^odd/.test(await tip(page)) && await page.evaluate(() =>
		window.scrollY > 100000), '8,192 levels: the root is in sight',
	[await tip(page), await page.evaluate(() => window.scrollY)]);
	await scrolling(page);
	await close(page, 'deep');
	page = await open('plain', { javaScriptEnabled: false });
	await close(page, 'without scripts');
}
const scripts = (page) => page.evaluate(() =>
	document.querySelectorAll('script').length);
async function pages() {
	let page = await open('plain.html', { viewport: { width: 320, height: 700 },
		colorScheme: 'dark' });
	is(await page.evaluate(() => document.documentElement.scrollWidth), 320,
		'a page fits 320 pixels');
	const own = await scripts(page);
	await close(page, 'narrow page');
	page = await open('hostile.html');
	ok(own > 0 && await scripts(page) === own,
		'a page has its own scripts alone', [own, await scripts(page)]);
	is(await page.evaluate(() => document.querySelectorAll(
		'[onload], svg svg, table b').length), 0,
	'nothing in a page came with a name');
	await close(page, 'hostile page');
}
// Milliseconds that the page has computed since: other work does not count.
async function stopwatch(page) {
	const cdp = await page.context().newCDPSession(page);
	await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
	let last = 0;
	return async () => {
		const all = await cdp.send('Performance.getMetrics');
		const now = 1000 * all.metrics.find((m) =>
			m.name === 'TaskDuration').value;
		const since = now - last;
		last = now;
		return since;
	};
}
const act = (page, what) => page.evaluate((name) => new Promise((done) => {
	const boxes = document.querySelectorAll('.frames [data-i]');
	if (name === 'zoom') {
		boxes[boxes.length >> 1].dispatchEvent(
			new MouseEvent('click', { bubbles: true }));
	} else {
		document.dispatchEvent(new KeyboardEvent('keydown',
			{ key: 'Escape' }));
	}
	requestAnimationFrame(() => setTimeout(done, 0));
}), what);
const hitBoxes = (page) => page.evaluate(() =>
	Array.from(document.querySelectorAll('.frames rect.hit'), (e) =>
		e.getAttribute('x') + ',' + e.getAttribute('y')).join(' '));
const found = async (page, what) => {
	await page.keyboard.press('/');
	await page.keyboard.press('Control+a');
	await page.keyboard.type(what);
	await page.keyboard.press('Enter');
	return text(page, '.found');
};
// What is not drawn may match, too, and is not said not to.
async function narrow() {
	const page = await open('narrow');
	is(await found(page, 'narrow'),
		'matched 0.00% to 0.60% (not all is drawn), 0 frames',
		'what is not drawn may match');
	ok(/^matched 99.40% to 100.00% /.test(await found(page, 'wide')),
		'with what does', await text(page, '.found'));
	ok(/^matched 0.00% to 0.60% /.test(await found(page, '^all$')),
		'the root is no frame', await text(page, '.found'));
	await found(page, 'narrow');
	await clickFrame(page, 'wide');
	is(await text(page, '.found'), 'matched 0.00%, 0 frames',
		'zoomed, all of it is drawn');
	is(await found(page, 'wide|narrow'), 'matched 100.00%, 1 of 1 frames',
		'and all of it matches');
	await close(page, 'narrow frames');
}
// More than a number of JavaScript holds: 2^53 + 1.
async function vast() {
	const page = await open('vast');
	await page.keyboard.press('ArrowUp');
	const seen = await tip(page);
	ok(/period 9,007,199,254,740,993/.test(seen) && /^all 100.00%/.test(seen),
		'a vast weight is told to the last digit', seen);
	await close(page, 'vast weights');
}
async function large() {
	const page = await open('100000');
	const spent = await stopwatch(page);
	await spent();
	await page.reload();
	await page.waitForSelector('[data-ready]', { state: 'attached' });
	const load = await spent();
	is(await page.evaluate(() => document.documentElement
		.getAttribute('data-frames')), '100001', '100,000 frames are there');
	await spent();
	await act(page, 'zoom');
	const zoom = await spent();
	await act(page, 'reset');
	const reset = await spent();
	await page.keyboard.press('/');
	await page.keyboard.insertText('malloc_4');
	await page.waitForFunction(() => document.querySelector('.hit'));
	const search = await spent();
	console.log('# 100,000 frames: load ' + load.toFixed(0) + ' ms, zoom ' +
		zoom.toFixed(0) + ' ms, reset ' + reset.toFixed(0) +
		' ms, search ' + search.toFixed(0) + ' ms');
	ok(load < LOAD_MS, '100,000 frames load in time', load);
	ok(Math.max(zoom, reset, search) < REACT_RATIO * load,
		'100,000 frames react in time', [zoom, reset, search]);
	await drawn(page);
	const marks = await hitBoxes(page);
	await page.evaluate(() => window.dispatchEvent(new Event('resize')));
	await drawn(page);
	is(await hitBoxes(page), marks, 'narrow matches are marked in place');
	await page.keyboard.press('Enter');
	ok(/malloc_4/.test(await tip(page)), 'Enter zooms to a narrow match',
		await tip(page));
	await page.keyboard.press('Escape');
	await page.keyboard.press('Escape');
	// Narrow frames share a box; the mouse still finds each.
	const y = await page.evaluate(() => Number(document.querySelector(
		'[data-row]').getAttribute('y')) - window.scrollY);
	const seen = new Set();
	for (let x = 200; x < 210; x++) {
		await page.mouse.move(x, Math.max(y, 300) + 5);
		seen.add((await tip(page)).split(' ')[0]);
	}
	ok(seen.size > 4 && !seen.has(''), 'narrow frames have tooltips',
		Array.from(seen));
	await close(page, 'large');
}
// Frames of a flame chart stay where they were, also when they are zoomed.
async function timed() {
	const page = await open('timed');
	const at = () => page.evaluate(() => Array.from(
		document.querySelectorAll('.frames g text')).map((t) => {
		const r = t.previousElementSibling;
		return [t.textContent, ...['x', 'width'].map((k) =>
			Math.round((r.getAttribute(k) - (k === 'x' ? 10 : 0)) / 98.33))];
	}).filter(([name]) => /f[01]/.test(name)).join(' '));
	is(await at(), '[f0],3,9 [f1],3,3 [f1],9,3', 'a chart has gaps');
	await clickFrame(page, '[f0]');
	is(await at(), '[f0],0,12 [f1],0,4 [f1],8,4', 'also when it is zoomed');
	await page.keyboard.press('ArrowUp');
	await page.keyboard.press('ArrowRight');
	ok(/\[f1\].*25\.00% of all/.test(await tip(page)), 'keys walk it',
		await tip(page));
	is(await found(page, 'f1'), 'matched 66.67%, 1 of 2 frames',
		'and it is searched');
	await close(page, 'timed');
}

run(zooming, pointing, guesses, keys, resting, searching, linking, copying,
	windows, () => contrast('light'), () => contrast('dark'), hostile,
	printing, others, pages, narrow, vast, timed, large);
