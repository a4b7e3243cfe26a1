// SPDX-License-Identifier: MIT
// @ts-check
// Flame graph and icicle as views of the page, and the two pictures of a
// sandwich: callers above a function, callees below.
import { Colours, Names } from './frames.js';
import { Facts } from './facts.js';
import { FlamePicture } from './flame.js';
import { matchesOf } from './search.js';
import { weighMatches } from './rows.js';
import { Tip } from './tip.js';
import { button, el, fill, isDark, menu, swatch, whenResized } from './dom.js';
import { KIND_NAMES } from './funcs.js';
import { CUT } from './nodes.js';
import { percent } from './numbers.js';
import { needs, SPLITS } from './state.js';

/** @type {Record<string, [string, string][]>} */
const CHOICES = { order: [['heavy', 'Heaviest first'], ['name', 'By name'],
	['time', 'In order of time']],
	split: SPLITS,
	colour: [['kind', 'kind'], ['object', 'object'],
		['trust', 'trust in names'], ['wall', 'all time, with waits'],
		['cpi', 'CPI'], ['change', 'change']] };

// What the pictures of one page share.
const sharedOf = new WeakMap();
/** @param {any} app */
export function picturesOf(app) {
	if (!sharedOf.has(app)) {
		const tip = new Tip(app.root);
		app.listeners.push(() => tip.hide());
		sharedOf.set(app, { names: new Names(app.model.funcs),
			facts: new Facts(app.model), tip });
	}
	return sharedOf.get(app);
}

/** @param {any} app @param {string} name @param {string} label */
function chooser(app, name, label) {
	const select = menu(CHOICES[name].filter(([value]) =>
		(value !== 'change' || app.model.sides !== null) &&
		(value !== 'wall' || app.data.states.n > 0) &&
		(value !== 'cpi' || app.model.cpi !== null)),
	(/** @type {string} */ value) => app.set({ [name]: value }));
	return { name, select, element: el('label.choice', {},
		label + ' ', select) };
}

// A flame picture with its tip and line; `app' tells what is shown.
export class FlamePane {
	/**
	 * @param {any} app @param {string} label @param {boolean} down
	 * @param {(way: string) => void} zoomed
	 */
	constructor(app, label, down, zoomed) {
		this.app = app;
		this.common = picturesOf(app);
		this.picture = new FlamePicture(this.common.names, { label: label +
			'. Arrow keys move, Enter zooms, 0 shows all.', down,
			zoomed, told: (i, x, y) => this.tell(i, x, y),
			chosen: (i) => this.choose(i) });
		this.colour = '';
	}
	/** @param {number} i @param {number} x @param {number} y */
	tell(i, x, y) {
		const { picture, common, app } = this, f = picture.tree;
		if (f === null || i < 0) {
			common.tip.hide();
			app.say('');
			return;
		}
		const name = common.names.of(f.func[i]);
		const much = common.facts.ofFrame(f, i, picture.zoomedAt,
			app.state.selection.event);
		if (picture.byNode && !f.parts) {
			much.push(...common.facts.ofShade(i, app.state));
		}
		const where = common.facts.ofFunction(f.func[i]);
		app.say([name, ...much, ...where].join(' \u00b7 '));
		if (x >= 0) {
			common.tip.show([name, much.join(' \u00b7 '), ...where], x, y);
		}
	}
	/** @param {number} i */
	choose(i) {
		const f = this.picture.tree;
		if (f !== null && this.app.model.funcs.all.kind[f.func[i]]) {
			this.common.tip.hide();
			this.app.set({ view: 'sandwich', selection: {
				...this.app.state.selection, focus: f.func[i] } });
		}
	}
	/** @param {any} tree @param {boolean} byNode trees are those of the
	 *  selection, split so */
	paintLike(tree, byNode = false) {
		const { model, state } = this.app, { colour } = state;
		const key = colour + isDark(), { picture } = this;
		if (key !== this.colour) {
			this.colour = key;
			picture.colours = new Colours(model, colour, isDark());
			picture.later();
		}
		const { colours } = picture, timed = tree.parts ? tree : null;
		picture.byNode = byNode || timed !== null;
		colours.timed = timed;
		colours.shades = timed !== null ? null : model.shadesBy(colour,
			state.selection, byNode ? state.split : 'none');
	}
	searchNow() {
		const { model, state } = this.app;
		this.picture.search(matchesOf(state.selection.search,
			model.funcs.all.name));
	}
}

