#!/bin/sh
# SPDX-License-Identifier: MIT
# The page in a real browser: needs what flame.t needs.
# shellcheck source=tests/lib.sh
. "$top_srcdir/tests/lib.sh"

# shellcheck source=tests/browser/browser.sh
. "$top_srcdir/tests/browser/browser.sh"

corpus "$tmp/corpus"

# page NAME CASE: a page of that case of the corpus
page() {
	set -- "$1" "$tmp/corpus/$2.data" --symbols \
		"$top_srcdir/corpus/$2/symbols"
	[ -d "$4" ] || set -- "$1" "$2"
	name=$1
	shift
	"$COLDPERF" "${command:-report}" --no-local -f html -o "$tmp/$name.html" "$@" \
		2>/dev/null || exit 99
}
page plain good-fp
page hostile odd-names
page empty odd-no-samples
page events good-events
command=hotspots page hotspots good-fp
command=quality page quality good-fp
set -- --no-local "$tmp/corpus/good-fp.data" --symbols \
	"$top_srcdir/corpus/good-fp/symbols"
[ -d "$top_srcdir/corpus/good-fp/symbols" ] ||
	set -- --no-local "$tmp/corpus/good-fp.data"
"$COLDPERF" report --no-local -f html -o "$tmp/jit.html" \
	"$tmp/corpus/good-jit.data" 2>/dev/null || exit 99
"$COLDPERF" diff --no-local -f html -o "$tmp/changed.html" \
	"$tmp/corpus/good-fp.data" "$tmp/corpus/good-dwarf.data" \
	2>/dev/null || exit 99
"$COLDPERF" flame -f folded "$@" >"$tmp/plain.folded" 2>/dev/null || exit 99
"$COLDPERF" hotspots --children --by dso,symbol --top 0 -f csv "$@" \
	>"$tmp/plain.csv" 2>/dev/null || exit 99
browse case.js
