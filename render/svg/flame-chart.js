// SPDX-License-Identifier: MIT
// A flame chart in a browser: where its frames are.  They begin where they did,
// not where the one before ends: between two callees is the caller's own time.
// There are few enough of them to look at each.
// start: by frame, in weight.  Else as layOut() and frameUnder() of boxes.js.
function layOutInTime(t, start, zoomed, left, inner, hits, out) {
	const { depth, total, parent } = t, scale = inner / total[zoomed];
	out.n = 0;
	out.open = new Int32Array(depth[zoomed] + t.tall[zoomed] + 1).fill(-1);
	for (let i = zoomed; i !== 0;) {
		i = parent[i];
		out.add(i, left, inner, depth[i], 0, hits ? hits[i] & HIT : 0);
	}
	for (let i = zoomed; i === zoomed || i < t.n && depth[i] > depth[zoomed];
		i++) {
		const x = left + (start[i] - start[zoomed]) * scale;
		const w = total[i] * scale, hit = hits ? hits[i] & HIT : 0;
		if (w >= NARROW) {
			out.add(i, x, w, depth[i], 0, hit);
		} else {
			out.share(i, x, w, depth[i], hit);
		}
	}
}
function frameUnderInTime(t, start, from, part, row) {
	const at = start[from] + part * t.total[from];
	let i = from;
	while (i >= 0 && t.depth[i] < row) {
		let kid = t.first(i);
		while (kid !== 0 && at >= start[kid] + t.total[kid]) {
			kid = t.next[kid];
		}
		i = kid !== 0 && at >= start[kid] ? kid : -1;
	}
	return i;
}
