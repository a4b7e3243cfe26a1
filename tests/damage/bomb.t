#!/bin/sh
# SPDX-License-Identifier: MIT
# Compressed records inflate to no more than they may, all together; the user
# may allow more.
. "$top_srcdir/tests/lib.sh"

cat >"$tmp/in" <<'END'
attr cycles type=0 config=0 period=1000 sample_type=IP|TID|TIME|PERIOD flags=sample_id_all
feature compressed
sample cycles ip=0x400010 pid=8 time=1000 period=1000
compress begin chunk=0x100000 level=9
repeat 64 {
raw 90 0 n:32760
}
sample cycles ip=0x400030 pid=8 time=5000 period=1000
compress end
sample cycles ip=0x400020 pid=8 time=9000 period=1000
END
"$top_builddir/tests/tools/mkperf" "$tmp/in" "$tmp/data"

"$COLDPERF" script -F time "$tmp/data" >"$tmp/out" 2>"$tmp/err"
is $? 0 "2 MiB are no bomb whatever their ratio"
is "$(grep -c '0\.0000' "$tmp/out")" 3 "all samples are there"

"$COLDPERF" script --limit inflated=1M -F time "$tmp/data" \
	>"$tmp/out" 2>"$tmp/err"
is $? 4 "with less allowed it is a limit"
is "$(grep -c '0\.0000' "$tmp/out")" 2 "samples outside are there"

"$COLDPERF" script --limit inflated=1M --limit inflate-ratio=100K -F time \
	"$tmp/data" >"$tmp/out" 2>"$tmp/err"
is $? 0 "a higher ratio allows it again"

"$COLDPERF" script --limit nothing=1 "$tmp/data" >"$tmp/out" 2>"$tmp/err"
is $? 2 "a limit that does not exist is bad usage"
done_testing
