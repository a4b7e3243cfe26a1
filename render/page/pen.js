// SPDX-License-Identifier: MIT
// @ts-check
// What pictures are drawn with: on a canvas, or as the text of an SVG file.
// Views draw with either, so that a saved picture is the one that was seen.
export const MONO = 'ui-monospace,Menlo,"DejaVu Sans Mono",monospace';
export const SANS = 'system-ui,"DejaVu Sans",sans-serif';

export class CanvasPen {
	width = 0;
	height = 0;
	/** @param {HTMLCanvasElement} canvas */
	constructor(canvas) {
		this.canvas = canvas;
		this.g = /** @type {CanvasRenderingContext2D} */ (
			canvas.getContext('2d', { alpha: false }));
	}
	// Starts anew on a ground of that size, in pixels of CSS.
	/** @param {number} w @param {number} h @param {string} ground */
	begin(w, h, ground, ratio = globalThis.devicePixelRatio || 1) {
		const { canvas, g } = this, cw = Math.round(w * ratio);
		const ch = Math.round(h * ratio);
		if (canvas.width !== cw || canvas.height !== ch) {
			canvas.width = cw;
			canvas.height = ch;
			canvas.style.width = w + 'px';
			canvas.style.height = h + 'px';
		}
		this.width = w;
		this.height = h;
		g.setTransform(ratio, 0, 0, ratio, 0, 0);
		this.rect(0, 0, w, h, ground);
		this.font(12, MONO);
		g.textBaseline = 'alphabetic';
	}
	/** @param {number} size @param {string} family */
	font(size, family, weight = 400) {
		this.g.font = weight + ' ' + size + 'px ' + family;
	}
	/** @param {string} text */
	widthOf(text) {
		return this.g.measureText(text).width;
	}
	/** @param {number} x @param {number} y @param {number} w
	 *  @param {number} h @param {string} colour */
	rect(x, y, w, h, colour) {
		this.g.fillStyle = colour;
		this.g.fillRect(x, y, w, h);
	}
	/** @param {number} x @param {number} y @param {number} w
	 *  @param {number} h @param {string} colour */
	frame(x, y, w, h, colour, thick = 1) {
		this.g.strokeStyle = colour;
		this.g.lineWidth = thick;
		this.g.strokeRect(x, y, w, h);
	}
	/** @param {string} text @param {number} x @param {number} y
	 *  @param {string} colour @param {CanvasTextAlign} [align] */
	text(text, x, y, colour, align = 'left') {
		this.g.fillStyle = colour;
		this.g.textAlign = align;
		this.g.fillText(text, x, y);
	}
}

/** @type {Record<string, string>} */
const XML = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const NOT_XML = new RegExp('[\\u0000-\\u0008\\u000b-\\u001f\\ufffe\\uffff]|' +
	'[\\ud800-\\udbff](?![\\udc00-\\udfff])|' +
	'(?<![\\ud800-\\udbff])[\\udc00-\\udfff]', 'g');
/** @param {string} text */
export const xmlText = (text) => text.replace(NOT_XML, '\ufffd')
	.replace(/[&<>"]/g, (c) => XML[c]);

export class SvgPen {
	/** @type {string[]} */
	parts = [];
	width = 0;
	height = 0;
	fontAs = {};
	/** @param {CanvasPen} like measures as it does */
	constructor(like) {
		this.like = like;
	}
	/** @param {number} w @param {number} h @param {string} ground */
	begin(w, h, ground) {
		this.width = w;
		this.height = h;
		this.rect(0, 0, w, h, ground);
		this.font(12, MONO);
	}
	/** @param {number} size @param {string} family */
	font(size, family, weight = 400) {
		this.like.font(size, family, weight);
		this.fontAs = { 'font-family': family, 'font-size': size,
			'font-weight': weight };
	}
	/** @param {string} text */
	widthOf(text) {
		return this.like.widthOf(text);
	}
	/** @param {string} name @param {any} attributes @param {string} [text] */
	put(name, attributes, text = '') {
		this.parts.push(element(name, attributes, text));
	}
	/** @param {number} x @param {number} y @param {number} width
	 *  @param {number} height @param {string} colour */
	rect(x, y, width, height, colour) {
		const veil = /^#.{8}$/.test(colour);
		this.put('rect', { x, y, width, height, fill: veil ?
			colour.slice(0, 7) : colour, ...veil ?
			{ 'fill-opacity': 0.6 } : {} });
	}
	/** @param {number} x @param {number} y @param {number} width
	 *  @param {number} height @param {string} stroke */
	frame(x, y, width, height, stroke, thick = 1) {
		this.put('rect', { x, y, width, height, fill: 'none', stroke,
			'stroke-width': thick });
	}
	/** @param {string} text @param {number} x @param {number} y
	 *  @param {string} fill @param {CanvasTextAlign} [align] */
	text(text, x, y, fill, align = 'left') {
		this.put('text', { x, y, fill, 'text-anchor': align === 'right' ?
			'end' : 'start', ...this.fontAs, 'xml:space': 'preserve' }, text);
	}
	/** @param {string} title */
	file(title) {
		const { width, height } = this;
		return '<?xml version="1.0" encoding="UTF-8"?>\n' + element('svg', {
			xmlns: 'http://www.w3.org/2000/svg', width, height,
			viewBox: '0 0 ' + width + ' ' + height }, '', element('title', {},
			title) + this.parts.join('\n')) + '\n';
	}
}
/** @param {number} v */
const short = (v) => String(Math.round(v * 100) / 100);
/** An element as text, with a text in it and others after that.
 *  @param {string} name @param {any} attributes @param {string} text */
const element = (name, attributes, text, more = '') => '<' + name +
	Object.entries(attributes).map(([key, v]) => ' ' + key + '="' +
		(typeof v === 'number' ? short(v) : xmlText(v)) + '"').join('') + '>' +
	xmlText(text) + more + '</' + name + '>';

/** @typedef {CanvasPen|SvgPen} Pen */

// Calls draw(pen) for a file: its text, or the picture of it twice as fine.
/**
 * @param {(pen: Pen) => void} draw @param {string} title
 */
export function svgOf(draw, title) {
	const pen = new SvgPen(new CanvasPen(document.createElement('canvas')));
	draw(pen);
	return pen.file(title);
}
/** @param {(pen: Pen) => void} draw @returns {Promise<Blob|null>} */
export function pngOf(draw) {
	const canvas = document.createElement('canvas');
	const pen = new CanvasPen(canvas), begin = pen.begin;
	pen.begin = (w, h, ground) => begin.call(pen, w, h, ground, 2);
	draw(pen);
	return new Promise((done) => canvas.toBlob(done, 'image/png'));
}

// Colours of what is around pictures; styles of the page have the same.
const LIGHT = { ground: '#ffffff', text: '#14171a', dim: '#57606a',
	line: '#d5dae0', hit: '#c2187a', hitText: '#ffffff', ring: '#0550d0',
	shade: '#eef1f5', mark: '#cf222e', veil: '#ffffff99' };
const DARK = { ground: '#14171b', text: '#f1f3f5', dim: '#a3adb8',
	line: '#343a42', hit: '#e04fa5', hitText: '#14060e', ring: '#79b8ff',
	shade: '#22272e', mark: '#ff8f84', veil: '#14171b99' };
/** @typedef {typeof LIGHT} Ink */
/** @param {boolean} dark @returns {Ink} */
export const inkOf = (dark) => dark ? DARK : LIGHT;
