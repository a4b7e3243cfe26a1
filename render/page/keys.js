// SPDX-License-Identifier: MIT
// @ts-check
// Keys for everything, and the list of them.
import { button, el, isShortcut, listen, minor } from './dom.js';
import { openDialog } from './dom.js';
import { ALL_TIME } from './filter.js';

function isTyping(target) {
	return target instanceof Element &&
		/^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName);
}

export class Keys {
	constructor(app) {
		this.app = app;
		/** @type {[string, string, function?][]} */
		this.all = [['/', 'search', () => this.search()],
			['?', 'list the keys', () => this.list()],
			['1 \u2026 9', 'go to a view'],
			['e', 'export what is shown', () => app.exports.open()],
			['n', 'write a note', () => app.notes.write(-1)],
			['d', 'light or dark', () => app.shell.theme()],
			['a', 'all samples again', () => app.select({ ...ALL_TIME,
				threads: null, cpus: null, focus: -1, search: '' })],
			['f', 'callers and callees of the function', () =>
				app.set({ view: 'sandwich' })],
			['Esc', 'leave the search, a list or a zoom']];
		listen(window, { keydown: (e) => this.press(e) });
	}

	search() {
		this.app.shell.search.focus();
		this.app.shell.search.select();
	}

	press(e) {
		if (isShortcut(e) || e.defaultPrevented ||
			document.querySelector('dialog[open]') !== null) {
			return;
		}
		if (isTyping(e.target)) {
			if (e.key === 'Escape' && e.target === this.app.shell.search) {
				this.app.select({ search: '' }, 'replaceState');
				this.app.shell.search.blur();
			}
			return;
		}
		if (/^[1-9]$/.test(e.key)) {
			this.goTo(Number(e.key) - 1);
			return;
		}
		const found = [...this.ofView(), ...this.all].find(([key]) =>
			key === e.key);
		if (found?.[2]) {
			e.preventDefault();
			found[2]();
		}
	}

	goTo(n) {
		const tab = this.app.shell.tabs.children[n];
		if (tab !== undefined) {
			tab.click();
			tab.focus();
		}
	}

	ofView() {
		const { app } = this;
		return Array.from(app.views.values()).filter((v) => app.shown(v))
			.flatMap((v) => v.keys || []);
	}

	list() {
		const rows = (keys) => keys.flatMap(([key, what]) =>
			[el('dt', {}, el('kbd', key)), el('dd', what)]);
		const own = this.ofView();
		const dialog = openDialog('Keys', el('h2', 'Keys'),
			el('dl', {}, ...rows(this.all)), own.length > 0 &&
			minor('In this view'), el('dl', {}, ...rows(own)),
			el('div.row', {}, button('Close', () => dialog.close())));
	}
}
