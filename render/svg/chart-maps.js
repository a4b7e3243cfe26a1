// SPDX-License-Identifier: MIT
// Heat maps and histograms in a browser, after picture.js.  chart-lanes.js and
// chart-input.js follow in the same function.
//
// Lays the chart out for the window and answers to mouse and keyboard: what a
// cell, bin or span holds; the window of time that was dragged over, as --time
// takes it; zoom into lanes.  Cells and spans of one colour are one path, and
// what is narrower than a pixel shares it: work follows the window's size.
const AXIS = 40, CHAR = 7.4, LANE = 18, BIN = 20, HEATS = 9;
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
	const mostly = data.merge === 'most', mean = data.merge === 'mean';
	const add = (a, b) => mostly ? Math.max(a, b) : a + b;
	let byX = 1, columns = gx.count, sums = null, most = 0;
	const amount = (v) => value(v, data.value.type) + ' ' + (v === 1 &&
		data.value.type === 'count' ? data.value.name.replace(/s$/, '') :
		data.value.name);
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
				edgeText(gy, i), { 'text-anchor': 'end' });
		}
		const wide = Math.max(6, ...Array.from({
			length: Math.min(gx.count, 50) },
		(_, i) => edgeText(gx, i).length));
		const every = Math.max(gx.labels || gx.edges ?
			Math.ceil(gx.count * (wide + 2) * CHAR / inner) :
			niceStep(gx.count, inner, (wide + 2) * CHAR), 1);
		for (let i = 0; i < gx.count; i += every) {
			const x = i / gx.count * inner, text = edgeText(gx, i);
			if (x + text.length * CHAR <= inner + MARGIN) {
				label(left + x, top + high + 16, text, {});
			}
		}
	}
	// Cells that share a column are added up: the colours mean more then.
	function measure() {
		frame(Array.from({ length: Math.min(gy.count, 500) },
			(_, i) => edgeText(gy, i)), gy.count * cellH);
		sum();
	}
	legendFor = () => {
		const keys = head.querySelector('.legend');
		measure();
		clear(keys);
		legend.length = 0;
		for (let i = 1, last = 0; i <= HEATS && most > 0; i += 2) {
			const part = i / HEATS, v = Math.min(Math.ceil(part * part * most),
				most);
			if (v !== last) {
				const g = make(keys, 'g', {});
				make(g, 'rect', { class: 'q' + heat(v), width: 12,
					height: 12, rx: 2 });
				make(g, 'text', { class: 'key', x: 17, y: 10.5 },
					i === 1 ? amount(v) : value(v, data.value.type));
				legend.push(g);
			}
			last = v;
		}
	};
	function draw() {
		measure();
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
		lines: (i) => [amount(sums[i.x * gy.count + i.y]),
			gx.name + ' ' + edgeText(gx, i.x * byX) +
			(byX > 1 ? ' (' + byX + ' cells)' : ''),
			gy.name + ' ' + edgeText(gy, i.y)],
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
				[edgeText(gx, a.x) + ' \u2026 ' + edgeText(gx, b.x), what];
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
