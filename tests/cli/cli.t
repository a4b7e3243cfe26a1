#!/bin/sh
# SPDX-License-Identifier: MIT
# The command line: exit statuses, messages, outputs that are whole or absent,
# the same bytes whatever the number of workers, nothing dangerous on a
# terminal.
. "$top_srcdir/tests/lib.sh"

corpus "$tmp/corpus" >"$tmp/corpus.out"
fp=$tmp/corpus/good-fp.data
symbols=$top_srcdir/corpus/good-fp/symbols

# status WANT TEXT ARGUMENTS...: the exit status of coldperf.
status() {
	want=$1 text=$2
	shift 2
	"$COLDPERF" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null
	is $? "$want" "$text: exit status $want" || diag "$(head -n 5 "$tmp/err")"
}

# says SLUG TEXT: the messages of the last command name the diagnostic.
says() {
	grep -q "$1" "$tmp/err"
	ok $? "$2" || diag "$(head -n 5 "$tmp/err")"
}

status 2 "no command"
status 2 "an unknown command" frobnicate "$fp"
says usage "it is called bad usage"
status 2 "no capture" report
status 2 "an unknown option" report --frobnicate "$fp"
status 2 "an unknown format" report -f frobnicate "$fp"
status 2 "a filter that is no number" report --pid x "$fp"
status 0 "help" help
try "help names the commands" grep -q hotspots "$tmp/out"
status 0 "help of a command" help hotspots
try "it shows the options" grep -q -e --children "$tmp/out"
status 0 "list" list
try "it shows the analyses" grep -q flame "$tmp/out"

status 2 "a capture that does not exist" report "$tmp/none"
says open "the message says so"
says "$tmp/none" "and names it"
: >"$tmp/empty"
status 2 "an empty capture" report "$tmp/empty"
says empty "the message says so"
echo "this is no capture, and never was one" >"$tmp/text"
status 2 "a text" report "$tmp/text"
says not-perf-data "the message says so"
status 2 "a folder that is no capture" report "$symbols"
mkdir "$tmp/folder"
: >"$tmp/folder/data"
status 2 "a folder whose data are empty" report "$tmp/folder"
says "(empty): its file" "the message says so"
cp "$tmp/text" "$tmp/folder/data"
status 2 "a folder whose data are a text" report "$tmp/folder"
says "(not-perf-data): its file" "the message says so"
mkfifo "$tmp/fifo"
cat "$fp" >"$tmp/fifo" 2>/dev/null &
writer=$!
timeout 120 "$COLDPERF" report "$tmp/fifo" >"$tmp/out" 2>"$tmp/err"
[ $? -ne 124 ]
ok $? "a named pipe does not hang"
kill $writer 2>/dev/null
wait $writer 2>/dev/null
# What the shell allows may be little.
# shellcheck disable=SC3045 # dash and bash have these
(ulimit -s 256 && exec "$COLDPERF" report "$top_srcdir/corpus/good-dwarf/perf.data") \
	>"$tmp/out" 2>"$tmp/err"
ok $? "ulimit -s 256: a small stack" || diag "$(head -n 5 "$tmp/err")"
"$COLDPERF" hotspots --no-local -f csv --symbols "$top_srcdir/corpus/good-fp/symbols" "$fp" \
	>"$tmp/want" 2>/dev/null
right=0
for n in 4 5 6 7 8 9 10 11 12 16; do
	# shellcheck disable=SC3045
	if (ulimit -n $n && exec "$COLDPERF" hotspots --no-local -f csv \
		--symbols "$top_srcdir/corpus/good-fp/symbols" "$fp") \
		>"$tmp/out" 2>"$tmp/err"; then
		cmp -s "$tmp/out" "$tmp/want" || right=1
	fi
done
ok $right "ulimit -n: status 0 is for a whole answer only"
for command in script dump pack unpack verify; do
	status 2 "$command has one format" "$command" -f json "$fp"
	says "has no other format than text, not .json" "and says so"
done
status 2 "nor is it chosen by a suffix" script -o "$tmp/s.json" "$fp"
try "that output is not made" test ! -e "$tmp/s.json"
status 0 "text can be asked for" script -f text -o "$tmp/s.txt" "$fp"
status 2 "list has no options" list -f json
for command in hotspots quality info script dump; do
	status 0 "$command of a good capture" "$command" "$fp"
	try "$command prints something" test -s "$tmp/out"
	# The objects of the recorded machine are not on every machine.
	! grep -Ev '\((no-object|no-kallsyms|build-id-mismatch)\)' "$tmp/err"
	ok $? "$command has nothing to complain of"
