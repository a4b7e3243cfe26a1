// SPDX-License-Identifier: MIT
// @ts-check
// Making elements.  Texts are text always: nothing here takes markup.

/**
 * An element with attributes and children; 'p.dim' is one of class dim.
 * `class', `text' and functions for events (`onclick') are what their names
 * say; null and false are left out.
 * @param {string} tag @param {any} attributes
 * @param {...any} children @returns {any}
 */
export function el(tag, attributes = {}, ...children) {
	const [kind, style] = tag.split('.');
	const node = document.createElement(kind);
	if (style !== undefined) {
		node.className = style;
	}
	for (const [name, value] of Object.entries(attributes)) {
		if (value === null || value === undefined || value === false) {
			continue;
		}
		if (name === 'text') {
			node.textContent = visible(String(value));
		} else if (name.startsWith('on')) {
			node.addEventListener(name.slice(2), value);
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

const HIDDEN = new RegExp('[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f' +
	'\\u00ad\\u061c\\u180e\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f' +
	'\\ufeff\\ufff9-\\ufffb]', 'g');

/** Characters that draw nothing, or turn the next around, as \uXXXX. */
export function visible(text) {
	return text.replace(HIDDEN, (c) =>
		'\\u' + c.charCodeAt(0).toString(16).padStart(4, '0'));
}

/** Whether the page is dark now. */
export function isDark() {
	const theme = document.documentElement.dataset.theme;
	return theme === 'dark' || (theme !== 'light' &&
		matchMedia('(prefers-color-scheme: dark)').matches);
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

/** What calls draw() before the next picture, however often it is called. */
export function withNextPicture(draw) {
	let waits = false;
	return () => {
		if (!waits) {
			waits = true;
			requestAnimationFrame(() => {
				waits = false;
				draw();
			});
		}
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
