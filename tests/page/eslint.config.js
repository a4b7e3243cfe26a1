// SPDX-License-Identifier: MIT
// What ESLint looks for in the scripts of the pages and of the tests.  lint.t
// runs it: its modules are in a folder of their own, NODE_MODULES.
import { createRequire } from 'node:module';
import path from 'node:path';

const load = createRequire(path.resolve(process.env.NODE_MODULES) + '/');
const js = load('@eslint/js');
const globals = load('globals');

const rules = {
	...js.configs.recommended.rules,
	'eqeqeq': 'error',
	'no-control-regex': 'off', // tests look for such characters
	'no-implicit-globals': 'error',
	'no-var': 'error',
	'prefer-const': ['error', { destructuring: 'all' }],
	'semi': 'error',
};
const language = (sourceType, ...known) => ({ sourceType,
	globals: Object.assign({}, ...known.map((name) => globals[name])) });

export default [
	{ linterOptions: { reportUnusedDisableDirectives: 'error' }, rules },
	{ files: ['render/page/*.js'],
		languageOptions: language('module', 'browser') },
	// Pictures share parts: one may not need, or not set, what another does.
	{ files: ['render/svg/*.js'],
		languageOptions: language('script', 'browser'),
		rules: { 'prefer-const': 'off', 'no-unused-vars': ['error', {
			varsIgnorePattern: '^(XHTML|ROW|about|edgeText|inOrderOf)$' }] } },
	{ files: ['tests/page/*.js'],
		languageOptions: language('module', 'nodeBuiltin') },
	// What is given to evaluate() runs in a page.
	{ files: ['tests/browser/*.js', 'bench/*.js'],
		languageOptions: language('commonjs', 'node', 'browser') },
	{ files: ['tests/browser/pictures-page.js'],
		languageOptions: language('module', 'browser') },
	{ files: ['tests/unwind/**/*.js'],
		languageOptions: language('commonjs', 'node') },
];
