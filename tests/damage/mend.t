#!/bin/sh
# SPDX-License-Identifier: MIT
# Records in which one byte is wrong, and the rest tells what it was: a text
# without its end, a time with a turned bit.  They are used, and that is said.
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

	for bit in 38 45 63; do
		turned=$(printf %d $(((base + 2000) ^ (1 << bit))))
		damaged $order "$sample time=$((base + 1000))" \
			"$sample time=$turned" \
			"$sample time=$((base + 3000))"
		sample_times "$tmp/data"
		printf '100000000%d000\n' 1 2 3 >"$tmp/want"
		same "$tmp/times" "$tmp/want" "$order: bit $bit of a time" ||
			diag "$(cat "$tmp/in" "$tmp/out" "$tmp/err")"
		is "${said%% *}" 3 "$order: ... is damaged"
		grep -q 'used with .* a bit of its time turned' "$tmp/err"
		ok $? "$order: ... which is said" || diag "$(cat "$tmp/err")"
		"$COLDPERF" repair -o "$tmp/new" "$tmp/data" 2>"$tmp/err"
		is "$(grep -c '3 of them samples; left out: 0 bytes.*mended: a size or a field in 1' \
			"$tmp/err")" 1 "$order: ... and mended" ||
			diag "$(cat "$tmp/err")"
		sample_times "$tmp/new"
		same "$tmp/times" "$tmp/want" "$order: ... for all to read"
		rm -f "$tmp/new"
	done

	# Two turned bits, or one of two: nothing tells the time.
	for wrong in $((base + 2000 + (1 << 38) + (1 << 45))) \
		$((base - 65000000000)); do
		damaged $order "$sample time=$((base + 1000))" \
			"$sample time=$wrong" "$sample time=$((base + 3000))"
		is "${said%% *} $(grep -c SAMPLE "$tmp/out")" "3 2" \
			"$order: no time is made" || diag "$(cat "$tmp/out")"
	done
done
done_testing
