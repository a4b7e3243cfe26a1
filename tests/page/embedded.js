// SPDX-License-Identifier: MIT
// embedded.js PAGE JSON PERCENT: the code in a page of another command is that
// of `annotate --top 0', of the functions above the share.  Prints how many.
import { readFileSync } from 'node:fs';
import { blocksIn } from './blocks.js';
import { pathToFileURL } from 'node:url';

const source = pathToFileURL(process.env.top_srcdir + '/render/page/');
const { decode } = await import(new URL('decode.js', source));
const { listingsOf } = await import(new URL('listing.js', source));
const data = await decode(blocksIn(process.argv[2]));
const annotate = JSON.parse(readFileSync(process.argv[3], 'utf8'));
// As many digits as the report has.
const least = Number((Number(process.argv[4]) / 100).toPrecision(9));

const want = [];
for (const s of annotate.sections) {
	let shown = false;
	for (const { depth, values } of s.slug === 'annotate' ? s.rows : []) {
		const [share, , , address, where, code] = values;
		if (depth === 0) {
			shown = share.value >= least;
		}
		if (shown) {
			// A line of the source is told by its place, before its text.
			want.push((where === '' ? [depth, address, where, code] :
				[depth, '', where, where + '  ' + code]).join('|'));
		}
	}
}
const got = listingsOf(data).flatMap((l) => [[0, '', '', l.head].join('|'),
...l.rows.map((r) => [r.depth, r.address, r.where, r.code].join('|'))]);
const at = want.findIndex((w, i) => w !== got[i]);
if (at >= 0 || got.length !== want.length) {
	console.log('row ' + at + ': ' + got[at] + ', not ' + want[at] + '; ' +
		got.length + ' rows, not ' + want.length);
	process.exit(1);
}
console.log(listingsOf(data).length);
