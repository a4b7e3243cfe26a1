// SPDX-License-Identifier: MIT
// listing.js PAGE: the code in a page of `annotate' has the samples that the
// report says, row by row; two halves of the time have as many as all of it.
// The last line has the number of rows.
import { pathToFileURL } from 'node:url';
import { blocksIn } from './blocks.js';

const source = pathToFileURL(process.env.top_srcdir + '/render/page/');
const load = (name) => import(new URL(name, source));
const { decode } = await load('decode.js');
const { Model } = await load('model.js');
const { escapeText } = await load('folded.js');
const { headOf, listingsOf, listingsOfEvent, weighRows } = await load('listing.js');

const model = new Model(await decode(blocksIn(process.argv[2])));
const { meta, events } = model.data;
const listings = listingsOfEvent(listingsOf(model.data),
	model.string(events.name[model.event]));
const table = meta.sections.find((s) => s.slug === 'annotate');
const want = [];
for (const { depth, values } of table.rows) {
	if (depth === 0) {
		want.push({ head: escapeText(values[5]), samples: values[2], rows: [] });
	} else {
		want.at(-1).rows.push({ code: values[5], samples: values[2],
			at: values[3], depth });
	}
}
const sel = model.whole(), middle = Math.floor(model.length / 2);
const of = (patch, listing) => weighRows(model.filter({ ...sel, ...patch }),
	listing);
let wrong = 0;

function check(held, what) {
	if (!held) {
		wrong++;
		console.log(what);
	}
}

/** Those of a row and of the instructions under a line. */
function samplesAt(rows, samples, i) {
	let sum = samples[i];
	for (let k = i + 1; k < rows.length && rows[k].depth > rows[i].depth; k++) {
		sum += samples[k];
	}
	return sum;
}

check(listings.length === want.length, 'functions');
listings.forEach((listing, k) => {
	const { head, rows } = want[k], all = of({}, listing);
	const halves = [of({ to: middle }, listing),
		of({ from: middle + 1 }, listing)];
	check(head === headOf(listing.name,
		model.funcs.objects[listing.object]), head);
	check(all.rest === 0, head + ': rest ' + all.rest);
	check(all.samples.reduce((a, b) => a + b, 0) === want[k].samples,
		head + ': samples ' + all.samples);
	rows.forEach((row, i) => {
		const has = samplesAt(rows, all.samples, i);
		check(row.at === '' || row.samples === has, head + ': ' +
			row.at + ' has ' + has + ', not ' + row.samples);
		check(halves[0].samples[i] + halves[1].samples[i] === all.samples[i],
			head + ': halves of ' + row.at);
	});
});
console.log(listings.reduce((sum, l) => sum + l.rows.length, 0));
process.exit(wrong > 0 ? 1 : 0);
