// SPDX-License-Identifier: MIT
// chart.js: heat maps, histograms and lanes in a browser, after picture.js.
//
// Lays the chart out for the window and answers to mouse and keyboard: what a
// cell, bin or span holds; the window of time that was dragged over, as --time
// takes it; zoom into lanes.  Cells and spans of one colour are one path, and
// what is narrower than a pixel shares it: work follows the window's size.
const AXIS = 40, CHAR = 6.6, LANE = 18, BIN = 20, HEATS = 9;
const plot = find('plot');
const remark = foot.textContent;
clear(plot);
clear(foot);
plot.setAttribute('tabindex', '0');
plot.setAttribute('role', 'group');
const layer = make(plot, 'g', {});
const marked = make(plot, 'path', { class: 'marked', display: 'none' });
const cursor = make(plot, 'rect', { class: 'cursor', display: 'none' });
const footBar = make(foot, 'rect', { class: 'bar' });
const footLine = make(foot, 'path', { class: 'line' });
const footText = make(foot, 'text', { role: 'status',
	'aria-live': 'polite' });
const footMore = make(foot, 'text', {});
const tip = make(root, 'g', { class: 'tip', display: 'none' });
let left = 0, inner = 0, top = 0, high = 0; // of the plot, in pixels
let at = null, from = null, to = null; // item under the cursor; dragged over

// ---- what the three kinds share
const span = (a, b) => '--time +' + seconds(Math.max(a, 0)) + ',+' +
	seconds(Math.max(b, 0));
const seconds = (ns) => (Math.round(ns) / 1e9).toFixed(9)
	.replace(/\.?0+$/, '');
const box = (x, y, w, h) => 'M' + x.toFixed(2) + ' ' + y.toFixed(2) + 'h' +
	w.toFixed(2) + 'v' + h.toFixed(2) + 'h' + (-w).toFixed(2) + 'z';
const inside = (v, low, high2) => Math.max(low, Math.min(high2, v));
function frame(labels, h) {
	const longest = labels.reduce((n, s) => Math.max(n, s.length), 0);
	const most = Math.floor(width / 3 / CHAR);
	left = MARGIN + 6 + Math.min(longest, 30, most) * CHAR;
	inner = Math.max(width - MARGIN - left, 40);
	top = headHeight;
	high = h;
}
function label(x, y, text, attributes) {
	const n = Math.max(Math.floor((left - MARGIN) / CHAR), 4);
	make(layer, 'text', Object.assign({ x: x.toFixed(1), y: y.toFixed(1) },
		attributes), attributes['text-anchor'] === 'end' &&
		x < left ? cut(text, n) : text);
}
// A round step so that labels of so many pixels do not touch.
function niceStep(range, pixels, room) {
	const least = range / Math.max(Math.floor(pixels / room), 1);
	let step = Math.pow(10, Math.floor(Math.log10(Math.max(least, 1))));
	while (step < least) {
		step *= step * 2 >= least ? 2 : step * 5 >= least ? 5 : 10;
	}
	return step;
}

