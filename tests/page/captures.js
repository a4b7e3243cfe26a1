// SPDX-License-Identifier: MIT
// captures.js PAGE: what the page of several captures says of them, as JSON.
import { pathToFileURL } from 'node:url';
import { blocksIn } from './blocks.js';

const source = pathToFileURL(process.env.top_srcdir + '/render/page/');
const load = (name) => import(new URL(name, source));
const { decode } = await load('decode.js');
const { Model } = await load('model.js');
const { firstState, readState, writeState } = await load('state.js');
const { foundOfAll } = await load('change.js');
const { commandWords } = await load('words.js');
const { shownCommand } = await load('export.js');

const model = new Model(await decode(blocksIn(process.argv[2])));
const { data, sides } = model, first = firstState(model);

/** What a side has: samples, weight, first and last moment. */
function sideOf(side) {
	const kept = model.filter({ ...first.selection, side });
	const times = [];
	kept.kept.forEach((i) => times.push(data.samples.time[i]));
	return { samples: kept.samples, first: times[0], last: times.at(-1),
		sorted: times.every((t, i) => i === 0 || t >= times[i - 1]),
		tree: model.tree(kept.sel, { split: 'comm' }).total[0],
		cost: side === '' || sides === null ? 0 :
			model.costs(first.selection, side).weight };
}

const all = () => ({ before: sideOf('before'), after: sideOf('after'),
	both: sideOf('') });
const out = { version: data.meta.version, sides: sides !== null };
if (sides !== null) {
	const shades = model.shades(first.selection, 'none');
	const { func } = model.tree(first.selection, { split: 'none' });
	Object.assign(out, { names: sides.names, start: all(),
		found: foundOfAll(data.meta),
		changes: model.changes(first.selection),
		shades: Object.fromEntries(Array.from(func, (f, i) => [f < 0 ? 'all' :
			model.funcs.all.name[f], String(shades.nodes[i])])) });
	const from = out.start.both.last / 2;
	out.half = model.changes({ ...first.selection, from, to: null })
		.reduce((sum, r) => sum + r.samplesBefore + r.samplesAfter, 0);
	const at = (s) => (data.meta.origin || 0) + s * 1e9;
	out.window = ['before', 'after'].map((side) => model.costs(
		{ ...first.selection, from: at(2), to: at(8) }, side).weight);
	model.align('share');
	out.share = all();
	model.align('start');
	out.again = all();
	out.commands = ['before', 'after', ''].map((side) => commandWords(model,
		{ ...first.selection, side }, ['hotspots', '--top', '0']));
	out.change = shownCommand({ state: { ...first, view: 'change' }, model });
	out.link = writeState(readState(
		'side=both&align=share&rows=cpu&lanes=p1%00t3', model), model);
}
console.log(JSON.stringify(out));
