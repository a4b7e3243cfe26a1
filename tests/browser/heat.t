#!/bin/sh
# SPDX-License-Identifier: MIT
# The legend of heat maps whose cells share columns, in a real browser; needs
# what flame.t needs.
# shellcheck source=tests/lib.sh
. "$top_srcdir/tests/lib.sh"
# shellcheck source=tests/browser/browser.sh
. "$top_srcdir/tests/browser/browser.sh"

for section in subsecond by-cpu rates most; do
	"$top_builddir/tests/render/write-sample" svg charts 1200 - $section \
		>"$tmp/$section-1200.svg" || exit 99
done
browse heat.js
