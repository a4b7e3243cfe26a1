#!/bin/sh
# SPDX-License-Identifier: MIT
# Whole stacks, frame by frame, against libdwfl: captures recorded here and now
# of C, C++ exceptions, Rust, Go, compilers, hand-written assembly, interpreters,
# code made at run time, static and stripped programs; in frames.c threads,
# signal handlers, alloca, arrays of variable length, realigned frames, deep
# recursion, code that is loaded later, leaves in the vDSO.
#
# libdwfl is right where both go the whole way.  Four classes of difference are
# known, which are few, and in all of them we are right, as our stack ends at the
# outermost frame:
#	stopped  libdwfl's stack is the beginning of ours.  In an epilogue the
#	         table says that the frame pointer is saved, but it has been
#	         restored and its slot lies below the stack: libdwfl calls it
#	         undefined, and stops where it is needed.  Or the last frame is
#	         no caller but a function that handlers or coroutines return
#	         to: libdwfl looks one byte before it, finds no table and stops.
#	wild     libdwfl's stack leads out of all mappings: code without a table,
#	         where it takes the frame pointer for one and we look at the
#	         instructions.
#	skipped  libdwfl's stack lacks frames of ours, for the same reason: in code
#	         that node makes it takes a frame pointer for the leaf's.
#	beyond   libdwfl's stack goes on behind ours.  Go's runtime has called
#	         something on a thread's own stack (systemstack, mcall, morestack),
#	         or nobody has called it (clone, rt0_go, goexit): what lies there
#	         is no return address, but its tables do not say so.
# Everything else may be one sample in 3333, in each capture and of all.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/live/live.sh"

dwfl=$top_builddir/tests/unwind/dwfl-stacks
[ -x "$dwfl" ] || skip_all "built without libdw (Debian: libdw-dev)"
live_begin
work=$top_srcdir/tests/unwind/work

# field LINE NAME: the number behind a word.
field() {
	printf '%s\n' "$1" | sed "s/.* $2 \([0-9]*\).*/\1/"
}

all_samples=0 all_equal=0 all_explained=0
rate=1999
! sanitized || rate=999

# compare NAME STACK-BYTES COMMAND...: records and compares.  Of 20 stacks 19
# must be equal, but for what libdwfl has beyond, fewer ($least) where code has
# no tables.
least=19
compare() {
	name=$1
	size=$2
	shift 2
	live_record "$tmp/$name.data" -m 128 -e cpu-clock -F $rate \
		--call-graph "dwarf,$size" -- "$@" >/dev/null || {
		skip "$name: cannot be recorded"
		return
	}
	"$dwfl" "$tmp/$name.data" >"$tmp/$name.out" 2>"$tmp/$name.err" || {
		ok 1 "$name: $dwfl ended with $?"
		sed 's/^/# /' "$tmp/$name.err" | head -n 4
		return
	}
	last=" $(tail -n 1 "$tmp/$name.out")"
	samples=$(field "$last" samples) equal=$(field "$last" equal)
	stopped=$(field "$last" stopped) wild=$(field "$last" wild)
	skipped=$(field "$last" skipped) beyond=$(field "$last" beyond)
	explained=$((equal + stopped + wild + skipped + beyond))
	all_samples=$((all_samples + samples))
	all_equal=$((all_equal + equal))
	all_explained=$((all_explained + explained))
	[ "${samples:-0}" -ge 50 ] &&
		[ $(((equal + beyond) * 20)) -ge $((samples * least)) ] &&
		[ $(((samples - explained) * 3333)) -le "$samples" ]
	ok $? "$name:$last" || {
		grep -v '^samples\|^stopped\|^wild\|^skipped\|^beyond\|^ns' "$tmp/$name.out" |
			cut -c 1-600 | head -n 4 | sed 's/^/# /'
		sed 's/^/# /' "$tmp/$name.err" | head -n 2
	}
	rm -f "$tmp/$name.data"
}

# build NAME SOURCE COMPILER OPTIONS...
build() {
	out=$1 source=$2
	shift 2
	command -v "$1" >/dev/null && "$@" -o "$tmp/$out" "$work/$source" \
		>"$tmp/build.out" 2>&1
}

for cc in gcc clang; do
	for opt in -O0 -O2; do
		build "frames$cc$opt" frames.c $cc $opt -pthread \
			-fomit-frame-pointer &&
			compare "frames$cc$opt" 16384 "$tmp/frames$cc$opt"
	done
