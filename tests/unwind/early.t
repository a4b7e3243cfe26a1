#!/bin/sh
# SPDX-License-Identifier: MIT
# Stacks are unwound when they are read, which may be too early: the mappings
# of that moment are told later.  Then they are read again.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/live/live.sh"

# compare FILE TITLE
compare() {
	"$top_builddir/tests/unwind/early" "$1" >"$tmp/out" 2>&1
	out=$(cat "$tmp/out")
	grep -q '^samples [1-9][0-9]* early [0-9]* again [0-9]* other 0$' \
		"$tmp/out"
	ok $? "$2: $out"
}

compare "$top_srcdir/corpus/good-dwarf/perf.data" "a capture of the corpus"
live_begin
live_record "$tmp/one.data" -e cpu-clock -F 999 -m 64 --call-graph dwarf,8192 \
	-- "$tmp/known" recurse 0.3 >/dev/null || skip_all "cannot record"
compare "$tmp/one.data" "one process"
grep -q 'early [1-9]' "$tmp/out"
ok $? "nearly all are unwound early"
# What is mapped is told in the same round as the samples behind it.
gcc -O1 -o "$tmp/remap" "$top_srcdir/tests/unwind/work/remap.c" ||
	skip_all "no compiler"
live_record "$tmp/remap.data" -e cpu-clock -F 999 -m 64 \
	--call-graph dwarf,8192 \
	-- "$tmp/remap" >/dev/null || skip_all "cannot record"
compare "$tmp/remap.data" "code mapped over code"
grep -q 'again [1-9]' "$tmp/out"
ok $? "some are read again"
live_record "$tmp/many.data" -e cpu-clock -F 4999 --call-graph dwarf,2048 \
	-- sh -c 'for i in 1 2 3 4 5 6 7 8; do
		"$0" recurse 0.01; (ls /; sort /etc/passwd); done' \
	"$tmp/known" >/dev/null || skip_all "cannot record"
compare "$tmp/many.data" "many short processes"
done_testing
