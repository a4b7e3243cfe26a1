// SPDX-License-Identifier: MIT
// flame.js: what a flame graph does in a browser, after picture.js.
//
// Reads the frames from the block of JSON beside it and lays them out for the
// window: zoom, search, keyboard, tooltips.  Needs the elements that
// svg-picture.c writes; loads nothing, stores nothing.  Only frames wide
// enough to be seen are drawn, so that work follows the size of the window
// and not that of the graph.
const NARROW = 1, SHARED = 2; // pixels; narrower neighbours share a box
const icicle = root.classList.contains('icicle');

// ---- frames: parallel arrays in the picture's order
const flat = data.frames, count = flat.length / 5;
if (count === 0) {
	return;
}
const depth = new Uint32Array(count), symbol = new Uint32Array(count);
const total = new Float64Array(count), self = new Float64Array(count);
const samples = new Float64Array(count), start = new Float64Array(count);
const parent = new Int32Array(count).fill(-1);
const end = new Uint32Array(count); // one after the last frame above it
let deepest = 0;
(function () {
	const at = []; // the last frame of each depth
	const used = []; // where its next child starts
	for (let i = 0, j = 0; i < count; i++) {
		const d = depth[i] = flat[j++];
		symbol[i] = flat[j++];
		total[i] = flat[j++];
		self[i] = flat[j++];
		samples[i] = flat[j++];
		while (at.length > d) {
			end[at.pop()] = i;
		}
		deepest = Math.max(deepest, d);
		if (d > 0) {
			parent[i] = at[d - 1];
			start[i] = used[d - 1];
			used[d - 1] += total[i];
		}
		at[d] = i;
		used[d] = start[i];
	}
	while (at.length > 0) {
		end[at.pop()] = count;
	}
})();
data.frames = null;
const nameOf = (i) => data.symbols[symbol[i]][0];
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
const boxes = make(frames, 'g', {});
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
let drawn = []; // {i, x, y, w, d, e, text}: all boxes; i < 0: a shared one
let shown = []; // those of one frame
let place = new Map(); // frame -> its entry in shown

