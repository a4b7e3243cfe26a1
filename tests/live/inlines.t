#!/bin/sh
# SPDX-License-Identifier: MIT
# A program whose time is spent in functions that were inlined: they are
# frames, with the weight that they have, and lines of their own.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/live/live.sh"

cat >"$tmp/inl.c" <<'END'
static volatile unsigned sink;
static inline __attribute__((always_inline)) void
light(unsigned n)
{
	while (n-- > 0) sink += n;
}
static inline __attribute__((always_inline)) void
heavy(unsigned n)
{
	light(n);
	for (n *= 3; n > 0; n--) sink ^= n;
}
static __attribute__((noinline)) void
outer(unsigned n)
{
	heavy(n);
	light(n);
}
int
main(void)
{
	for (unsigned i = 0; i < 300; i++) outer(1000000);
	return 0;
}
END

live_begin
$live_cc -g -O1 -fno-omit-frame-pointer -o "$tmp/inl" "$tmp/inl.c" ||
	skip_all "the workload does not compile"
live_record "$tmp/inl.data" -e cpu-clock -F 999 -g "$tmp/inl" ||
	skip_all "no capture"

export XDG_CACHE_HOME="$tmp/cache"
"$COLDPERF" flame --no-cache -f folded --weight samples "$tmp/inl.data" \
	>"$tmp/with" 2>"$tmp/err"
ok $? "flame, with inlined functions"
"$COLDPERF" flame --inline=no -f folded --weight samples "$tmp/inl.data" \
	>"$tmp/without" 2>"$tmp/err"
ok $? "flame, without"

grep -q 'outer;heavy_\[i\];light_\[i\] ' "$tmp/with"
ok $? "inlined into one that is inlined itself" || diag "$(cat "$tmp/with")"
grep -q 'outer;light_\[i\] ' "$tmp/with"
ok $? "and into the function"
grep -q '_\[i\]' "$tmp/without"
is $? 1 "--inline=no has none"
sum() { awk '{ s += $NF } END { print s }' "$1"; }
is "$(sum "$tmp/with")" "$(sum "$tmp/without")" "no sample more or less"

# heavy() runs four of the five loops.
awk '/;heavy_\[i\]/ { h += $NF } /;outer/ { o += $NF }
	END { s = h / o; print s; exit !(s > 0.65 && s < 0.95) }' \
	"$tmp/with" >"$tmp/share"
ok $? "the weight is where it was spent: $(cat "$tmp/share") of 0.8"

"$COLDPERF" hotspots --children -f csv --by symbol "$tmp/inl.data" \
	>"$tmp/children" 2>"$tmp/err"
grep -q 'heavy (inlined)' "$tmp/children"
ok $? "hotspots --children has them" || diag "$(cat "$tmp/children")"
# One definition: samples are the inlined function's own, in each view; with
# --inline=no those of the function that has the code.
for how in yes no; do
	"$COLDPERF" hotspots --inline=$how -f csv --by symbol \
		"$tmp/inl.data" 2>"$tmp/err" >"$tmp/self.$how"
done
self() { awk -F, -v n="$2" '$NF == n { print $'"$3"' }' "$tmp/$1"; }
heavy=$(self self.yes 'heavy (inlined)' 1)
is "$(self children 'heavy (inlined)' 4)" "$heavy" \
	"with --children their self is that without"
awk -F, '/ \(inlined\)$/ || /,outer$/ { printf "%.6f\n", s += $1 }' \
	"$tmp/self.yes" | tail -n 1 >"$tmp/sum"
is "$(cat "$tmp/sum")" "$(printf %.6f "$(self self.no outer 1)")" \
	"together they have what their function has with --inline=no"
"$COLDPERF" hotspots --by symbol "$tmp/inl.data" 2>"$tmp/err" |
	grep -q -e '--inline=no adds them'
ok $? "which is said"

# The overview: outer() calls heavy(), which is a part of it.
for how in yes no; do
	for section in symbols functions; do
		"$COLDPERF" report --top 0 --inline=$how -f csv \
			--section $section "$tmp/inl.data" 2>"$tmp/err" |
			sed '1s/^.*$//' >"$tmp/$section.$how"
	done
done
grep -q ',outer$' "$tmp/functions.yes" &&
	grep -q ',> heavy (inlined)$' "$tmp/functions.yes"
ok $? "report has them as callees" || diag "$(cat "$tmp/functions.yes")"
is "$(self symbols.yes 'heavy (inlined)' 2)" "$heavy" \
	"... and self is that of hotspots"
grep -q inlined "$tmp/functions.no" "$tmp/symbols.no"
is $? 1 "... but with --inline=no"

"$COLDPERF" script --lines -F ip,sym,symoff,dso "$tmp/inl.data" \
	>"$tmp/script" 2>"$tmp/err"
line=$(grep -n 'sink ^= n' "$tmp/inl.c" | cut -d: -f1)
grep -A1 ' heavy+0x[0-9a-f]* (inlined)$' "$tmp/script" |
	grep -q "^  inl.c:$line\$"
ok $? "script has the line in it" || diag "$(head -n 20 "$tmp/script")"
awk '/ \(inlined\)$/ { at = $1; next }
	/^  / { next }
	at != "" { if ($1 != at) bad = 1; n++; at = "" }
	END { exit bad || n == 0 }' "$tmp/script"
ok $? "the function that it is part of follows at the same address"

# Two of the five loops are light()'s.
"$COLDPERF" hotspots --by line -f csv --weight samples "$tmp/inl.data" \
	2>"$tmp/err" | grep -v '^#' >"$tmp/lines"
light=$(grep -n 'sink += n' "$tmp/inl.c" | cut -d: -f1)
awk -F, -v a="inl.c:$light" -v b="inl.c:$line" '
	index($0, a) { x = $1 } index($0, b) { y = $1 }
	END { s = x / (x + y); print s; exit !(s > 0.25 && s < 0.55) }' \
	"$tmp/lines" >"$tmp/share"
ok $? "hotspots --by line: $(cat "$tmp/share") of 0.4" ||
	diag "$(head -n 5 "$tmp/lines")"

for run in cold warm damaged; do
	"$COLDPERF" flame -f folded --weight samples "$tmp/inl.data" \
		>"$tmp/$run" 2>"$tmp/err"
	same "$tmp/$run" "$tmp/with" "the same from the cache, $run"
	file=$(find "$tmp/cache" -type f | head -n 1)
	[ $run = cold ] && { [ -n "$file" ]; ok $? "which was written"; }
	[ $run != warm ] || printf 'damage' |
		dd of="$file" bs=1 seek=100 conv=notrunc 2>"$tmp/err"
done
done_testing
