// SPDX-License-Identifier: MIT
// Charts in a browser: what is told, keyboard, mouse; the first layout.
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
const fullHeight = () => headHeight + chart.height() + AXIS + FOOT;
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
	let h = fullHeight();
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

// ---- link: browsers refuse to change the address many times a second
let linking = 0;
function linkLater(words) {
	clearTimeout(linking);
	linking = setTimeout(() => {
		if (standalone && '#' + words !== (window.location.hash || '#')) {
			window.history.replaceState(null, '', '#' + words);
		}
	}, 150);
}
function readLink() {
	const words = new URLSearchParams(window.location.hash.slice(1));
	const moment = (name) => /^-?\d{1,16}$/.test(words.get(name)) ?
		Number(words.get(name)) : NaN;
	chart.link(moment('from'), moment('to'));
}

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
forPaper(fullHeight, layout);
if (standalone && chart.link && !empty) {
	if (window.location.hash !== '') {
		readLink();
	}
	window.addEventListener('hashchange', readLink);
}
root.setAttribute('data-ready', '1');
