// SPDX-License-Identifier: MIT
// The axis of a stretch of time, with a pen that notes what it writes: labels
// end where the axis does, and none covers the next.
import { Scale } from '../../render/page/time-window.js';

const LEFT = 120, CHARACTER = 6.5;
let points = 0, failures = 0;

function ok(held, text, why) {
	failures += held ? 0 : 1;
	console.log((held ? 'ok ' : 'not ok ') + ++points + ' - ' + text +
		(held ? '' : '\n# ' + JSON.stringify(why)));
}

/** Where the labels of an axis begin and end, in order. */
function labelsOf(from, to, width) {
	const out = [], pen = {
		rect() {},
		widthOf: (text) => text.length * CHARACTER,
		text: (text, x) => out.push({ text, from: x,
			to: x + text.length * CHARACTER }),
	};
	new Scale({ from, to, origin: 0 }, LEFT, width).axis(pen, {}, 16, 16);
	return out;
}

for (const length of [1e3, 1e6, 7e7, 2e9, 3.6e12]) {
	const all = [], cut = [], near = [];
	for (let width = 60; width < 1500; width += 7) {
		const labels = labelsOf(5e9, 5e9 + length, width);
		all.push(...labels);
		cut.push(...labels.filter((l) => l.to > LEFT + width));
		near.push(...labels.filter((l, i) => i > 0 &&
			l.from < labels[i - 1].to));
	}
	ok(all.length > 500 && cut.length === 0,
		length + ' ns: no label is cut at the end', cut);
	ok(near.length === 0, length + ' ns: none covers the next', near);
}
console.log('1..' + points);
process.exit(failures > 0 ? 1 : 0);
