#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds and tests everything from nothing: `./check.sh`.
#
#	--quick      gcc only, without the sanitizers
#	--distcheck  make distcheck as well
#	--fuzz       each fuzz target for FUZZ_SECONDS (60) instead of the tests
#	--no-deps    installs nothing
#
# Builds are made in build-gcc, build-clang and build-fuzz.  The last line is
# `N passed, N failed`; the status is 0 only when nothing failed and something
# passed.
set -u
cd "$(dirname "$0")" || exit 1
top=$PWD

quick='' distcheck='' fuzz='' deps=1
for arg; do
	case $arg in
	--quick) quick=1 ;;
	--distcheck) distcheck=1 ;;
	--fuzz) fuzz=1 ;;
	--no-deps) deps= ;;
	*)
		sed -n '3,13s/^# \{0,1\}//p' "$0" >&2
		exit 2
		;;
	esac
done

jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
passed=0 failed=0 skipped=0

step() {
	printf '== %s\n' "$*"
}

# A step that is no test suite counts as one point when it fails.
broken() {
	printf 'not ok - %s\n' "$*"
	failed=$((failed + 1))
}

finish() {
	if [ "$skipped" -gt 0 ]; then
		printf '%d passed, %d failed, %d skipped\n' "$passed" "$failed" \
			"$skipped"
	else
		printf '%d passed, %d failed\n' "$passed" "$failed"
	fi
	[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
	exit $?
}

# Ubuntu's perf is a wrapper that wants the running kernel's own.
find_perf() {
	perf --version >/dev/null 2>&1 && return 0
	for p in /usr/lib/linux-tools/*/perf /usr/lib/linux-tools-*/perf; do
		if "$p" --version >/dev/null 2>&1; then
			PATH=$(dirname "$p"):$PATH
			export PATH
			return 0
		fi
	done
}

# build FOLDER CONFIGURE-ARGUMENTS...
build() {
	dir=$1
	shift
	step "build in $dir"
	mkdir -p "$top/$dir" && cd "$top/$dir" || return 1
	"$top/configure" -q "$@" >configure.out 2>&1 || {
		tail -n 40 configure.out config.log
		return 1
	}
	make -s -j "$jobs" >make.out 2>&1 || {
		tail -n 60 make.out
		return 1
	}
}

# Adds up what the TAP driver wrote for each point of each test.
count() {
	find "$1" -name '*.trs' -exec cat {} + | awk -v dir="$1" '
	/^:test-result: (PASS|XFAIL)/ { p++ }
	/^:test-result: (FAIL|ERROR|XPASS)/ { f++ }
	/^:test-result: SKIP/ { s++ }
	END { print "passed=$((passed + " p + 0 "))" \
		" failed=$((failed + " f + 0 "))" \
		" skipped=$((skipped + " s + 0 "))"
	}'
}

# What the test in a browser needs; it skips without.
browser() {
	command -v npm >/dev/null || return 0
	(cd "$1" && timeout 120 make -s browser-deps) >"$1/browser.out" 2>&1 \
		</dev/null || echo "no browser test: see $1/browser.out"
}

# What fails in this build, with the lines that say why.
reasons() {
	find "$1" -name '*.trs' -exec grep -lE \
		'^:test-result: (FAIL|ERROR)' {} + |
	while read -r trs; do
		echo "-- ${trs#"$top/"}"
		grep -E -A 12 '^(# )*(not ok|Bail)|[Ss]anitizer' \
			"${trs%.trs}.log" | cut -c 1-600 | head -n 80
	done
}

# The tests whose .trs in this build tells of a failure.
failing() {
	(cd "$1" && find tests -name '*.trs' -exec grep -lE \
		'^:test-result: (FAIL|ERROR)' {} + | LC_ALL=C sort)
}

# A test that failed runs once more, alone: what failed by the load of the
# machine is told from what is wrong, which fails again.  Tests that record on
# the spot see what else this machine does, and what its recorder leaves out;
# they have two more recordings.  Each such run is printed.
again() {
	recording=$(cd "$top/$1" && make -s print-recording-tests)
	for trs in $(failing "$top/$1"); do
		t=${trs%.trs}
		[ ! -e "$top/$t.t" ] || t=$t.t
		runs=1
		case " $recording " in
		*" $t "*) runs=2 ;;
		esac
		while [ "$runs" -gt 0 ] && grep -qsE \
			'^:test-result: (FAIL|ERROR)' "$top/$1/$trs"; do
			echo "AGAIN: $t"
			reasons "$top/$1/$trs"
			(cd "$top/$1" && timeout 300 make -s check-TESTS \
				TESTS="$t") >>"$top/$1/again.out" 2>&1 \
				</dev/null
			runs=$((runs - 1))
		done
	done
}

