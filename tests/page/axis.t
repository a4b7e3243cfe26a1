#!/bin/sh
# SPDX-License-Identifier: MIT
# The axis of a picture over time, without a browser.
# shellcheck source=tests/lib.sh
. "$top_srcdir/tests/lib.sh"

command -v node >/dev/null || skip_all "node is not installed"
node "$top_srcdir/tests/page/axis.js"
