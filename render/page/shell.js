// SPDX-License-Identifier: MIT
// @ts-check
// The frame around the views: head, findings, the bar with what is selected
// and the tabs, and the line at the bottom.
import { tableOf } from './cells.js';
import { upTo } from './decode.js';
import { button, el, fill, isDark, menu, take, visible } from './dom.js';
import { ALL_TIME, isTimed } from './filter.js';
import { percent } from './numbers.js';
import { shortName } from './short.js';
import { needs } from './state.js';
import { samplesWords, sidesWords, threadsWords } from './words.js';
import { weightWords, windowWords } from './words.js';

const FINDINGS = 'findings', MOST = 8;

/** What the report found, the first thing to read: [[about, sentence]]. */
export function findingsOf(meta) {
	const out = tableOf(meta, FINDINGS).rows.map((r) => [r.values[0],
		r.values.slice(1).join(' ')]);
	for (const s of out.length === 0 ? meta.sections || [] : []) {
		if (s.type === 'notes') {
			out.push(...s.notes.map((text) => ['', text]));
		}
	}
	return out.slice(0, MOST);
}

export class Shell {
	constructor(app) {
		this.app = app;
		this.bar = el('section.bar', {
			'aria-label': 'Views and selection' });
		this.tabs = el('div', { role: 'tablist', 'aria-label': 'Views' });
		this.chips = el('div.chips');
		this.sum = el('span.sum', { role: 'status' });
		this.said = el('span.said', { 'aria-live': 'polite' });
		this.search = el('input', { type: 'search', placeholder: 'Search  /',
			'aria-label': 'Search functions', spellcheck: 'false',
			autocomplete: 'off',
			oninput: () => this.app.select({ search: this.search.value },
				'replaceState') });
		app.listeners.push((change) => this.renew(change));
	}

	/** All of the page, around the slots of the views. */
	layOut() {
		const { app } = this, { slots } = app;
		this.bar.append(this.tabs, this.chips, this.sideButton());
		fill(app.root, this.head(), this.findings(), slots.strip, this.bar,
			slots.main, slots.side, el('footer.line', {}, this.said,
				this.sum, el('span', '? lists the keys')));
	}

	head() {
		const { meta } = this.app.data, { sides } = this.app.model;
		const title = sides === null ? meta.title : 'diff: ' +
			sidesWords(sides), label = sides === null ? meta.label : '';
		const who = el('div.who', {}, el('h1', { text: title, title }),
			el('p', { text: label || '', title: label || '' }));
		return el('header.head', {}, who, this.events(),
			...this.sides(), this.search,
			button('Export', () => this.app.exports.open()),
			button('Light/dark', () => this.theme()),
			button('?', () => this.app.keys.list(), { 'aria-label': 'Keys' }));
	}

	events() {
		const { app } = this, { events } = app.data;
		const list = upTo(events.n).filter((i) => events.samples[i] > 0);
		this.event = menu(list.map((i) => [i, app.model.string(
			events.name[i])]), (i) => app.select({ event: Number(i) }),
		{ 'aria-label': 'Event' });
		this.event.hidden = list.length < 2;
		return this.event;
	}

	/** What is shown of several captures, and how they lie. */
	sides() {
		const { app } = this;
		if (app.model.sides === null) {
			return [];
		}
		this.side = menu([['after', 'After'], ['before', 'Before'],
			['', 'Before and after']], (side) => app.select({ side }),
		{ 'aria-label': 'Captures' });
		this.align = menu([['start', 'from the start'],
			['share', 'by share of time']], (align) => app.set({ align }),
		{ 'aria-label': 'Times' });
		return [this.side, this.align];
	}

	findings() {
		const list = findingsOf(this.app.data.meta);
		const box = el('section.findings', { tabindex: 0,
			'aria-label': 'Findings', hidden: list.length === 0 });
		box.append(el('ol', {}, ...list.map(([about, text]) => el('li', {},
			about === '' ? null : el('b', about + ': '),
			el('span', { text: shortName(text), title: text })))));
		return box;
	}

	sideButton() {
		const { app } = this, { side } = app.slots;
		return this.evidence = button('Evidence', () => app.set({
			evidence: side.hidden ? 'on' : 'off' }, 'replaceState'));
	}

	showSide() {
		const { app } = this, { state: { evidence } } = app;
		const hidden = app.slots.side.hidden = evidence === 'off' ||
			evidence === '' && innerWidth <= 1100;
		this.evidence.setAttribute('aria-pressed', String(!hidden));
	}

	theme() {
		const { dataset } = document.documentElement;
		dataset.theme = isDark() ? 'light' : 'dark';
		this.app.tell(new Set(['theme']));
	}

	addTab(view) {
		const tab = button(view.title, () => this.app.set({
			view: view.name }), { role: 'tab', id: 'tab-' + view.name,
			onkeydown: (e) => this.tabKey(e, tab) });
		view.tab = tab;
		view.element.setAttribute('role', 'tabpanel');
		view.element.setAttribute('aria-labelledby', tab.id);
		this.tabs.append(tab);
	}

	/** Left and right go from tab to tab. */
	tabKey(e, tab) {
		const next = e.key === 'ArrowRight' ? tab.nextSibling :
			e.key === 'ArrowLeft' ? tab.previousSibling : null;
		if (next !== null) {
			take(e);
			next.focus();
			next.click();
		}
	}

	renew(change) {
		const { app } = this, { selection } = app.state;
		for (const view of app.views.values()) {
			if (view.tab) {
				const on = view.name === app.state.view;
				view.tab.setAttribute('aria-selected', String(on));
				view.tab.tabIndex = on ? 0 : -1;
			}
		}
		if (this.search.value !== selection.search) {
			this.search.value = selection.search;
		}
		this.event.value = String(selection.event);
		if (this.side) {
			this.side.value = selection.side;
			this.align.value = app.state.align;
		}
		if (needs(change, ['all', 'evidence'])) {
			this.showSide();
		}
		if (needs(change, ['all', 'samples'])) {
			this.showSum();
		}
		this.showChips();
		this.say('');
	}

	showSum() {
		const { model, state } = this.app, sel = state.selection;
		const kept = model.filter(sel), all = model.filter(
			{ ...model.whole(sel.event), side: sel.side });
		this.sum.textContent = samplesWords(kept.samples) + ', ' +
			weightWords(model, sel.event, kept.weight) + (kept === all ? '' :
			' (' + percent(kept.weight, all.weight) + ' of the event)');
	}

	showChips() {
		const { app } = this, { model } = app, sel = app.state.selection;
		fill(this.chips,
			isTimed(sel) && this.chip(windowWords(model, sel), 'time',
				ALL_TIME),
			sel.threads && this.chip(threadsWords(model, sel.threads),
				'threads', { threads: null }),
			sel.cpus && this.chip('CPU ' + [...sel.cpus].join(', '),
				'CPUs', { cpus: null }),
			sel.focus >= 0 && this.chip(model.funcs.all.name[sel.focus],
				'function', { focus: -1 }));
	}

	chip(text, what, without) {
		return el('span.chip', { title: text }, el('span', text),
			button('\u00d7', () => this.app.select(without),
				{ 'aria-label': 'All ' + what + ' again' }));
	}

	say(text) {
		this.said.textContent = visible(text);
	}
}