suite() {
	dir=$1
	[ "$dir" != build-gcc ] || browser "$top/$dir"
	step "test in $dir"
	find "$top/$dir" -name '*.trs' -exec rm -f {} +
	rm -f "$top/$dir/again.out"
	before=$failed
	(cd "$top/$dir" && timeout 1500 make -s -k -j "$jobs" check) \
		>"$top/$dir/check.out" 2>&1 </dev/null
	status=$?
	grep -E '^(FAIL|ERROR|XPASS|SKIP)' "$top/$dir/check.out"
	again "$dir"
	eval "$(count "$top/$dir")"
	if [ "$failed" -ne "$before" ]; then
		reasons "$top/$dir"
	elif [ "$status" -ne 0 ] && [ ! -e "$top/$dir/again.out" ]; then
		tail -n 60 "$top/$dir/check.out"
		broken "make check in $dir ended with $status"
	fi
}

fuzz_all() {
	build build-fuzz CC=clang --enable-fuzz \
		--enable-sanitize=address,undefined || {
		broken "fuzz build"
		return
	}
	targets=$(make -s print-fuzz-targets)
	mkdir -p seeds
	find "$top/corpus" "$top/tests/fuzz/seeds" -type f -size -300k \
		\( -name '*data*' -o -path '*/seeds/*' \
		-o -path '*/symbols/*' \) |
	while read -r f; do
		cp "$f" "seeds/$(echo "${f#"$top/"}" | tr / _)"
	done
	make -s tests/tools/mkperf
	for f in "$top"/corpus/*/input.mkperf; do
		case=$(basename "$(dirname "$f")")
		tests/tools/mkperf "$f" "seeds/$case" || :
	done
	for target in $targets; do
		step "$target for ${FUZZ_SECONDS:-60} s"
		mkdir -p "$target.found"
		# shellcheck disable=SC2086
		if make -s "$target" && "./$target" -timeout=20 -verbosity=1 \
			-rss_limit_mb=2048 -max_len=300000 \
			-artifact_prefix="$target.found/" \
			-max_total_time="${FUZZ_SECONDS:-60}" \
			"$target.found" seeds >"$target.out" 2>&1; then
			tail -n 2 "$target.out"
			passed=$((passed + 1))
		else
			tail -n 60 "$target.out"
			broken "$target"
		fi
	done
}

if [ -n "$deps" ]; then
	step "install what is missing"
	.ci/deps.sh test || echo "going on without"
fi
find_perf
step "autoreconf"
autoreconf -fi >/dev/null || {
	broken autoreconf
	finish
}
if [ -n "$fuzz" ]; then
	fuzz_all
	finish
fi
if build build-gcc CC=gcc --enable-werror; then
	suite build-gcc
else
	broken "build with gcc"
fi
if [ -z "$quick" ]; then
	if build build-clang CC=clang --enable-werror \
		--enable-sanitize=address,undefined; then
		suite build-clang
	else
		broken "build with clang and sanitizers"
	fi
fi
if [ -n "$distcheck" ]; then
	step "distcheck"
	if (cd "$top/build-gcc" && make -s -j "$jobs" distcheck) \
		>"$top/build-gcc/distcheck.out" 2>&1 </dev/null; then
		passed=$((passed + 1))
	else
		tail -n 60 "$top/build-gcc/distcheck.out"
		broken distcheck
	fi
fi
finish
