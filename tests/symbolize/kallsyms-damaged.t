#!/bin/sh
# SPDX-License-Identifier: MIT
# Lines of a kallsyms that are no symbols are said: what they were has the name
# of the symbol before it.
. "$top_srcdir/tests/lib.sh"

cat >"$tmp/in" <<'END'
attr cycles type=0 config=0 period=1000 sample_type=IP|TID|TIME|PERIOD flags=sample_id_all|mmap|comm
mmap pid=-1 tid=0 addr=0xffffffff81000000 len=0x1000 pgoff=0xffffffff81000000 name="[kernel.kallsyms]_text" misc=1
comm 8 8 "k"
sample cycles ip=0xffffffff81000010 pid=8 time=1000 period=1000 misc=1
sample cycles ip=0xffffffff81000110 pid=8 time=2000 period=1000 misc=1
END
"$top_builddir/tests/tools/mkperf" "$tmp/in" "$tmp/data"
cat >"$tmp/good" <<'END'
ffffffff81000000 T _text
ffffffff81000000 T first
ffffffff81000100 T second
                 U undefined
ffffffff81001000 T _etext
ffffffffc0000000 t of_a_module	[module]
END
# names FILE: names samples by it; what is said is in $tmp/err
names() {
	cp "$1" "$tmp/kallsyms"
	"$COLDPERF" hotspots --no-local -f csv --symbols "$tmp/kallsyms" \
		"$tmp/data" 2>"$tmp/err" | grep -c -e ',first$' -e ',second$'
}

is "$(names "$tmp/good")" 2 "a whole kallsyms"
is "$(grep -c bad-elf "$tmp/err")" 0 "nothing is wrong with it"
sed '3s/.*/ff~fffff81000100 T second/' "$tmp/good" >"$tmp/bad"
is "$(names "$tmp/bad")" 1 "a damaged line names nothing"
is "$(grep -c '(bad-elf).*: 1 line is no symbol$' "$tmp/err")" 1 "it is said"
sed '3,4s/.*/\x01\x02/' "$tmp/good" >"$tmp/bad"
names "$tmp/bad" >/dev/null
is "$(grep -c '(bad-elf).*: 2 lines are no symbol$' "$tmp/err")" 1 "two lines"
printf 'ffffffffc0000040 t cu' | cat "$tmp/good" - >"$tmp/bad"
is "$(names "$tmp/bad")" 2 "a last line that is cut"
is "$(grep -c '(bad-elf).*: 1 line is no symbol$' "$tmp/err")" 1 "it is said"
"$COLDPERF" snapshot --no-local --symbols "$tmp/kallsyms" -o "$tmp/k.cold" \
	"$tmp/data" 2>/dev/null
"$COLDPERF" hotspots "$tmp/k.cold" >/dev/null 2>"$tmp/err"
is "$(grep -c '(bad-elf)' "$tmp/err")" 1 "a snapshot says it, too"
done_testing
