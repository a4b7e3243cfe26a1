// SPDX-License-Identifier: MIT
// A flame graph in a browser: zoom, what is said of a frame, scrolling.
// ---- zoom
let chosen = 0; // by the reader, not on the way to a match
function zoom(i, keep) {
	chosen = i;
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
	linkLater();
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
	const way = [zoomed];
	for (let i = zoomed; i !== 0; way.push(i)) {
		i = parent[i];
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
			'data-crumb': i }, shortOf(i, 16));
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
		out.push(data.weight + ' ' + (data.type === 'count' && exact.has(i) ?
			number(exact.get(i)) : value(total[i], data.type)));
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
