#!/bin/sh
# SPDX-License-Identifier: MIT
# A program recorded here: at each address of its functions as many samples
# as perf script prints, and instructions where objdump has them.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/live/live.sh"

command -v objdump >/dev/null || skip_all "objdump is not installed"
live_begin
live_record "$tmp/a.data" -e cpu-clock -F 1999 "$tmp/known" shares 0.5 ||
	skip_all "no capture"

"$COLDPERF" annotate --top 0 --all -f csv "$tmp/a.data" >"$tmp/rows" 2>"$tmp/err"
ok $? "annotate" || diag "$(cat "$tmp/err")"
! grep -q libcapstone "$tmp/err" || skip_all "Capstone is not installed"

# "FUNCTION OFFSET COUNT" of the program's functions.
perf script -F ip,sym,symoff,dso -i "$tmp/a.data" 2>"$tmp/err" |
	sed -n 's/^ *[0-9a-f]* \(.*\)+\(0x[0-9a-f]*\) (.*\/known)$/\1 \2/p' |
	sort | uniq -c | awk '{ print $2, $3, $1 }' | sort >"$tmp/perf"
"$COLDPERF" script -F ip,sym,symoff,dso "$tmp/a.data" 2>"$tmp/err" |
	sed -n 's/^ *[0-9a-f]* \(.*\)+\(0x[0-9a-f]*\) (.*\/known)$/\1 \2/p' |
	sort | uniq -c | awk '{ print $2, $3, $1 }' | sort >"$tmp/ours"
python3 - "$tmp/rows" >"$tmp/sums" <<'END'
import csv
import sys
name = first = None
for r in csv.DictReader(open(sys.argv[1])):
    if r["depth"] == "0":
        name, first = r["code"], None
    elif r["depth"] == "2" and name.endswith(" (known)"):
        address = int(r["address"], 16)
        first = address if first is None else first
        if r["samples"] != "0":
            print(name[:-8], hex(address - first), r["samples"])
END
sort "$tmp/sums" >"$tmp/sorted"
[ -s "$tmp/perf" ]
ok $? "perf has samples in it: $(wc -l <"$tmp/perf") addresses"
same "$tmp/sorted" "$tmp/perf" "as many at each address as perf script has"
same "$tmp/sorted" "$tmp/ours" "and coldperf script"

# The hottest function, instruction by instruction.
hot=$(sed -n 's/^0,.*,\([^,]*\) (known)$/\1/p' "$tmp/rows" | head -n 1)
objdump -d -w --disassemble="$hot" "$tmp/known" |
	sed -n 's/^ *\([0-9a-f]*\):	.*/0x\1/p' >"$tmp/objdump"
awk -F, -v hot=",$hot (known)" '$1 == 0 { on = index($0, hot) }
	on && $1 == 2 { print $9, $8 }' "$tmp/rows" >"$tmp/hot"
sed 's/ .*//' "$tmp/hot" >"$tmp/listed"
[ -n "$hot" ] && [ -s "$tmp/objdump" ]
ok $? "the hottest function is $hot"
same "$tmp/listed" "$tmp/objdump" "its instructions begin where objdump's do"

# perf's own: the lines with a share, the heaviest instruction.
perf annotate --stdio -s "$hot" -d known -i "$tmp/a.data" 2>"$tmp/err" |
	sed -n 's/^ *[0-9.]* *: *\([0-9a-f]*\):.*/&/p' |
	sort -rn | sed -n '1s/^ *\([0-9.]*\) *: *\([0-9a-f]*\):.*/0x\2/p' \
	>"$tmp/heaviest"
if [ -s "$tmp/heaviest" ]; then
	most=$(sort -k2,2rn "$tmp/hot" | sed -n '1s/.* //p')
	grep -q "^$(cat "$tmp/heaviest") $most\$" "$tmp/hot"
	ok $? "perf annotate has the same at its top: $most samples" ||
		diag "$(cat "$tmp/heaviest" "$tmp/hot")"
else
	skip "perf annotate does not work here: $(tail -n 1 "$tmp/err")"
fi

# Lines: every share of them is that of their instructions.
"$COLDPERF" annotate --by line -f csv "$tmp/a.data" "$hot" \
	>"$tmp/lines" 2>"$tmp/err"
source=$top_srcdir/corpus/workloads/known.c
python3 - "$tmp/lines" "$source" >"$tmp/wrong" <<'END'
import csv
import sys
text = open(sys.argv[2]).read().split("\n")
seen = 0
for r in csv.DictReader(open(sys.argv[1])):
    if r["where"].startswith("known.c:"):
        seen += 1
        line = int(r["where"].split(":")[1].split(" ")[0])
        if r["code"] != text[line - 1].expandtabs(8):
            print(r["where"], r["code"])
if seen == 0:
    print("no lines")
END
is "$(cat "$tmp/wrong")" "" "--by line has the text of the source"
done_testing
