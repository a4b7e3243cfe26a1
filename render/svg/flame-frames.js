// SPDX-License-Identifier: MIT
// What a flame graph does in a browser, after picture.js: the frames, laid out
// for the window.  flame-zoom.js, flame-search.js, flame-link.js and
// flame-input.js follow in the same function.
//
// page/names.js and page/boxes.js stand before it: they cut names, and tell
// where frames are.
//
// Reads the frames from the block of JSON in the picture.  Needs the elements
// that svg/picture.c writes; loads nothing, stores nothing.
const icicle = root.classList.contains('icicle');

// ---- frames: parallel arrays in the picture's order
const flat = data.frames, count = flat.length / 5;
if (count === 0) {
	return;
}
const depth = new Uint32Array(count), symbol = new Uint32Array(count);
const total = new Float64Array(count), self = new Float64Array(count);
const samples = new Float64Array(count);
const exact = new Map(); // frame -> its total, where a number would round it
const parent = new Int32Array(count);
const first = new Int32Array(count), next = new Int32Array(count);
let deepest = 0;
(function () {
	const last = []; // frame of each depth
	for (let i = 0, j = 0; i < count; i++) {
		const d = depth[i] = flat[j++];
		symbol[i] = flat[j++];
		if (typeof flat[j] === 'string') {
			exact.set(i, BigInt(flat[j]));
		}
		total[i] = Number(flat[j++]);
		self[i] = flat[j++];
		samples[i] = flat[j++];
		deepest = Math.max(deepest, d);
		if (d > 0) {
			parent[i] = last[d - 1];
		}
		if (d > 0 && last.length > d) {
			next[last[d]] = i;
		} else if (d > 0) {
			first[parent[i]] = i;
		}
		last.length = d;
		last[d] = i;
	}
})();
data.frames = null;
const tall = new Uint16Array(count); // rows above each
for (let i = count - 1; i > 0; i--) {
	tall[parent[i]] = Math.max(tall[parent[i]], tall[i] + 1);
}
const tree = { n: count, depth: depth, total: total, parent: parent,
	first: (i) => first[i], next: next, tall: tall };
// Does it stand for frames too narrow for a chart?
const isNarrow = (i) => data.symbols[symbol[i]][2] === 'narrow';
const nameOf = (i) => data.symbols[symbol[i]][0];
const shortOf = (i, n) => fitName(data.brief && data.symbols[symbol[i]][3] ||
	nameOf(i), data.symbols[symbol[i]][3], n);
const objectOf = (i) => data.symbols[symbol[i]][1];
const classOf = (i) => data.colors === undefined ?
	data.symbols[symbol[i]][2] :
	data.colors[i] < 0 ? 'vx' : 'v' + data.colors[i];

// What was guessed of a frame, in words, and whether that is most of it.
const guessOf = (i) => data.guessed !== undefined && data.guessed[i] || [];

// ---- elements
const frames = find('frames');
const dropped = foot.textContent;
clear(frames);
clear(foot);
frames.setAttribute('tabindex', '0');
frames.setAttribute('role', 'group');
frames.setAttribute('aria-label', 'Frames. Arrow keys move, Enter zooms, ' +
	'Escape resets, slash searches, question mark helps.');
const layer = make(frames, 'g', {});
const ring = make(frames, 'rect', { class: 'ring', rx: 2, display: 'none' });
const tools = make(head, 'g', { class: 'tools' });
const crumbs = make(head, 'text', { class: 'crumbs' });
const found = make(head, 'text', { class: 'fact found', role: 'status' });
const footBar = make(foot, 'rect', { class: 'bar' });
const footLine = make(foot, 'path', { class: 'line' });
const footText = make(foot, 'text', { role: 'status',
	'aria-live': 'polite' });
const footMore = make(foot, 'text', {});
const tip = make(root, 'g', { class: 'tip', display: 'none' });
const panel = make(root, 'g', { class: 'panel', display: 'none' });
let charWidth = 7.23;

// ---- state
let pictureHeight = 0;
let zoomed = 0, focused = -1, hovered = -1;
let byMouse = false; // who chose the frame that is told of
let pattern = null, hits = null, matches = [], matchAt = -1;
const boxes = new Boxes();
let place = new Map(); // frame -> {i, x, y, w, d, shared, hit}, its box

