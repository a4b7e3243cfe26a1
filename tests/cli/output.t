#!/bin/sh
# SPDX-License-Identifier: MIT
# Outputs are whole or absent, and private; statuses that cli.t does not ask
# for.
. "$top_srcdir/tests/lib.sh"

corpus "$tmp/corpus" >"$tmp/corpus.out"
fp=$tmp/corpus/good-fp.data
out=$tmp/out
mkdir "$out"

# run ARGUMENTS...: sets $status.
run() {
	"$COLDPERF" "$@" >"$tmp/stdout" 2>"$tmp/err" </dev/null
	status=$?
}

run quality "$tmp/corpus/bad-zstd-bomb.data"
is $status 4 "a limit: exit status 4"
try "the message says so" grep -q '(limit)' "$tmp/err"
run quality --strict "$tmp/corpus/bad-zstd-bomb.data"
is $status 4 "--strict does not hide it"
run hotspots --strict --no-local --cache "$tmp/none" "$fp"
is $status 3 "--strict and objects that are not there"
run quality --strict "$tmp/none"
is $status 2 "--strict and no capture at all"
run quality --diag=json "$tmp/none"
is $status 2 "--diag=json changes no status"
try "an error is one line of JSON" python3 -c '
import json, sys
lines = open(sys.argv[1]).read().splitlines()
d = [json.loads(l) for l in lines]
assert len(d) == 1 and d[0]["level"] == "error" and d[0]["id"] == "open"
assert d[0]["file"] == sys.argv[2]
' "$tmp/err" "$tmp/none"
run hotspots -f csv --diag=json --no-local "$fp"
try "a note names the sections that CSV has no place for" python3 -c '
import json, sys
notes = [d for d in map(json.loads, open(sys.argv[1]))
         if d["id"] == "not-shown"]
assert len(notes) == 1 and notes[0]["level"] == "note", notes
assert "label" in notes[0]["tail"].split(", "), notes
' "$tmp/err"
run quality --diag=xml "$fp"
is $status 2 "--diag in another format"

cat "$fp" | "$COLDPERF" script --no-local - >"$tmp/a" 2>"$tmp/err"
is $? 0 "a file-mode capture from a pipe"
"$COLDPERF" script --no-local "$fp" >"$tmp/b" 2>"$tmp/err"
same "$tmp/b" "$tmp/a" "and the same samples"
head -c 30001 "$fp" | "$COLDPERF" quality - >"$tmp/stdout" 2>"$tmp/err"
is $? 3 "a part of one from a pipe"
try "how much of it" grep -q '(65 of 30,001 bytes)' "$tmp/stdout"
is "$(grep -c 'middle (truncated)' "$tmp/err")" 1 "and what is not there, once"
! grep '2 × the input ends' "$tmp/err" >/dev/null
ok $? "in one message"
head -c 50 "$fp" | "$COLDPERF" quality - >"$tmp/stdout" 2>"$tmp/err"
is $? 2 "no more than a piece of the header from a pipe"
"$COLDPERF" quality - <"$fp" >"$tmp/stdout" 2>"$tmp/err"
is $? 0 "a redirected file is no pipe"
for case in good-pipe good-pipe-all good-pipe-big good-zstd-pipe; do
	cat "$tmp/corpus/$case.data" | "$COLDPERF" script --no-local - \
		>"$tmp/a" 2>"$tmp/err"
	piped=$?
	run script --no-local "$tmp/corpus/$case.data"
	is $piped $status "$case: the same status from a pipe"
	same "$tmp/a" "$tmp/stdout" "$case: and the same samples"
done
: | "$COLDPERF" quality - >"$tmp/stdout" 2>"$tmp/err"
is $? 2 "an empty pipe"

