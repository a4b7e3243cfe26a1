#!/bin/sh
# SPDX-License-Identifier: MIT
# Heat map, histogram, lanes and coloured flame graphs in a real browser; needs
# what flame.t needs.
# shellcheck source=tests/lib.sh
. "$top_srcdir/tests/lib.sh"
# shellcheck source=tests/browser/browser.sh
. "$top_srcdir/tests/browser/browser.sh"

picture() {
	"$top_builddir/tests/render/write-sample" svg "$1" 1200 - "$2" \
		>"$tmp/$1-$2.svg" || exit 99
}
for section in delay subsecond by-cpu rates most threads cpi change; do
	picture charts $section
done
for section in h g l; do
	picture hostile $section
	picture empty $section
done
"$top_builddir/tests/render/write-sample" html charts >"$tmp/charts.html" ||
	exit 99
browse chart.js
