// SPDX-License-Identifier: MIT
// picture.js: what all pictures do in a browser.
//
// Stands after page/numbers.js and before flame-frames.js or chart-maps.js in
// one function.  Finds the elements that the C side wrote, and lays out heading,
// facts and legend for the width of the window.  Loads nothing, stores nothing;
// all texts are set as text, never as markup.
const SVG = 'http://www.w3.org/2000/svg';
const XHTML = 'http://www.w3.org/1999/xhtml';
const ROW = 18, MARGIN = 10, HEAD = 96, FOOT = 40;
const me = document.currentScript;
const root = me.ownerSVGElement || me.closest('svg');
const find = (name) => root.querySelector('.' + name);
const data = JSON.parse(find('data').textContent);
const standalone = document.documentElement === root;

// ---- small things
// Cut to n characters; a character is never torn.
function cut(text, n) {
	if (text.length <= n) {
		return text;
	}
	const chars = Array.from(text.slice(0, 2 * n + 2));
	return chars.length <= n ? text : chars.slice(0, Math.max(n - 1, 0))
		.join('') + '\u2026';
}
function make(parentNode, tag, attributes, text) {
	const e = document.createElementNS(SVG, tag);
	for (const k in attributes) {
		e.setAttribute(k, attributes[k]);
	}
	if (text !== undefined) {
		e.textContent = text;
	}
	if (parentNode) {
		parentNode.appendChild(e);
	}
	return e;
}
function clear(node) {
	while (node.firstChild) {
		node.removeChild(node.firstChild);
	}
}
// ---- elements
const head = find('head');
const foot = root.querySelector('g.foot');
const facts = Array.from(head.querySelectorAll('.item'), (e) => e.textContent);
const legend = Array.from(head.querySelectorAll('.legend > g'));
const title = root.querySelector('title').textContent;
const about = root.querySelector('desc').textContent;
if (!standalone) {
	root.removeChild(root.querySelector('title')); // it would be a tooltip
}
root.setAttribute('aria-label', title);
const headBar = make(null, 'rect', { class: 'bar' });
head.insertBefore(headBar, head.firstChild);
const headLine = make(head, 'path', { class: 'line' });
const headTitle = find('title');
const headFacts = root.querySelector('text.fact');
let width = 1200, headHeight = HEAD;

// ---- heading
function viewport() {
	root.setAttribute('width', '100%');
	root.removeAttribute('viewBox');
	const w = root.getBoundingClientRect().width ||
		(standalone ? window.innerWidth : 1200);
	width = Math.max(Math.floor(w), 240);
}
// On paper all of it is as wide as the page, whatever the window shows.
function forPaper(height, again) {
	let seen = 0;
	window.addEventListener('beforeprint', () => {
		const h = height();
		seen = window.scrollY;
		root.setAttribute('viewBox', '0 0 ' + width + ' ' + h);
		root.removeAttribute('height');
		root.style.height = 'auto';
		head.removeAttribute('transform');
		foot.setAttribute('transform', 'translate(0,' + (h - FOOT) + ')');
	});
	window.addEventListener('afterprint', () => {
		again();
		if (standalone) {
			window.scrollTo(0, seen);
			pin();
		}
	});
}
function place2(rect, x, y, w, h) {
	rect.setAttribute('x', x);
	rect.setAttribute('y', y);
	rect.setAttribute('width', Math.max(w, 0));
	rect.setAttribute('height', Math.max(h, 0));
}
// Shortens an element's text until it is no wider than room.
function fit(e, text, room) {
	let n = text.length;
	e.textContent = text;
	while (n > 3 && e.getComputedTextLength() > room) {
		n = Math.min(n - 1, Math.floor(n * room /
			e.getComputedTextLength()) + 1);
		e.textContent = cut(text, n);
	}
}
// Facts one after the other, in as many lines as they need; what is too long
// for a line goes on in the next.
function layoutFacts(y) {
	const lines = [''];
	clear(headFacts);
	const probe = make(headFacts, 'tspan', {});
	const wide = (text) => {
		probe.textContent = text;
		return probe.getComputedTextLength() > width - 2 * MARGIN;
	};
	for (let f of facts) {
		const last = lines[lines.length - 1];
		const both = last === '' ? f : last + '  \u00b7  ' + f;
		if (!wide(both)) {
			lines[lines.length - 1] = both;
			continue;
		}
		if (last !== '') {
			lines.push('');
		}
		while (wide(f) && f.includes(' ')) {
			let n = f.lastIndexOf(' ');
			while (wide(f.slice(0, n)) && f.lastIndexOf(' ', n - 1) > 0) {
				n = f.lastIndexOf(' ', n - 1);
			}
			lines[lines.length - 1] = f.slice(0, n);
			lines.push('');
			f = f.slice(n + 1);
		}
		lines[lines.length - 1] = f;
	}
	clear(headFacts);
	for (const line of lines) {
		fit(make(headFacts, 'tspan', { x: MARGIN, y: y }), line,
			width - 2 * MARGIN);
		y += 16;
	}
	return y - 16;
}
let legendFor = null; // makes a legend that the width of the window changes
function layoutLegend(y) {
	let x = MARGIN;
	if (legendFor !== null) {
		legendFor();
	}
	for (const g of legend) {
		const w = 31 + g.querySelector('text').getComputedTextLength();
		if (x > MARGIN && x + w > width) {
			x = MARGIN;
			y += 18;
		}
		g.setAttribute('transform', 'translate(' + x + ',' + y + ')');
		x += w;
	}
	return legend.length > 0 ? y + 12 : y;
}