// ---- heat map
function heatMap() {
	const gx = data.x, gy = data.y, cells = data.cells;
	const down = gy.labels !== undefined;
	const sub = gx.type === 'clock' && gy.type === 'time' &&
		gy.count * gy.step === gx.step;
	const all = cells.reduce((s, v, i) => i % 3 === 2 ? s + v : s, 0);
	const edge = (a, i) => a.edges ? a.edges[Math.min(i, a.count)] :
		a.from + i * a.step;
	const name = (a, i) => a.labels ? a.labels[i] : value(edge(a, i), a.type);
	const mostly = data.merge === 'most', mean = data.merge === 'mean';
	const add = (a, b) => mostly ? Math.max(a, b) : a + b;
	let byX = 1, columns = gx.count, sums = null, most = 0;
	const heat = (v) => Math.min(Math.ceil(Math.sqrt(v / most) * HEATS),
		HEATS);
	const cellH = inside(Math.floor(500 / gy.count), 2, 22);
	const rowY = (y) => top + (down ? y : gy.count - 1 - y) * cellH;
	function sum() {
		byX = Math.max(Math.ceil(gx.count / Math.max(inner, 1)), 1);
		columns = Math.ceil(gx.count / byX);
		sums = new Float64Array(columns * gy.count);
		most = 0;
		for (let i = 0; i < cells.length; i += 3) {
			const k = Math.floor(cells[i] / byX) * gy.count + cells[i + 1];
			sums[k] = add(sums[k], cells[i + 2]);
		}
		if (mean) {
			sums = sums.map((v, k) => v / Math.min(byX,
				gx.count - Math.floor(k / gy.count) * byX));
		}
		most = sums.reduce((a, b) => Math.max(a, b), 0);
	}
	function labels() {
		const everyY = Math.max(Math.ceil(14 / cellH), down ? 1 :
			Math.ceil(gy.count / 20));
		for (let i = 0; i < gy.count; i += everyY) {
			label(left - 6, rowY(i) + (down ? cellH / 2 + 4 : cellH),
				name(gy, i), { 'text-anchor': 'end' });
		}
		const wide = Array.from({ length: Math.min(gx.count, 50) },
			(_, i) => name(gx, i).length).reduce((a, b) => Math.max(a, b), 6);
		const every = Math.max(gx.labels || gx.edges ?
			Math.ceil(gx.count * (wide + 2) * CHAR / inner) :
			niceStep(gx.count, inner, (wide + 2) * CHAR), 1);
		for (let i = 0; i < gx.count; i += every) {
			const x = i / gx.count * inner, text = name(gx, i);
			if (x + text.length * CHAR <= inner + MARGIN) {
				label(left + x, top + high + 16, text, {});
			}
		}
	}
	function draw() {
		frame(Array.from({ length: Math.min(gy.count, 500) },
			(_, i) => name(gy, i)), gy.count * cellH);
		sum();
		const paths = Array.from({ length: HEATS + 1 }, () => []);
		const w = inner / columns;
		sums.forEach((v, i) => {
			if (v > 0) {
				paths[heat(v)].push(box(left + Math.floor(i / gy.count) * w,
					rowY(i % gy.count), w > 3 ? w - 0.5 : w,
					cellH > 3 ? cellH - 0.5 : cellH));
			}
		});
		paths.forEach((p, i) => p.length > 0 &&
			make(layer, 'path', { class: 'q' + i, d: p.join('') }));
		labels();
	}
	const order = (i) => i.x * gy.count + i.y;
	// Cells from one to the other: through the columns, or whole columns.
	function range(a, b) {
		[a, b] = order(a) <= order(b) ? [a, b] : [b, a];
		return sub ? [a, b] : [{ x: Math.min(a.x, b.x), y: 0 },
			{ x: Math.max(a.x, b.x), y: gy.count - 1 }];
	}
	function times(a, b) {
		const end = edge(gx, Math.min((b.x + 1) * byX, gx.count));
		if (!sub || byX > 1) {
			return [edge(gx, a.x * byX), end - 1];
		}
		return [edge(gx, a.x) + edge(gy, a.y),
			edge(gx, b.x) + edge(gy, b.y + 1) - 1];
	}
	return {
		height: () => gy.count * cellH,
		draw: draw,
		find: (x, y) => ({
			x: inside(Math.floor((x - left) / inner * columns), 0,
				columns - 1),
			y: inside(down ? Math.floor((y - top) / cellH) :
				gy.count - 1 - Math.floor((y - top) / cellH), 0,
			gy.count - 1),
		}),
		move: (i, dx, dy) => ({ x: inside(i.x + dx, 0, columns - 1),
			y: inside(i.y + (down ? dy : -dy), 0, gy.count - 1) }),
		first: () => ({ x: 0, y: down ? 0 : gy.count - 1 }),
		box: (i) => [left + i.x * inner / columns, rowY(i.y),
			inner / columns, cellH],
		lines: (i) => [value(sums[i.x * gy.count + i.y], data.value.type) +
			' ' + data.value.name, gx.name + ' ' + name(gx, i.x * byX) +
			(byX > 1 ? ' (' + byX + ' cells)' : ''),
			gy.name + ' ' + name(gy, i.y)],
		area: (p, q) => {
			const [a, b] = range(p, q), d = [], w = inner / columns;
			for (let x = a.x; x <= b.x; x++) {
				const y0 = x === a.x ? a.y : 0;
				const y1 = x === b.x ? b.y : gy.count - 1;
				d.push(box(left + x * w, Math.min(rowY(y0), rowY(y1)), w,
					(y1 - y0 + 1) * cellH));
			}
			return d.join('');
		},
		told: (p, q) => {
			const [a, b] = range(p, q);
			let s = 0;
			for (let i = order(a); i <= order(b); i++) {
				s = add(s, sums[i]);
			}
			if (mean) {
				s /= order(b) - order(a) + 1;
			}
			const what = value(s, data.value.type) + ' ' + data.value.name +
				(mean || mostly ? '' : ', ' + percent(s, all) + ' of all');
			return gx.type === 'clock' ? [span(...times(a, b)), what] :
				[name(gx, a.x) + ' \u2026 ' + name(gx, b.x), what];
		},
		keys: 'Drag, or Shift and arrow keys: choose a window',
	};
}

