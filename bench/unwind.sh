#!/bin/sh
# SPDX-License-Identifier: MIT
#
# bench/unwind.sh CAPTURE [RUNS [DEEP]]: flame graph of user stacks against perf
# script --no-inline over the same capture, in CPU time (user and system);
# then unwinding alone, per frame, and what libdwfl takes for the same stacks;
# these also of DEEP, whose stacks are deeper.  Captures that are not there are
# recorded, 8 KiB of stack a sample: gcc compiling a generated file, and
# clang++ -O2 compiling a file of regular expressions.
#
# Runs take turns, medians of RUNS (default 5) count.  Unwinding alone is the
# first pass over all stacks (cold), and the best of as many more as make a
# million frames (warm); libdwfl makes one pass.
#
#	COLDPERF	the program (default: coldperf of the build folder)
#	BENCH_BIN	where measure and unwind are (default: bench)
#	DWFL_STACKS	tests/unwind/dwfl-stacks, if libdw was there
set -eu

capture=${1:?usage: unwind.sh CAPTURE [RUNS]}
runs=${2:-5}
deep=${3:-}
dwfl=${DWFL_STACKS:-tests/unwind/dwfl-stacks}
bin=${BENCH_BIN:-bench}
coldperf=${COLDPERF:-./coldperf}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# A function calls those before it; the optimizer has much to think about.
generate() {
	awk 'BEGIN {
		srand(7)
		print "#include <string.h>"
		for (i = 0; i < 260; i++) {
			printf "static int f%d(int *a, int n, const char *s) " \
				"{ int r = 0; for (int i = 0; i < n; i++) " \
				"switch ((a[i] ^ i) & 15) {\n", i
			for (c = 0; c < 16; c++) {
				k = int(rand() * 1000) + 1
				printf "case %d: ", c
				if (i && rand() < .3)
					printf "r += f%d(a + 1, n - 1, s);", \
						int(rand() * i)
				else
					printf "r ^= a[i] * %d + " \
						"(int)strlen(s);", k
				printf " if (r > %d) r -= i * %d; else for " \
					"(int q = 0; q < r; q++) a[q & 7] += " \
					"r * q; break;\n", k, c
			}
			print "} return r; }"
		}
		print "int main(int c, char **v) { int a[64] = { c }, r = 0;"
		for (i = 0; i < 260; i++)
			printf "r += f%d(a, 8, v[0]);\n", i
		print "return r; }"
	}'
}

# Each pattern is a function that makes the compiler instantiate and inline.
regexes() {
	awk 'BEGIN {
		print "#include <regex>\n#include <map>\n#include <string>"
		for (i = 0; i < 12; i++)
			printf "template <class T> static long " \
				"f%d(const T &s) { std::map<T, int> m; " \
				"std::basic_regex<typename T::value_type> " \
				"r(T(s.begin(), s.end())); for (" \
				"std::regex_iterator<typename " \
				"T::const_iterator> " \
				"i(s.begin(), s.end(), r), e; " \
				"i != e; ++i) m[i->str()] += %d; " \
				"return (long)m.size(); }\n", i, i + 1
		print "long all(const std::string &s, const std::wstring &w) " \
			"{ long n = 0;"
		for (i = 0; i < 12; i++)
			printf "n += f%d(s) + f%d(w);\n", i, i
		print "return n; }"
	}'
}

# record CAPTURE COMMAND...
record() {
	to=$1
	shift
	perf record -q -e cpu-clock -F 999 --call-graph dwarf,8192 \
		-o "$to" -- "$@" >&2
}

if [ ! -e "$capture" ]; then
	generate >"$work/big.c"
	record "$capture" gcc -O2 -c "$work/big.c" -o "$work/big.o"
fi
if [ -n "$deep" ] && [ ! -e "$deep" ]; then
	regexes >"$work/regexes.cc"
	record "$deep" clang++ -std=c++17 -O2 -c "$work/regexes.cc" \
		-o "$work/regexes.o"
fi

# by_libdwfl CAPTURE NS NS: its time a frame, against ours cold and warm.
by_libdwfl() {
	[ -x "$dwfl" ] || {
		echo "libdwfl: not built"
		return
	}
	"$dwfl" "$1" 2>/dev/null | awk -v c="$2" -v w="$3" '
	$1 == "ns/frame" {
		printf "libdwfl: %d ns/frame, %.0f times ours cold, " \
			"%.0f times warm\n", $5, $5 / c, $5 / w
	}'
}

alone() {
	"$bin/unwind" "$1" >"$work/alone"
	echo "unwinding alone, $2: $(cat "$work/alone")"
	# shellcheck disable=SC2046 # numbers
	by_libdwfl "$1" $(awk '{ print $6, $9 }' "$work/alone")
}

# FILE COMMAND...: CPU time and peak of one run, a line of the file.
one() {
	file=$1
	shift
	"$bin/measure" "$@" 2>"$work/err" >>"$file"
}

# FILE COLUMN
median() {
	awk -v c="$2" '{ print $c }' "$1" | sort -n |
		awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'
}

flame() {
	one "$1" "$coldperf" flame -f folded --inline=no -o /dev/null "$2"
}

cat "$capture" >"$work/null"
i=0
while [ "$i" -lt "$runs" ]; do
	flame "$work/ours" "$capture"
	one "$work/perf" perf script --no-inline -i "$capture"
	i=$((i + 1))
done
rm -f "$work/null"
"$bin/multiply" 4 "$capture" "$work/long.data"
flame "$work/long" "$work/long.data"
alone "$capture" gcc >"$work/gcc"
stacks=$(awk '{ print $2 }' "$work/alone")
awk -v o="$(median "$work/ours" 1)" -v p="$(median "$work/perf" 1)" \
	-v n="$stacks" -v m="$(median "$work/ours" 2)" \
	-v l="$(median "$work/long" 2)" 'BEGIN {
	printf "flame -f folded --inline=no: %.3f s, %.2f us a sample\n", o,
		o * 1e6 / n
	printf "perf script --no-inline: %.3f s, 1/%.1f of it\n", p, p / o
	printf "peak %.1f MiB, of four times the samples %.1f MiB\n",
		m / 1024, l / 1024
}'
cat "$work/gcc"
[ -z "$deep" ] || alone "$deep" clang
