#!/bin/sh
# SPDX-License-Identifier: MIT
# Members of large bundles are kept on disk between runs, and never believed
# against what the bundle is now.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/live/live.sh"

live_begin
HOME=$tmp/home XDG_CACHE_HOME=$tmp/cache
export HOME XDG_CACHE_HOME
live_record "$tmp/data" -e cpu-clock:u -F 999 "$tmp/known" shares 0.1 ||
	skip_all "nothing could be recorded"

# Some MB that look like an object: the bundle is worth keeping.
mkdir -p "$tmp/in/deep"
cp "$tmp/known" "$tmp/in/deep/renamed"
echo 'int source;' >"$tmp/in/deep/source.c"
{ cat "$tmp/jit"; head -c 3000000 /dev/urandom; } >"$tmp/in/large"
bundle=$tmp/b.tar.gz
pack() {
	tar -C "$tmp/in" -czf "$bundle" .
}
pack

away() {
	"$COLDPERF" script --no-local --cache /none --symbols "$bundle" \
		"$@" "$tmp/data" 2>"$tmp/err" | grep -v '\[unknown\]'
}
known() {
	away "$@" | grep -c 'heavy+0x'
}
kept=$XDG_CACHE_HOME/coldperf/bundles
first=$(known --no-cache)
[ "$first" -gt 0 ]
ok $? "a bundle names the program"
[ ! -e "$kept" ]
ok $? "--no-cache keeps nothing"
is "$(known)" "$first" "the first time"
file=$(echo "$kept"/*)
[ -s "$file" ]
ok $? "... keeps the members"
is "$(stat -c %a "$file")" 600 "... for nobody else"
is "$(ls "$kept" | wc -l)" 1 "... in one file"

# What was kept is used: it says when, and is not made anew.
touch -d 2001-01-01 "$file"
inode=$(stat -c %i "$file")
is "$(known)" "$first" "the second time"
is "$(stat -c %i "$file")" "$inode" "... it is not inflated"
[ "$(stat -c %Y "$file")" -gt 1000000000 ]
ok $? "... but used"

# Whoever puts the size and the time of a file back cannot hide the change.
touch -r "$bundle" "$tmp/time"
cp "$bundle" "$tmp/whole"
head -c "$(stat -c %s "$bundle")" /dev/zero >"$tmp/zeros"
cat "$tmp/zeros" >"$bundle"
touch -r "$tmp/time" "$bundle"
is "$(head -c 3 "$bundle" | tr -d '\0' | wc -c)" 0 "the bundle is destroyed"
printf '\037\213\010' | dd of="$bundle" conv=notrunc 2>/dev/null
touch -r "$tmp/time" "$bundle"
is "$(known)" 0 "its former members do not answer for it"
is "$(known --no-cache)" 0 "... nor with --no-cache"
touch "$bundle"
is "$(known)" 0 "... nor when its time is another"
cat "$tmp/whole" >"$bundle"
is "$(known)" "$first" "after it came back"
echo >>"$bundle"
is "$(known)" "$first" "after its size changed"
cp "$tmp/jit" "$tmp/in/deep/renamed"
pack
is "$(known)" 0 "after it was packed again without the program"
cp "$tmp/known" "$tmp/in/deep/renamed"
pack
is "$(known)" "$first" "... and with it"

# A file that is not what it should be is no proof of anything.
damage() {
	known >/dev/null
	cp "$file" "$tmp/sound"
	python3 -c "
import sys
p = sys.argv[1]
d = bytearray(open(p, 'rb').read())
n = int(d[-17:-1], 16)
$1
open(p, 'wb').write(d)" "$file" || diag "not damaged"
	cmp -s "$file" "$tmp/sound" && diag "it is the same"
	is "$(known)" "$first" "$2 is ignored"
	cmp -s "$file" "$tmp/sound"
	ok $? "... and made anew"
}
damage 'd[-17 - n + 40] ^= 1' "a list that was changed"
damage 'import re; list(map(lambda m: d.__setitem__(
	len(d) - 17 - n + m.start(1), d[len(d) - 17 - n + m.start(1)] ^ 1),
	re.finditer(rb"\t([0-9a-f]{32,40})\t", bytes(d[-17 - n : -17]))))' \
	"a list of other build IDs"
damage 'd[len(d) // 3] ^= 1' "a member in which a bit was changed"
damage 'd[-17:-1] = b"%016x" % (1 << 60)' "one of another length"
damage 'del d[: 1 << 16]' "a file without its head"
damage 'd[:] = d[: len(d) // 2] + d[-17:]' "one that was cut"
damage 'd[:] = b"x" * 5000' "noise"
damage 'd[:] = b""' "nothing"

# What was not used for longest goes first.
truncate -s 3G "$kept/01d" 2>/dev/null && touch -d '2001-01-01' "$kept/01d"
touch "$bundle"
known >/dev/null
[ -e "$file" ] && [ ! -e "$kept/01d" ]
ok $? "all of them have a bounded size"

# The capture in a bundle is kept as well.
whole=$tmp/whole.tar.gz
live_record "$tmp/in/perf.data" -m 128 -e cpu-clock:u -F 1999 \
	--call-graph dwarf,32768 "$tmp/known" shares 0.2
tar -C "$tmp/in" -czf "$whole" .
captures=$XDG_CACHE_HOME/coldperf/captures
"$COLDPERF" script "$tmp/in/perf.data" >"$tmp/want" 2>/dev/null
[ "$(stat -c %s "$tmp/in/perf.data")" -gt 1048576 ] && [ -s "$tmp/want" ]
ok $? "a capture of more than 1 MiB"
reads() {
	"$COLDPERF" script "$@" "$whole" >"$tmp/out" 2>"$tmp/err"
	same "$tmp/out" "$tmp/want" "... reads as it does outside $*" ||
		diag "$(cat "$tmp/err")"
}
reads --no-cache
[ ! -e "$captures" ]
ok $? "--no-cache does not keep it"
reads
file=$(echo "$captures"/*)
is "$(stat -c %a "$file")" 600 "... kept for nobody else"
touch -d 2001-01-01 "$file"
inode=$(stat -c %i "$file")
reads
is "$(stat -c %i "$file")" "$inode" "... it was not inflated"
[ "$(stat -c %Y "$file")" -gt 1000000000 ]
ok $? "... but used"
touch -r "$whole" "$tmp/time"
cp "$whole" "$tmp/sound"
dd if=/dev/zero of="$whole" bs=1000 seek=1 conv=notrunc \
	count=$(($(stat -c %s "$whole") / 1000 - 2)) 2>/dev/null
touch -r "$tmp/time" "$whole"
"$COLDPERF" script "$whole" >"$tmp/out" 2>/dev/null
cmp -s "$tmp/out" "$tmp/want"
is $? 1 "... and does not answer for another of its size and time"
cat "$tmp/sound" >"$whole"
reads
printf '\377\376' | dd of="$file" bs=1 seek=5000 conv=notrunc 2>/dev/null
reads
for size in 0 1000 "$(($(stat -c %s "$file") - 1))"; do
	truncate -s "$size" "$file"
	reads
done
{ cat "$whole"; } | "$COLDPERF" script - >"$tmp/out" 2>/dev/null
is "$(ls "$captures" | wc -l)" 1 "of a stream nothing is kept"
chmod 000 "$file"
reads

rm -r "$XDG_CACHE_HOME"
echo file >"$XDG_CACHE_HOME"
is "$(known)" "$first" "where nothing can be kept it works, too"
done_testing
