#!/bin/sh
# SPDX-License-Identifier: MIT
# A program without tables and without frame pointers: unwound by its code it
# must give the stacks that its .debug_frame gives, of the same capture.  Of 100
# two may differ: other compilers make code that was not looked at.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/live/live.sh"

[ "$(uname -m)" = x86_64 ] || skip_all "code of x86-64 only"
command -v strip >/dev/null || skip_all "no strip (Debian: binutils)"
live_begin

# stacks PROGRAM CAPTURE: with that program and no other.
stacks() {
	"$COLDPERF" script --ns --inline no --cache "$tmp/none" --symbols "$1" \
		-F time,ip "$2" 2>/dev/null
}

for cc in gcc clang; do
	name=frames$cc
	mkdir -p "$tmp/whole" "$tmp/bare"
	command -v $cc >/dev/null && $cc -O2 -g -pthread \
		-fno-asynchronous-unwind-tables -fno-unwind-tables \
		-fomit-frame-pointer -Wl,--build-id -o "$tmp/$name" \
		"$top_srcdir/tests/unwind/work/frames.c" \
		>"$tmp/build.out" 2>&1 || {
		skip "$cc: does not compile"
		continue
	}
	live_record "$tmp/$name.data" -e cpu-clock -F 499 \
		--call-graph dwarf,16384 -- "$tmp/$name" >/dev/null || {
		skip "$cc: cannot be recorded"
		continue
	}
	strip -s -o "$tmp/bare/$name" "$tmp/$name"
	mv "$tmp/$name" "$tmp/whole/$name"
	stacks "$tmp/whole/$name" "$tmp/$name.data" >"$tmp/want"
	stacks "$tmp/bare/$name" "$tmp/$name.data" >"$tmp/got"
	# A stack is a paragraph; those of the two files in one order.
	awk -v RS= 'NR == FNR { want[NR] = $0; next }
		{ n++; same += $0 == want[FNR] && NF > 2 }
		END { print same + 0, n + 0 }' \
		"$tmp/want" "$tmp/got" >"$tmp/count"
	read -r same all <"$tmp/count"
	guessed=$("$COLDPERF" unwind --cache "$tmp/none" \
		--symbols "$tmp/bare/$name" "$tmp/$name.data" 2>/dev/null |
		awk '/stacks_guessed:/ { sub(",", "", $2); print $2 }')
	[ "$all" -ge 50 ] && [ $((same * 100)) -ge $((all * 98)) ] &&
		[ $((${guessed:-0} * 100)) -ge $((all * 90)) ]
	ok $? "$cc: $same of $all stacks are those of the table," \
		"${guessed:-none} by the code"
done
done_testing
