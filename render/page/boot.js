// SPDX-License-Identifier: MIT
// @ts-check
// Puts the application together over decoded data.
import { App } from './app.js';
import { afterNextPicture, el } from './dom.js';
import { evidenceView } from './evidence.js';
import { Exports } from './export.js';
import { Facts, tellName } from './facts.js';
import { Model } from './model.js';
import { keptHere, Notes } from './notes.js';
import { reportView } from './panels.js';
import { changeView } from './view-change.js';
import { hasCode, sourceView } from './view-source.js';
import { tableView } from './view-table.js';
import { sandwichView, treeView } from './view-tree.js';

/** Begins with the view that the file was saved with. */
function firstHash() {
	const { hash } = keptHere();
	if (hash !== '' && !location.href.includes('#')) {
		history.replaceState(null, '', '#' + hash);
	}
}

/**
 * Makes the page of data; `pictures' are the views drawn on canvas, the first
 * of which are tabs before the tables.
 */
export function openPage(data, pictures = []) {
	const root = el('div.app');
	/** @type {HTMLElement|null} */
	const still = document.querySelector('#cp-static');
	if (still !== null) {
		still.hidden = true;
	}
	document.body.append(root);
	firstHash();
	const app = new App(new Model(data), root);
	app.notes = new Notes(app);
	app.exports = new Exports(app);
	const change = app.model.sides === null ? [] : [changeView];
	const code = hasCode(data) ? [sourceView] : [];
	for (const view of [...pictures, ...change, ...code, tableView, treeView, sandwichView,
		reportView, evidenceView]) {
		app.addView(view);
	}
	const facts = new Facts(app.model);
	root.addEventListener('mouseover', (e) => tellName(facts, e.target));
	app.start();
	// What the table and selections need is made when the page is idle.
	const { model, state } = app;
	afterNextPicture(() => {
		for (const make of [() => model.table(state.selection, 'function'),
			...model.rehearsals()]) {
			window.requestIdleCallback?.(make);
		}
	}, 150)();
	return app;
}
