// SPDX-License-Identifier: MIT
// @ts-check
// A flame graph on a canvas: drawing, what is under the pointer, and walking
// by keys.  The views that hold one are in flame-view.js.
import { Boxes, findHits, frameUnder, heaviestCallee } from './boxes.js';
import { inOrderOf, layOut, neighbour, weightOfHits } from './boxes.js';
import { frameAtWay, wayTo } from './frames.js';
import { el, isDark, isShortcut, listen, pointIn, take } from './dom.js';
import { paper, widthOf, withNextPicture } from './dom.js';
import { CanvasPen, inkOf } from './pen.js';

const ROW = 18, RIM = 4, SHEET = 1008; // pixels of paper
/** @typedef {import('./tree.js').Tree} Tree */
/** @typedef {import('./pen.js').Pen} Pen */

export class FlamePicture {
	/**
	 * @param {any} names frames.js: Names
	 * @param {{label: string, down: boolean, told: (frame: number,
	 *   x: number, y: number) => void, zoomed: (way: string) => void,
	 *   chosen: (frame: number) => void}} how down: callees below
	 */
	constructor(names, how) {
		this.names = names;
		this.how = how;
		/** @type {Tree|null} */
		this.tree = null;
		/** @type {any} */
		this.colours = null;
		// Do the colours' shades know the tree's nodes?
		this.byNode = false;
		this.boxes = new Boxes();
		this.zoomedAt = 0;
		this.way = ''; // to it
		this.focused = -1;
		this.hovered = -1;
		/** @type {Uint8Array|null} */
		this.hits = null;
		/** @type {Uint8Array|null} */
		this.matches = null;
		/** @type {Uint32Array|null} frames as n and N go */
		this.order = null;
		this.later = withNextPicture(() => this.draw());
		/** @type {Element[]} */
		this.sheets = []; // of paper, before the canvas
		this.width = 0;
		this.high = ROW; // of the whole picture
		this.charWidth = 7.2;
		this.canvas = el('canvas');
		this.ring = el('div.flame-ring', { hidden: true });
		this.edge = el('div.flame-edge', { hidden: true });
		this.space = el('div.flame-space', {}, this.canvas,
			this.edge, this.ring);
		this.element = el('div.flame', { tabindex: '0',
			role: 'application', 'aria-label': how.label },
		this.space);
		this.pen = new CanvasPen(this.canvas);
		this.listen();
	}
	listen() {
		const { element } = this;
		/** @type {Record<string, (e: any) => void>} */
		const events = { scroll: this.later,
			mousemove: (e) => this.hover(this.at(e), e.clientX, e.clientY),
			mouseleave: () => this.hover(-1, 0, 0),
			click: (e) => this.click(e), keydown: (e) => this.key(e),
			focus: () => {
				if (this.focused < 0 && element.matches(':focus-visible')) {
					this.focus(this.zoomedAt);
				}
			} };
		listen(element, events);
	}
	/** @param {MouseEvent} e */
	click(e) {
		const i = this.at(e);
		if (i >= 0) {
			this.focused = i;
			this.place(this.ring, i);
			if (e.shiftKey || e.detail > 2) {
				this.how.chosen(i);
			} else {
				this.zoom(i);
			}
		}
	}
	// Shows another tree; way: which of its frames is zoomed.
	/** @param {any} tree @param {string} way */
	show(tree, way) {
		tree = tree.finer?.(frameAtWay(tree, way, this.names)) || tree;
		if (this.tree !== tree) {
			this.tree = tree;
			this.focused = this.hovered = -1;
			this.hits = this.order = null;
		}
		this.way = way;
		this.zoomedAt = frameAtWay(tree, way, this.names);
		this.layout();
		this.toBase();
		this.reveal(this.zoomedAt);
	}
	// A byte for each function: does it match?  null: nothing is searched.
	/** @param {Uint8Array|null} matches */
	search(matches) {
		const f = this.tree, before = this.hits;
		this.matches = matches;
		this.hits = f === null || matches === null ? null :
			findHits(f, (i) => f.func[i] >= 0 && matches[f.func[i]] === 1);
		if (this.hits !== before) {
			this.layout();
		}
	}
	// The share of the zoomed frame that matches.
	matched() {
		const f = this.tree;
		return f === null || this.hits === null || f.total[0] === 0 ? 0 :
			weightOfHits(f, this.hits, this.zoomedAt) /
			f.total[this.zoomedAt];
	}

