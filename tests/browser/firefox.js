// SPDX-License-Identifier: MIT
// The page in a second browser: it opens, each view is drawn, keys work, and
// nothing is complained of.
'use strict';
const fs = require('fs');
const path = require('path');
const { Firefox, until } = require('./marionette.js');
const folder = path.resolve(process.argv[2]);
let points = 0, failures = 0;

function ok(held, text, why) {
	console.log((held ? 'ok ' : 'not ok ') + ++points + ' - ' + text);
	if (!held) {
		failures++;
		console.log('# ' + String(JSON.stringify(why)).slice(0, 400));
	}
}
const is = (got, want, text) =>
	ok(got === want, text, { got, want });

const SHOWN = 'return document.querySelector("[role=tab][aria-selected=true]")' +
	'.textContent;';
// How many colours the canvases of the view shown have.
const COLOURS = `const seen = new Set();
for (const c of document.querySelectorAll('.main > .view:not([hidden]) canvas')) {
	const { data } = c.getContext('2d').getImageData(0, 0, c.width, c.height);
	for (let i = 0; i < data.length; i += 4) {
		seen.add(data[i] << 16 | data[i + 1] << 8 | data[i + 2]);
	}
}
return seen.size;`;

async function open(fox, name) {
	await fox.send('WebDriver:Navigate', { url: 'file://' +
		path.join(folder, name) });
	return until(() => fox.run(
		'return document.querySelector(".app .main") !== null;'));
}

async function look(fox, name) {
	ok(await open(fox, name), name + ' opens');
	const tabs = await fox.run('return Array.from(document.querySelectorAll(' +
		'"[role=tab]"), (t) => t.textContent);');
	for (let i = 0; i < tabs.length && i < 9; i++) {
		await fox.press(String(i + 1));
		ok(await until(async () => await fox.run(SHOWN) === tabs[i]),
			name + ': key ' + (i + 1) + ' goes to ' + tabs[i]);
	}
	is((await fox.errors()).join('; '), '', name + ': no error, no violation');
}

async function pictures(fox) {
	await open(fox, 'plain.html');
	await fox.press('1');
	ok(await until(async () => await fox.run(COLOURS) > 4),
		'the flame graph is drawn');
	await fox.press('?');
	ok(await until(() => fox.run('return document.querySelectorAll(' +
		'"dialog[open] kbd").length > 5;')), '? lists the keys');
	is((await fox.errors()).join('; '), '', 'pictures: no error');
}

// Firefox takes 200 addresses in 10 s and refuses more: a wheel makes them.
async function hurry(fox) {
	const limit = (count, seconds) => fox.runInside('for (const [name, n] of' +
		' [["count", arguments[0]], ["timespan", arguments[1]]]) Services' +
		'.prefs.setIntPref("dom.navigation.navigationRateLimit." + name, n);',
	count, seconds);
	await open(fox, 'plain.html');
	await fox.press('1');
	await limit(1, 2);
	await fox.press('/');
	for (const key of 'leaf') {
		await fox.press(key);
	}
	is(await fox.run('return document.querySelector(".found").textContent;'),
		'46.43% matched', 'the view follows at once');
	ok(await until(() => fox.run('return /search=leaf/.test(location.hash);')),
		'addresses that came too fast are written later');
	await limit(0, 10);
	is((await fox.errors()).filter((m) => !/^Too many calls/.test(m))
		.join('; '), '', 'hurry: no error');
}

async function all() {
	const fox = new Firefox(process.env.FIREFOX, folder);
	try {
		await drive(fox);
	} finally {
		await fox.end();
	}
}

// An error and a violation are noticed at all.
async function bad(fox) {
	fs.writeFileSync(path.join(folder, 'bad.htm'), '<meta charset=utf-8>' +
		'<meta http-equiv=Content-Security-Policy content="img-src \'none\'">' +
		'<div class=app><div class=main><img src="data:,x">' +
		'<script>none();</script>');
	await open(fox, 'bad.htm');
	const errors = (await fox.errors()).join('; ');
	ok(/none is not defined/.test(errors) && /img-src/.test(errors),
		'errors are noticed', errors);
}

async function drive(fox) {
	if (!await fox.start()) {
		console.log('1..0 # SKIP firefox does not start here');
		return;
	}
	await bad(fox);
	for (const name of fs.readdirSync(folder).sort()) {
		if (name.endsWith('.html')) {
			await look(fox, name);
		}
	}
	await pictures(fox);
	await hurry(fox);
	console.log('1..' + points);
}

all().then(() => process.exit(failures > 0 ? 1 : 0), (e) => {
	console.log('Bail out! ' + e.stack.split('\n').slice(0, 3).join(' | '));
	process.exit(99);
});