done
status 3 "a recorder that was killed" report "$tmp/corpus/bad-killed.data"
says killed-recorder "the message says so"
head -c 20000 "$fp" >"$tmp/cut"
status 3 "a capture that was cut" report "$tmp/cut"
says truncated "the message says so"
"$COLDPERF" quality -f json "$tmp/cut" >"$tmp/out" 2>/dev/null
try "the report of it is whole JSON" python3 -m json.tool "$tmp/out"

status 3 "a warning with --strict" report --strict \
	"$tmp/corpus/odd-lost.data"
status 0 "a warning without it" report "$tmp/corpus/odd-lost.data"
says lost "the warning is given"
"$COLDPERF" report --diag=json "$tmp/cut" 2>"$tmp/err" >/dev/null
try "diagnostics as JSON" python3 -c '
import json, sys
for line in open(sys.argv[1]):
    json.loads(line)
assert line
' "$tmp/err"

cat "$tmp/corpus/good-pipe.data" | "$COLDPERF" script - >"$tmp/a" 2>"$tmp/err"
"$COLDPERF" script "$tmp/corpus/good-pipe.data" >"$tmp/b" 2>/dev/null
same "$tmp/a" "$tmp/b" "a pipe says the same as the file"
"$COLDPERF" flame -f folded "$fp" >"$tmp/a"
"$COLDPERF" flame --format=folded -o "$tmp/b" "$fp"
same "$tmp/a" "$tmp/b" "--output holds what the standard output would"
"$COLDPERF" flame -o "$tmp/c.folded" "$fp"
same "$tmp/a" "$tmp/c.folded" "the suffix decides the format"

for jobs in 1 2 7; do
	"$COLDPERF" report -f json --jobs $jobs --symbols "$symbols" "$fp" \
		>"$tmp/jobs.$jobs" 2>&1
done
same "$tmp/jobs.1" "$tmp/jobs.2" "two workers say what one says"
same "$tmp/jobs.1" "$tmp/jobs.7" "and seven, too"

none=$tmp/corpus/odd-no-samples.data
for format in text folded svg html json; do
	status 0 "no samples as $format" flame -f $format "$none"
done
status 0 "no samples" hotspots "$none"
try "the report says so" grep -q "no samples" "$tmp/out"

if [ -e /dev/full ]; then
	"$COLDPERF" script "$fp" >/dev/full 2>"$tmp/err"
	is $? 5 "a full device: exit status 5"
	says output "the message says so"
fi
mkdir "$tmp/dir"
status 5 "an output that cannot be made" flame -o "$tmp/dir/no/flame.svg" "$fp"
status 2 "a flame graph of nothing" flame -o "$tmp/dir/flame.svg" "$tmp/text"
is "$(ls -A "$tmp/dir")" "" "failed runs leave no file"
"$COLDPERF" script "$fp" 2>"$tmp/err" | head -n 1 >"$tmp/out"
try "a reader that goes away is no disaster" test -s "$tmp/out"

"$COLDPERF" report "$tmp/corpus/odd-names.data" >"$tmp/out" 2>&1
"$COLDPERF" script "$tmp/corpus/odd-names.data" >>"$tmp/out" 2>&1
"$COLDPERF" dump "$tmp/corpus/odd-names.data" >>"$tmp/out" 2>&1
is "$(tr -d '\n\t -~\200-\377' <"$tmp/out" | wc -c)" 0 \
	"no control character of a capture reaches the terminal"
"$COLDPERF" report -f json "$tmp/corpus/odd-names.data" >"$tmp/out" 2>/dev/null
try "strange names are whole JSON" python3 -m json.tool "$tmp/out"
"$COLDPERF" flame -o "$tmp/odd.svg" "$tmp/corpus/odd-names.data" 2>/dev/null
if command -v xmllint >/dev/null; then
	try "strange names are well-formed SVG" xmllint --nonet --noout \
		"$tmp/odd.svg"
else
	skip "xmllint is not installed"
fi
done_testing
