#!/bin/sh
# SPDX-License-Identifier: MIT
# diff on captures made here: a function that got 50 % slower is found, alone;
# with DIFF_RUNS=20 so many runs of the same program give no alarm.
# shellcheck source=tests/lib.sh
. "$top_srcdir/tests/lib.sh"

! sanitized || skip_all "what takes how long is judged without sanitizers"

command -v perf >/dev/null || skip_all "perf is not installed"
cat >"$tmp/work.c" <<'END'
#include <stdint.h>
#include <stdlib.h>
static volatile uint64_t sink;
#define FUNCTION(name) \
	__attribute__((noinline)) static void name(uint64_t n) \
	{ \
		uint64_t x = n; \
		for (uint64_t i = 0; i < n; i++) \
			x = x * 6364136223846793005u + (x >> 7); \
		sink = x; \
	}
FUNCTION(parse) FUNCTION(hash) FUNCTION(fold) FUNCTION(emit) FUNCTION(lookup)
int
main(int argc, char **argv)
{
	double slower = atof(argv[1]);

	for (long i = 0; i < atol(argv[2]); i++) {
		parse(120000);
		hash((uint64_t)(200000 * slower));
		fold(160000);
		emit(80000);
		lookup(240000);
	}
	return 0;
}
END
# What is inlined below is known of gcc.
cc=${CC:-cc}
command -v gcc >/dev/null && cc=gcc
$cc -O1 -g -fno-omit-frame-pointer -o "$tmp/work" "$tmp/work.c" ||
	skip_all "the workload cannot be compiled"

record() {
	perf record -q -F 5000 -e cpu-clock -g -o "$tmp/$1.data" \
		"$tmp/work" "$2" "${3:-1200}" >"$tmp/perf.out" 2>&1
}
compare() {
	"$COLDPERF" diff -f csv "$@" --fail-over 5% 2>"$tmp/err" >"$tmp/out"
}

# How many call paths changed, and where the first one ends.
found_paths() {
	"$COLDPERF" diff -f csv --section paths "$tmp/before.data" \
		"$tmp/after.data" >"$tmp/paths" 2>"$tmp/err"
	echo "$(sed 1d "$tmp/paths" | wc -l)" \
		"$(sed -n '2s/.*;\([a-z]*\)$/\1/p' "$tmp/paths")"
}

# A kernel under load lowers it: so few samples tell nothing of 50 %.
rate=$(cat /proc/sys/kernel/perf_event_max_sample_rate 2>/dev/null || echo 5000)
[ "$rate" -ge 5000 ] ||
	skip_all "this kernel allows only $rate samples a second"
record warm 1 200 || skip_all "perf record does not work here: $(head -n 1 \
	"$tmp/perf.out")"
# Other work that takes the CPUs away hides the change: three tries.
for try in 1 2 3; do
	record before 1 2000 || exit 99
	record after 1.5 2000 || exit 99
	[ "$(found_paths)" = "1 hash" ] && break
	diag "try $try: $(found_paths)"
done
compare "$tmp/before.data" "$tmp/after.data"
is $? 1 "a function that got 50 % slower: the gate fails"
# What else this machine does moves every function by some percent.
large() {
	awk -F, '($1 == "more" || $1 == "less") && $NF !~ /everything/ &&
		($2 > 0.25 || $2 < -0.25) { print $1, $NF }' "$tmp/out"
}
is "$(large)" "more hash" "it is found, alone" || diag "$(cat "$tmp/out")"
try "its change is about 50 %" awk -F, '
	$NF == "hash" { ok = $2 > 0.35 && $2 < 0.65 && $3 < 0.5 && $4 > 0.5 }
	END { exit !ok }' "$tmp/out"
compare "$tmp/after.data" "$tmp/before.data"
[ $? -ne 1 ]
ok $? "the other way round the gate does not fail"
is "$(large)" "less hash" "and it weighs less" || diag "$(cat "$tmp/out")"
is "$(found_paths | sed 's/.* //')" "hash" "its call path is found first" ||
	diag "$(cat "$tmp/paths")"

# The same code with a function elsewhere: inlined, or in another object.
cat >"$tmp/apart.c" <<'END'
#include <stdint.h>
#include <stdlib.h>
volatile uint64_t sink;
#define BODY \
	uint64_t x = n; \
	for (uint64_t i = 0; i < n; i++) \
		x = x * 6364136223846793005u + (x >> 7); \
	sink = x;
