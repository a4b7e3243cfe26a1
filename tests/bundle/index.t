#!/bin/sh
# SPDX-License-Identifier: MIT
# The index of a --symbols folder is kept on disk, and never believed against
# what the folder holds now.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/live/live.sh"

live_begin
HOME=$tmp/home XDG_CACHE_HOME=$tmp/cache
export HOME XDG_CACHE_HOME
live_record "$tmp/data" -e cpu-clock:u -F 999 "$tmp/known" shares 0.1 ||
	skip_all "nothing could be recorded"
"$COLDPERF" script --no-cache "$tmp/data" >"$tmp/here" 2>/dev/null

mkdir -p "$tmp/folder/a/b"
i=0
while [ $i -lt 100 ]; do
	echo "$i" >"$tmp/folder/a/text$i"
	i=$((i + 1))
done
cp "$tmp/jit" "$tmp/folder/other"
cp "$tmp/known" "$tmp/folder/a/b/renamed"

away() {
	"$COLDPERF" script --no-local --cache /none --symbols "$tmp/folder" \
		"$@" "$tmp/data" 2>/dev/null | grep -v '\[unknown\]'
}
known() {
	away "$@" | grep -c 'heavy+0x'
}
first=$(known --no-cache)
[ "$first" -gt 0 ]
ok $? "a folder names the program"
[ ! -e "$XDG_CACHE_HOME/coldperf/index" ]
ok $? "--no-cache writes no index"
is "$(known)" "$first" "the first time"
index=$(echo "$XDG_CACHE_HOME"/coldperf/index/*)
[ -s "$index" ]
ok $? "... writes an index"
is "$(stat -c %a "$index")" 600 "... for nobody else"
# Of a run that was killed two days ago; of one just now; and of others.
touch -d '2 days ago' "$index.99" "$index.old"
touch "$index.98"
is "$(known)" "$first" "the second time"
if command -v strace >/dev/null; then
	strace -f -e trace=open,openat -o "$tmp/trace" "$COLDPERF" script \
		--no-local --cache /none --symbols "$tmp/folder" "$tmp/data" \
		>/dev/null 2>&1
	is "$(grep -c 'folder/a/text' "$tmp/trace")" 0 "... opens no other file"
else
	skip "strace is not installed"
fi
mv "$tmp/folder/a/b/renamed" "$tmp/folder/moved"
is "$(known)" "$first" "after a move"
is "$(cd "${index%/*}" && echo *)" "$(cd "${index%/*}" &&
	echo "${index##*/}" "${index##*/}.98" "${index##*/}.old")" \
	"what a killed run left is removed a day later"
cp "$tmp/jit" "$tmp/folder/moved"
is "$(known)" 0 "after it was replaced"
cp "$tmp/known" "$tmp/folder/moved"
is "$(known)" "$first" "after it came back"
known >/dev/null
# An index that lies about a file is no proof of anything.
sed 's/[0-9a-f]\{40\}$/0123456789012345678901234567890123456789/' \
	"$index" >"$tmp/lie" && cp "$tmp/lie" "$index"
is "$(known)" "$first" "an index that was changed is ignored"
head -c 700 "$index" >"$tmp/cut" && cp "$tmp/cut" "$index"
is "$(known)" "$first" "one that was cut is"
head -c 4000 /dev/urandom >"$index"
is "$(known)" "$first" "noise is"
: >"$index"
is "$(known)" "$first" "nothing is"

# What gives nothing is told.
mkdir "$tmp/texts" "$tmp/folder/deep"
echo text >"$tmp/texts/text"
cp "$tmp/known" "$tmp/folder/deep/file"
said() {
	"$COLDPERF" script --no-local "$@" "$tmp/data" 2>&1 >/dev/null |
		grep -c no-symbols
}
"$COLDPERF" script --symbols "$tmp/none" "$tmp/data" >"$tmp/out" 2>"$tmp/err"
is "$? $(grep -c "(usage).*$tmp/none: No such" "$tmp/err") $(cat "$tmp/out")" \
	"2 1 " "a path that does not exist is an error"
is "$(said --symbols "$tmp/texts/text")" 1 "a file that is nothing is"
is "$(said --symbols "$tmp/texts")" 1 "a folder of such files is"
is "$(said --symbols "$tmp/folder" --symbols "$tmp/folder/deep" \
	--symbols "$tmp/known")" 0 "but not what was given twice"
rm -r "$XDG_CACHE_HOME"
echo file >"$XDG_CACHE_HOME"
is "$(known)" "$first" "where none can be written it works, too"
done_testing