// ---- histogram
function histogram() {
	const bins = [], most = { count: 1 };
	for (let i = 0; i < data.bins.length; i += 4) {
		const [lo, hi, count, weight] = data.bins.slice(i, i + 4);
		bins.push({ lo: lo, hi: hi, count: count, weight: weight });
		most.count = Math.max(most.count, count);
	}
	const all = bins.reduce((s, b) => s + b.count, 0);
	const type = data.axis.type;
	const size = (b) => b.count > 0 ?
		Math.max((inner - 90) * b.count / most.count, 1) : 0;
	return {
		height: () => bins.length * BIN,
		draw: () => {
			frame(bins.map((b) => value(b.lo, type)), bins.length * BIN);
			const d = [];
			bins.forEach((b, i) => {
				const y = top + i * BIN;
				label(left - 6, y + 14, value(b.lo, type),
					{ 'text-anchor': 'end' });
				d.push(box(left, y + 2, size(b), BIN - 4));
				label(left + size(b) + 6, y + 14, number(b.count),
					{ class: 'name' });
			});
			make(layer, 'path', { class: 'bar2', d: d.join('') });
		},
		find: (x, y) => inside(Math.floor((y - top) / BIN), 0,
			bins.length - 1),
		move: (i, dx, dy) => inside(i + dx + dy, 0, bins.length - 1),
		first: () => 0,
		box: (i) => [left, top + i * BIN + 1, inner, BIN - 2],
		lines: (i) => [number(bins[i].count) + ', ' +
			percent(bins[i].count, all), data.axis.name + ' ' +
			value(bins[i].lo, type) + ' \u2013 ' + value(bins[i].hi, type)]
			.concat(data.weights ? [data.weights.name + ' ' +
				value(bins[i].weight, data.weights.type)] : []),
		area: (a, b) => box(left, top + Math.min(a, b) * BIN, inner,
			(Math.abs(a - b) + 1) * BIN),
		told: (a, b) => {
			[a, b] = [Math.min(a, b), Math.max(a, b)];
			const n = bins.slice(a, b + 1).reduce((s, c) => s + c.count, 0);
			return [value(bins[a].lo, type) + ' \u2013 ' +
				value(bins[b].hi, type), number(n) + ', ' + percent(n, all)];
		},
		keys: 'Drag, or Shift and arrow keys: add bins up',
	};
}

