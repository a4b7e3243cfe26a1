#!/bin/sh
# SPDX-License-Identifier: MIT
# A record in which one byte is wrong, and the rest tells what it was: a text
# without its end.  It is used, and that is said.  Where nothing is contradicted,
# no value is changed.
. "$top_srcdir/tests/lib.sh"

type='IP|TID|TIME|PERIOD'
base=1000000000000

# damaged ORDER RECORDS...: $tmp/data; said are the status and the message.
damaged() {
	{
		echo "byte_order $1"
		echo "attr cycles type=0 config=0 period=1000 sample_type=$type" \
			"flags=sample_id_all|mmap|comm"
		shift
		printf '%s\n' "$@"
	} >"$tmp/in"
	"$top_builddir/tests/tools/mkperf" "$tmp/in" "$tmp/data"
	"$COLDPERF" dump "$tmp/data" >"$tmp/out" 2>"$tmp/err"
	said=$?\ $(sed -n 's/.*(bad-record): \(offset [0-9]*: \)*//p' "$tmp/err")
}

sample="sample ip=0x400010 pid=8 period=1000"
sample_times() {
	"$COLDPERF" dump "$1" 2>"$tmp/dump.err" |
		sed -n 's/.* SAMPLE .* time=\([0-9]*\) by=8.*/\1/p' >"$tmp/times"
}

for order in little big; do
	# The last byte of "/bin/tools/s.so" was a zero.
	damaged $order "raw 1 0 u4:8 u4:8 u8:0x400000 u8:0x1000 u8:0 \
		s:\"/bin/tools/s.so\" u1:1 u4:8 u4:8 u8:$base" \
		"$sample time=$((base + 1000))"
	is "$(grep -c 'MMAP .*/bin/tools/s.so\( \|$\)' "$tmp/out")" 1 \
		"$order: a mapping whose name has no end" ||
		diag "$(cat "$tmp/in" "$tmp/out" "$tmp/err")"
	is "${said%% *}" 3 "$order: ... is damaged"
	grep -q 'used with .* its text ended' "$tmp/err"
	ok $? "$order: ... which is said" || diag "$(cat "$tmp/err")"

	# A time that is far from those around it is what it is: a task may run
	# on another CPU for a moment.
	for wrong in $((base + 2000 + (1 << 38))) $((base - 65000000000)); do
		damaged $order "$sample time=$((base + 1000))" \
			"$sample time=$wrong" "$sample time=$((base + 3000))"
		sample_times "$tmp/data"
		printf '%s\n' $((base + 1000)) $wrong $((base + 3000)) \
			>"$tmp/want"
		same "$tmp/times" "$tmp/want" "$order: a far time" ||
			diag "$(cat "$tmp/in" "$tmp/out" "$tmp/err")"
		is "$said" "0 " "$order: ... is no damage"
	done
done
done_testing
