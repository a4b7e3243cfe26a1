#!/bin/sh
# SPDX-License-Identifier: MIT
# The pictures of the page in a real browser, over data made up from a seed;
# needs what flame.t needs.
# shellcheck source=tests/lib.sh
. "$top_srcdir/tests/lib.sh"
# shellcheck source=tests/browser/browser.sh
. "$top_srcdir/tests/browser/browser.sh"

command -v node >/dev/null || skip_all "node is not installed"
node "$top_srcdir/tests/browser/joined.js" >"$tmp/pictures.html" || exit 99
browse pictures.js