done
build framesstripped frames.c gcc -O2 -pthread -s &&
	compare framesstripped 16384 "$tmp/framesstripped"
build framesstatic frames.c gcc -O2 -pthread -static &&
	compare framesstatic 16384 "$tmp/framesstatic"
build framesdebug frames.c gcc -O2 -g -pthread -gz \
	-fno-asynchronous-unwind-tables -fno-unwind-tables &&
	compare framesdebug 16384 "$tmp/framesdebug"

# The same without a table in the program: its debug file has it.
if [ -x "$tmp/framesdebug" ] && command -v objcopy >/dev/null; then
	cp "$tmp/framesdebug" "$tmp/framessplit"
	objcopy --only-keep-debug "$tmp/framessplit" "$tmp/framessplit.debug" &&
		objcopy --strip-all --add-gnu-debuglink="$tmp/framessplit.debug" \
			"$tmp/framessplit"
	if live_record "$tmp/split.data" -e cpu-clock -F 499 \
		--call-graph dwarf,16384 -- "$tmp/framessplit" >/dev/null; then
		"$COLDPERF" unwind -f csv --symbols "$tmp/framessplit.debug" \
			"$tmp/split.data" 2>/dev/null |
			awk -F , '$4 ~ /^[0-9]+$/ { n += $4 }
				$5 == "complete" { c += $4 }
				END { print c + 0, n + 0 }' >"$tmp/split.out"
		read -r complete stacks <"$tmp/split.out"
		[ "$stacks" -ge 20 ] &&
			[ $((complete * 20)) -ge $((stacks * 19)) ]
		ok $? "the table is in the debug file: $complete of $stacks complete"
	else
		skip "the split program cannot be recorded"
	fi
fi
build throwg++ throw.cc g++ -O2 && compare throwg++ 16384 "$tmp/throwg++"
build throwclang++ throw.cc clang++ -O1 &&
	compare throwclang++ 16384 "$tmp/throwclang++"

cat >"$tmp/compile.c" <<'END'
#include <ctype.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define F(n) static int f##n(int *a, int c, const char *s) { int r = 0; \
	for (int i = 0; i < c; i++) switch ((a[i] ^ i) & 7) { \
	case 0: r += a[i] * n; break; case 1: r ^= (int)strlen(s) + i; break; \
	case 2: for (int q = 0; q < r; q++) a[q & 7] += r * q; break; \
	case 3: r -= (int)floor(r / 3.0); break; default: r = r * 3 + i; } \
	return r; }
#define G(n) F(n##0) F(n##1) F(n##2) F(n##3) F(n##4) F(n##5) F(n##6) F(n##7)
G(1) G(2) G(3) G(4) G(5) G(6) G(7) G(8)
int (*all[])(int *, int, const char *) = { f10, f21, f32, f43, f54, f65, f76,
	f87, f11, f22, f33, f44, f55, f66, f77, f80 };
END
for cc in gcc clang; do
	command -v $cc >/dev/null && compare "$cc" 32768 \
		$cc -O3 -c "$tmp/compile.c" -o "$tmp/compile.o"
done
command -v openssl >/dev/null && compare openssl 8192 openssl speed \
	-seconds 1 -elapsed -bytes 1024 aes-128-cbc ecdsap256 rsa2048
for python in /usr/bin/python3 "$(command -v python3)"; do
	[ -x "$python" ] && break
done
[ -x "$python" ] && compare python 32768 "$python" -c '
import json, re
for i in range(8):
    d = {str(k): [k] * 5 for k in range(3000)}
    json.loads(json.dumps(d))
    re.sub("[0-9]+", lambda m: str(int(m[0]) + 1), json.dumps(d))
'
build mixed mixed.rs rustc -O && compare rust 16384 "$tmp/mixed"
command -v go >/dev/null && env GOCACHE="$tmp/go-cache" GO111MODULE=off GOFLAGS= \
	GOTOOLCHAIN=local go build -o "$tmp/mixedgo" "$work/mixed.go" \
	>"$tmp/build.out" 2>&1 && compare go 16384 "$tmp/mixedgo"
least=16
command -v node >/dev/null && compare node 32768 node "$work/mixed.js"
[ "$all_samples" -gt 0 ] &&
	[ $(((all_samples - all_explained) * 3333)) -le "$all_samples" ]
ok $? "of $all_samples stacks $all_equal are equal, $all_explained explained"
done_testing
