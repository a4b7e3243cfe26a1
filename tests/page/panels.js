// SPDX-License-Identifier: MIT
// What rows of the report's panels speak of, counted by hand.
import { barSelection, cellSelection, selectionOf } from '../../render/page/panels.js';
import { cellWords } from '../../render/page/words.js';

const NAMES = ['main', 'alpha', 'beta', 'alpha'];
const model = {
	length: 5000,
	data: { meta: { start: 1000 }, events: { name: [0, 1, 2], samples: [2, 1, 0] },
		strings: NAMES, threads: { n: 4, name: [0, 1, 2, 3],
		tid: [0, 100, 200, 300], pid: [0, 100, 200, 200] } },
	string: (i) => NAMES[i],
	funcs: { find: (name) => ['main', 'work'].indexOf(name) },
};
let points = 0, failures = 0;

const plain = (patch) => JSON.stringify(patch, (_, v) =>
	v instanceof Set ? Array.from(v) : v);

function is(got, want, text) {
	const held = plain(got) === plain(want);
	failures += held ? 0 : 1;
	console.log((held ? 'ok ' : 'not ok ') + ++points + ' - ' + text +
		(held ? '' : '\n# ' + plain(got)));
}

/** Of a row with columns 'Name:type': value. */
function of(row) {
	const columns = Object.keys(row).map((key) => ({
		name: key.split(':')[0], type: key.split(':')[1] || 'text' }));
	return selectionOf(model, columns, { values: Object.values(row) });
}

is(of({ PID: '200', TID: '300' }), { threads: [3] }, 'a TID is one thread');
is(of({ PID: '200' }), { threads: [2, 3] }, 'a PID is all of its threads');
is(of({ PID: '200', TID: '' }), { threads: [2, 3] }, 'no TID is not TID 0');
is(of({ Command: 'alpha' }), { threads: [1, 3] }, 'a name is all that have it');
is(of({ Symbol: 'work' }), { focus: 1 }, 'a function is the one in focus');
is(of({ Symbol: '< work' }), { focus: 1 }, 'a caller is, too');
is(of({ Code: 'work+0x10 on 0x0: 33.3 %' }), { focus: 1 },
	'a place is its function');
is(of({ Event: 'alpha' }), { event: 1 }, 'an event');
is(of({ Event: 'beta' }), null, 'an event without samples is nothing');
is(of({ Event: 'gamma' }), null, 'an event that the page lacks is nothing');
is(of({ What: 'alpha' }), null, 'other texts are nothing');
is(of({ CPU: '3' }), { cpus: [3] }, 'a CPU');
is(of({ CPU: '' }), null, 'no CPU is not CPU 0');
is(of({ 'Delay:time': 200, 'Since:clock': 1700, TID: '100', CPU: '0' }),
	{ from: 700, to: 899, threads: [1] },
	'a wait is its thread, as long as it waited');
is(of({ 'From:clock': 3000 }), { from: 2000, to: 2049 },
	'a moment is a hundredth of the capture');
is(of({ 'From:clock': null }), null, 'no moment is nothing');
const changes = { slug: 'changes', type: 'table', columns: [
	{ name: 'At', type: 'time' }, { name: 'Change', type: 'change' },
	{ name: 'Window', type: 'text' }], rows: [500, 1500].map((at) =>
	({ values: [at, { value: 1 }, '--time'] })) };
const changed = { ...model, data: { ...model.data, meta: { origin: 100,
	sections: [changes] } } };
const change = (row) => selectionOf(changed, changes.columns, row);
is(change(changes.rows[0]), { from: 600, to: 1599 },
	'a change of the rate is the time until the next one');
is(change(changes.rows[1]), { from: 1600, to: 5000 }, 'or the end');
is(change({ values: [7, { value: 1 }, ''] }), null, 'no change is nothing');
is(of({ TID: '100', 'Max:time': 10, 'Max at:clock': 1900 }),
	{ threads: [1] }, 'the moment of the most is not all of the row');

is(cellWords('change', { value: 2.332, interval: [2.268, 2.398] }),
	'+233.2% (+226.8%\u2026+239.8%)', 'a change has its interval');
is(cellWords('change', { value: -0.5, interval: [-0.75, null] }),
	'-50.0% (-75.0%\u2026>\u00d71e6)', 'of any size');
is(cellWords('rate', { value: 1.5, interval: [1.25, 1.75] }),
	'1.500 (1.250\u20261.750)', 'so has a rate');
is(cellWords('rate', { value: 1.5 }), '1.500', 'if there is one');

const CLOCK = { name: 'time', type: 'clock', from: 1000, step: 100, count: 9 };
const cell = (y, i, j) => cellSelection(model, { x: CLOCK, y }, [i, j, 7]);
is(cell({ name: 'CPU', type: 'text', labels: ['0', '5'] }, 2, 1),
	{ from: 200, to: 299, cpus: [5] }, 'a cell is its time and CPU');
is(cell({ name: 'offset', type: 'time', step: 10 }, 2, 3),
	{ from: 230, to: 239 }, 'a part of it is that part');
is(cellSelection(model, { x: { type: 'text' }, y: CLOCK }, [0, 0, 1]), null,
	'a cell without a clock is nothing');

const states = { n: 5, from: [0, 10, 20, 30, 40], to: [7, 15, 27, 32, 49],
	tone: [2, 2, 2, 2, 3], thread: [1, 2, 3, 1, 2] };
const bar = (lo, hi) => barSelection({ data: { states } }, { lo, hi });
is(bar(5, 10), { threads: [1, 2, 3], from: 0, to: 27 },
	'a bar is who could run so long and did not, and when');
is(bar(2, 5), { threads: [1], from: 30, to: 32 }, 'its begin is in it');
is(bar(7, 9), { threads: [1, 3], from: 0, to: 27 }, 'its end is not');
is(bar(8, 10), null, 'what waits for something else is not');
const waits = { ...model, data: { ...model.data, strings: [...NAMES, 'futex'],
	states: { ...states, reason: [4, 0, 4, 0, 4] } } };
const wait = (reason) => selectionOf(waits, [{ name: 'Time', type: 'time' },
	{ name: 'State', type: 'text' }, { name: 'Wait', type: 'text' }],
{ values: [5, 'interruptible', reason] });
is(wait('futex'), { threads: [1, 3, 2], from: 0, to: 49 },
	'a class of waits is who waited so, and when');
is(wait('poll'), null, 'of no state here');
const stateOf = (state) => selectionOf(waits, [{ name: 'State', type: 'text' }],
	{ values: [state] });
is(stateOf('runnable, preempted'), { threads: [1, 2, 3], from: 0, to: 32 },
	'a state of threads is those that were in it, and when');
is(stateOf('blocked'), { threads: [2], from: 40, to: 49 }, 'each state is');
is(stateOf('on CPU'), null, 'one that no thread was in is nothing');
is(of({ Share: 1, Object: '/lib/c++[x].so' }), { search: 'c\\+\\+\\[x\\]\\.so' },
	'an object is what a search finds of it');
is(of({ Object: 'lib.so', Symbol: 'work' }), { focus: 1 },
	'its function is what the row speaks of');
is(of({ Object: '', Call: 'read' }), null, 'no object is nothing');
is(of({ 'About:text': 'CPU 12', 'Finding:text': 'it was saturated' }),
	{ cpus: [12] }, 'a finding about a CPU');
console.log('1..' + points);
process.exit(failures > 0 ? 1 : 0);