// ---- layout
function measure() {
	const gauge = make(frames, 'text', {}, 'x'.repeat(50));
	const w = gauge.getComputedTextLength() / 50;
	if (w > 2) {
		charWidth = w;
	}
	frames.removeChild(gauge);
}
// Frames that get a box of their own, and boxes that narrow ones share: their
// number follows from the size of the window.
function visible() {
	const out = [], inner = width - 2 * MARGIN;
	const scale = inner / total[zoomed], base = start[zoomed];
	const shared = []; // by depth: the box that still takes neighbours
	const ancestors = [];
	for (let i = parent[zoomed]; i >= 0; i = parent[i]) {
		ancestors.push(i);
	}
	ancestors.reverse();
	for (const i of ancestors) {
		out.push({ i: i, x: MARGIN, w: inner, d: depth[i] });
	}
	for (let i = zoomed; i < end[zoomed]; i++) {
		const x = MARGIN + (start[i] - base) * scale;
		const w = total[i] * scale, d = depth[i];
		if (w >= NARROW) {
			out.push({ i: i, x: x, w: w, d: d });
			continue;
		}
		const box = shared[d];
		if (box && box.w < SHARED && x - box.x - box.w < 0.5) {
			box.w = x + w - box.x;
			box.holds.push(i);
		} else {
			out.push(shared[d] = { i: -1, x: x, w: w, d: d, holds: [i] });
		}
	}
	return out;
}
function draw() {
	const list = visible();
	const into = document.createDocumentFragment();
	shown = [];
	place = new Map();
	for (const f of list) {
		const row = icicle ? f.d : deepest - f.d;
		f.y = headHeight + row * ROW;
		f.hit = isHit(f);
		f.e = make(into, 'rect', { class: boxClass(f), x: f.x.toFixed(2),
			y: f.y, height: ROW - 1,
			width: (f.w > 3 ? f.w - 0.7 : f.w).toFixed(2) });
		if (f.i < 0) {
			f.e.setAttribute('data-row', f.d);
			continue;
		}
		f.e.setAttribute('data-i', f.i);
		place.set(f.i, f);
		shown.push(f);
		label(into, f);
	}
	drawn = list;
	clear(boxes);
	boxes.appendChild(into);
	pictureHeight = headHeight + (deepest + 1) * ROW + FOOT;
	if (standalone) {
		pictureHeight = Math.max(pictureHeight, window.innerHeight);
	}
	root.setAttribute('height', pictureHeight);
	root.style.height = pictureHeight + 'px';
	drawRing();
}
function isHit(f) {
	return hits !== null &&
		(f.i >= 0 ? hits[f.i] === 1 : f.holds.some((i) => hits[i] === 1));
}
function boxClass(f) {
	return classOf(f.i >= 0 ? f.i : f.holds[0]) + (f.hit ? ' hit' : '') +
		(f.i >= 0 && f.i < zoomed ? ' up' : '') +
		(guessOf(f.i)[1] && f.w > 5 ? ' guess' : '');
}
function label(into, f) {
	if (f.w < 3 * charWidth + 6) {
		return;
	}
	const text = cut(nameOf(f.i), Math.floor((f.w - 6) / charWidth));
	f.text = make(into, 'text', { class: f.hit ? 'hit' : '',
		x: (f.x + 3).toFixed(2), y: f.y + 13 }, text);
}
// Brings the marks of a search up to date; nothing moves.
function mark() {
	for (const f of drawn) {
		if (isHit(f) !== f.hit) {
			f.hit = !f.hit;
			f.e.setAttribute('class', boxClass(f));
			if (f.text) {
				f.text.setAttribute('class', f.hit ? 'hit' : '');
			}
		}
	}
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

// ---- zoom
function zoom(i, keep) {
	if (i < 0 || i >= count || i === zoomed) {
		return;
	}
	if (!keep) {
		history.push(zoomed);
	}
	zoomed = i;
	hideTip();
	drawCrumbs();
	showFound();
	draw();
	reveal(i);
	status(i);
}
function reset() {
	history.length = 0;
	if (zoomed !== 0) {
		zoom(0, true);
	}
	hideTip();
}
function back() {
	if (history.length > 0) {
		zoom(history.pop(), true);
	} else {
		reset();
	}
}
// The way from the root to the zoomed frame, as far as it fits.
function drawCrumbs() {
	const way = [];
	for (let i = zoomed; i >= 0; i = parent[i]) {
		way.push(i);
	}
	way.reverse();
	clear(crumbs);
	resetButton.classList.toggle('off', zoomed === 0);
	backButton.classList.toggle('off', history.length === 0);
	if (zoomed === 0) {
		return;
	}
	const most = Math.max(2, Math.floor((width - 2 * MARGIN) / 130));
	const gap = way.length > most;
	const list = gap ? [way[0]].concat(way.slice(1 - most)) : way;
	list.forEach((i, at) => {
		if (at > 0) {
			make(crumbs, 'tspan', { class: 'fact' },
				gap && at === 1 ? ' \u203a \u2026 \u203a ' : ' \u203a ');
		}
		const last = i === zoomed;
		make(crumbs, 'tspan', { class: last ? '' : 'crumb',
			'data-crumb': i }, cut(nameOf(i), 16));
	});
}
crumbs.addEventListener('click', (ev) => {
	const i = ev.target.getAttribute('data-crumb');
	if (i !== null) {
		zoom(Number(i));
	}
});

// ---- what is known of a frame
function facts3(i) {
	const out = [percent(total[i], total[0]) + ' of all'];
	if (zoomed !== 0 && i > zoomed) {
		out.push(percent(total[i], total[zoomed]) + ' of the zoomed');
	}
	if (data.values !== undefined) {
		out.push(data.legend + ' ' + (data.values[i] === null ? 'not known' :
			data.values[i]));
	}
	if (data.before !== undefined) {
		out.push(data.other + ' ' + percent(data.before[i], data.before[0]));
	}
	if (guessOf(i).length > 0) {
		out.push(guessOf(i)[0]);
	}
	if (data.type === 'time' && data.weight === 'time') {
		out.push(time(total[i]));
	} else if (data.weight !== 'samples') {
		out.push(data.weight + ' ' + value(total[i], data.type));
	}
	if (samples[0] > 0) {
		out.push(number(samples[i]) + ' ' + data.noun);
	}
	if (self[i] > 0) {
		out.push('itself ' + percent(self[i], total[0]));
	}
	return out;
}
function status(i) {
	footText.setAttribute('class', i < 0 ? '' : 'name');
	if (i < 0) {
		fit(footText, zoomed !== 0 || dropped === '' ?
			'Click a frame to zoom; ? shows the keys' : dropped,
		width - 2 * MARGIN);
		footMore.textContent = '';
		return;
	}
	fit(footText, nameOf(i), width - 2 * MARGIN);
	fit(footMore, facts3(i).join('  \u00b7  ') + (objectOf(i) !== '' ?
		'  \u00b7  ' + objectOf(i) : ''), width - 2 * MARGIN);
}
function wrap(text, n, lines) {
	const chars = Array.from(text), out = [];
	for (let i = 0; i < chars.length && out.length < lines; i += n) {
		out.push(chars.slice(i, i + n).join(''));
	}
	if (chars.length > n * lines) {
		out[lines - 1] = cut(out[lines - 1], n - 1) + '\u2026';
	}
	return out;
}
function showTip(i, x, y) {
	const chars = Math.max(Math.min(72,
		Math.floor((width - 50) / charWidth)), 20);
	const lines = wrap(nameOf(i), chars, 6).map((t) => [t, 'name']);
	facts3(i).reduce((rows, f) => {
		const last = rows[rows.length - 1];
		if (last !== undefined && last.length + f.length < chars - 2) {
			rows[rows.length - 1] = last + '  \u00b7  ' + f;
		} else {
			rows.push(f);
		}
		return rows;
	}, []).forEach((t) => lines.push([t, '']));
	if (objectOf(i) !== '') {
		wrap(objectOf(i), chars, 2).forEach((t) => lines.push([t, 'fact']));
	}
	clear(tip);
	const back2 = make(tip, 'rect', { rx: 4 });
	tip.removeAttribute('display');
	let w = 0;
	lines.forEach((l, at) => {
		const t = make(tip, 'text', { class: l[1], x: 8,
			y: 18 + 16 * at }, l[0]);
		w = Math.max(w, t.getComputedTextLength());
	});
	w += 16;
	const h = 16 * lines.length + 10, top = scroll() + 2;
	place2(back2, 0, 0, w, h);
	x = Math.max(2, Math.min(x, width - w - 2));
	const bottom = top + windowHeight() - FOOT;
	y = y + 20 + h > bottom ? y - h - 12 : y + 20;
	tip.setAttribute('transform', 'translate(' + x.toFixed(1) + ',' +
		Math.max(y, top).toFixed(1) + ')');
}
function hideTip() {
	tip.setAttribute('display', 'none');
	hovered = -1;
}
function drawRing() {
	const f = place.get(focused);
	if (f === undefined) {
		ring.setAttribute('display', 'none');
		return;
	}
	ring.removeAttribute('display');
	place2(ring, f.x - 0.5, f.y - 0.5, Math.max(f.w, 2), ROW);
}

// ---- scrolling: head and foot stay in sight
const scroll = () => standalone ? window.scrollY : 0;
const windowHeight = () => standalone ? window.innerHeight : pictureHeight;
let pinned = 0;
function pin() {
	const y = pinned = scroll();
	head.setAttribute('transform', 'translate(0,' + y + ')');
	foot.setAttribute('transform', 'translate(0,' +
		(y + windowHeight() - FOOT) + ')');
}
function layoutFoot() {
	place2(footBar, 0, 0, width, FOOT);
	footLine.setAttribute('d', 'M0 0h' + width);
	footText.setAttribute('x', MARGIN);
	footText.setAttribute('y', 16);
	footMore.setAttribute('x', MARGIN);
	footMore.setAttribute('y', 32);
}
function reveal(i) {
	const f = place.get(i);
	if (f !== undefined && standalone) {
		const top = window.scrollY + headHeight;
		const bottom = window.scrollY + window.innerHeight - FOOT;
		if (f.y < top + ROW) {
			window.scrollTo(0, f.y - headHeight - 3 * ROW);
		} else if (f.y + ROW > bottom) {
			window.scrollTo(0, f.y + 3 * ROW + FOOT -
				window.innerHeight);
		}
	}
	pin();
}

// ---- search
let typing = 0, searched = '';
function searchNow() {
	clearTimeout(typing);
	if (input.value !== searched) {
		search(input.value);
	}
}
function search(text) {
	searched = text;
	pattern = null;
	hits = null;
	matches = [];
	matchAt = -1;
	input.classList.remove('bad');
	if (text !== '') {
		try {
			pattern = new RegExp(text, 'i');
		} catch (e) {
			input.classList.add('bad');
		}
	}
	if (pattern !== null) {
		const yes = data.symbols.map((s) => pattern.test(s[0]));
		hits = new Uint8Array(count);
		for (let i = 0; i < count; i++) {
			if (yes[symbol[i]]) {
				hits[i] = 1;
				matches.push(i);
			}
		}
	}
	root.classList.toggle('searching', pattern !== null);
	showFound();
	mark();
}
// Weight under matching frames; one inside another counts once.
function matched() {
	let sum = 0, from = zoomed;
	for (const i of matches) {
		if (i >= from && i < end[zoomed]) {
			sum += total[i];
			from = end[i];
		} else if (i < zoomed && end[i] >= end[zoomed]) {
			return total[zoomed];
		}
	}
	return sum;
}
function showFound() {
	if (input.classList.contains('bad')) {
		found.textContent = 'not a regular expression';
	} else if (pattern === null) {
		found.textContent = '';
	} else {
		found.textContent = 'matched ' + percent(matched(), total[zoomed]) +
			(matchAt >= 0 ? ', ' + (matchAt + 1) + ' of ' : ', ') +
			number(matches.length) + ' frames';
	}
	const w = found.getComputedTextLength();
	found.setAttribute('x', Math.max(width - MARGIN - w, MARGIN));
	found.setAttribute('y', width < 760 && zoomed !== 0 ?
		headHeight - 30 : headHeight - 12);
}
function step(by) {
	if (matches.length === 0) {
		return;
	}
	matchAt = matchAt < 0 ? (by > 0 ? 0 : matches.length - 1) :
		(matchAt + by + matches.length) % matches.length;
	const i = matches[matchAt];
	if (!place.has(i)) {
		let up = i;
		while (up > 0 && total[i] / total[up] * width > 12) {
			up = parent[up];
		}
		zoom(up === i ? i : up);
	}
	focus(i);
	showFound();
}

// ---- keyboard
function focus(i) {
	const f = place.get(i);
	if (f === undefined) {
		return;
	}
	focused = i;
	byMouse = false;
	reveal(i);
	drawRing();
	showTip(i, f.x, f.y);
	status(i);
}
function child(i) {
	let best = -1;
	for (let c = i + 1; c < end[i]; c = end[c]) {
		if (place.has(c) && (best < 0 || total[c] > total[best])) {
			best = c;
		}
	}
	return best;
}
// The next drawn frame of the same row.
function neighbour(i, by) {
	const row = shown.filter((f) => f.d === depth[i]);
	const at = row.findIndex((f) => f.i === i) + by;
	return at >= 0 && at < row.length ? row[at].i : -1;
}
function move(key) {
	if (!place.has(focused)) {
		focus(zoomed);
		return;
	}
	const away = icicle ? 'ArrowDown' : 'ArrowUp';
	let to;
	if (key === 'ArrowLeft' || key === 'ArrowRight') {
		to = neighbour(focused, key === 'ArrowLeft' ? -1 : 1);
	} else {
		to = key === away ? child(focused) : parent[focused];
	}
	focus(to >= 0 ? to : focused);
}
function escape() {
	if (panel.getAttribute('display') !== 'none') {
		toggleHelp();
	} else if (pattern !== null || input.value !== '') {
		input.value = '';
		search('');
	} else {
		focused = -1;
		reset();
		drawRing();
		status(-1);
	}
}
function key(ev) {
	if ((ev.ctrlKey || ev.metaKey) && ev.key.toLowerCase() === 'f') {
		ev.preventDefault();
		input.focus();
		input.select();
		return;
	}
	if (ev.ctrlKey || ev.metaKey || ev.altKey) {
		return;
	}
	if (ev.target === input) {
		keyInSearch(ev);
		return;
	}
	const action = {
		Enter: () => focused >= 0 && zoom(focused),
		Escape: escape, Backspace: reset, Home: reset, 0: reset,
		u: back, n: () => step(1), N: () => step(-1), '?': toggleHelp,
		'/': () => { input.focus(); input.select(); },
		ArrowUp: () => move('ArrowUp'), ArrowDown: () => move('ArrowDown'),
		ArrowLeft: () => move('ArrowLeft'),
		ArrowRight: () => move('ArrowRight'),
	}[ev.key];
	if (action !== undefined) {
		ev.preventDefault();
		action();
	}
}
function keyInSearch(ev) {
	if (ev.key === 'Enter') {
		searchNow();
		step(ev.shiftKey ? -1 : 1);
		input.blur();
		frames.focus();
	} else if (ev.key === 'Escape') {
		input.value = '';
		search('');
		input.blur();
	}
}

// ---- help
const KEYS = [['click, Enter', 'zoom into a frame'],
	['arrows', 'go to caller, callee, neighbour'],
	['Esc, Home, 0', 'reset the zoom'], ['u', 'back to the zoom before'],
	['/, Ctrl-F', 'search, a regular expression'],
	['n, N', 'next and previous match'], ['?', 'this help']];
function toggleHelp() {
	if (panel.getAttribute('display') !== 'none') {
		panel.setAttribute('display', 'none');
		return;
	}
	hideTip();
	clear(panel);
	const back2 = make(panel, 'rect', { rx: 6 });
	const room = Math.min(width - 20, 620);
	let y = 24;
	for (const [k, what] of KEYS) {
		make(panel, 'text', { class: 'key', x: 14, y: y }, k);
		make(panel, 'text', { x: 120, y: y }, what);
		y += 18;
	}
	y += 8;
	panel.removeAttribute('display');
	const most = Math.floor((windowHeight() - y - 60) / 16);
	for (const line of about.split('\n').slice(0, Math.max(most, 0))) {
		if (line !== '') {
			fit(make(panel, 'text', { class: 'fact', x: 14, y: y }),
				line, room - 28);
			y += 16;
		}
	}
	place2(back2, 0, 0, room, y);
	panel.setAttribute('transform', 'translate(' + (width - room) / 2 +
		',' + (scroll() + Math.max((windowHeight() - y) / 3, 6)) + ')');
}

// ---- events: one handler for all frames
function frameAt(ev) {
	const i = ev.target.getAttribute('data-i');
	const row = ev.target.getAttribute('data-row');
	if (i !== null || row === null) {
		return i !== null ? Number(i) : -1;
	}
	const x = ev.clientX - root.getBoundingClientRect().left - MARGIN;
	const at = start[zoomed] + x * total[zoomed] / (width - 2 * MARGIN);
	return under(at, Number(row));
}
// The frame of that depth whose span has the weight `at` in it.
function under(at, row) {
	let i = zoomed;
	while (depth[i] < row) {
		let c = i + 1;
		while (c < end[i] && start[c] + total[c] <= at) {
			c = end[c];
		}
		if (c >= end[i] || start[c] > at) {
			return -1;
		}
		i = c;
	}
	return i;
}
frames.addEventListener('click', (ev) => {
	const i = frameAt(ev);
	if (i >= 0) {
		focused = i;
		zoom(i);
		drawRing();
	}
});
frames.addEventListener('mousemove', (ev) => {
	const i = frameAt(ev);
	byMouse = true;
	if (i < 0) {
		hideTip();
		return;
	}
	const r = root.getBoundingClientRect();
	showTip(i, ev.clientX - r.left + 12, ev.clientY - r.top);
	if (i !== hovered) {
		hovered = i;
		status(i);
	}
});
// Also when the frames go away from under a mouse that rests, by a key.
frames.addEventListener('mouseleave', () => {
	if (byMouse) {
		hideTip();
		status(-1);
	}
});
panel.addEventListener('click', toggleHelp);
input.addEventListener('input', () => {
	clearTimeout(typing);
	typing = setTimeout(searchNow, 80);
});
(standalone ? document : root).addEventListener('keydown', key);
frames.addEventListener('focus', () => {
	if (focused < 0 && frames.matches(':focus-visible')) {
		focused = zoomed;
		drawRing();
	}
});
if (standalone) {
	// The event of a scroll that was ours comes a frame later, when the tip
	// of the frame that was brought into sight is shown.
	window.addEventListener('scroll', () => {
		if (scroll() !== pinned) {
			hideTip();
			pin();
		}
	});
}
let waiting = 0;
window.addEventListener('resize', () => {
	cancelAnimationFrame(waiting);
	waiting = requestAnimationFrame(layout);
});
function layout() {
	viewport();
	hideTip();
	layoutHead();
	layoutFoot();
	draw();
	status(focused);
	drawCrumbs();
	showFound();
	pin();
}
measure();
layout();
if (standalone && !icicle) {
	window.scrollTo(0, pictureHeight);
	pin();
}
root.setAttribute('data-ready', '1');
