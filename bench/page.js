// SPDX-License-Identifier: MIT
// page.js PAGE [SELECTION...]: opens a page in headless Chromium and prints what
// it takes, as lines of a table; or only what some selections take, by name.
// $PLAYWRIGHT and $CHROMIUM say where these are.
'use strict';
const fs = require('fs');
const path = require('path');
const { chromium } = require(path.resolve(process.env.PLAYWRIGHT));
const file = path.resolve(process.argv[2]), only = process.argv.slice(3);
const ZOOMS = 60, TIMES = 3;
let missed = 0;

function line(what, value, unit, most) {
	const held = most === undefined || value <= most;
	missed += held ? 0 : 1;
	console.log('| ' + [what, value.toFixed(value < 10 ? 2 : 0) + ' ' + unit,
		most === undefined ? '' : '<= ' + most + ' ' + unit,
		most === undefined ? '' : held ? 'met' : '**missed**'].join(' | ') +
		' |');
}

// ---- bytes, deflated: base64 is a third more
function sizes() {
	const html = fs.readFileSync(file, 'latin1'), bytes = {}, rows = {};
	const block = /data-name="([^".]*)[^"]*"[^>]*data-n="(\d+)"[^>]*>([^<]*)/g;
	for (const [, table, n, text] of html.matchAll(block)) {
		bytes[table] = (bytes[table] || 0) + text.length * 3 / 4;
		rows[table] = Number(n);
	}
	line('page', html.length / 1e6, 'MB');
	line('a sample', bytes.samples / rows.samples, 'bytes', 6);
	line('a stack node', bytes.stacks / rows.stacks, 'bytes', 8);
	line('samples', rows.samples, '');
	line('stack nodes', rows.stacks, '');
	line('functions', rows.symbols, '');
	line('threads', rows.threads, '');
}

// ---- what runs in the page
// Ends when the flame graph was painted; ms since the page was asked for.
const firstPicture = () => new Promise((done) => {
	const look = () => {
		const canvas = document.querySelector('.view-flame canvas');
		const { width = 0, height = 0 } = canvas || {};
		const seen = width > 0 && height > 0 ? new Set(new Uint32Array(
			canvas.getContext('2d').getImageData(0, height >> 1, width,
				height >> 1).data.buffer)).size : 0;
		if (seen > 4) {
			done(performance.now());
		} else {
			requestAnimationFrame(look);
		}
	};
	look();
});
// Ends when the page has done what it does when it is idle.
const idle = () => new Promise((done) =>
	setTimeout(() => requestIdleCallback(done), 500));
// Changes the address as a link does; ms until the next picture is there.
const follow = (hash) => new Promise((done) => {
	const painted = new MessageChannel();
	let start = 0;
	painted.port1.onmessage = () => done(performance.now() - start);
	addEventListener('hashchange', () => requestAnimationFrame(() =>
		painted.port2.postMessage(0)), { once: true });
	start = performance.now();
	location.hash = hash;
});
// Turns the wheel over the strip; ms of each step.
const zoom = async (steps) => {
	const box = document.querySelector('.strip-box'), took = [];
	const r = box.getBoundingClientRect();
	for (let i = 0; i < steps; i++) {
		const start = performance.now();
		box.dispatchEvent(new WheelEvent('wheel', { bubbles: true,
			cancelable: true, clientX: r.left + r.width * 0.4,
			clientY: r.top + 10, deltaY: i < steps / 2 ? -120 : 120 }));
		await new Promise((done) => requestAnimationFrame(() => {
			const painted = new MessageChannel();
			painted.port1.onmessage = done;
			painted.port2.postMessage(0);
		}));
		took.push(performance.now() - start);
	}
	return took;
};