// ---- lanes
function lanes() {
	const spans = data.spans, first = []; // of each lane
	const names = data.lanes, kinds = data.kinds;
	let low = Infinity, last = -Infinity;
	spans.forEach((s, i) => {
		for (let l = first.length; l <= s[0]; l++) {
			first.push(i);
		}
		low = Math.min(low, s[2]);
		last = Math.max(last, s[3]);
	});
	while (first.length <= names.length) {
		first.push(spans.length);
	}
	let t0 = low, t1 = Math.max(last, low + 1);
	const history = [];
	const x = (t) => (t - t0) / (t1 - t0) * inner;
	// What fills each pixel of a lane.
	function strip(lane) {
		const n = Math.max(Math.floor(inner), 1), k = kinds.length;
		const share = new Float32Array(n * k);
		for (let i = first[lane]; i < first[lane + 1]; i++) {
			const a = Math.max(x(spans[i][2]), 0);
			const b = Math.min(x(spans[i][3]), n);
			for (let c = Math.floor(a); c <= b && c < n; c++) {
				const part = Math.min(b, c + 1) - Math.max(a, c);
				share[c * k + spans[i][1]] +=
					Math.max(part, 0) * spans[i][4] + 1e-6;
			}
		}
		return share;
	}
	function runs(lane, paths) {
		const share = strip(lane), k = kinds.length;
		let kind = -1, part = 0, begin = 0;
		const end = (c) => {
			if (kind >= 0) {
				const h = (LANE - 3) * inside(part, 0.12, 1);
				paths[kind].push(box(left + begin,
					top + lane * LANE + LANE - 2 - h, c - begin, h));
			}
		};
		for (let c = 0; c * k < share.length; c++) {
			let best = -1, most = 0;
			for (let j = 0; j < k; j++) {
				if (share[c * k + j] > most) {
					most = share[c * k + j];
					best = j;
				}
			}
			if (best !== kind || Math.abs(most - part) > 0.05) {
				end(c);
				[kind, part, begin] = [best, most, c];
			}
		}
		end(share.length / k);
	}
	function draw() {
		frame(names, names.length * LANE);
		const paths = kinds.map(() => []);
		names.forEach((name, i) => {
			label(left - 6, top + i * LANE + 13, name,
				{ 'text-anchor': 'end', class: 'name' });
			runs(i, paths);
		});
		paths.forEach((p, i) => p.length > 0 &&
			make(layer, 'path', { class: kinds[i][1], d: p.join('') }));
		const step = niceStep(t1 - t0, inner, 80);
		for (let t = Math.ceil(t0 / step) * step; t <= t1; t += step) {
			label(left + x(t), top + high + 16, clock(t, step),
				{ 'text-anchor': x(t) > inner - 40 ? 'end' :
					x(t) < 20 ? 'start' : 'middle' });
		}
	}
	const clock = (t, step) => (t < 0 ? '\u2212' : '+') + (Math.abs(t) / 1e9)
		.toFixed(inside(Math.ceil(9 - Math.log10(step)), 0, 9)) + ' s';
	// The span of a lane at a moment, or the last one before it.
	function spanAt(lane, t) {
		let a = first[lane], b = first[lane + 1];
		while (b - a > 1) {
			const mid = (a + b) >> 1;
			[a, b] = spans[mid][2] <= t ? [mid, b] : [a, mid];
		}
		return a;
	}
	const item = (lane, t) => ({ lane: lane, t: inside(t, t0, t1) });
	function zoom(a, b) {
		history.push([t0, t1]);
		[t0, t1] = [Math.max(a, low), Math.min(b, last)];
		if (t1 - t0 < 100) {
			t1 = t0 + 100;
		}
		redraw();
	}
	return {
		height: () => names.length * LANE,
		draw: draw,
		find: (px, y) => item(inside(Math.floor((y - top) / LANE), 0,
			names.length - 1), t0 + (px - left) / inner * (t1 - t0)),
		move: (i, dx, dy) => {
			const lane = inside(i.lane + dy, 0, names.length - 1);
			if (dx === 0 || first[lane] === first[lane + 1]) {
				return item(lane, i.t);
			}
			const s = inside(spanAt(lane, i.t) + dx, first[lane],
				first[lane + 1] - 1);
			return item(lane, spans[s][2]);
		},
		first: () => item(0, t0),
		box: (i) => [left + x(i.t) - 1, top + i.lane * LANE, 3, LANE],
		lines: (i) => {
			const s = spans[spanAt(i.lane, i.t)];
			const out = [names[i.lane], clock(i.t, (t1 - t0) / inner)];
			if (s && s[0] === i.lane && s[2] <= i.t && s[3] >= i.t) {
				out.push(kinds[s[1]][0] + ' ' + time(s[3] - s[2]) +
					(s[4] < 1 ? ', ' + Math.round(100 * s[4]) + '%' : ''));
				if (s[5]) {
					out.push(s[5]);
				}
			}
			return out;
		},
		area: (a, b) => box(left + x(Math.min(a.t, b.t)), top,
			Math.max(Math.abs(x(a.t) - x(b.t)), 1), high),
		told: (a, b) => [span(Math.min(a.t, b.t), Math.max(a.t, b.t)),
			time(Math.abs(a.t - b.t))],
		dragged: (a, b) => zoom(Math.min(a.t, b.t), Math.max(a.t, b.t)),
		zoomBy: (factor, i) => {
			const mid = i ? i.t : (t0 + t1) / 2;
			zoom(mid - (mid - t0) * factor, mid + (t1 - mid) * factor);
		},
		back: () => {
			if (history.length > 0) {
				[t0, t1] = history.pop();
				redraw();
			}
		},
		reset: () => {
			history.length = 0;
			[t0, t1] = [low, Math.max(last, low + 1)];
			redraw();
		},
		window: () => span(t0, t1),
		keys: 'Drag to zoom, + and \u2212, u: back, Escape: all',
	};
}

