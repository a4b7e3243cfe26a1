// SPDX-License-Identifier: MIT
// A Firefox without a window, driven by its own protocol, Marionette: messages
// of JSON over TCP, each after its length.
'use strict';
const { spawn } = require('child_process');
const fs = require('fs');
const net = require('net');
const path = require('path');
const PATIENCE_MS = 120000; // what has not come by then never will

const PREFS = ['"marionette.port", 0', '"browser.shell.checkDefaultBrowser",' +
	' false', '"datareporting.policy.dataSubmissionEnabled", false',
	'"app.update.disabledForTesting", true', '"network.dns.disabled", true',
	'"network.captive-portal-service.enabled", false',
	'"network.connectivity-service.enabled", false'];

const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

// Calls fn until it returns something; null: it never did.
async function until(fn) {
	const end = Date.now() + PATIENCE_MS;
	while (Date.now() < end) {
		const got = await fn();
		if (got) {
			return got;
		}
		await sleep(100);
	}
	return null;
}

class Firefox {
	constructor(program, folder) {
		const profile = path.join(folder, 'profile');
		fs.mkdirSync(profile);
		fs.writeFileSync(path.join(profile, 'user.js'), PREFS.map((p) =>
			'user_pref(' + p + ');\n').join(''));
		this.portFile = path.join(profile, 'MarionetteActivePort');
		this.process = spawn(program, ['--headless', '--no-remote',
			'--marionette', '--remote-allow-system-access', '--profile',
			profile, 'about:blank'], { stdio: 'ignore',
			env: { ...process.env, HOME: folder, MOZ_HEADLESS_WIDTH: '1280',
				XDG_CONFIG_HOME: folder, XDG_CACHE_HOME: folder,
				MOZ_HEADLESS_HEIGHT: '800' } });
		this.process.on('error', () => this.ended = true);
		this.process.on('exit', () => this.ended = true);
		this.waiting = new Map();
		this.last = 0;
		this.got = Buffer.alloc(0);
	}

	/** Is it there and does it answer? */
	async start() {
		const port = await until(() => this.ended ? -1 :
			fs.existsSync(this.portFile) &&
			Number(fs.readFileSync(this.portFile, 'utf8')));
		if (port === null || port < 0) {
			return false;
		}
		this.socket = net.connect(port, '127.0.0.1');
		this.socket.on('error', () => this.ended = true);
		this.socket.on('data', (data) => this.take(data));
		await this.send('WebDriver:NewSession', {});
		return true;
	}

	take(data) {
		this.got = Buffer.concat([this.got, data]);
		for (;;) {
			const colon = this.got.indexOf(':');
			const end = colon + 1 + Number(this.got.subarray(0, colon));
			if (colon < 0 || this.got.length < end) {
				return;
			}
			const message = JSON.parse(this.got.subarray(colon + 1, end));
			this.got = this.got.subarray(end);
			if (Array.isArray(message)) {
				const [, id, error, result] = message;
				const { done, fail } = this.waiting.get(id);
				(error === null ? done : fail)(error === null ? result :
					new Error(error.message));
			}
		}
	}

	send(name, what) {
		const id = ++this.last;
		const text = JSON.stringify([0, id, name, what]);
		this.socket.write(Buffer.byteLength(text) + ':' + text);
		return new Promise((done, fail) => {
			this.waiting.set(id, { done, fail });
			setTimeout(() => fail(new Error(name + ': no answer')),
				PATIENCE_MS).unref();
		});
	}

	/** Runs a function's text in the page and returns what it returns. */
	async run(script, ...args) {
		return (await this.send('WebDriver:ExecuteScript', { script, args }))
			.value;
	}

	/** Runs it in the browser itself. */
	async runInside(script, ...args) {
		await this.send('Marionette:SetContext', { value: 'chrome' });
		const got = await this.run(script, ...args);
		await this.send('Marionette:SetContext', { value: 'content' });
		return got;
	}

	/** Errors and violations of the policy that pages of files met. */
	errors() {
		return this.runInside('const list = Services.console' +
			'.getMessageArray().filter((m) => m instanceof Ci.nsIScriptError' +
			' && (m.sourceName.startsWith("file:") || /Security-Policy/' +
			'.test(m.errorMessage))).map((m) => m.errorMessage);' +
			'Services.console.reset(); return list;');
	}

	async press(key) {
		await this.send('WebDriver:PerformActions', { actions: [{ type: 'key',
			id: 'keys', actions: [{ type: 'keyDown', value: key },
				{ type: 'keyUp', value: key }] }] });
	}

	/** Ends it, so that nothing writes to its folder any more. */
	end() {
		return new Promise((done) => {
			this.process.on('exit', done);
			if (this.ended || !this.process.kill('SIGKILL')) {
				done();
			}
		});
	}
}

module.exports = { Firefox, until };
