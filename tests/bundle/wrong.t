#!/bin/sh
# SPDX-License-Identifier: MIT
# Wrong objects: whatever lies where the recorded one was, no name comes from
# it.  Each case ends in its diagnostic, and the share is in the report.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/live/live.sh"

live_begin
HOME=$tmp/home
export HOME
command -v objcopy >/dev/null || skip_all "binutils are not installed"

# program FILE FUNCTION SIZE FLAGS...: burns time in that function.
program() {
	file=$1 function=$2 size=$3
	shift 3
	cat >"$tmp/p.c" <<END
#include <time.h>
static volatile long n;
__attribute__((noinline)) void pad(void)
{
	__asm__ volatile(".skip $size, 0x90");
}
__attribute__((noinline)) void $function(void)
{
	for (int i = 0; i < 1000; i++)
		n += i;
}
int main(int argc, char **argv)
{
	clock_t end = clock() + CLOCKS_PER_SEC / 5;
	if (argc > 1)
		pad();
	while (clock() < end)
		$function();
	return 0;
}
END
	${CC:-cc} -O1 -o "$file" "$tmp/p.c" "$@"
}

# hot: "right" or "wrong" if such a name is given, or else any of the program.
hot() {
	"$COLDPERF" script --cache /none "$@" "$tmp/data" 2>"$tmp/err" |
		sed -n 's/^.* \([^ ]*\)+0x[0-9a-f]* (.*app)$/\1/p' |
		sort -u >"$tmp/names"
	# Stubs are named without a symbol table.
	grep -x 'right\|wrong' "$tmp/names" ||
		grep -v '@plt$' "$tmp/names" | head -n 1
}
said() {
	grep -q "$1" "$tmp/err"
	ok $? "... and it is said: $1" || diag "$(cat "$tmp/err")"
}

# The share that has no name for it, in the report and with the reason.
why() {
	"$COLDPERF" report --cache /none -f csv --section unnamed "$tmp/data" \
		2>/dev/null >"$tmp/out"
	awk -F, -v why="$1" '$5 ~ /app$/ && $6 == why && $1 > 0.5 { n++ }
		END { exit n != 1 }' "$tmp/out"
	ok $? "... and in the report: $1" || diag "$(cat "$tmp/out")"
}

app=$tmp/app
program "$app" right 16 -Wl,--build-id || skip_all "no compiler"
live_record "$tmp/data" -e cpu-clock:u -F 999 -g "$app" ||
	skip_all "nothing could be recorded"
cp "$app" "$tmp/right"
is "$(hot)" right "the recorded program names its function"

program "$app" wrong 20000 -Wl,--build-id
is "$(hot)" "" "a rebuilt program names nothing"
said build-id-mismatch
why "only a file of another build"
grep -Eq 'recorded [0-9a-f]{40}, file [0-9a-f]{40}' "$tmp/err"
ok $? "... with both build IDs"
is "$(hot --symbols "$tmp/right")" right "... unless the right one is given"
[ -n "$(hot --allow-mismatch)" ]
ok $? "... or the user wants it anyhow"
"$COLDPERF" quality --cache /none -f json --allow-mismatch "$tmp/data" \
	2>/dev/null | tr -d ' \n' >"$tmp/out"
grep -Eq '"key":"mismatch",[^}]*"value":(0\.[1-9]|1)' "$tmp/out"
ok $? "... which is then in the report" ||
	diag "$(grep -o '"trust".*' "$tmp/out" | cut -c 1-400)"

objcopy --strip-all "$tmp/right" "$app"
is "$(hot)" "" "a stripped program has no name for it"
why "no symbol at these addresses"
size=$(stat -c %s "$tmp/right")
for cut in 300 $((size / 2)) $((size - 100)); do
	head -c "$cut" "$tmp/right" >"$app"
	found=$(hot)
	[ -z "$found" ] || [ "$found" = right ]
	ok $? "a program cut at $cut has no name, or the right one"
	said bad-elf
	grep -q '(stripped)' "$tmp/err"
	is $? 1 "... and is not said to be stripped"
done
head -c 300 "$tmp/right" >"$app"
is "$(hot)" "" "one without sections has no name"
why "the file is damaged"
"$COLDPERF" report --cache /none --section to-get-names "$tmp/data" \
	>"$tmp/out" 2>/dev/null
