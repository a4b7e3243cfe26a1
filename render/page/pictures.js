// SPDX-License-Identifier: MIT
// @ts-check
// The views that are drawn on a canvas, in the order of their tabs.
import { flameView, icicleView, sandwichPicture } from './flame-view.js';
import { lanesView } from './lanes.js';
import { stripView } from './strip.js';

export const pictures = () => [stripView(), flameView(), icicleView(),
	lanesView(), sandwichPicture()];