const FOCUS = 'focus=area3%3A%3AClass3%3A%3Amethod_3(int%2C+char+const*)';
// What is selected, in which view: the address before, and after.
const SELECTIONS = [['time', '', 'time=20000000000,40000000000'],
	['a thread', '', 'threads=3'], ['100 threads', '', 'threads=100-199'],
	['CPUs', '', 'cpus=0-3'], ['event', '', 'event=1'],
	['search', '', 'search=method_77'], ['inverted', '', 'inverted=1'],
	['in order of time', '', 'order=time'],
	['by name', '', 'order=name'],
	['split by thread', '', 'split=thread'],
	['split by process', '', 'split=process'],
	['split, inverted', '', 'split=thread&inverted=1'],
	['split, in order of time', '', 'split=thread&order=time'],
	['split, 0.1 % of the time', '', 'split=thread&time=0,100000000'],
	['callers and callees', 'view=sandwich', 'view=sandwich&' + FOCUS],
	['table: time', 'view=table', 'view=table&time=0,50000000000'],
	['table: search', 'view=table', 'view=table&search=method_77'],
	['table: threads', 'view=table', 'view=table&by=thread'],
	['call tree: time', 'view=calls', 'view=calls&time=0,50000000000'],
	['call tree: by thread', 'view=calls', 'view=calls&split=thread'],
	['call tree: by process', 'view=calls', 'view=calls&split=process'],
	['call tree: inverted', 'view=calls', 'view=calls&inverted=1'],
	['call tree: both', 'view=calls', 'view=calls&split=thread&inverted=1'],
	['lanes: a thread', 'view=lanes', 'view=lanes&threads=3'],
	['view: table', '', 'view=table'], ['view: call tree', '', 'view=calls'],
	['view: lanes', '', 'view=lanes']];

// Each selection is made in a page that has kept nothing of another one.
async function selections(browser) {
	for (const [name, before, after] of SELECTIONS.filter(([name]) =>
		only.length === 0 || only.includes(name))) {
		const took = [];
		for (let i = 0; i < TIMES; i++) {
			const page = await open(browser);
			await page.evaluate(firstPicture);
			await page.evaluate(idle);
			if (before !== '') {
				await page.evaluate(follow, before);
			}
			took.push(await page.evaluate(follow, after));
			await page.close();
		}
		took.sort((a, b) => a - b);
		line(name, took[TIMES >> 1], 'ms', 150);
	}
}

// MiB of the tab's process, from the kernel: resident, and its own.  The pages
// of the browser's program are resident in each tab, and there once.
async function memory(browser) {
	const cdp = await browser.newBrowserCDPSession();
	const { processInfo } = await cdp.send('SystemInfo.getProcessInfo');
	const sizes = processInfo.filter((p) => p.type === 'renderer').map((p) => {
		const text = fs.readFileSync('/proc/' + p.id + '/smaps_rollup', 'utf8');
		const of = (name) => Number(new RegExp('^' + name +
			':\\s*(\\d+)', 'm').exec(text)[1]) / 1024;
		return { resident: of('Rss'), own: of('Anonymous') };
	});
	return sizes.reduce((a, b) => a.own > b.own ? a : b);
}

function lineOfMemory(what, { resident, own }, most) {
	line(what + ', resident', resident, 'MiB', most);
	line(what + ', its own', own, 'MiB');
}

async function heap(page) {
	const cdp = await page.context().newCDPSession(page);
	await cdp.send('HeapProfiler.collectGarbage');
	return (await cdp.send('Runtime.getHeapUsage')).usedSize / 1048576;
}

async function open(browser) {
	const page = await browser.newPage({ viewport: { width: 1280,
		height: 800 } });
	page.setDefaultTimeout(0);
	await page.goto('file://' + file, { waitUntil: 'commit' });
	return page;
}

// All that PAGE.md tells of a page.
async function whole(browser) {
	sizes();
	const first = [], empty = await browser.newPage();
	const floor = await memory(browser);
	await empty.close();
	for (let i = 0; i < TIMES; i++) {
		const page = await open(browser);
		first.push(await page.evaluate(firstPicture));
		await page.close();
	}
	first.sort((a, b) => a - b);
	line('first picture', first[TIMES >> 1], 'ms', 1500);
	await selections(browser);
	const page = await open(browser);
	await page.evaluate(firstPicture);
	for (const [, before, after] of SELECTIONS) {
		await page.evaluate(follow, 'colour=object');
		await page.evaluate(follow, before);
		await page.evaluate(follow, after);
	}
	const steps = await page.evaluate(zoom, ZOOMS);
	lineOfMemory('an empty tab', floor);
	line('the worst of ' + ZOOMS + ' zoom steps', Math.max(...steps), 'ms', 50);
	lineOfMemory('tab', await memory(browser), 600);
	line('heap of the script', await heap(page), 'MiB');
	lineOfMemory('tab without garbage', await memory(browser));
}

async function main() {
	const browser = await chromium.launch({ executablePath:
		process.env.CHROMIUM, args: ['--headless', '--no-sandbox',
		'--disable-gpu', '--no-first-run'] });
	if (only.length !== 0) {
		await selections(browser);
	} else {
		await whole(browser);
	}
	await browser.close();
	process.exit(missed > 0 ? 1 : 0);
}

main().catch((e) => {
	console.error(e.stack);
	process.exit(99);
});
