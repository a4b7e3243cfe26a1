#!/bin/sh
# SPDX-License-Identifier: MIT
# The parts of the page's script are modules here, and one function there.
# shellcheck source=tests/lib.sh
. "$top_srcdir/tests/lib.sh"

command -v node >/dev/null || skip_all "node is not installed"
cd "$top_srcdir" || exit 99
# shellcheck disable=SC2046 # one word each
set -- $(sed -n '/^render_page_js =/,/[^\\]$/p' render/local.mk |
	sed 's/^render_page_js =//; s/\\$//; s/%D%/render/g')
node tests/page/joined.js "$@"
