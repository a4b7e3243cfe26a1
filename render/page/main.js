// SPDX-License-Identifier: MIT
// @ts-check
// Where the page begins.
import { openPage } from './boot.js';
import { blocksOf, decode } from './decode.js';
import { pictures } from './pictures.js';

decode(blocksOf(document)).then((data) => {
	document.documentElement.dataset.samples = String(data.samples.n);
	openPage(data, pictures());
});