const chart = data.cells ? heatMap() : data.spans ? lanes() : histogram();
const empty = (data.cells || data.spans || data.bins).length === 0;
plot.setAttribute('aria-label', 'Chart. Arrow keys move, with Shift they ' +
	'choose a range, Escape ends it.' +
	(chart.zoomBy ? ' Plus and minus zoom.' : ''));

// ---- what is told
function told() {
	let lines = [chart.window ? chart.window() : remark, remark];
	if (empty) {
		lines = [remark, ''];
	} else if (from !== null && to !== null) {
		lines = chart.told(from, to);
	} else if (at !== null) {
		const l = chart.lines(at);
		lines = [l[0], l.slice(1).join('  \u00b7  ')];
	} else if (lines[0] === '') {
		lines = [chart.keys, ''];
	} else {
		lines[1] = lines[1] || chart.keys;
	}
	fit(footText, lines[0], width - 2 * MARGIN);
	fit(footMore, lines[1], width - 2 * MARGIN);
}
function showTip(x, y) {
	clear(tip);
	const back = make(tip, 'rect', { rx: 4 });
	tip.removeAttribute('display');
	let w = 0;
	const lines = chart.lines(at);
	lines.forEach((l, i) => {
		const t = make(tip, 'text', { x: 8, y: 18 + 16 * i,
			class: i === 0 ? 'name' : '' }, cut(l, 60));
		w = Math.max(w, t.getComputedTextLength());
	});
	const h = 16 * lines.length + 10;
	place2(back, 0, 0, w + 16, h);
	const bottom = scroll() + windowHeight() - FOOT;
	tip.setAttribute('transform', 'translate(' +
		inside(x + 14, 2, Math.max(width - w - 18, 2)).toFixed(1) + ',' +
		(y + 18 + h > bottom ? y - h - 8 : y + 18).toFixed(1) + ')');
}
function hideTip() {
	tip.setAttribute('display', 'none');
}
function mark() {
	if (from === null || to === null) {
		marked.setAttribute('display', 'none');
	} else {
		marked.setAttribute('d', chart.area(from, to));
		marked.removeAttribute('display');
	}
	if (at === null) {
		cursor.setAttribute('display', 'none');
	} else {
		place2(cursor, ...chart.box(at));
		cursor.removeAttribute('display');
	}
	told();
}
function forget() {
	at = from = to = null;
	hideTip();
	mark();
}

// ---- layout
const scroll = () => standalone ? window.scrollY : 0;
const windowHeight = () => standalone ? window.innerHeight :
	Number(root.getAttribute('height'));
