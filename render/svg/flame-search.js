// SPDX-License-Identifier: MIT
// A flame graph in a browser: search.
// ---- search
let typing = 0, searched = '';
function searchNow() {
	clearTimeout(typing);
	if (input.value !== searched) {
		search(input.value);
	}
}
function search(text) {
	searched = text;
	pattern = null;
	hits = null;
	matches = [];
	matchAt = -1;
	input.classList.remove('bad');
	if (text !== '') {
		try {
			pattern = new RegExp(text, 'i');
		} catch (e) {
			input.classList.add('bad');
		}
	}
	if (pattern !== null) {
		const yes = data.symbols.map((s) => pattern.test(s[0]));
		hits = findHits(tree, (i) => yes[symbol[i]]);
		for (let i = 0; i < count; i++) {
			if (yes[symbol[i]]) {
				matches.push(i);
			}
		}
	}
	root.classList.toggle('searching', pattern !== null);
	showFound();
	draw(); // narrow frames that match stand apart
	linkLater();
}
function showFound() {
	if (input.classList.contains('bad')) {
		found.textContent = 'not a regular expression';
	} else if (pattern === null) {
		found.textContent = '';
	} else {
		found.textContent = 'matched ' +
			percent(weightOfHits(tree, hits, zoomed), total[zoomed]) +
			(matchAt >= 0 ? ', ' + (matchAt + 1) + ' of ' : ', ') +
			number(matches.length) + ' frames';
	}
	const w = found.getComputedTextLength();
	found.setAttribute('x', Math.max(width - MARGIN - w, MARGIN));
	found.setAttribute('y', width < 760 && zoomed !== 0 ?
		headHeight - 30 : headHeight - 12);
}
function step(by) {
	if (matches.length === 0) {
		return;
	}
	matchAt = matchAt < 0 ? (by > 0 ? 0 : matches.length - 1) :
		(matchAt + by + matches.length) % matches.length;
	const i = matches[matchAt];
	if (!place.has(i)) {
		let up = i;
		while (up > 0 && total[i] / total[parent[up]] * width > 12) {
			up = parent[up];
		}
		zoom(up);
	}
	focus(i);
	showFound();
}
