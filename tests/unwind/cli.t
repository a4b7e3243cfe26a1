#!/bin/sh
# SPDX-License-Identifier: MIT
# --callchain, and what the reports say of user stacks, on a capture made here.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/live/live.sh"

live_begin
live_record "$tmp/dwarf.data" -e cpu-clock -F 999 --call-graph dwarf,8192 \
	-- "$tmp/known" recurse 0.3 >/dev/null || skip_all "cannot record"
live_record "$tmp/fp.data" -e cpu-clock -F 999 -g -- "$tmp/known" recurse 0.3 \
	>/dev/null || skip_all "cannot record"

# depth FILE OPTIONS...: the deepest stack, in frames.
depth() {
	file=$1
	shift
	"$COLDPERF" flame -f folded "$@" "$file" 2>/dev/null |
		awk -F ';' 'NF > n { n = NF } END { print n + 0 }'
}

deep=$(depth "$tmp/dwarf.data")
[ "$deep" -ge 20 ]
ok $? "user stacks are unwound unless told ($deep frames)"
is "$(depth "$tmp/dwarf.data" --callchain dwarf)" "$deep" \
	"--callchain dwarf is the same here"
[ "$(depth "$tmp/dwarf.data" --callchain fp)" -lt "$deep" ]
ok $? "--callchain fp is what the kernel recorded"
[ "$(depth "$tmp/fp.data" --callchain dwarf)" -ge 20 ]
ok $? "--callchain dwarf without dumped stacks leaves chains alone"
for pair in fp:dwarf dwarf:fp lbr:dwarf lbr:fp; do
	"$COLDPERF" flame -f folded --callchain "${pair%:*}" \
		"$tmp/${pair#*:}.data" 2>&1 >/dev/null |
		grep -q "other-callchains.*--callchain ${pair%:*}"
	ok $? "which were not recorded: --callchain ${pair%:*}, ${pair#*:}.data"
done
for pair in dwarf:dwarf fp:fp auto:fp auto:dwarf; do
	! "$COLDPERF" flame -f folded --callchain "${pair%:*}" \
		"$tmp/${pair#*:}.data" 2>&1 >/dev/null |
		grep -q "other-callchains"
	ok $? "which were: --callchain ${pair%:*}, ${pair#*:}.data"
done
"$COLDPERF" flame --callchain what "$tmp/dwarf.data" >/dev/null 2>&1
is $? 2 "other words are refused"

"$COLDPERF" flame -f folded --jobs 1 "$tmp/dwarf.data" >"$tmp/1" 2>&1
"$COLDPERF" flame -f folded --jobs 4 "$tmp/dwarf.data" >"$tmp/4" 2>&1
same "$tmp/4" "$tmp/1" "the same for any number of jobs"
# Of the same capture under another name.
"$COLDPERF" flame -f folded - <"$tmp/dwarf.data" 2>&1 |
	sed "s|^coldperf: -: |coldperf: $tmp/dwarf.data: |" >"$tmp/pipe"
same "$tmp/pipe" "$tmp/1" "and from a pipe"

"$COLDPERF" unwind -f csv "$tmp/dwarf.data" >"$tmp/unwind" 2>&1
complete=$(awk -F , '$5 == "complete" { n += $4 } END { print n + 0 }' \
	"$tmp/unwind")
stacks=$(awk -F , 'NR > 1 { n += $4 } END { print n + 0 }' "$tmp/unwind")
[ "$stacks" -ge 50 ] && [ $((complete * 10)) -ge $((stacks * 9)) ]
ok $? "nine of ten stacks are complete ($complete of $stacks)"
"$COLDPERF" unwind "$tmp/fp.data" >"$tmp/out" 2>&1
grep -q 'no sample has a copy of its user stack.*--unwound drops' "$tmp/out"
ok $? "a capture without user stacks says so"
"$COLDPERF" unwind --no-local --cache "$tmp/none" "$tmp/dwarf.data" \
	>"$tmp/out" 2>&1
grep -q 'the file was not found' "$tmp/out"
ok $? "what is missing is named"
"$COLDPERF" quality "$tmp/dwarf.data" >"$tmp/out" 2>&1
grep -q "unwound: *[1-9]" "$tmp/out"
ok $? "quality counts them"
done_testing
