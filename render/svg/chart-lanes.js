// SPDX-License-Identifier: MIT
// Charts in a browser: lanes, and which kind of chart this is.
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
		show(a, b);
	}
	// The window after "#" in the address, in nanoseconds; all: nothing.
	const words = () => t0 <= low && t1 >= last ? '' :
		'from=' + Math.round(t0) + '&to=' + Math.round(t1);
	function show(a, b) {
		[t0, t1] = [Math.max(a, low), Math.min(b, last)];
		if (t1 - t0 < 100) {
			t1 = t0 + 100;
		}
		redraw();
		linkLater(words());
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
				show(...history.pop());
			}
		},
		reset: () => {
			history.length = 0;
			show(low, last);
		},
		link: (a, b) => a < b && a < last && b > low ?
			zoom(a, b) : show(low, last),
		window: () => span(t0, t1),
		keys: 'Drag to zoom, + and \u2212, u: back, Escape: all',
	};
}

const chart = data.cells ? heatMap() : data.spans ? lanes() : histogram();
const empty = (data.cells || data.spans || data.bins).length === 0;
plot.setAttribute('aria-label', 'Chart. Arrow keys move, with Shift they ' +
	'choose a range, Escape ends it.' +
	(chart.zoomBy ? ' Plus and minus zoom.' : ''));
