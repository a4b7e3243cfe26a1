#!/bin/sh
# SPDX-License-Identifier: MIT
# An oracle that knows no unwind tables: samples with the kernel's
# frame-pointer chain, registers and stack, all of the same moment.  In a
# program with frame pointers its frames are the same in both chains, or the
# kernel's lacks exactly the one between the leaf and its caller's caller.
. "$top_srcdir/tests/lib.sh"

field() {
	printf '%s\n' "$1" | sed "s/.* $2 \([0-9]*\).*/\1/"
}

here=$top_builddir/tests/unwind
for opt in -O0 -O1 -O2; do
	gcc $opt -pthread -fno-omit-frame-pointer \
		-fno-optimize-sibling-calls -o "$tmp/frames" \
		"$top_srcdir/tests/unwind/work/frames.c" \
		>"$tmp/build.out" 2>&1 || skip_all "no compiler"
	"$here/record-both" "$tmp/both.data" "$tmp/frames" \
		>"$tmp/record.out" 2>&1 ||
		skip_all "cannot record: $(cat "$tmp/record.out")"
	"$here/fp-stacks" "$tmp/both.data" >"$tmp/out" 2>&1
	last=" $(tail -n 1 "$tmp/out")"
	inside=$(($(field "$last" samples) - $(field "$last" outside)))
	[ "$inside" -ge 50 ] && [ "$(field "$last" other)" -eq 0 ]
	ok $? "$opt:$last" || grep '^other' "$tmp/out" | head -n 4 |
		cut -c 1-500 | sed 's/^/# /'
	[ $(($(field "$last" equal) * 10)) -ge $((inside * 8)) ]
	ok $? "$opt: most of them have all frames"
done
done_testing
