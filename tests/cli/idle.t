#!/bin/sh
# SPDX-License-Identifier: MIT
# No option, word or file of the command line passes without effect and without
# a word.
. "$top_srcdir/tests/lib.sh"

corpus "$tmp/corpus" >"$tmp/corpus.out"
fp=$tmp/corpus/good-fp.data
sched=$tmp/corpus/good-sched.data

# run ARGUMENTS...: sets $status.
run() {
	"$COLDPERF" "$@" >"$tmp/stdout" 2>"$tmp/err" </dev/null
	status=$?
}

# told WHAT ARGUMENTS...: a warning says which option has no effect, and why.
told() {
	told_what=$1
	shift
	run "$@"
	is "$(grep -c "(no-effect): $told_what" "$tmp/err")" 1 "$*: $told_what" ||
		diag "$(cat "$tmp/err")"
}

# untold ARGUMENTS...: no such warning.
untold() {
	run "$@"
	is "$(grep -c '(no-effect)' "$tmp/err")" 0 "$*: nothing is said" ||
		diag "$(cat "$tmp/err")"
}

told '--lines of report; for lines there is --by line' report --lines "$fp"
is $status 0 "it is a warning"
told '--title, --palette of script' script --title X --palette hot "$fp"
told '--symbols of dump' dump --symbols "$tmp" "$fp"
told '--hops without --tree offwake' offcpu --hops 2 "$sched"
told '--hops without --tree offwake' offcpu --tree wakers --hops 2 "$sched"
told '--state with --tree wakers' offcpu --tree wakers --state blocked "$sched"
told '--worst with --map' sched --map --worst 3 "$sched"
untold sched --by comm --worst 3 "$sched"
told '--context with --by line' annotate --by line --context 2 "$fp"
told '--addresses without --by symbol' hotspots --by dso,comm --addresses "$fp"
untold hotspots --by dso,symbol --addresses "$fp"
untold hotspots --addresses "$fp"
told '--split-threads without --by comm' hotspots --split-threads "$fp"
untold offcpu --tree offwake --hops 2 "$sched"
told '--max-time without --fetch' symbols --max-time 3 "$fp"
told '--debuginfod on without --fetch' symbols --debuginfod on "$fp"
told '--paths without --fail-over' diff --paths "$fp" "$sched"
"$COLDPERF" pack --no-local -o "$tmp/b.tar" "$fp" 2>"$tmp/err"
told '--weight of symbols' symbols --weight samples "$fp"
told '--demangle, --max-stack of pack' \
	pack --demangle no --max-stack 3 -o "$tmp/c.tar" "$fp"
untold snapshot --title X --weight samples -o "$tmp/t.cold" "$fp"
told '--sample without --names' verify --sample 3 "$tmp/b.tar"
told '--cache /none is no folder' hotspots --cache /none "$fp"
untold hotspots --cache "" "$fp"
told '--page-samples, --with-time of flame in json' \
	flame -f json --page-samples 3 --with-time "$fp"
untold flame --page-samples 3 --with-time -o "$tmp/x.html" -o "$tmp/x.pb.gz" \
	"$fp"
told '--weight of sched in text' sched --weight samples "$sched"
told '--symbols where nothing is named' timeline --symbols "$tmp" "$fp"
told '--max-stack where no stacks are shown' hotspots --max-stack 3 "$fp"
untold hotspots --children --max-stack 3 "$fp"
untold dump --no-local --no-cache --no-pager "$fp"
COLDPERF_OPTIONS="--symbols $tmp --palette hot" "$COLDPERF" dump "$fp" \
	>"$tmp/stdout" 2>"$tmp/err"
is "$(cat "$tmp/err")" "" "defaults are for other commands"

for words in "version x" "--version x" "list x" "help report x" \
	"completion bash x" "--examples x" "selftest $fp" "--help report x"; do
	# shellcheck disable=SC2086 # words
	run $words
	is "$status $(grep -c '(usage)' "$tmp/err")" "2 1" "$words"
done
run --help hotspots
is "$status $(sed -n 1p "$tmp/stdout")" \
	"0 coldperf hotspots [options] CAPTURE..." "--help hotspots"

# Numbers that nothing would read: the capture has no such events.
for words in "blockio --top foo" "locks --top 1x" "faults --top -1" \
	"sched --worst 4294967296" "locks --top 99999999999999999999"; do
	# shellcheck disable=SC2086 # words
	run $words "$sched"
	is "$status $(grep -c '(usage): --[a-z]* wants a number' "$tmp/err")" \
		"2 1" "$words"
done

# It is known before the capture is read that it cannot be written.
printf 'no capture' >"$tmp/bad.data"
for words in hotspots script dump "symbols" "pack" "unpack" "repair" \
	"merge" "snapshot" "redact --redact share"; do
	# shellcheck disable=SC2086 # words
	run $words -o "$tmp/none/x" "$tmp/bad.data"
	is "$status $(grep -c '(output): .*/none/x: No such' "$tmp/err")" \
		"5 1" "$words -o in a folder that does not exist"
done
run hotspots -o "$tmp/corpus" "$tmp/bad.data"
is "$status $(grep -c '(output): .*: Is a directory' "$tmp/err")" "5 1" \
	"-o that is a folder"

run locks -f folded "$tmp/corpus/good-syscalls.data"
is "$status $(grep -c '(no-line): folded' "$tmp/err")" "0 1" \
	"folded stacks of which there are none"

# One recording under two names.
cp "$fp" "$tmp/copy.data"
"$COLDPERF" snapshot --no-local -o "$tmp/s.cold" "$fp" 2>"$tmp/err"
for words in "hotspots" "diff" "merge -o $tmp/m.cold"; do
	for other in copy.data b.tar s.cold; do
		# shellcheck disable=SC2086 # words
		run $words --no-local "$fp" "$tmp/$other"
		is "$status $(grep -c '(recording-twice): ' "$tmp/err")" \
			"0 1" "$words of a recording and its $other"
	done
done
run hotspots --no-local "$tmp/m.cold" "$fp"
is "$(grep -c '(recording-twice): ' "$tmp/err")" 1 "one that is in a sum"
for from in 50 20; do
	"$COLDPERF" snapshot --no-local --time "0%,50%" -o "$tmp/w.cold" "$fp" \
		2>"$tmp/err"
	"$COLDPERF" snapshot --no-local --time "$from%,100%" -o "$tmp/v.cold" \
		"$fp" 2>"$tmp/err"
	run diff --no-local "$tmp/w.cold" "$tmp/v.cold"
	is "$(grep -c '(recording-twice): ' "$tmp/err")" $((from == 20)) \
		"windows of one recording, the second from $from % on"
done
run hotspots --no-local "$fp" "$sched"
is "$(grep -c '(recording-twice): ' "$tmp/err")" 0 "two recordings"
done_testing
