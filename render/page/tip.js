// SPDX-License-Identifier: MIT
// @ts-check
// What a picture tells of the thing under the pointer: a tip next to it.
import { el, fill } from './dom.js';

export class Tip {
	/** @param {any} root the application: copies of the page leave it out */
	constructor(root) {
		this.element = el('div.tip', { hidden: true,
			'aria-hidden': 'true' });
		root.append(this.element);
	}
	// The first line is a name; x and y are of the window.
	/** @param {string[]} lines @param {number} x @param {number} y */
	show(lines, x, y) {
		const { element } = this;
		fill(element, ...lines.map((text, i) =>
			el('div', { class: i === 0 ? 'tip-name' : '', text })));
		element.hidden = false;
		const w = element.offsetWidth, h = element.offsetHeight;
		const left = Math.max(4, Math.min(x + 14, innerWidth - w - 4));
		const top = y + 22 + h > innerHeight ? y - h - 12 : y + 22;
		element.style.left = left + 'px';
		element.style.top = Math.max(top, 4) + 'px';
	}
	hide() {
		this.element.hidden = true;
	}
}