#ifdef SHARED
void fold(uint64_t n) { BODY }
#else
void fold(uint64_t);
__attribute__((HASH)) static inline void hash(uint64_t n) { BODY }
__attribute__((noinline)) static void parse(uint64_t n) { BODY }
__attribute__((noinline)) static void
step(uint64_t n)
{
	hash(n);
	parse(n);
	sink = n;
}
int
main(int argc, char **argv)
{
	for (long i = 0; i < atol(argv[2]); i++) {
		step(250000);
		fold(250000);
		sink = (uint64_t)i;
	}
	return 0;
}
#endif
END
apart() {
	mkdir -p "$tmp/$1" &&
	$cc -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls \
		-fPIC -shared -DSHARED -Wl,-soname,"$2" \
		-o "$tmp/$1/$2" "$tmp/apart.c" &&
	$cc -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls \
		-w -DHASH="$3" -o "$tmp/$1/app" "$tmp/apart.c" "$tmp/$1/$2" \
		-Wl,-rpath,"$tmp/$1" &&
	perf record -q -F 5000 -e cpu-clock -g -o "$tmp/$1.data" \
		"$tmp/$1/app" 1 500 >"$tmp/perf.out" 2>&1
}
for try in 1 2 3; do
	apart one libone.so.1.0 noinline || diag "$(cat "$tmp/perf.out")"
	apart two libtwo.so always_inline || diag "$(cat "$tmp/perf.out")"
	compare "$tmp/one.data" "$tmp/two.data"
	status=$?
	[ $status -eq 1 ] ||
		grep -q '^\(more\|less\|new\|gone\),' "$tmp/out" || break
	diag "try $try: $(sed 1d "$tmp/out")"
done
[ $status -ne 1 ]
ok $? "a function inlined, another in another object: nothing is slower"
is "$(awk -F, '$1 ~ /more|less|new|gone/ { print $1, $NF }' "$tmp/out")" "" \
	"and nothing is found" || diag "$(cat "$tmp/out")"
is "$(awk -F, '$NF == "hash"' "$tmp/out")" "" \
	"the inlined one counts as what it went into"
is "$("$COLDPERF" diff -f folded "$tmp/one.data" "$tmp/two.data" 2>/dev/null |
	grep -c ';step;hash ')" 0 "in the flame graph, too"

# How far runs of one program differ is this machine's affair; that equal runs
# give no alarm is shown by simulation (tests/analyses/simulate.t).
same_runs() {
runs=$1 alarms=0
for i in $(seq "$runs"); do
	record "same$i" 1 2000 || exit 99
	compare "$tmp/before.data" "$tmp/same$i.data"
	[ $? -ne 1 ] && ! grep -q '^\(more\|less\|new\|gone\),' "$tmp/out" || {
		alarms=$((alarms + 1))
		diag "$(grep '^[a-z]' "$tmp/out")"
	}
done
try "$runs runs of the same program: $alarms false alarms" \
	[ "$alarms" -le $((runs / 20)) ]
"$COLDPERF" diff --baseline 2 -f csv "$tmp/before.data" "$tmp/same1.data" \
	"$tmp/same2.data" "$tmp/same3.data" >"$tmp/out" 2>&1
is "$(grep -c '^\(more\|less\|new\|gone\),' "$tmp/out")" 0 \
	"two runs against two: none either"
# One against several: as runs of the same, and each by itself.
each() {
	"$COLDPERF" diff --section each -f csv "$@" 2>"$tmp/err" >"$tmp/out"
	sed 1d "$tmp/out" | awk -F, '{ n = split($NF, part, "/")
		print $1, $(NF - 1), part[n] }' | tr '\n' ' '
}
is "$(each "$tmp/before.data" "$tmp/same1.data" "$tmp/same2.data")" "" \
	"one run against two of the same: none either" ||
	diag "$(cat "$tmp/out")"
is "$(each "$tmp/before.data" "$tmp/same1.data" "$tmp/after.data" \
	"$tmp/same2.data")" "more hash after.data " \
	"one run against three: what is slower in one of them is found, alone" ||
	diag "$(cat "$tmp/out")"
}
if [ "${DIFF_RUNS:-0}" -ge 3 ]; then
	same_runs "$DIFF_RUNS"
else
	skip "runs of the same program: DIFF_RUNS=3 or more compares so many"
fi
compare "$tmp/before.data" "$tmp/before.data" --time 0%,50% --time 50%,100%
[ $? -ne 1 ]
ok $? "the halves of one capture are equal"
done_testing
