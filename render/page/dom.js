// SPDX-License-Identifier: MIT
// @ts-check
// Making elements.  Texts are text always: nothing here takes markup.
import { escapeText } from './folded.js';

/**
 * An element with attributes and children; 'p.dim' is one of class dim.
 * `class', `text' and functions for events (`onclick') are what their names
 * say; null and false are left out.  A text alone needs no name.
 * @param {string} tag @param {any} attributes
 * @param {...any} children @returns {any}
 */
export function el(tag, attributes = {}, ...children) {
	const [kind, style] = tag.split('.');
	const node = document.createElement(kind);
	if (style !== undefined) {
		node.className = style;
	}
	const all = typeof attributes === 'object' ? attributes :
		{ text: attributes };
	for (const [name, value] of Object.entries(all)) {
		if (value === null || value === undefined || value === false) {
			continue;
		}
		if (name === 'text') {
			node.textContent = visible(String(value));
		} else if (name.startsWith('on')) {
			listen(node, { [name.slice(2)]: value });
		} else {
			node.setAttribute(name, value === true ? '' : String(value));
		}
	}
	node.append(...children.filter((c) => c !== null && c !== undefined));
	return node;
}

/** Takes all children out and puts others in. */
export function fill(node, ...children) {
	node.replaceChildren(...children.filter((c) => c));
	return node;
}

/** Calls a function at each of these events: { click: fn }. */
export function listen(node, events) {
	for (const [name, fn] of Object.entries(events)) {
		node.addEventListener(name, fn);
	}
}

/** Calls a function when the size of an element is another one. */
export const whenResized = (node, fn) => new ResizeObserver(fn).observe(node);

/** The event is dealt with: neither the browser nor the page has it. */
export function take(e) {
	e.preventDefault();
	e.stopPropagation();
}

/** Is a key meant for the browser? */
export const isShortcut = (e) => e.ctrlKey || e.metaKey || e.altKey;

export const button = (text, onclick, more = {}) =>
	el('button', { text, onclick, ...more });

/** A button that looks like a link. */
export const link = (text, onclick) => el('button.link', { text, onclick });

export const minor = (text) => el('h2.minor', text);

/** A menu of [value, text], which calls fn(value). */
export function menu(options, fn, more = {}) {
	const select = el('select', { ...more, autocomplete: 'off',
		onchange: () => fn(select.value) },
		...options.map(([value, text]) => el('option', { value, text })));
	return select;
}

/** What a colour means, for a legend. */
export function swatch([colour, word]) {
	const key = el('i.swatch');
	key.style.background = colour;
	return el('span', {}, key, word);
}

/** A row of heads; those from the n-th on are of texts. */
export const headRow = (heads, n = heads.length) => el('thead', {}, el('tr', {},
	...heads.map((text, i) => el('th', { text, scope: 'col',
		class: i < n ? '' : 'text' }))));

/** A window over the page, which is gone when it is closed. */
export function openDialog(label, ...children) {
	const dialog = fill(el('dialog', { 'aria-label': label }), ...children);
	listen(dialog, { close: () => dialog.remove() });
	document.body.append(dialog);
	dialog.showModal();
	return dialog;
}

/** Pixels from the left and the top of an element to the pointer. */
export function pointIn(node, e) {
	const r = node.getBoundingClientRect();
	return [e.clientX - r.left, e.clientY - r.top];
}

/** A value between two others. */
export const clamp = (v, least, most) => Math.max(least, Math.min(v, most));

/**
 * Characters that draw nothing, or turn the next around, as commands print
 * them; most texts have none.
 */
export const visible = (text) => /^[ -~]*$/.test(text) ? text :
	escapeText(text, { '\t': '\t', '\n': '\n' });

export const darkMedia = () => matchMedia('(prefers-color-scheme: dark)');

/** Is the page printed?  Style and sizes are still those of the screen then. */
export const paper = { on: false };

/**
 * The width to draw a picture with.  The style fits it to the paper: so its
 * letters there do not depend on the window.
 */
export const widthOf = (node) => paper.on ? 900 : node.clientWidth;

/** Whether the page is dark now. */
export function isDark() {
	const theme = document.documentElement.dataset.theme;
	return theme === 'dark' || theme !== 'light' && darkMedia().matches;
}

/** The colours that variables of page.css have now, by their names. */
export function coloursOf(names) {
	const probe = el('i', { hidden: true });
	document.body.append(probe);
	const found = Object.fromEntries(names.map((name) => {
		probe.style.color = 'var(--' + name + ')';
		return [name, getComputedStyle(probe).color];
	}));
	probe.remove();
	return found;
}

/**
 * What calls draw() before the next picture, however often it is called.  Paper
 * waits for none.
 */
export function withNextPicture(draw) {
	let waits = false;
	return () => {
		if (paper.on) {
			draw();
		} else if (!waits) {
			waits = true;
			requestAnimationFrame(() => {
				waits = false;
				draw();
			});
		}
	};
}

/**
 * What calls fn() some ms after the next picture, once for all calls before
 * that.
 */
export function afterNextPicture(fn, pause = 0) {
	/** @type {any} */
	let latest = null;
	return () => {
		const wanted = latest = {};
		requestAnimationFrame(() => setTimeout(() => {
			if (wanted === latest) {
				fn();
			}
		}, pause));
	};
}

/** Offers a file for download. */
export function offer(name, content, type) {
	const blob = content instanceof Blob ? content :
		new Blob([content], { type });
	const link = el('a', { href: URL.createObjectURL(blob), download: name });
	document.body.append(link);
	link.click();
	link.remove();
	setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
