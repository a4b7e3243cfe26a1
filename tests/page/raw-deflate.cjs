// SPDX-License-Identifier: MIT
// For `node --require': Node 18 has no stream that inflates what pages hold.
'use strict';
const { Duplex } = require('stream');
const zlib = require('zlib');

const Before = globalThis.DecompressionStream;
try {
	new Before('deflate-raw');
} catch {
	globalThis.DecompressionStream = function of(format) {
		return format === 'deflate-raw' ?
			Duplex.toWeb(zlib.createInflateRaw()) : new Before(format);
	};
}
