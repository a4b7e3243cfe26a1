#!/bin/sh
# SPDX-License-Identifier: MIT
# The page in Firefox: needs node and firefox-esr, or what FIREFOX names.
# shellcheck source=tests/lib.sh
. "$top_srcdir/tests/lib.sh"

! sanitized || skip_all "pages are looked at in a build without sanitizers"
command -v node >/dev/null || skip_all "node is not installed"
for browser in "${FIREFOX:-}" firefox-esr firefox; do
	[ -n "$browser" ] && FIREFOX=$(command -v "$browser") && break
done
[ -n "${FIREFOX:-}" ] || skip_all "no firefox"
export FIREFOX

corpus "$tmp/corpus"
set -- --symbols "$top_srcdir/corpus/good-fp/symbols"
[ -d "$2" ] || set --
"$COLDPERF" report --no-local -f html -o "$tmp/plain.html" \
	"$tmp/corpus/good-fp.data" "$@" 2>/dev/null || exit 99
for case in odd-names odd-no-samples; do
	"$COLDPERF" report --no-local -f html -o "$tmp/$case.html" \
		"$tmp/corpus/$case.data" 2>/dev/null || exit 99
done
HOME=$tmp node "$top_srcdir/tests/browser/firefox.js" "$tmp"
exit $?
