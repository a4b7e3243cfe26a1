#!/bin/sh
# SPDX-License-Identifier: MIT
# Names from what perf script printed of the same capture: by its times, or on
# the user's word; of another capture none.
. "$top_srcdir/tests/lib.sh"

cat >"$tmp/in" <<'END'
attr cycles type=0 config=0 period=1 sample_type=IP|TID|TIME|PERIOD \
	flags=sample_id_all|mmap|comm
comm 80 80 "prog"
mmap pid=80 addr=0x400000 len=0x9000 pgoff=0x1000 name="/gone/prog" time=10
mmap pid=81 addr=0x700000 len=0x9000 pgoff=0x1000 name="/gone/prog" time=10
sample ip=0x400010 pid=80 time=1000001500 period=1
sample ip=0x400018 pid=80 time=1000002500 period=2
sample ip=0x700014 pid=81 time=1000003500 period=4
sample ip=0x402000 pid=80 time=1000004500 period=8
sample ip=0x403000 pid=80 time=1000005500 period=16
END
"$top_builddir/tests/tools/mkperf" "$tmp/in" "$tmp/c.data" ||
	skip_all "mkperf failed"

# Two addresses of one function, in two processes; a name with blanks and
# parentheses; an inlined function; another object at the same address.
cat >"$tmp/stacks" <<'END'
prog   80/80  1.000001:          1 cycles:
	          400010 inner (inlined)
	          400010 first+0x10 (/gone/prog)

prog   80/80  1.000002:          1 cycles:
	          400018 first+0x18 (/gone/prog)

prog   80/80  1.000004:          8 cycles:
	          402000 Box<int>::run(int, char (*)(long)) const+0x0 (/gone/prog)

prog   80/80  1.000005:          8 cycles:
	          403000 wrong+0x0 (/gone/other (deleted))
	          403000 [unknown] (/gone/prog)

END
sed 's/1\.00000/2.00000/' "$tmp/stacks" >"$tmp/later"
sed 's/^prog.*/prog  80/' "$tmp/stacks" >"$tmp/timeless"
# One line a sample, and no offsets.
cat >"$tmp/flat" <<'END'
prog    80 [000]     1.000001:          1 cycles:            400010 first (/gone/prog)
prog    80 [000]     1.000002:          1 cycles:            400018 first (/gone/prog)
prog    80 [000]     1.000004:          8 cycles:            402000 run all (/gone/prog)
END

# The names in the order of their shares.
names() {
	"$COLDPERF" script -F ip,sym,symoff --no-cache --symbols "$1" \
		"$tmp/c.data" 2>"$tmp/err" | awk 'NF { $1 = $1; print }'
}
trust() {
	"$COLDPERF" info --no-cache --symbols "$1" "$tmp/c.data" 2>/dev/null |
		awk '$NF == "perf-script" { print $5, $6 }' | sort -u
}

want='400010 first+0x10
400018 first+0x18
700014 first+0x14
402000 Box<int>::run(int, char (*)(long)) const+0x0
403000 [unknown]'
is "$(names "$tmp/stacks")" "$want" "names by the times of samples"
is "$(cat "$tmp/err")" "" "nothing is said of it"
is "$(names "$tmp/timeless")" "$want" "and on the user's word"
is "$(names "$tmp/flat" | sed 's/+0x.*//' | head -4 | tr '\n' ' ')" \
	"400010 first 400018 first 700014 first 402000 run all " \
	"one line a sample, without offsets"
is "$(names "$tmp/later" | grep -vc unknown)" 0 "of another capture none"
try "which is said" grep -q "(other-script)" "$tmp/err"
is "$(trust "$tmp/stacks")" "perf-script recorded" "proven by times"
is "$(trust "$tmp/timeless")" "perf-script absent" "not proven without"
done_testing
