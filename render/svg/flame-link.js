// SPDX-License-Identifier: MIT
// A flame graph in a browser: what leaves it: a link to what is seen, a name.
// ---- link: zoom and search stand after "#" in the address
let linking = 0;
// Browsers refuse to change the address many times a second.
function linkLater() {
	clearTimeout(linking);
	linking = setTimeout(writeLink, 150);
}
function writeLink() {
	const words = new URLSearchParams();
	if (zoomed !== 0) {
		words.set('zoom', zoomed);
	}
	if (searched !== '') {
		words.set('search', searched);
	}
	const link = '#' + words;
	if (standalone && link !== (window.location.hash || '#')) {
		window.history.replaceState(null, '', link);
	}
}
function readLink() {
	const words = new URLSearchParams(window.location.hash.slice(1));
	const at = words.get('zoom') || '';
	input.value = words.get('search') || '';
	searchNow();
	zoom(/^\d{1,9}$/.test(at) && Number(at) < count ? Number(at) : 0);
}

// ---- the name of a frame, for the clipboard
function copyName() {
	const i = hovered >= 0 ? hovered : focused >= 0 ? focused : zoomed;
	const say = (done) => fit(footText, done + nameOf(i),
		width - 2 * MARGIN);
	if (navigator.clipboard === undefined) { // a page that came over HTTP
		say('This browser lets no page copy from here: ');
		return;
	}
	navigator.clipboard.writeText(nameOf(i)).then(() => say('Copied: '),
		() => say('The browser does not let the page copy: '));
}
