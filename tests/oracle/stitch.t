#!/bin/sh
# SPDX-License-Identifier: MIT
# --stitch-lbr: call stacks of branches, one deeper than the eight registers,
# beside perf script --stitch-lbr.  Function k is called from k * 0x100 by the
# function before; its branch lies in register (k - 1) % 8.
. "$top_srcdir/tests/lib.sh"

mkperf=$top_builddir/tests/tools/mkperf
text=$tmp/lbr.mkperf

# stack DEPTH LEAST: branches of that depth, newest first, down to LEAST.
stack() {
	k=$1 list=
	while [ "$k" -ge "$2" ]; do
		list=$list,$((0x400000 + k * 256)):$((0x400000 + k * 256 + 260))
		k=$((k - 1))
	done
	echo "branch=${list#,} hw_idx=$((($1 - 1) % 8))"
}

# at TID TIME DEPTH LEAST [MORE...]
at() {
	ip=$((0x400000 + $3 * 256 + 260))
	echo "sample ip=$ip pid=8 tid=$1 time=$2 period=1000 misc=2" \
		"chain=user,$ip $(stack "$3" "$4")"
}

{
	cat <<'END'
attr cycles type=4 config=0 period=1000 sample_type=IP|TID|TIME|PERIOD|CALLCHAIN|BRANCH_STACK \
	branch_sample_type=USER|CALL_STACK|HW_INDEX flags=sample_id_all|mmap|comm
feature branch_stack
feature cpu_pmu_caps "branches" "8"
comm 8 8 "deep"
comm 8 9 "deep"
mmap pid=8 addr=0x400000 len=0x10000 pgoff=0x400000 name="/bin/deep"
END
	at 8 1000 8 1      # all that there is
	at 8 2000 11 4     # three were overwritten
	at 9 2500 10 3     # another thread knows nothing
	at 8 3000 13 6     # two more
	at 8 4000 13 6     # the same again
	at 8 5000 5 1      # returned: all that there is
	at 8 6000 15 8     # what is behind is not known any more
	at 8 7000 16 9
	# Of another branch in that register.
	at 8 8000 18 11 | sed 's/:4197380/:4197381/'
	at 9 8500 12 5
	echo "sample ip=-0x7f000000 pid=8 tid=9 time=9000 period=1000 misc=1" \
		"chain=kernel,-0x7f000000,-0x7effff00,user,0x400d04" \
		"$(stack 13 6)"
} >"$text"
"$mkperf" "$text" "$tmp/lbr.data" || skip_all "mkperf failed"

# Stacks as lists of addresses, perf's limited to what the file says.
lists() {
	awk '/^\t/ { printf " %s", $1 } !/^\t/ { if (NF) printf "\n%s", $0 }
		END { print "" }' | sed 's/  */ /g'
}
"$COLDPERF" script --stitch-lbr -F tid,time,ip "$tmp/lbr.data" 2>"$tmp/err" |
	lists >"$tmp/ours"
depths=$(awk 'NF { printf "%d ", NF - 2 }' "$tmp/ours")
is "$depths" "9 12 9 14 14 6 9 10 9 11 14 " "branches of earlier samples"
"$COLDPERF" script -F tid,time,ip "$tmp/lbr.data" 2>/dev/null | lists |
	awk 'NF > 13 { n++ } END { exit n != 0 }'
ok $? "only when it is asked for"
"$COLDPERF" flame -f folded --stitch-lbr --callchain fp "$tmp/lbr.data" \
	>"$tmp/fp" 2>/dev/null
awk -F ';' 'NF > 4 { n++ } END { exit n != 0 }' "$tmp/fp"
ok $? "not where chains are not of branches"
sed '/cpu_pmu_caps/d' "$text" >"$tmp/no.mkperf"
"$mkperf" "$tmp/no.mkperf" "$tmp/no.data"
"$COLDPERF" flame --stitch-lbr "$tmp/no.data" >/dev/null 2>"$tmp/err"
is $? 2 "the number of registers must be known"
sed 's/cpu_pmu_caps "branches" "8"/cpu_pmu_caps "branches" "4"/' "$text" \
	>"$tmp/no.mkperf"
"$mkperf" "$tmp/no.mkperf" "$tmp/no.data"
"$COLDPERF" flame --stitch-lbr "$tmp/no.data" >/dev/null 2>"$tmp/err"
is $? 2 "and hold what was recorded"

if perf script --stitch-lbr -F tid,time,ip -i "$tmp/lbr.data" \
	>"$tmp/perf" 2>"$tmp/err"; then
	lists <"$tmp/perf" >"$tmp/theirs"
	same "$tmp/ours" "$tmp/theirs" "as perf script --stitch-lbr"
else
	skip "perf cannot: $(head -n 1 "$tmp/err")"
fi
done_testing
