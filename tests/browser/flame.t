#!/bin/sh
# SPDX-License-Identifier: MIT
# The flame graph in a real browser: needs node, chromium, and playwright-core
# as tests/browser/package-lock.json names it (`npm ci` in tests/browser or in
# a copy of its two JSON files below the build folder).
# shellcheck source=tests/lib.sh
. "$top_srcdir/tests/lib.sh"

command -v node >/dev/null || skip_all "node is not installed"
for browser in "${CHROMIUM:-}" chromium chromium-browser google-chrome; do
	[ -n "$browser" ] && CHROMIUM=$(command -v "$browser") && break
done
[ -n "${CHROMIUM:-}" ] || skip_all "no chromium"
for modules in "$top_builddir" "$top_srcdir"; do
	modules=$modules/tests/browser/node_modules
	[ -d "$modules/playwright-core" ] && break
done
[ -d "$modules/playwright-core" ] ||
	skip_all "playwright-core is not there: npm ci in tests/browser"
export CHROMIUM

for report in plain hostile empty deep 100000; do
	"$top_builddir/tests/render/write-sample" svg "$report" \
		>"$tmp/$report.svg" || exit 99
done
"$top_builddir/tests/render/write-sample" svg plain 1200 icicle \
	>"$tmp/icicle.svg" || exit 99
for report in plain hostile; do
	"$top_builddir/tests/render/write-sample" html "$report" \
		>"$tmp/$report.html" || exit 99
done
PLAYWRIGHT=$modules/playwright-core HOME=$tmp \
	node "$top_srcdir/tests/browser/flame.js" "$tmp"
