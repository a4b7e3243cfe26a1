// SPDX-License-Identifier: MIT
// The blocks of a page as text, for tests without a browser.
import { readFileSync } from 'node:fs';

const BLOCK = /<script type="text\/plain" class="cp-data" ([^>]*)>([^<]*)<\/script>/g;

export function blocksIn(path) {
	const page = readFileSync(path, 'latin1');
	return Array.from(page.matchAll(BLOCK), ([, attributes, text]) => {
		const has = Object.fromEntries(Array.from(
			attributes.matchAll(/data-(\w+)="([^"]*)"/g), (m) => [m[1], m[2]]));
		return { name: has.name, code: has.code, n: Number(has.n || 0),
			size: Number(has.size), text };
	});
}
