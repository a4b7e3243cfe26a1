#!/bin/sh
# SPDX-License-Identifier: MIT
# A COMM whose type became SAMPLE has the size of a sample: its time does not
# fit between its neighbours, so it is none.
. "$top_srcdir/tests/lib.sh"

cat >"$tmp/in" <<'END'
attr cycles type=0 config=0 period=1000 sample_type=IP|TID|TIME|PERIOD flags=sample_id_all|comm
sample cycles ip=0x400010 pid=8 time=1000000000000 period=1000
sample cycles ip=0x400020 pid=8 time=1000000001000 period=1000
raw 9 0 u4:8 u4:8 u8:0x676f7270 u4:8 u4:8 u8:1000000001500
sample cycles ip=0x400030 pid=8 time=1000000002000 period=1000
sample cycles ip=0x400040 pid=8 time=2000000000000 period=1000
sample cycles ip=0x400050 pid=8 time=2000000001000 period=1000
END
"$top_builddir/tests/tools/mkperf" "$tmp/in" "$tmp/data"
"$COLDPERF" script -F time,ip "$tmp/data" >"$tmp/out" 2>"$tmp/err"
is $? 3 "a loss is said"
is "$(grep -c ' 4000[1-5]0' "$tmp/out")" 5 "samples are there, after a gap too"
is "$(grep -c '34\.' "$tmp/out")" 0 "none is made"

# Times that are far from those around them, outside of what the header tells,
# and a record of a type not known, are no damage.
cat >"$tmp/in" <<'END'
attr cycles type=0 config=0 period=1000 sample_type=IP|TID|TIME|PERIOD
feature sample_time 5000 6000
sample cycles ip=0x400010 pid=8 time=1000000000000 period=1000
sample cycles ip=0x400020 pid=8 time=2000000000000000 period=1000
raw 77777 0 u8:1 u8:2
sample cycles ip=0x400030 pid=8 time=1000000002000 period=1000
sample cycles ip=0x400040 pid=8 time=1000000003000 period=1000
END
"$top_builddir/tests/tools/mkperf" "$tmp/in" "$tmp/data"
"$COLDPERF" script -F time,ip "$tmp/data" >"$tmp/out" 2>"$tmp/err"
is $? 0 "what is unusual is no damage"
is "$(grep -c ' 4000[1234]0' "$tmp/out")" 4 "all samples are there"
is "$(grep -c 'unknown-record.*type 77777' "$tmp/err")" 1 "the type is said"

# One of a COMM's ids is damaged, and its trailer still has the other.  Read as
# a sample it would have a time that is not far from the next one's.
for ids in "u4:0 u4:5" "u4:5 u4:8197"; do
	cat >"$tmp/in" <<END
attr cycles type=0 config=0 period=1000 sample_type=IP|TID|TIME|PERIOD flags=sample_id_all|comm
raw 3 0 $ids u8:0x64657a6973 u4:5 u4:5 u8:0
sample ip=0x400010 pid=5 time=100 period=1000
sample ip=0x400020 pid=5 time=200 period=1000
END
	"$top_builddir/tests/tools/mkperf" "$tmp/in" "$tmp/data"
	"$COLDPERF" dump "$tmp/data" >"$tmp/out" 2>"$tmp/err"
	is $? 0 "a COMM with $ids is no sample"
	is "$(grep -c 'COMM .* by=5/5 .* comm=sized' "$tmp/out")" 1 \
		"and it is there"
done

# A time of all ones is none: such a sample is used as perf uses it.
for first in -1 1000; do
	cat >"$tmp/in" <<END
attr cycles type=0 config=0 period=1000 sample_type=IP|TID|TIME|PERIOD
sample ip=0x400010 pid=5 time=$first period=1000
sample ip=0x400020 pid=5 time=$((-1 - first + 1000)) period=1000
sample ip=0x400030 pid=5 time=3000 period=1000
END
	"$top_builddir/tests/tools/mkperf" "$tmp/in" "$tmp/data"
	"$COLDPERF" script -F time,ip "$tmp/data" >"$tmp/out" 2>"$tmp/err"
	is $? 0 "a sample without its time is no damage"
	is "$(grep -c ' 4000[123]0' "$tmp/out")" 3 "and is there, as the others"
done
cat >"$tmp/in" <<'END'
attr cycles type=0 config=0 period=1000 sample_type=IP|TID|PERIOD
sample ip=0x400010 pid=5 period=1000
END
"$top_builddir/tests/tools/mkperf" "$tmp/in" "$tmp/data"
"$COLDPERF" script -F ip "$tmp/data" >"$tmp/out" 2>"$tmp/err"
is $? 0 "an event without times loses nothing"

# A FORK has its time in its content, too, where a sample has its own: which of
# both times is nearer to the last sample's tells nothing.
cat >"$tmp/in" <<'END'
attr cycles type=0 config=0 period=1000 sample_type=IP|TID|TIME|ADDR|PERIOD flags=sample_id_all|task
sample ip=0x400010 pid=8 time=1000000000000 period=1000
fork pid=9 ppid=8 ptime=1000000000100 time=1000000000300
exit pid=9 ppid=8 ptime=1000000000700 time=1000000000800
sample ip=0x400020 pid=8 time=1000000002000 period=1000
END
"$top_builddir/tests/tools/mkperf" "$tmp/in" "$tmp/data"
"$COLDPERF" dump "$tmp/data" >"$tmp/out" 2>"$tmp/err"
is $? 0 "a FORK or an EXIT of a sample's size is no damage"
is "$(grep -c 'FORK\|EXIT' "$tmp/out")" 2 "and both are there"

# A name in a record has 64 bytes at most.  A record whose type became that one
# does not swallow what follows.
for n in 64 72; do
	cat >"$tmp/in" <<END
attr cycles type=0 config=0 period=1000 sample_type=IP|TID|TIME|PERIOD
raw 65 0 u8:1 n:$n
sample ip=0x400010 pid=5 time=1000 period=1000
END
	"$top_builddir/tests/tools/mkperf" "$tmp/in" "$tmp/data"
	"$COLDPERF" dump "$tmp/data" >"$tmp/out" 2>"$tmp/err"
	is $? $((n == 64 ? 0 : 3)) "HEADER_EVENT_TYPE with a name of $n bytes"
	is "$(grep -c SAMPLE "$tmp/out")" 1 "and what follows it"
done
done_testing
