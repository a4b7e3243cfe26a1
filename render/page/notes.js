// SPDX-License-Identifier: MIT
// @ts-check
// Notes that the reader writes to a selection, and copies of the page that
// keep them.  In the file they are JSON in the element #notes.
import { button, el, link, minor, offer, openDialog } from './dom.js';
import { readState, writeState } from './state.js';

/** @typedef {{text: string, hash: string}} Note */

/** What a page has kept: notes and the view to begin with. */
export function readKept(text) {
	try {
		const kept = JSON.parse(text);
		const notes = Array.isArray(kept.notes) ? kept.notes : [];
		return { notes: notes.filter((n) => n && typeof n.text === 'string' &&
			typeof n.hash === 'string'), hash: typeof kept.hash === 'string' ?
			kept.hash : '' };
	} catch {
		return { notes: [], hash: '' };
	}
}

/** JSON that may stand inside of a script element. */
export function writeKept(kept) {
	return JSON.stringify(kept).replaceAll('<', '\\u003c')
		.replaceAll('>', '\\u003e').replaceAll('&', '\\u0026');
}

/** The element that keeps notes in a copy of the document. */
function keptElement(copy) {
	let node = copy.querySelector('#notes');
	if (node === null) {
		node = document.createElement('script');
		node.id = 'notes';
		node.type = 'application/json';
		copy.querySelector('body').prepend(node);
	}
	return node;
}

/** What this page has kept. */
export const keptHere = () =>
	readKept(document.querySelector('#notes')?.textContent);

export class Notes {
	constructor(app) {
		this.app = app;
		/** @type {Note[]} */
		this.all = keptHere().notes;
	}

	changed() {
		this.app.tell(new Set(['notes']));
	}

	hash() {
		return writeState(this.app.state, this.app.model);
	}

	/** The panel's list. */
	list() {
		return [minor('Notes'), ...this.all.map((n, i) =>
			el('div.note', {}, el('p', n.text),
				link('Show', () => this.goTo(n)), ' ',
				link('Edit', () => this.write(i)), ' ',
				link('Remove', () => {
					this.all.splice(i, 1);
					this.changed();
				}))), button('Write a note', () => this.write(-1)), ' ',
		button('Save a copy', () => this.save())];
	}

	goTo(note) {
		this.app.set(readState(note.hash, this.app.model));
	}

	/** Asks for the text of a note: of the i-th, or of a new one. */
	write(i) {
		const keep = () => {
			const text = area.value.trim();
			if (text !== '' && i < 0) {
				this.all.push({ text, hash: this.hash() });
			} else if (text !== '') {
				this.all[i].text = text;
			}
			dialog.close();
			this.app.slots.side.hidden = false;
			this.changed();
		};
		const area = el('textarea', { 'aria-label': 'Note', onkeydown: (e) => {
			if (e.key === 'Enter' && (e.ctrlKey || e.metaKey)) {
				keep();
			}
		} });
		area.value = i < 0 ? '' : this.all[i].text;
		const dialog = openDialog('Note',
			el('h2', i < 0 ? 'A note to what is shown now' : 'Note'), area,
			el('div.row', {}, button('Keep', keep),
				button('Cancel', () => dialog.close())));
	}

	/** The page as a file, with the notes and what is shown now. */
	text() {
		const copy = /** @type {any} */ (document.documentElement
			.cloneNode(true));
		copy.removeAttribute('data-theme');
		copy.querySelector('.app').remove();
		copy.querySelectorAll('dialog').forEach((node) => node.remove());
		copy.querySelector('#cp-static').hidden = false;
		keptElement(copy).textContent = writeKept({ notes: this.all,
			hash: this.hash() });
		return '<!DOCTYPE html>\n' + copy.outerHTML;
	}

	save() {
		offer('case.html', this.text(), 'text/html');
	}
}
