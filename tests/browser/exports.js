// SPDX-License-Identifier: MIT
// What a page hands out of a selection is what the command that it shows
// prints, byte for byte.
// The environment has CASES: "NAME CAPTURE SYMBOLS" in lines.
'use strict';
const { execFileSync } = require('child_process');
const fs = require('fs');
const path = require('path');
const { ok, is, open, close, run } = require('./page.js');
const folder = path.resolve(process.argv[2]);

async function download(page, label) {
	const [file] = await Promise.all([page.waitForEvent('download'),
		page.getByRole('button', { name: label }).click()]);
	const to = path.join(folder, 'got-' + file.suggestedFilename());
	await file.saveAs(to);
	return fs.readFileSync(to, 'utf8');
}

// Runs the command that the dialog shows, of `made', with some words more.
function printed(shown, made, ...words) {
	const all = shown.replace(/\S+$/, '"$0" "$@"')
		.replace(/^coldperf \S+/, '"$COLDPERF" ' + words.join(' ') +
		' --no-local --cache /nonexistent/none');
	return execFileSync('sh', ['-c', all, made.capture, ...made.symbols === '' ?
		[] : ['--symbols', made.symbols]], { encoding: 'utf8',
		maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'ignore'] });
}

async function compare(made, selection) {
	const page = await open(made.name + '.html');
	await page.evaluate((h) => {
		location.hash = h;
	}, 'view=table&' + selection);
	await page.locator('.view-table tbody tr').first().waitFor();
	await page.keyboard.press('e');
	const shown = await page.locator('dialog pre').textContent();
	const what = made.name + ', ' + (selection || 'all');
	const csv = await download(page, 'Table as CSV');
	is(csv, printed(shown, made, 'hotspots', '-f', 'csv'),
		what + ': the table is that of ' + shown.slice(0, 50));
	ok(csv.split('\n').length > 2, what + ': which has rows', csv);
	is(await download(page, 'Folded stacks'), printed(shown.replace(
		/ --children --by \S+ --top 0/, ''), made, 'flame', '-f', 'folded',
		'--lost-callers=mark'),
	what + ': stacks are those of flame');
	await close(page, what);
}

// Where samples were merged, a window has other edges than the command's.
async function remarks() {
	const said = async (name, selection) => {
		const page = await open(name + '.html');
		await page.evaluate((h) => {
			location.hash = h;
		}, 'view=table&' + selection);
		await page.locator('.view-table tbody tr').first().waitFor();
		await page.keyboard.press('e');
		const seen = await page.getByText('The command has other times.')
			.isVisible();
		await close(page, name + ', ' + selection + ': remarks');
		return seen;
	};
	const time = 'time=0,200000000';
	is([await said('good-fp', time), await said('merged', time),
		await said('merged', 'threads=0-99')].join(), 'false,true,false',
	'that times are others is told of merged samples');
}

const cases = process.env.CASES.trim().split('\n').map((line) => {
	const [name, capture, symbols = ''] = line.split(' ');
	return { name, capture, symbols };
});
const SELECTIONS = { 'good-fp': ['', 'time=50000000,200000000', 'threads=1-3'],
	'good-events': ['', 'event=1', 'time=0,100000000'],
	'good-fork': [''], 'good-build-ids': [''] };
run(...cases.flatMap((made) => SELECTIONS[made.name].map((selection) =>
	() => compare(made, selection))), remarks);
