#!/bin/sh
# SPDX-License-Identifier: MIT
# What a page shows is what its address says; needs what flame.t needs.
# shellcheck source=tests/lib.sh
. "$top_srcdir/tests/lib.sh"

# shellcheck source=tests/browser/browser.sh
. "$top_srcdir/tests/browser/browser.sh"

corpus "$tmp/corpus"

# page NAME COMMAND WORD...: a page of that command
page() {
	name=$1
	shift
	"$COLDPERF" "$@" --no-local -f html -o "$tmp/$name.html" 2>/dev/null ||
		exit 99
}
symbols=$top_srcdir/corpus/good-fp/symbols
set -- "$tmp/corpus/good-fp.data"
[ -d "$symbols" ] && set -- "$1" --symbols "$symbols"
page plain report "$@"
page waits sched "$tmp/corpus/good-sched-waits.data"
page changed diff "$tmp/corpus/good-sched-waits.data" \
	"$tmp/corpus/good-waits.data"
browse address.js
