// SPDX-License-Identifier: MIT
// print.js PAGE: the strings of a page, and the names of its symbols, threads
// and objects, as JSON.
import { pathToFileURL } from 'node:url';
import { blocksIn } from './blocks.js';

const source = pathToFileURL(process.env.top_srcdir + '/render/page/');
const { decode, hex64 } = await import(new URL('decode.js', source));
const { changePoints } = await import(new URL('series.js', source));

const data = await decode(blocksIn(process.argv[2]));
const named = (table, column) =>
	Array.from(data[table][column], (i) => data.strings[i]);

console.log(JSON.stringify({
	strings: data.strings,
	symbols: named('symbols', 'name'),
	threads: named('threads', 'name'),
	objects: named('objects', 'file'),
	addresses: Array.from(data.frames.addr, (_, i) =>
		hex64(data.frames, 'addr', i)),
	unknown: data.frames.vaddrHigh.every((v, i) => i === 0 || v === 0xffffffff),
	bases: Array.from(data.objects.baseLow.keys(), (i) =>
		hex64(data.objects, 'base', i)),
	marks: Array.from(data.marks.time, (time, i) => [data.marks.kind[i], time,
		data.marks.cpu[i], data.marks.count[i],
		data.marks.thread[i] === 0xffffffff ? -1 : data.marks.thread[i],
		data.strings[data.marks.text[i]]]),
	lives: Array.from(data.threads.pid, (pid, i) => [pid, data.threads.tid[i],
		data.strings[data.threads.name[i]],
		data.strings[data.threads.process[i]], data.threads.start[i],
		data.threads.end[i]]),
	samples: Array.from(data.samples.thread),
	times: Array.from(data.samples.time),
	start: data.meta.startText,
	changes: changePoints(data, 1e12),
	title: data.meta.title,
	label: data.meta.label,
	sections: data.meta.sections.map((s) => s.slug),
}));
