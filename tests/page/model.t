#!/bin/sh
# SPDX-License-Identifier: MIT
# The page's model without a browser, on data made up from a seed.
# shellcheck source=tests/lib.sh
. "$top_srcdir/tests/lib.sh"

command -v node >/dev/null || skip_all "node is not installed"
node "$top_srcdir/tests/page/model.js"
