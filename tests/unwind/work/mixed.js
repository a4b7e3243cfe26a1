// SPDX-License-Identifier: MIT
// For half a second of CPU time: code made at run time, its runtime, C++.
const end = process.cpuUsage().user + 500000;
let n = 0;

function fib(k) {
	return k < 2 ? k : fib(k - 1) + fib(k - 2);
}

while (process.cpuUsage().user < end) {
	const keys = [...Array(500).keys()];

	n += fib(16) + JSON.stringify(keys.map(String)).length;
	n += keys.sort((a, b) => b - a)[0];
	n += "abc123".repeat(50).replace(/[0-9]+/g, (m) => m.length).length;
}
process.exitCode = n > 0 ? 0 : 1;
