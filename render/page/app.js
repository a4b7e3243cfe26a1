// SPDX-License-Identifier: MIT
// @ts-check
// The application: what is shown, who is told of changes, and where views
// stand.  A view is an object:
//   name, title: in the address, and on its tab
//   place: 'strip' (above), 'main' (a tab; the default), 'side', or 'sandwich'
//     (a picture within the view of that name)
//   mount(element, app): once, before its first update
//   renew(change): the state changed, or the view is shown again; a view that
//     needs to know how large it is looks on its own
//   drawFile(pen): draws all of a picture for a file; optional
//   keys: [[key, what it does, function]]; optional, as is the function
// `change' is a Set of names: of the state's and the selection's parts;
// 'samples' if other samples are selected, 'theme' for light, dark and paper, 'all'
// if the view was not told of some changes before.
import { darkMedia, el, listen, paper } from './dom.js';
import { readState, writeState } from './state.js';
import { Shell } from './shell.js';
import { Keys } from './keys.js';

const SAMPLES = ['from', 'to', 'threads', 'cpus', 'event',
	'side'];

const differs = (a, b) => a instanceof Set && b instanceof Set ?
	a.size !== b.size || [...a].some((v) => !b.has(v)) : a !== b;

/** The names of what two states have not in common. */
export function changesOf(before, now) {
	const change = new Set();
	const { selection, ...rest } = now;
	for (const name of Object.keys(rest)) {
		if (differs(before[name], now[name])) {
			change.add(name);
		}
	}
	for (const name of Object.keys(selection)) {
		if (differs(before.selection[name], selection[name])) {
			change.add(name);
			if (SAMPLES.includes(name)) {
				change.add('samples');
			}
		}
	}
	return change;
}

export class App {
	views = new Map();
	mounted = new Set();
	/** Each is told of every change, before the views. */
	listeners = [];
	/** @type {import('./notes.js').Notes|null} */
	notes = null;
	/** @type {import('./export.js').Exports|null} */
	exports = null;
	/** Of the screen, while the page is on paper; or the other way. */
	theme = '';
	/** @param {any} model @param {any} root the element to fill */
	constructor(model, root) {
		this.model = model;
		this.data = model.data;
		this.root = root;
		/** @type {import('./state.js').State} */
		this.state = readState(location.hash.slice(1), model);
		model.align(this.state.align);
		this.slots = { strip: el('section.strip', {
			'aria-label': 'Overview' }), main: el('main.main'),
		side: el('aside.side', { 'aria-label': 'Evidence' }),
		sandwich: el('div.sandwich-picture') };
		this.shell = new Shell(this);
		this.keys = new Keys(this);
	}

	/** Changes the selection: {from, to, threads, ...}. */
	select(patch, way) {
		this.set({ selection: { ...this.state.selection, ...patch } }, way);
	}

	/** Changes the state; 'replaceState' makes no step for Back. */
	set(patch, way = 'pushState') {
		this.become({ ...this.state, ...patch }, () => this.write(way));
	}

	become(state, first) {
		const change = changesOf(this.state, state);
		this.state = state;
		if (change.size !== 0) {
			first?.();
			this.tell(change);
		}
	}

	/** The address; a browser that has had too many takes it later. */
	write(way) {
		clearTimeout(this.late);
		try {
			history[way](null, '', '#' + writeState(this.state, this.model));
		} catch {
			this.late = setTimeout(() => this.write('replaceState'), 999);
		}
	}

	/** Takes the state of the address: after Back, or a link. */
	reread() {
		this.become(readState(location.hash.slice(1), this.model));
	}

	tell(change) {
		if (change.has('align')) {
			this.model.align(this.state.align);
			change.add('samples').add('all');
		}
		if (!this.views.get(this.state.view)?.tab) {
			this.state.view = this.firstView();
		}
		const was = document.activeElement;
		for (const fn of this.listeners) {
			fn(change);
		}
		for (const view of this.views.values()) {
			view.element.hidden = !this.shown(view);
			if (this.shown(view)) {
				this.updateView(view, change);
			} else {
				view.stale = true;
			}
		}
		// Is what had the focus gone, or not shown any more?
		/** @type {any} */
		const now = document.activeElement;
		if (now !== was ? now === document.body : !now.checkVisibility()) {
			this.views.get(this.state.view).tab.focus({ preventScroll: true });
		}
	}

	firstView() {
		return Array.from(this.views.values()).find((v) => v.tab).name;
	}

	shown(view) {
		return view.place === 'strip' || view.place === 'side' ||
			(view.place || view.name) === this.state.view ||
			view.name === this.state.view;
	}

	addView(view) {
		const place = view.place || 'main';
		view.element = el('div', { class: 'view view-' + view.name });
		this.views.set(view.name, view);
		this.slots[place].append(view.element);
		if (place === 'main') {
			this.shell.addTab(view);
		}
	}

	/** Mounts a view that is shown for the first time, and updates it. */
	updateView(view, change) {
		if (!this.mounted.has(view)) {
			this.mounted.add(view);
			view.mount(view.element, this);
			view.stale = true;
		}
		view.renew(view.stale ? new Set([...change, 'samples', 'all']) :
			change);
		view.stale = false;
	}

	/** Draws everything for the first time. */
	start() {
		this.shell.layOut();
		listen(darkMedia(), { change: () => this.tell(new Set(['theme'])) });
		this.tell(new Set(['all', 'samples']));
		const reread = () => this.reread();
		listen(window, { popstate: reread, hashchange: reread,
			beforeprint: () => this.print(true) });
		// Some browsers call this the end of printing while the style is that
		// of paper; others print twice after one beginning.
		listen(matchMedia('print'), { change: (e) => this.print(e.matches) });
	}

	/** Draws the views for paper, which is light, or for the screen again. */
	print(on) {
		const { dataset } = document.documentElement;
		if (on !== paper.on) {
			[dataset.theme, this.theme] = [on ? 'light' : this.theme,
				dataset.theme || ''];
			paper.on = on;
			this.tell(new Set(['theme']));
		}
	}

	/** A short text of what is under the pointer or the focus; read aloud. */
	say(text) {
		this.shell.say(text);
	}
}
