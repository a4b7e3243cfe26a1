// SPDX-License-Identifier: MIT
// @ts-check
// What the search finds: names that contain the words, whatever their case; a
// pattern between slashes is a regular expression.

/** @returns {function(string): boolean} */
export function matcher(search) {
	const m = /^\/(.+)\/$/.exec(search);
	if (m !== null) {
		try {
			const re = new RegExp(m[1], 'i');
			return (name) => re.test(name);
		} catch {
			return () => false;
		}
	}
	const low = search.toLowerCase();
	return (name) => name.toLowerCase().includes(low);
}

/** One byte a function: does the search find it?  null: nothing to find. */
export function hitsOf(model, search) {
	const { name, n } = model.funcs.all;
	if (search === '') {
		return null;
	}
	return model.keep('hits|' + n + '|' + search, () => {
		const hits = new Uint8Array(n), found = matcher(search);
		for (let f = 0; f < n; f++) {
			hits[f] = found(name[f]) ? 1 : 0;
		}
		return hits;
	});
}

/** Puts a text into an element, with what is found marked in it. */
export function markText(node, text, search) {
	const low = search.toLowerCase(), at = search === '' ? -1 :
		text.toLowerCase().indexOf(low);
	if (at < 0) {
		node.append(text);
		return;
	}
	const hit = document.createElement('mark');
	hit.textContent = text.slice(at, at + search.length);
	node.append(text.slice(0, at), hit, text.slice(at + search.length));
}
