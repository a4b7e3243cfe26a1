// SPDX-License-Identifier: MIT
// A page of data made up from a seed, as joined.js joins it: what the address
// asks for after "?" is how much and what.
import { openPage } from '../../render/page/boot.js';
import { pictures } from '../../render/page/pictures.js';

const SIZES = { million: { samples: 1e6, stacks: 1e6, frames: 2e5,
	symbols: 1e5, threads: 2000, deep: 60 }, empty: { samples: 0 },
deep: { stacks: 20000, deep: 120, frames: 5000 },
one: { samples: 1, threads: 1, stacks: 1, frames: 1, symbols: 1 } };
const HOSTILE = ['</script><img src=x onerror=alert(1)>', '__proto__',
	'constructor', '\u202egnp.exe\u0000\u001b[31m', '"><svg onload=x>',
	'\ud800 alone', 'x'.repeat(10000), '<'.repeat(3000), ''];
const words = new URLSearchParams(location.search);
const data = window.fakeData(1, SIZES[words.get('size')] || {});

if (words.has('hostile')) {
	data.strings = data.strings.map((s, i) => i === 0 ? '' :
		HOSTILE[i % HOSTILE.length] + (i % 3 === 0 ? i : ''));
}
if (words.has('changes')) { // as `timeline' finds them
	data.meta.sections = [{ type: 'table', slug: 'changes', title: 'changes',
		columns: [{ name: 'At', type: 'clock' }, { name: 'Change',
			type: 'change' }], rows: [[2e9, 1], [5e9, -0.5]].map((values) =>
			({ depth: 0, values })) }];
}
const start = performance.now();
window.app = openPage(data, pictures());
window.took = performance.now() - start;