	// ---- layout and drawing
	/** @param {Tree|null} tree */
	highOf(tree) {
		return tree === null ? 0 : (tree.tall[0] + 1) * ROW;
	}
	layout() {
		const { element, tree: f } = this, high = this.highOf(f);
		if (element.clientWidth === 0) {
			return; // not shown
		}
		this.width = widthOf(element);
		this.high = paper.on ? high : Math.max(high + 2, element.clientHeight);
		if (f === null || f.total[0] === 0) {
			this.boxes.n = 0;
		} else {
			layOut(f, this.zoomedAt, RIM, this.width - 2 * RIM, this.hits,
				this.boxes);
			this.space.style.height = this.high + 'px';
		}
		this.place(this.ring, this.focused);
		this.place(this.edge, -1);
		this.later();
	}
	draw() {
		const { canvas, element, high } = this;
		let from = element.scrollTop, h = Math.min(element.clientHeight, high);
		this.sheets.forEach((sheet) => sheet.remove());
		this.sheets = [];
		if (paper.on) {
			// As many rows on each sheet; the canvas is the last of them.
			h = Math.ceil(high / ROW / Math.ceil(high / SHEET)) * ROW;
			for (from = 0; from + h < high; from += h) {
				const sheet = el('canvas');
				this.sheets.push(sheet);
				canvas.before(sheet);
				this.fillWith(new CanvasPen(sheet), from, h);
			}
			h = high - from;
		}
		this.fillWith(this.pen, from, h);
	}
	/** @param {CanvasPen} pen @param {number} from @param {number} high */
	fillWith(pen, from, high) {
		const ink = inkOf(isDark());
		pen.begin(this.width, high, ink.ground);
		this.charWidth = pen.widthOf('x'.repeat(50)) / 50 || 7.2;
		this.paint(pen, ink, from, high);
	}
	// Paints the rows between two heights of the whole picture.
	/** @param {Pen} pen @param {any} ink @param {number} from
	 *  @param {number} high */
	paint(pen, ink, from, high) {
		const { boxes } = this;
		for (let b = 0; b < boxes.n; b++) {
			const y = this.top(boxes.depth[b]) - from;
			if (y > -ROW && y < high) {
				this.paintBox(pen, ink, b, y);
			}
		}
		if (boxes.n === 0) {
			pen.text('Nothing was sampled in this selection.', 12, 24,
				ink.dim);
		}
	}
	/** @param {Pen} pen @param {any} ink @param {number} b
	 *  @param {number} y */
	paintBox(pen, ink, b, y) {
		const { boxes, tree, charWidth } = this, w = boxes.w[b];
		const i = boxes.frame[b], x = boxes.x[b], hit = boxes.hit[b] === 1;
		const func = /** @type {Tree} */ (tree).func[i];
		pen.rect(x, y, w > 3 ? w - 0.7 : Math.max(w, 0.4), ROW - 1,
			hit ? ink.hit : this.colours.of(func, this.byNode ? i : -1));
		if (this.hits !== null && !hit) {
			pen.rect(x, y, w, ROW - 1, ink.veil);
		} else if (i < this.zoomedAt) {
			pen.rect(x, y, w, ROW - 1, ink.veil);
		}
		if (w >= 3 * charWidth + 6 && boxes.shared[b] === 0) {
			pen.text(this.names.fit(func, Math.floor((w - 6) / charWidth)),
				x + 3, y + 13, hit ? ink.hitText : ink.text);
		}
	}
	// Puts a frame's outline where the frame is; it needs no new drawing.
	/** @param {HTMLElement} outline @param {number} i */
	place(outline, i) {
		const b = i < 0 ? -1 : this.boxOf(i);
		outline.hidden = b < 0;
		if (b >= 0) {
			outline.style.left = this.boxes.x[b] + 'px';
			outline.style.top = this.top(this.boxes.depth[b]) + 'px';
			outline.style.width = Math.max(this.boxes.w[b] - 0.7, 2) + 'px';
			outline.style.height = ROW - 1 + 'px';
		}
	}
	/** @param {number} depth */
	top(depth) {
		return this.how.down ? depth * ROW :
			this.high - (depth + 1) * ROW;
	}
	/** @param {number} i */
	boxOf(i) {
		const { frame, shared, n } = this.boxes;
		for (let b = 0; b < n; b++) {
			if (frame[b] === i && shared[b] === 0) {
				return b;
			}
		}
		return -1;
	}
	// The whole picture, for a file, and one below it.
	/** @param {Pen} pen @param {string[]} heading
	 *  @param {FlamePicture|null} below */
	drawFile(pen, heading, below = null) {
		const ink = inkOf(isDark()), head = heading.length * 18 + 10;
		const high = head + this.high, all = high + (below?.high || 0);
		pen.begin(this.width, all, ink.ground);
		heading.forEach((line, k) => pen.text(line, 8, 20 + 18 * k,
			k === 0 ? ink.text : ink.dim));
		this.paint(pen, ink, -head, high);
		below?.paint(pen, ink, -high, all);
	}

