#!/bin/sh
# SPDX-License-Identifier: MIT
# info --objects: what is missing, and commands that get it when they are run.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/live/live.sh"

live_begin
HOME=$tmp/home
export HOME
mkdir -p "$tmp/some where" "$tmp/got"
app="$tmp/some where/it's me"
cp "$tmp/known" "$app"
live_record "$tmp/data" -e cpu-clock:u -F 999 "$app" shares 0.2 ||
	skip_all "nothing could be recorded"

missing() {
	"$COLDPERF" info --objects --cache /none -f json "$@" "$tmp/data" \
		2>/dev/null >"$tmp/out"
	python3 - "$tmp/out" "$app" <<'END'
import json, sys
for s in json.load(open(sys.argv[1]))["sections"]:
    if s["slug"] == "missing":
        names = [c["name"] for c in s["columns"]]
        for r in s["rows"]:
            row = dict(zip(names, r["values"]))
            if row["Object"] == sys.argv[2]:
                print(row["Missing"])
                print(row["Command"])
END
}
missing >"$tmp/have"
is "$(sed -n 1p "$tmp/have")" "" "nothing is missing where it was recorded"
missing --no-local >"$tmp/lack"
is "$(sed -n 1p "$tmp/lack")" "the file" "elsewhere the file is missing"
(cd "$tmp/got" && sh -c "$(sed -n 2p "$tmp/lack")") >"$tmp/err" 2>&1
ok $? "the command works: $(sed -n 2p "$tmp/lack")" || diag "$(cat "$tmp/err")"
set -- "$tmp"/got/*
missing --no-local --symbols "$1" >"$tmp/have"
is "$(sed -n 1p "$tmp/have")" "" "what it got is what was missing"

# The same for all files at once, which no width cuts.
rm -r "$tmp/got"
mkdir "$tmp/got"
"$COLDPERF" info --objects --cache /none --no-local --width 60 "$tmp/data" \
	2>/dev/null | sed -n 's/^ *on the host: //p' >"$tmp/command"
(cd "$tmp/got" && sh -c "$(cat "$tmp/command")") >"$tmp/err" 2>&1
ok $? "one command for all: $(cat "$tmp/command")" || diag "$(cat "$tmp/err")"
missing --no-local --symbols "$tmp/got/symbols.tar.gz" >"$tmp/have"
is "$(sed -n 1p "$tmp/have")" "" "... it got what was missing"

# Objects that only call others are as much wanted as those with samples.
cat >"$tmp/in" <<'END'
attr cycles type=0 config=0 period=1 sample_type=IP|TID|TIME|CALLCHAIN|PERIOD \
	flags=sample_id_all|mmap|mmap2
mmap2 pid=5 addr=0x400000 len=4096 pgoff=0 name="/gone/prog"
mmap2 pid=5 addr=0x500000 len=4096 pgoff=0 name="/gone/lib.so"
mmap2 pid=5 addr=0x600000 len=4096 pgoff=0 name="/gone/idle.so"
sample cycles pid=5 time=1 period=1 misc=2 ip=0x500010 \
	chain=user,0x500010,0x400020
END
"$top_builddir/tests/tools/mkperf" "$tmp/in" "$tmp/made"
"$COLDPERF" info --objects --cache /none --no-local "$tmp/made" 2>/dev/null |
	sed -n 's/^ *on the host: //p' >"$tmp/command"
is "$(cat "$tmp/command")" \
	"tar -chzf symbols.tar.gz '/gone/lib.so' '/gone/prog'" \
	"callers are fetched, what nobody runs is not"
done_testing
