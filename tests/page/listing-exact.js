// SPDX-License-Identifier: MIT
// Code at addresses beyond 2^53, as a kernel's: each sample is at its own row,
// and in the function that its symbol is, of two with one name.
import { pathToFileURL } from 'node:url';

const source = pathToFileURL(process.env.top_srcdir + '/render/page/');
const { listingsOf, weighRows } = await import(new URL('listing.js', source));

const HIGH = 0xffffffff;
const rows = [];
for (const start of ['0xffffffff81000010', '0xffffffff81000110']) {
	rows.push({ depth: 0, at: start, object: 7, values: ['', '', 'work (vmlinux)'] });
	for (let i = 0; i < 3; i++) {
		const at = '0x' + (BigInt(start) + BigInt(i)).toString(16);
		rows.push({ depth: 2, at, values: [at, '', 'nop'] });
	}
}
const columns = ['Address', 'Where', 'Code'].map((name) => ({ name }));
// Frames 1 to 3 are in the first function, 4 in the second.
const low = [0, 0x81000010, 0x81000011, 0x81000012, 0x81000111];
const data = { strings: ['', 'work', 'vmlinux'],
	meta: { sections: [{ title: 'cycles', columns, rows }] },
	objects: { id: [0, 7], nickname: [0, 2] },
	symbols: { name: [0, 1, 1], startHigh: [0, HIGH, HIGH],
		startLow: [0, 0x81000010, 0x81000110] },
	frames: { n: 5, symbol: [0, 1, 1, 1, 2], object: [0, 1, 1, 1, 1],
		addrLow: low, addrHigh: low.map(() => HIGH) } };
const filtered = { model: { data },
	byFrame: { weight: [0, 10, 20, 40, 80], count: [0, 1, 2, 4, 8] } };
const got = listingsOf(data).map((l) => Array.from(weighRows(filtered, l).samples));
const want = [[1, 2, 4], [0, 8, 0]];
if (JSON.stringify(got) !== JSON.stringify(want)) {
	console.log(JSON.stringify(got) + ', not ' + JSON.stringify(want));
	process.exit(1);
}
