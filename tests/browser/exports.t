#!/bin/sh
# SPDX-License-Identifier: MIT
# Exports of a page in a real browser: needs what flame.t needs.
# shellcheck source=tests/lib.sh
. "$top_srcdir/tests/lib.sh"
# shellcheck source=tests/browser/browser.sh
. "$top_srcdir/tests/browser/browser.sh"

corpus "$tmp/corpus"
CASES=
for name in good-fp good-events good-fork good-build-ids; do
	set -- "$tmp/corpus/$name.data"
	symbols=$top_srcdir/corpus/$name/symbols
	[ -d "$symbols" ] || symbols=
	"$COLDPERF" report --no-local --cache /nonexistent/none \
		${symbols:+--symbols "$symbols"} -o "$tmp/$name.html" \
		"$1" 2>/dev/null || exit 99
	CASES="$CASES$name $1 $symbols
"
done
"$COLDPERF" report --no-local --cache /nonexistent/none --page-samples 20 \
	-o "$tmp/merged.html" "$tmp/corpus/good-fp.data" 2>/dev/null || exit 99
export CASES COLDPERF
browse exports.js
