// SPDX-License-Identifier: MIT
// A flame graph in a browser: keyboard, help, mouse; the first layout.
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
function move(key) {
	if (!place.has(focused)) {
		focus(zoomed);
		return;
	}
	const away = icicle ? 'ArrowDown' : 'ArrowUp';
	let to;
	if (key === 'ArrowLeft' || key === 'ArrowRight') {
		to = neighbour(boxes, focused, key === 'ArrowLeft' ? -1 : 1);
	} else {
		to = key === away ? heaviestCallee(tree, focused) : parent[focused];
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
		u: back, c: copyName, n: () => step(1), N: () => step(-1), '?': toggleHelp,
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
		frames.focus({ preventScroll: true });
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
	['n, N', 'next and previous match'], ['c', 'copy the name'],
	['?', 'this help']];
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
	const part = x / (width - 2 * MARGIN);
	return data.starts !== undefined ?
		frameUnderInTime(tree, data.starts, zoomed, part, Number(row)) :
		frameUnder(tree, zoomed, part, Number(row));
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
	typing = setTimeout(searchNow, 150);
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
if (standalone) {
	readLink();
	window.addEventListener('hashchange', readLink);
}
forPaper(() => headHeight + (deepest + 1) * ROW + FOOT, layout);
root.setAttribute('data-ready', '1');
