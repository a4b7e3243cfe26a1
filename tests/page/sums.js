// SPDX-License-Identifier: MIT
// sums.js PAGE HOTSPOTS.csv [NS]: whether the samples that a page carries are those
// that `coldperf hotspots --by event,dso,symbol -f csv` has counted.  Prints
// what does not hold, and nothing else; NS: no stretch may be longer.
// sums.js FOLDER: of each NAME.html in it with NAME.csv, and says which is right.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { blocksIn } from './blocks.js';

const source = pathToFileURL(process.env.top_srcdir + '/render/page/');
const { decode, hex64 } = await import(new URL('decode.js', source));

let wrong = 0;

function hold(what, held) {
	if (!held && ++wrong <= 10) {
		console.log(what);
	}
}

function cellsOf(line) {
	return Array.from(line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/g),
		(m) => m[1] !== undefined ? m[1].replaceAll('""', '"') : m[2]);
}

/** {event, object, symbol} -> [samples, share] */
function counted(path) {
	const [head, ...rows] = readFileSync(path, 'utf8').trimEnd().split('\n')
		.map(cellsOf);
	const sums = new Map();
	for (const row of head === undefined ? [] : rows) {
		const at = (name) => row[head.indexOf(name)];
		const key = [at('event'), at('object'), at('symbol')].join('\t');
		const sum = sums.get(key) || [0, 0];
		sums.set(key, [sum[0] + Number(at('samples')),
			sum[1] + Number(at('share'))]);
	}
	return sums;
}

/** Where an event's frames are that have no function. */
const placeOf = (data, event, frame) => [event, objectOf(data, frame),
	data.frames.level[frame]].join('\t');

/** Frames that an event's samples fell into and have no function, by place. */
function namelessIn(data) {
	const { frames, samples, stacks } = data;
	const met = new Map();
	for (let i = 0; i < samples.n; i++) {
		const frame = stacks.frame[samples.stack[i]];
		if (frame !== 0 && frames.symbol[frame] === 0) {
			const place = placeOf(data, samples.event[i], frame);
			met.set(place, (met.get(place) || new Set()).add(frame));
		}
	}
	return met;
}

function nameOf(data, event, frame, nameless) {
	const { frames, spots, symbols, strings } = data;
	// The innermost of the functions that were inlined there.
	const n = frames.spots[frame], inlined = n > 1;
	const symbol = inlined ? spots.symbol[frames.firstSpot[frame] + n - 1] :
		frames.symbol[frame];
	const count = (nameless.get(placeOf(data, event, frame)) || []).size;
	const name = strings[symbols.name[symbol]];
	return symbol !== 0 ? inlined && !name.endsWith(' (inlined)') ?
		name + ' (inlined)' : name : frame === 0 ?
		'[unknown]' : count > 1 ? '[' + count + ' addresses]' :
			'0x' + hex64(frames, 'addr', frame).padStart(16, '0');
}

function objectOf(data, frame) {
	return data.strings[data.objects.nickname[data.frames.object[frame]]] ||
		'[unknown]';
}

function carried(data) {
	const { events, samples, stacks, strings } = data;
	const sums = new Map(), nameless = namelessIn(data);
	for (let i = 0; i < samples.n; i++) {
		const frame = stacks.frame[samples.stack[i]];
		const event = samples.event[i];
		const key = [strings[events.name[event]], objectOf(data, frame),
			nameOf(data, event, frame, nameless)].join('\t');
		const sum = sums.get(key) || [0, 0];
		const whole = events.weight[event];
		sums.set(key, [sum[0] + (samples.count ? samples.count[i] : 1),
			sum[1] + (whole > 0 ? samples.weight[i] / whole : 0)]);
	}
	return sums;
}

function checkNumbers(data) {
	const below = (table, column, n, none) => {
		const values = data[table][column];
		hold(`${table}.${column} refers to rows that are there`,
			values.every((v) => v < n || (none && v === 0xffffffff)));
	};
	below('samples', 'stack', data.stacks.n);
	below('samples', 'thread', data.threads.n);
	below('samples', 'event', data.events.n);
	below('stacks', 'frame', data.frames.n);
	below('frames', 'object', data.objects.n);
	below('frames', 'symbol', data.symbols.n);
	below('symbols', 'object', data.objects.n);
	below('spots', 'symbol', data.symbols.n);
	below('marks', 'thread', data.threads.n, true);
	below('states', 'thread', data.threads.n);
	below('states', 'waker', data.threads.n, true);
	below('states', 'stack', data.stacks.n);
	for (const [table, column] of [['symbols', 'name'], ['objects', 'name'],
		['threads', 'name'], ['spots', 'file'], ['events', 'unit']]) {
		below(table, column, data.strings.length);
	}
	hold('parents come first', data.stacks.parent.every((p, i) =>
		i === 0 ? p === 0 : p < i));
	hold('spots are there', data.frames.spots.every((n, i) =>
		data.frames.firstSpot[i] + n <= data.spots.n));
}

function checkOrder(data) {
	let last = 0;
	hold('samples are in the order of time', data.samples.time.every((t) => {
		const right = t === -1 || t >= last;
		last = t === -1 ? last : t;
		return right;
	}));
	hold('all times are within the page', data.samples.time.every((t) =>
		t >= -1 && t <= data.meta.end - data.meta.start + 1024));
}

/** Rows of a stretch have one time, and no two of them are alike. */
function checkBins({ meta, samples: s }) {
	const bins = new Map();
	const keyOf = (i) => [s.event, s.thread, s.stack, s.cpu].map((c) => c[i]);
	for (let i = 0; i < s.n; i++) {
		const time = BigInt(s.time[i]) + BigInt(meta.startText);
		const bin = s.time[i] < 0 ? -1n : time / BigInt(meta.binned.ns);
		hold('a stretch has one time', !bins.has(bin) ||
			bins.get(bin) === s.time[i]);
		bins.set(bin, s.time[i]);
		if (i > 0 && s.time[i] === s.time[i - 1]) {
			const [a, b] = [keyOf(i - 1), keyOf(i)];
			const k = a.findIndex((v, j) => v !== b[j]);
			hold('rows of a stretch are sorted', k >= 0 && a[k] < b[k]);
		}
	}
}

async function check(page, csv, most) {
	const data = await decode(blocksIn(page));
	const want = counted(csv), got = carried(data);

	hold('a page that merges samples says so',
		(data.meta.binned !== null) === (data.samples.count !== undefined));
	checkNumbers(data);
	checkOrder(data);
	if (data.meta.binned !== null) {
		checkBins(data);
		const { ns } = data.meta.binned;
		hold(`a stretch is short, not ${ns} ns`, !(ns > Number(most)));
	}
	for (const key of new Set([...want.keys(), ...got.keys()])) {
		const [samples, share] = got.get(key) || [0, 0];
		const [n, part] = want.get(key) || [0, 0];
		hold(`${key}: ${samples} samples of ${share}, not ${n} of ${part}`,
			samples === n && Math.abs(share - part) < 1e-6);
	}
}

const [path, csv, most] = process.argv.slice(2);
if (csv !== undefined) {
	await check(path, csv, most);
	process.exit(wrong !== 0 ? 1 : 0);
}
for (const page of readdirSync(path).filter((name) => /\.html$/.test(name))) {
	const name = page.replace(/\.html$/, '');
	wrong = 0;
	await check(join(path, page), join(path, name + '.csv')).catch((e) =>
		hold(String(e), false));
	console.log((wrong !== 0 ? 'wrong: ' : 'right: ') + name);
}
