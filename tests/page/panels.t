#!/bin/sh
# SPDX-License-Identifier: MIT
# Where rows of the report's panels lead, without a browser.
# shellcheck source=tests/lib.sh
. "$top_srcdir/tests/lib.sh"

command -v node >/dev/null || skip_all "node is not installed"
node "$top_srcdir/tests/page/panels.js"
