#!/bin/sh
# SPDX-License-Identifier: MIT
# Debug sections are the same however they are packed, and those of a
# relocatable file are what eu-strip makes of them.
. "$top_srcdir/tests/lib.sh"

read_them=$top_builddir/tests/symbolize/debug-sections

for tool in gcc objcopy; do
	command -v $tool >/dev/null || skip_all "no $tool"
done
cat >"$tmp/a.c" <<'END'
#include <stdlib.h>
static inline int twice(int x) { return abs(x) * 2; }
int quad(int x) { return twice(twice(x)); }
static int (*volatile table[])(int) = { quad, abs };
int main(int argc, char **argv) { return table[argc & 1](argc); }
END
gcc -g -O2 -o "$tmp/plain" "$tmp/a.c" || skip_all "gcc does not work"

for how in zlib zlib-gnu zstd; do
	if objcopy --compress-debug-sections=$how "$tmp/plain" \
		"$tmp/$how" 2>"$tmp/err"; then
		try "$how" "$read_them" "$tmp/plain" "$tmp/$how"
	else
		skip "objcopy cannot $how"
	fi
done

# No other section than .text is mentioned: eu-strip gives all address 0.
gcc -g1 -O2 -Dmain=other -c -o "$tmp/a.o" "$tmp/a.c"
if command -v eu-strip >/dev/null && eu-strip --reloc-debug-sections \
	-f "$tmp/a.debug" -o "$tmp/a.stripped" "$tmp/a.o" 2>"$tmp/err"; then
	try "relocated" "$read_them" "$tmp/a.o" "$tmp/a.debug"
else
	skip "no eu-strip"
fi
for how in zlib zstd; do
	objcopy --compress-debug-sections=$how "$tmp/a.o" "$tmp/z.o" \
		2>"$tmp/err" || continue
	[ -e "$tmp/a.debug" ] || continue
	try "relocated and $how" "$read_them" "$tmp/z.o" "$tmp/a.debug"
done
size=$(stat -c %s "$tmp/zlib")
damaged=0
for at in $(seq 600 97 "$size"); do
	cp "$tmp/zlib" "$tmp/bad"
	printf '\377\377\377\377\377\377\377\377' | dd of="$tmp/bad" bs=1 \
		seek="$at" conv=notrunc 2>"$tmp/err"
	"$read_them" "$tmp/plain" "$tmp/bad" >"$tmp/out" 2>&1
	[ $? -le 2 ] || { diag "died of damage at $at"; damaged=1; }
done
ok $damaged "damage is survived"
done_testing
