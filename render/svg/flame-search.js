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
		} catch {
			input.classList.add('bad');
		}
	}
	if (pattern !== null) {
		const yes = data.symbols.map((s) => s[2] !== 'narrow' &&
			pattern.test(s[0]));
		// The root is all samples and no frame of their stacks.
		hits = findHits(tree, (i) => i > 0 && yes[symbol[i]]);
		for (let i = 1; i < count; i++) {
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
// Weight below the zoomed frame of frames that are not drawn, and have none that
// matches below them: nobody knows whether they match.
function notDrawn() {
	const open = new Uint8Array(count);
	let rest = 0;
	for (let i = zoomed; i !== 0; i = parent[i]) {
		if (hits[i] & HIT) {
			return 0;
		}
	}
	for (let i = zoomed; i < count; i++) {
		const inside = i > zoomed && open[parent[i]] === 1;
		if (isNarrow(i)) {
			continue; // stays in the rest of its caller
		}
		rest -= inside ? total[i] : 0;
		if (i === zoomed || inside && !(hits[i] & HIT)) {
			open[i] = 1;
			rest += total[i] - self[i];
		}
	}
	return rest;
}
// One inside another counts once.
function shareFound() {
	const least = weightOfHits(tree, hits, zoomed), all = total[zoomed];
	const most = percent(least + (dropped === '' ? 0 : notDrawn()), all);
	return percent(least, all) + (most === percent(least, all) ? '' :
		' to ' + most + (width < 760 ? '' : ' (not all is drawn)'));
}
function showFound() {
	if (input.classList.contains('bad')) {
		found.textContent = 'not a regular expression';
	} else if (pattern === null) {
		found.textContent = '';
	} else {
		found.textContent = 'matched ' + shareFound() +
			(matchAt >= 0 ? ', ' + (matchAt + 1) + ' of ' : ', ') +
			number(matches.length) + ' frames';
	}
	const w = found.getComputedTextLength();
	found.setAttribute('x', Math.max(width - MARGIN - w, MARGIN));
	found.setAttribute('y', width < 760 && zoomed !== 0 ?
		headHeight - 30 : headHeight - 12);
}
// To the next match in what the reader zoomed, or anywhere if it has none.
function step(by) {
	const n = matches.length, within = chosen;
	const isNear = (i) => {
		while (i > within) {
			i = parent[i];
		}
		return i === within;
	};
	if (n === 0) {
		return;
	}
	const near = matches.some(isNear);
	do {
		matchAt = matchAt < 0 ? (by > 0 ? 0 : n - 1) :
			(matchAt + by + n) % n;
	} while (near && !isNear(matches[matchAt]));
	const i = matches[matchAt];
	if (!place.has(i)) {
		let up = i;
		while (up > 0 && total[i] / total[parent[up]] * width > 12) {
			up = parent[up];
		}
		zoom(up);
		chosen = within;
	}
	focus(i);
	showFound();
}