function redraw() {
	clear(layer);
	if (!empty) {
		make(layer, 'rect', { class: 'ground', x: 0, y: headHeight,
			width: width, height: chart.height() });
		chart.draw();
	}
	mark();
}
function layout() {
	viewport();
	hideTip();
	fit(headTitle, title, width - 2 * MARGIN);
	headHeight = layoutLegend(layoutFacts(49) + 9) + 12;
	place2(headBar, 0, 0, width, headHeight - 4);
	headLine.setAttribute('d', 'M0 ' + (headHeight - 6) + 'h' + width);
	place2(footBar, 0, 0, width, FOOT);
	footLine.setAttribute('d', 'M0 0h' + width);
	for (const [e, y] of [[footText, 16], [footMore, 32]]) {
		e.setAttribute('x', MARGIN);
		e.setAttribute('y', y);
	}
	let h = headHeight + chart.height() + AXIS + FOOT;
	if (standalone) {
		h = Math.max(h, window.innerHeight);
	}
	root.setAttribute('height', h);
	root.style.height = h + 'px';
	at = from = to = null;
	redraw();
	pin();
}
// Foot stays in sight.
function pin() {
	head.setAttribute('transform', 'translate(0,' + scroll() + ')');
	foot.setAttribute('transform', 'translate(0,' +
		(scroll() + windowHeight() - FOOT) + ')');
}

// ---- mouse
let pressed = null;
function place(ev) {
	const r = root.getBoundingClientRect();
	return [ev.clientX - r.left, ev.clientY - r.top];
}
function within(x, y) {
	return !empty && x >= left && x < left + inner && y >= top &&
		y < top + high;
}
root.addEventListener('mousedown', (ev) => {
	const [x, y] = place(ev);
	if (ev.button === 0 && within(x, y)) {
		ev.preventDefault();
		plot.focus({ preventScroll: true });
		pressed = chart.find(x, y);
		from = to = null;
	}
});
root.addEventListener('mousemove', (ev) => {
	const [x, y] = place(ev);
	if (pressed !== null) {
		from = pressed;
		at = to = chart.find(x, y);
		hideTip();
		mark();
	} else if (within(x, y)) {
		at = chart.find(x, y);
		mark();
		showTip(x, y);
	} else if (tip.getAttribute('display') !== 'none') {
		at = null;
		hideTip();
		mark();
	}
});
window.addEventListener('mouseup', () => {
	const [a, b] = [from, to];
	if (pressed !== null && a !== null && chart.dragged) {
		const [x0] = chart.box(a), [x1] = chart.box(b);
		at = from = to = null;
		if (Math.abs(x0 - x1) > 3) {
			chart.dragged(a, b);
		}
	}
	pressed = null;
	mark();
});
root.addEventListener('mouseleave', () => {
	if (pressed === null) {
		at = null;
		hideTip();
		mark();
	}
});

// ---- keyboard
const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1],
	ArrowDown: [0, 1] };
function step(ev) {
	const [dx, dy] = arrows[ev.key];
	const before = at;
	at = at === null ? chart.first() : chart.move(at, dx, dy);
	if (ev.shiftKey && before !== null) {
		from = from === null ? before : from;
		to = at;
	} else {
		from = to = null;
	}
	mark();
	const [x, y, w] = chart.box(at);
	showTip(x + w, y);
}
function key(ev) {
	if (ev.ctrlKey || ev.metaKey || ev.altKey || empty) {
		return;
	}
	if (arrows[ev.key]) {
		step(ev);
	} else if (ev.key === 'Escape') {
		if (chart.reset && from === null) {
			chart.reset();
		}
		forget();
	} else if (ev.key === 'Enter' && chart.dragged && from !== null) {
		const [a, b] = [from, to];
		from = to = null;
		chart.dragged(a, b);
	} else if (chart.zoomBy && (ev.key === '+' || ev.key === '=')) {
		chart.zoomBy(0.5, at);
	} else if (chart.zoomBy && ev.key === '-') {
		chart.zoomBy(2, at);
	} else if (chart.back && (ev.key === 'u' || ev.key === 'Backspace')) {
		chart.back();
	} else {
		return;
	}
	ev.preventDefault();
}
(standalone ? document : root).addEventListener('keydown', key);
if (standalone) {
	window.addEventListener('scroll', () => {
		hideTip();
		pin();
	});
}
let waiting = 0;
window.addEventListener('resize', () => {
	cancelAnimationFrame(waiting);
	waiting = requestAnimationFrame(layout);
});
layout();
root.setAttribute('data-ready', '1');
