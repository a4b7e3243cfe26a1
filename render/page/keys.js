// SPDX-License-Identifier: MIT
// @ts-check
// Keys for everything, and the list of them.
import { el, fill } from './dom.js';

function isTyping(target) {
	return target instanceof Element &&
		/^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName);
}

export class Keys {
	constructor(app) {
		this.app = app;
		/** @type {[string, string, function][]} */
		this.all = [['/', 'search', () => this.search()],
			['?', 'list the keys', () => this.list()],
			['1 \u2026 9', 'go to a view', () => {}],
			['e', 'export what is shown', () => app.run('export')],
			['n', 'write a note', () => app.run('note')],
			['d', 'light or dark', () => app.shell.theme()],
			['a', 'all samples again', () => app.select({ from: null, to: null,
				threads: null, cpus: null, focus: -1, search: '' })],
			['f', 'callers and callees of the function', () =>
				app.set({ view: 'sandwich' })],
			['Esc', 'leave the search, a list or a zoom', () => {}]];
		this.dialog = el('dialog', { 'aria-label': 'Keys' });
		app.command('help', () => this.list());
		addEventListener('keydown', (e) => this.press(e));
	}

	search() {
		this.app.shell.search.focus();
		this.app.shell.search.select();
	}

	press(e) {
		if (e.ctrlKey || e.metaKey || e.altKey || e.defaultPrevented ||
			document.querySelector('dialog[open]') !== null) {
			return;
		}
		if (isTyping(e.target)) {
			if (e.key === 'Escape' && e.target === this.app.shell.search) {
				this.app.select({ search: '' }, { push: false });
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
		if (found !== undefined) {
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
		const view = this.app.views.get(this.app.state.view);
		return view && view.keys || [];
	}

	list() {
		const rows = (keys) => keys.flatMap(([key, what]) =>
			[el('dt', {}, el('kbd', { text: key })), el('dd', { text: what })]);
		const close = el('button', { text: 'Close', onclick: () =>
			this.dialog.close() });
		fill(this.dialog, el('h2', { text: 'Keys' }), el('dl', {},
			...rows(this.all)), this.ofView().length === 0 ? null :
			el('h2.minor', { text: 'In this view' }), el('dl', {},
			...rows(this.ofView())), el('div.row', {}, close));
		document.body.append(this.dialog);
		this.dialog.showModal();
	}
}