	// ---- pointer
	/** @param {MouseEvent} e */
	at(e) {
		const [x, up] = pointIn(this.canvas, e), f = this.tree;
		const y = up + this.element.scrollTop;
		const row = Math.floor((this.how.down ? y : this.high - y) / ROW);
		if (f === null || f.total[0] === 0 || row < 0 || row > f.tall[0]) {
			return -1;
		}
		if (row < f.depth[this.zoomedAt]) {
			let i = this.zoomedAt;
			while (f.depth[i] > row) {
				i = f.parent[i];
			}
			return i;
		}
		return frameUnder(f, this.zoomedAt, (x - RIM) /
			(this.width - 2 * RIM), row);
	}
	/** @param {number} i @param {number} x @param {number} y */
	hover(i, x, y) {
		if (i !== this.hovered) {
			this.hovered = i;
			this.canvas.style.cursor = i < 0 ? 'default' : 'pointer';
			this.place(this.edge, i);
		}
		this.how.told(i, x, y);
	}

	// ---- zoom and keys
	/** @param {number} i */
	zoom(i) {
		if (this.tree !== null && i !== this.zoomedAt) {
			this.zoomedAt = i;
			this.layout();
			this.reveal(i);
			this.way = wayTo(this.tree, i, this.names);
			this.how.zoomed(this.way);
		}
	}
	/** @param {number} i */
	focus(i) {
		this.focused = i;
		this.reveal(i);
		this.place(this.ring, i);
		const b = this.boxOf(i), r = this.canvas.getBoundingClientRect();
		this.how.told(i, b < 0 ? -1 : r.left + this.boxes.x[b], b < 0 ? -1 :
			r.top + this.top(this.boxes.depth[b]) - this.element.scrollTop);
	}
	/** @param {number} i */
	reveal(i) {
		const { element, tree } = this;
		if (tree === null || i < 0) {
			return;
		}
		const y = this.top(tree.depth[i]);
		if (y < element.scrollTop + ROW) {
			element.scrollTop = y - 3 * ROW;
		} else if (y + 2 * ROW > element.scrollTop + element.clientHeight) {
			element.scrollTop = y + 3 * ROW - element.clientHeight;
		}
	}
	// The base of the graph is in sight first.
	toBase() {
		this.element.scrollTop = this.how.down ? 0 : this.high;
	}
	/** @param {string} key */
	walk(key) {
		const f = /** @type {Tree} */ (this.tree);
		const out = this.how.down ? 'ArrowDown' : 'ArrowUp';
		if (this.focused < 0 || this.boxOf(this.focused) < 0) {
			this.focus(this.zoomedAt);
			return;
		}
		const to = key === 'ArrowLeft' || key === 'ArrowRight' ?
			neighbour(this.boxes, this.focused, key === 'ArrowLeft' ? -1 : 1) :
			key === out ? heaviestCallee(f, this.focused) :
				f.parent[this.focused];
		if (to >= 0 && this.boxOf(to) >= 0) {
			this.focus(to);
		}
	}
	// The next frame that matches the search, zoomed so that it is seen.
	/** @param {number} by 1 or -1 */
	step(by) {
		const { hits, tree } = this;
		if (hits === null || tree === null || hits[0] === 0) {
			return;
		}
		const order = this.order = this.order || inOrderOf(tree);
		let k = order.indexOf(Math.max(this.focused, 0));
		do {
			k = (k + by + order.length) % order.length;
		} while ((hits[order[k]] & 1) === 0);
		const i = order[k];
		if (this.boxOf(i) < 0) {
			let up = i;
			while (up > 0 && tree.total[i] / tree.total[up] *
				this.width > 12) {
				up = tree.parent[up];
			}
			this.zoom(up);
		}
		this.focus(i);
	}
	/** @param {KeyboardEvent} e */
	key(e) {
		const reset = () => this.zoom(0);
		const walk = () => this.walk(e.key);
		/** @type {Record<string, () => void>} */
		const actions = { ArrowUp: walk, ArrowDown: walk, ArrowLeft: walk,
			ArrowRight: walk,
			Enter: () => this.focused >= 0 && this.zoom(this.focused),
			Backspace: reset, Home: reset, 0: reset,
			f: () => this.focused >= 0 && this.how.chosen(this.focused) };
		if (this.hits !== null) {
			actions.n = () => this.step(1);
			actions.N = () => this.step(-1);
		}
		if (this.zoomedAt !== 0) {
			actions.Escape = reset;
		}
		if (!isShortcut(e) && actions[e.key] && this.tree !== null &&
			this.tree.total[0] > 0) {
			actions[e.key]();
			take(e);
		}
	}
}
