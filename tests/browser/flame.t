#!/bin/sh
# SPDX-License-Identifier: MIT
# The flame graph in a real browser: needs node, chromium, and playwright-core
# as tests/browser/package-lock.json names it (`npm ci` in tests/browser or in
# a copy of its two JSON files below the build folder).
# shellcheck source=tests/lib.sh
. "$top_srcdir/tests/lib.sh"

# shellcheck source=tests/browser/browser.sh
. "$top_srcdir/tests/browser/browser.sh"

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
browse flame.js