umask 022
run flame -o "$out/a.svg" "$fp"
is $status 0 "an output"
is "$(stat -c %a "$out/a.svg")" 644 "has the mode that the umask leaves"
is "$(ls -A "$out")" a.svg "and nothing is left beside it"
mkfifo "$tmp/fifo"
cat "$tmp/fifo" >"$tmp/through" &
run flame -f svg -o "$tmp/fifo" "$fp"
wait
is $status 0 "an output that is a pipe"
try "is written to" cmp "$tmp/through" "$out/a.svg"
try "and stays a pipe" test -p "$tmp/fifo"
run flame -f svg -o /dev/full "$fp"
is $status 5 "an output that is a full device"
try "and stays a device" test -c /dev/full
ln -s out/a.svg "$tmp/link.svg"
rm "$out/a.svg"
touch "$out/a.svg"
run flame -o "$tmp/link.svg" "$fp"
try "an output that is a link stays one" test -L "$tmp/link.svg"
try "and the file behind it is replaced" cmp "$tmp/through" "$out/a.svg"
umask 0277
run flame -o "$out/b.svg" "$fp"
is "$(stat -c %a "$out/b.svg")" 400 "or less, if the umask says so"
umask 022
rm -f "$out/b.svg"
umask 027
run flame -o "$out/b.svg" "$fp"
is "$(stat -c %a "$out/b.svg")" 640 "its group may read it under 027"
chmod 604 "$out/b.svg"
run flame -o "$out/b.svg" "$fp"
is "$(stat -c %a "$out/b.svg")" 604 "a file that is replaced keeps its mode"
run pack --no-local -o "$tmp/bundle.tar" "$fp"
is "$(stat -c %a "$tmp/bundle.tar")" 600 "a bundle is its owner's alone"
umask 022
run repair -o "$tmp/fixed.data" "$fp"
is "$(stat -c %a "$tmp/fixed.data")" 600 "so is a repaired capture"
run snapshot --no-local -o "$tmp/a.cold" "$fp"
is "$(stat -c %a "$tmp/a.cold")" 600 "and a snapshot with records"
rm -f "$out/b.svg"

echo precious >"$out/kept"
for bad in "$tmp/none" "$tmp/corpus/bad-not-perf.data" \
	"$tmp/corpus/bad-no-attrs.data"; do
	run flame -f svg -o "$out/kept" "$bad"
	is $status 2 "${bad##*/} cannot be read"
	is "$(cat "$out/kept")" precious "and leaves the old output"
done
COLDPERF_FAIL_ALLOCATION=300 "$COLDPERF" flame -f svg -o "$out/kept" "$fp" \
	2>"$tmp/err"
is $? 5 "memory ran out"
is "$(cat "$out/kept")" precious "which leaves the old output, too"
run flame -f folded -o "$out/kept" "$fp"
is $status 0 "a good run"
try "replaces it" grep -q '^known;' "$out/kept"
run flame -f folded -o "$out/none/x" "$fp"
is $status 5 "an output where no folder is"
run flame -f folded -o "$out" "$fp"
is $status 5 "an output that is a folder"
rm -f "$out/kept"
is "$(ls -A "$out")" a.svg "no temporary file is left"

run flame -o "$out/c.json" "$fp"
try "suffix .json" python3 -m json.tool "$out/c.json"
run flame -o "$out/c.svg" "$fp"
try "suffix .svg" grep -q '<svg' "$out/c.svg"
run hotspots -o "$out/c.csv" "$fp"
try "suffix .csv" grep -q '^share,' "$out/c.csv"
run flame -o "$out/c.folded" "$fp"
try "suffix .folded" grep -q '^known;' "$out/c.folded"
run flame -f folded -o "$out/d.svg" "$fp"
same "$out/c.folded" "$out/d.svg" "--format goes before the suffix"
run flame -f folded -o - "$fp"
same "$tmp/stdout" "$out/c.folded" "-o - is standard output"

if [ -w /dev/full ]; then
	for command in hotspots script dump; do
		"$COLDPERF" $command "$fp" >/dev/full 2>"$tmp/err"
		is $? 5 "$command to a full device"
	done
	for command in list help version --help --examples "help report" \
		"report --help" "completion bash"; do
		# shellcheck disable=SC2086 # words
		"$COLDPERF" $command >/dev/full 2>"$tmp/err"
		is $? 5 "$command to a full device"
	done