grep -q "tar -chzf symbols.tar.gz .*/app'" "$tmp/out"
ok $? "... and the report asks for the whole file" ||
	diag "$(cat "$tmp/out")"
: >"$app"
is "$(hot)" "" "an empty file names nothing"
why "the file is damaged"
echo 'no program' >"$app"
is "$(hot)" "" "nor does a text"
said bad-elf
rm "$app"
is "$(hot)" "" "nor a file that is gone"
said no-object
why "not found"

# Without .dynsym too nothing is left: not the same as a file that is gone.
if program "$app" right 16 -Wl,--build-id -static 2>"$tmp/err"; then
	live_record "$tmp/data" -e cpu-clock:u -F 999 -g "$app"
	strip "$app"
	is "$(hot)" "" "a static program that was stripped names nothing"
	said '(stripped): .*app$'
	grep -q no-object "$tmp/err"
	[ $? -ne 0 ]
	ok $? "... it was found"
else
	skip "no static libc" 3
fi

# Without build IDs the mapping, the inode and the time decide.
program "$app" right 16 -Wl,--build-id=none
live_record "$tmp/data" -e cpu-clock:u -F 999 -g "$app"
cp -p "$app" "$tmp/right"
is "$(hot)" right "without a build ID: the file that was mapped"
"$COLDPERF" quality --cache /none -f json "$tmp/data" 2>/dev/null |
	tr -d ' \n' >"$tmp/out"
grep -Eq '"key":"absent",[^}]*"value":(0\.[1-9]|1)' "$tmp/out"
ok $? "... and counts as unverified"
program "$tmp/other" wrong 20000 -Wl,--build-id=none
mkdir -p "$tmp/rootfs/$tmp"
cp "$tmp/other" "$tmp/rootfs/$app"
is "$(hot --no-local --symbols "$tmp/rootfs")" "" \
	"... not one that would be mapped otherwise"
said build-id-mismatch
cp "$tmp/right" "$tmp/rootfs/$app"
is "$(hot --no-local --symbols "$tmp/rootfs")" right "... a copy elsewhere is"
rm "$app"
cp -p "$tmp/right" "$app"
touch -d '1 minute' "$app" 2>/dev/null
is "$(hot)" "" "... not one that was written since"
said build-id-mismatch

# kallsyms of another kernel, and of another boot.
capture=$top_srcdir/corpus/good-fp/perf.data
"$COLDPERF" dump "$capture" 2>/dev/null | sed -n \
	's/.*addr=0x\([0-9a-f]*\) len=0x\([0-9a-f]*\) pgoff=.*kallsyms\]_text.*/\1 \2/p' |
	head -n 1 >"$tmp/map"
read -r start size <"$tmp/map"
if [ -n "$start" ]; then
	python3 - "$start" "$size" "$tmp" <<'END'
import sys
start, size, folder = int(sys.argv[1], 16), int(sys.argv[2], 16), sys.argv[3]
def write(name, base, length):
    with open(folder + "/" + name, "w") as f:
        f.write("%016x T _text\n" % base)
        for at in range(0x1000, length, 0x1000):
            f.write("%016x T f%x\n" % (base + at, at))
        f.write("%016x T _etext\n" % (base + length))
        f.write("%016x B _end\n" % (base + length + 0x2000000))
write("k.same", start, size)
write("k.boot", start + 0x3a00000, size)
write("k.other", start, size - 0x5678)
END
	frames() {
		"$COLDPERF" script --no-local --cache /none --symbols "$1" \
			"$capture" 2>"$tmp/err" | grep kernel.kallsyms
	}
	frames "$tmp/k.same" >"$tmp/same"
	frames "$tmp/k.boot" >"$tmp/boot"
	same "$tmp/boot" "$tmp/same" "kallsyms of another boot slides"
	[ "$(grep -c '+0x' "$tmp/same")" -gt 0 ]
	ok $? "... and names the kernel"
	frames "$tmp/k.other" | grep -v unknown >"$tmp/other"
	is "$(cat "$tmp/other")" "" "kallsyms of another kernel names nothing"
	said build-id-mismatch
else
	skip "the corpus has no kernel map"
fi
done_testing