// ---- layout
function measure() {
	const gauge = make(frames, 'text', {}, 'x'.repeat(50));
	const w = gauge.getComputedTextLength() / 50;
	if (w > 2) {
		charWidth = w;
	}
	frames.removeChild(gauge);
}
function draw() {
	const into = document.createDocumentFragment();
	place = new Map();
	if (data.starts !== undefined) {
		layOutInTime(tree, data.starts, zoomed, MARGIN, width - 2 * MARGIN,
			hits, boxes);
	} else {
		layOut(tree, zoomed, MARGIN, width - 2 * MARGIN, hits, boxes);
	}
	for (let b = 0; b < boxes.n; b++) {
		const f = { i: boxes.frame[b], x: boxes.x[b], w: boxes.w[b],
			d: boxes.depth[b], shared: boxes.shared[b] === 1,
			hit: boxes.hit[b] === 1 };
		const row = icicle ? f.d : deepest - f.d;
		f.y = headHeight + row * ROW;
		const e = make(into, 'rect', { class: boxClass(f), x: f.x.toFixed(2),
			y: f.y, height: ROW - 1,
			width: (f.w > 3 ? f.w - 0.7 : f.w).toFixed(2) });
		if (f.shared) {
			e.setAttribute('data-row', f.d);
			continue;
		}
		e.setAttribute('data-i', f.i);
		place.set(f.i, f);
		label(into, f);
	}
	clear(layer);
	layer.appendChild(into);
	pictureHeight = headHeight + (deepest + 1) * ROW + FOOT;
	if (standalone) {
		pictureHeight = Math.max(pictureHeight, window.innerHeight);
	}
	root.setAttribute('height', pictureHeight);
	root.style.height = pictureHeight + 'px';
	drawRing();
}
function boxClass(f) {
	return classOf(f.i) + (f.hit ? ' hit' : '') + (f.i < zoomed ? ' up' : '') +
		(!f.shared && data.few > samples[f.i] ? ' few' : '') +
		(!f.shared && guessOf(f.i)[1] && f.w > 5 ? ' guess' : '');
}
function label(into, f) {
	if (f.w < 3 * charWidth + 6) {
		return;
	}
	const text = shortOf(f.i, Math.floor((f.w - 6) / charWidth));
	make(into, 'text', { class: f.hit ? 'hit' : '',
		x: (f.x + 3).toFixed(2), y: f.y + 13 }, text);
}
function layoutHead() {
	const narrow = width < 760;
	let y = 28;
	const room = width - 2 * MARGIN - (narrow ? 0 : 430);
	headTitle.textContent = title;
	fit(headTitle, title, room);
	if (narrow) {
		y += 30;
		layoutTools(MARGIN, y - 17, width - 2 * MARGIN);
	} else {
		layoutTools(width - MARGIN - 410, 11, 410);
	}
	y = layoutFacts(y + 21);
	y = layoutLegend(y + 9);
	found.setAttribute('x', MARGIN);
	crumbs.setAttribute('x', MARGIN);
	crumbs.setAttribute('y', y + 16);
	y += 24;
	headHeight = y + 6;
	place2(headBar, 0, 0, width, headHeight - 2);
	headLine.setAttribute('d', 'M0 ' + (headHeight - 2) + 'h' + width);
}
// ---- tools: reset, search, help
const resetButton = button('Reset', 'Reset zoom', reset);
const backButton = button('Back', 'Back to the zoom before', back);
const infoButton = button('?', 'Keys, and what was recorded', toggleHelp);
const holder = make(tools, 'foreignObject', { height: 24 });
const input = document.createElementNS(XHTML, 'input');
input.setAttribute('class', 'find');
input.setAttribute('type', 'text');
input.setAttribute('spellcheck', 'false');
input.setAttribute('placeholder', 'Search: name or regex  ( / )');
input.setAttribute('aria-label', 'Search frames by name, regular expression');
holder.appendChild(input);
const history = [];
function button(text, what, action) {
	const g = make(tools, 'g', { class: 'button', role: 'button',
		tabindex: '0', 'aria-label': what });
	make(g, 'rect', { height: 24, rx: 4 });
	make(g, 'text', { y: 16, 'text-anchor': 'middle' }, text);
	make(g, 'title', {}, what);
	g.addEventListener('click', action);
	g.addEventListener('keydown', (ev) => {
		if (ev.key === 'Enter' || ev.key === ' ') {
			ev.preventDefault();
			ev.stopPropagation();
			action();
		}
	});
	return g;
}
function layoutTools(x, y, w) {
	const put = (g, at, size) => {
		g.setAttribute('transform', 'translate(' + at + ',' + y + ')');
		g.firstChild.setAttribute('width', size);
		g.querySelector('text').setAttribute('x', size / 2);
	};
	const size = Math.max(w - 152, 90);
	place2(holder, x, y, size, 24);
	put(backButton, x + size + 8, 48);
	put(resetButton, x + size + 62, 54);
	put(infoButton, x + w - 30, 30);
}