fi
(
	ulimit -f 1
	"$COLDPERF" script -o "$out/full" "$fp" 2>"$tmp/err"
	echo $? >"$tmp/status"
)
is "$(cat "$tmp/status")" 5 "an output that does not fit"
[ ! -e "$out/full" ]
ok $? "leaves no half file" || ls -l "$out"
is "$(find "$out" -name 'full*' | wc -l)" 0 "... nor a temporary one"

# The kernel does not follow others' links in a folder as /tmp is one.
if [ "$(id -u)" = 0 ] &&
	[ "$(cat /proc/sys/fs/protected_symlinks 2>/dev/null)" = 1 ]; then
	mkdir "$tmp/sticky"
	chmod 1777 "$tmp/sticky"
	echo mine >"$tmp/mine"
	ln -s "$tmp/mine" "$tmp/sticky/link"
	chown -h 54321 "$tmp/sticky/link"
	run script -o "$tmp/sticky/link" "$fp"
	is "$status $(cat "$tmp/mine")" "5 mine" \
		"-o does not follow what the kernel would not"
else
	skip "links are not protected, or are not ours to give away"
fi

for command in dump pack repair script snapshot "redact --redact share"; do
	# shellcheck disable=SC2086 # words
	run $command -o "$out/one" -o "$out/two" "$fp"
	is "$status $(grep -c 'takes one -o' "$tmp/err")" "2 1" \
		"$command and two outputs"
done
[ ! -e "$out/one" ] && [ ! -e "$out/two" ]
ok $? "none is written" || ls -l "$out"
run hotspots --no-local -o "$out/one" -o "$out/two" "$fp"
is $status 0 "a report and two outputs"
same "$out/one" "$out/two" "both are written"

cp "$fp" "$out/mine"
ln -s mine "$out/link"
"$COLDPERF" pack --no-local -o "$tmp/bundle" "$fp" 2>/dev/null
cp "$tmp/bundle" "$out/bundle"
for command in dump pack "redact --redact share" repair script snapshot \
	merge "hotspots -f csv"; do
	# shellcheck disable=SC2086 # words
	run $command -o "$out/link" "$out/mine"
	is "$status $(grep -c 'would be lost' "$tmp/err")" "2 1" \
		"$command -o on its input"
done
run diff -f json -o "$out/mine" "$fp" "$out/mine"
is $status 2 "diff -o on one of its inputs"
cp -r "$top_srcdir/corpus/good-directory/perf.data" "$out/folder"
chmod -R u+w "$out/folder"
run dump -o "$out/folder/data.0" "$out/folder"
is "$status $(cmp "$out/folder/data.0" \
	"$top_srcdir/corpus/good-directory/perf.data/data.0" 2>&1)" "2 " \
	"dump -o on a file of a capture that is a folder"
run verify -o "$out/bundle" "$out/bundle"
is $status 2 "verify -o on its input"
"$COLDPERF" dump -o "$out/mine" - <"$out/mine" 2>"$tmp/err"
is $? 2 "dump -o on its standard input"
same "$out/mine" "$fp" "the capture is as it was"
same "$out/bundle" "$tmp/bundle" "and so is the bundle"

"$COLDPERF" pack --no-local --symbols "$top_srcdir/corpus/good-fp/symbols" \
	-o "$tmp/with" "$fp" 2>"$tmp/packed"
run verify "$tmp/with"
is "$(cat "$tmp/stdout")" "$(sed -n 's/.*: \([0-9]* members\), .*/\1/p' \
	"$tmp/packed") checked against the manifest, 0 wrong" \
	"verify counts what pack packed, links too"
run verify -o "$tmp/none/x" "$tmp/bundle"
is $status 5 "verify: a failed output is no wrong bundle"

# What cannot be read leaves the file that is there.
head -c 100 /dev/zero >"$tmp/junk"
echo mine >"$tmp/mine"
for command in dump names pack "redact --redact share" repair report script \
	snapshot "flame -f folded"; do
	cp "$tmp/mine" "$out/kept"
	# shellcheck disable=SC2086 # words
	run $command -o "$out/kept" "$tmp/junk"
	is "$status $(cmp "$out/kept" "$tmp/mine" 2>&1)" "2 " \
		"$command -o leaves a file when there is no capture"