class FlameView {
	/** @type {FlamePane} */
	pane;
	/** @type {ReturnType<typeof chooser>[]} */
	choosers;
	/** @param {string} name @param {string} title @param {boolean} down */
	constructor(name, title, down) {
		this.name = name;
		this.title = title;
		this.down = down;
		/** @type {[string, string, function?][]} */
		this.keys = [['arrows', 'to caller, callee, neighbour'],
			['Enter, click', 'zoom into a frame'],
			['0', 'show all', () => this.app.set({ zoom: '' })],
			['n, N', 'in a search: next and previous match'],
			['f, Shift-click', 'callers and callees of a frame']];
	}
	/** @param {any} element @param {any} app */
	mount(element, app) {
		this.app = app;
		this.pane = new FlamePane(app, this.title, this.down, (way) =>
			app.set({ zoom: way }));
		this.choosers = [chooser(app, 'split', 'Threads'),
			chooser(app, 'order', 'Order'), chooser(app, 'colour', 'Colour')];
		this.inverted = el('input', { type: 'checkbox',
			autocomplete: 'off', onchange: () =>
				app.set({ inverted: this.inverted.checked, zoom: '' }) });
		this.found = el('span.found', { role: 'status' });
		this.legend = el('span.legend');
		this.bar = el('div.tools', {},
			...this.choosers.map((c) => c.element),
			el('label.choice', {}, this.inverted, ' inverted'),
			button('Whole graph', () => app.set({ zoom: '' })), this.found,
			this.legend);
		fill(element, this.bar, this.pane.picture.element);
		whenResized(this.pane.picture.element, () => {
			this.pane.picture.layout();
			this.drawLegend();
		});
	}
	/** @param {Set<string>} change */
	renew(change) {
		const { app, pane } = this, { state, model } = app;
		const shape = ['all', 'samples', 'order', 'split', 'inverted',
			'colour', 'theme'];
		this.choosers.forEach((c) => c.select.value = state[c.name]);
		this.inverted.checked = state.inverted;
		const { picture } = pane, all = needs(change, shape);
		const tree = all || change.has('zoom') ?
			model.picture(state.selection, state) : picture.tree;
		pane.paintLike(tree, !state.inverted && !tree.start);
		if (all || tree !== picture.tree || state.zoom !== picture.way) {
			picture.show(tree, state.zoom);
			pane.searchNow();
		}
		if (change.has('search')) {
			pane.searchNow();
		}
		this.tellFound();
		this.drawLegend();
	}
	tellFound() {
		const { picture } = this.pane, { tree, hits } = picture, told = [];
		if (hits !== null) {
			told.push(this.matched() + ' matched');
		}
		if (tree?.parts && this.app.state.colour !== 'wall') {
			told.push('no samples: these are waits');
		}
		if (tree?.cut) {
			told.push(CUT);
		}
		this.found.textContent = told.join(' \u00b7 ');
	}
	/** The share of the zoomed frame that matches, also of what is left out. */
	matched() {
		const { picture } = this.pane, { model, state } = this.app;
		const { zoomedAt: i, matches } = picture;
		const { start, end, cut, total, depth } = /** @type {any} */ (
			picture.tree);
		// From the inside out only a group's samples are known.
		const known = i === 0 || start && (state.order === 'time' ||
			!state.inverted || depth[i] === 1);
		return cut && known ? percent(weighMatches(model.filter(
			state.selection), state, matches, i && start[i], i && end[i]),
		total[i]) : (cut ? '\u2265 ' : '') + percent(picture.matched(), 1);
	}
	drawLegend() {
		const { picture } = this.pane, widths = new Map();
		const { boxes, tree } = picture;
		for (let b = 0; tree !== null && b < boxes.n; b++) {
			const func = tree.func[boxes.frame[b]];
			widths.set(func, (widths.get(func) || 0) + boxes.w[b]);
		}
		fill(this.legend, ...picture.colours.legend(widths, KIND_NAMES)
			.map(swatch));
	}
	/** @param {import('./pen.js').Pen} pen */
	drawFile(pen) {
		const { meta } = this.app.data;
		this.pane.picture.drawFile(pen, [meta.title + ' \u00b7 ' +
			this.title, meta.label]);
	}
}
export const flameView = () => new FlameView('flame', 'Flame graph', false);
export const icicleView = () => new FlameView('icicle', 'Icicle', true);

// The pictures in the page's sandwich: callers of the focused function above
// it, what it calls below.
class SandwichPicture {
	/** @type {FlamePane[]} */
	panes;
	constructor() {
		this.name = 'sandwich-picture';
		this.place = 'sandwich';
	}
	/** @param {any} element @param {any} app */
	mount(element, app) {
		this.app = app;
		this.panes = ['Callers', 'Callees'].map((label, i) =>
			new FlamePane(app, label, i === 1, () => {}));
		fill(element, ...this.panes.map((pane) => pane.picture.element));
		whenResized(element, () => this.panes.forEach(({ picture }) => {
			picture.layout();
			picture.toBase();
		}));
	}
	/** @param {Set<string>} change */
	renew(change) {
		const { model, state } = this.app, { selection } = state;
		const func = model.middle(selection);
		if (func < 0) {
			return;
		}
		const both = model.sandwich(selection, func);
		[both.callers, both.callees].forEach((tree, i) => {
			const { picture } = this.panes[i];
			this.panes[i].paintLike(tree);
			if (picture.tree !== tree || change.has('theme')) {
				picture.element.style.maxHeight = picture.highOf(tree) + 3 +
					'px';
				picture.show(tree, '');
			}
			this.panes[i].searchNow();
		});
	}
	/** @param {import('./pen.js').Pen} pen */
	drawFile(pen) {
		const { data: { meta }, model, state } = this.app;
		const [callers, callees] = this.panes.map((pane) => pane.picture);
		callers.drawFile(pen, [model.funcs.all.name[model.middle(
			state.selection)] || '', meta.title, meta.label], callees);
	}
}
export const sandwichPicture = () => new SandwichPicture();