done

for command in help list version "completion bash" selftest; do
	# shellcheck disable=SC2086 # words
	"$COLDPERF" $command 2>"$tmp/err" >/dev/full
	is "$? $(grep -c '(output): standard output: No space' "$tmp/err")" \
		"5 1" "$command: a full disk is said"
done

for command in dump names pack "redact --redact share" repair unpack verify; do
	# shellcheck disable=SC2086 # words
	run $command --comm nobody -o "$out/filtered" "$tmp/bundle"
	is "$status $(grep -c 'takes all of them' "$tmp/err")" "2 1" \
		"$command refuses a filter"
	"$COLDPERF" help "${command%% *}" | grep -q -e --comm
	is $? 1 "... and its help has none"
done
[ ! -e "$out/filtered" ]
ok $? "nothing is written"
COLDPERF_OPTIONS="--comm nobody" "$COLDPERF" repair -o "$out/whole" "$fp" \
	2>"$tmp/err"
is $? 0 "a filter among the defaults is for other commands"
run quality --diag=text "$fp"
is $status 0 "--diag=text is the default"

mkdir "$out/x.tar.d"
for name in y.tar.zst y.tgz y.cold.zst y.z; do
	rm -rf "$out/x.tar.d"/*
	cp "$tmp/bundle" "$out/x.tar.d/$name"
	run unpack "$out/x.tar.d/$name"
	set -- "$out"/x.tar.d/*.unpacked
	is "$status $1" "0 $out/x.tar.d/$(echo "$name" |
		sed 's/[.]tar.*//; s/[.]tgz//; s/[.]cold.*//').unpacked" \
		"a bundle $name in a folder whose name has .tar"
done
"$COLDPERF" verify - <"$tmp/bundle" >"$tmp/stdout" 2>"$tmp/err"
is "$? $(grep -c '0 wrong' "$tmp/stdout")" "0 1" "verify -"
"$COLDPERF" unpack -o "$out/from-stdin" - <"$tmp/bundle" 2>"$tmp/err"
is $? 0 "unpack -"
same "$out/from-stdin/perf.data" "$fp" "the capture is in it"
for command in verify "unpack -o $out/piped"; do
	# shellcheck disable=SC2086,SC2002 # words; a pipe
	cat "$tmp/bundle" | "$COLDPERF" $command - >"$tmp/stdout" 2>"$tmp/err"
	is "$? $(grep -c 'a pipe: save it to a file' "$tmp/err")" "2 1" \
		"$command - from a pipe"
done
(
	ulimit -f 8
	"$COLDPERF" unpack --no-config -o "$out/full" "$tmp/bundle"
) >"$tmp/stdout" 2>"$tmp/err"
is "$? $(grep -c 'output failed (output): perf.data: File too' "$tmp/err")" \
	"5 1" "unpack where a member does not fit"
[ ! -e "$out/full/perf.data" ] && ! grep -q truncated "$tmp/err"
ok $? "no part of it is left, and the bundle is not blamed" ||
	diag "$(cat "$tmp/err")"
for command in pack unpack snapshot; do
	(cd "$out" && "$COLDPERF" $command - <"$fp" 2>"$tmp/err")
	is "$? $(grep -c 'standard input has no name' "$tmp/err")" "2 1" \
		"$command - without -o"
done
ls -- "$out"/-* >/dev/null 2>&1
is $? 2 "no file is called -.tar.zst"

run quality -f csv --no-local "$fp"
try "a format that cannot show figures is told from missing data" \
	grep -q '(usage): .*these formats do: text, json, html' "$tmp/err"

run cpi -f svg --no-local "$fp"
is $status 2 "a format that would show nothing"
try "what the capture lacks is said, not that the usage is bad" \
	grep -q 'no-data): .*perf record -e' "$tmp/err"
run hotspots -f svg --no-local "$fp"
try "nothing but a wrong format is bad usage" grep -q '(usage)' "$tmp/err"
done_testing
