#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds and tests everything from nothing: `./check.sh`.
#
#	--quick      gcc only, without the sanitizers
#	--nightly    the long sweeps as well
#	--distcheck  make distcheck as well
#	--packages   builds what is shipped, instead of the tests
#	--fuzz [N]   each fuzz target for N seconds (60) instead of the tests
#	--coverage   the tests once, and which lines and branches they reach
#	--no-deps    installs nothing
#
# Builds are made in build-gcc, build-clang, build-fuzz and build-coverage.  The
# last line is `N passed, N failed`; the status is 0 only when nothing failed
# and something passed.
set -u
cd "$(dirname "$0")" || exit 1
top=$PWD

usage() {
	sed -n '3,16s/^# \{0,1\}//p' "$0" >&2
	exit 2
}

quick='' nightly='' distcheck='' packages='' fuzz='' coverage='' deps=1
while [ $# -gt 0 ]; do
	case $1 in
	--quick) quick=1 ;;
	--nightly) nightly=1 ;;
	--distcheck) distcheck=1 ;;
	--packages) packages=1 ;;
	--fuzz)
		fuzz=60
		case ${2-} in
		[1-9]*)
			fuzz=$2
			shift
			;;
		esac
		;;
	--coverage) coverage=1 ;;
	--no-deps) deps= ;;
	*) usage ;;
	esac
	shift
done
case $fuzz in
*[!0-9]*) usage ;;
esac

jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
passed=0 failed=0 skipped=0
start=$(date +%s)

step() {
	printf '== %s (at %d s)\n' "$*" $(($(date +%s) - start))
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
	[ "$dir$packages" != build-gcc ] || for_tests "$PWD" &
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

need() {
	[ -z "$deps" ] || "$top/.ci/deps.sh" "$1" || echo "going on without"
}

# Loads what only tests need, while the compiler works.  A test skips where a
# program or what it needs in a browser is missing.
for_tests() {
	need test
	(cd "$1" && timeout 120 make -s darwin-headers) >"$1/darwin.out" 2>&1 \
		</dev/null || echo "macOS is not checked: see $1/darwin.out"
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
	wait
	find_perf
	step "test in $dir"
	find "$top/$dir" -name '*.trs' -exec rm -f {} +
	rm -f "$top/$dir/again.out"
	before=$failed
	# Two more than there are CPUs: tests wait for perf and for browsers.
	(cd "$top/$dir" && timeout 1500 make -s -k -j $((jobs + 2)) check) \
		>"$top/$dir/check.out" 2>&1 </dev/null
	status=$?
	[ -z "$nightly" ] || (cd "$top/$dir" && make -s -k -j "$jobs" \
		check-nightly) >>"$top/$dir/check.out" 2>&1 </dev/null
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

# Builds the targets and their seeds as OSS-Fuzz does.
fuzz_build() {
	san=-fsanitize=address,undefined,fuzzer-no-link
	mkdir -p "$top/build-fuzz/src"
	ln -sfn "$top" "$top/build-fuzz/src/coldperf"
	env SRC="$top/build-fuzz/src" WORK="$top/build-fuzz/work" \
		OUT="$top/build-fuzz/out" CC=clang CXX=clang++ \
		CFLAGS="-O1 -g $san -fno-sanitize-recover=all" CXXFLAGS="$san" \
		LIB_FUZZING_ENGINE=-fsanitize=fuzzer \
		bash contrib/oss-fuzz/build.sh >"$top/build-fuzz/build.out" 2>&1
}

# What was found by earlier runs stays in build-fuzz/corpus.
fuzz_one() {
	dict=$("$top/tests/fuzz/dictionary.sh" "$1")
	mkdir -p "corpus/$1" "findings/$1"
	# shellcheck disable=SC2086 # no word without a dictionary
	ASAN_OPTIONS=allocator_may_return_null=1 "out/$1" ${dict:+-dict=$dict} \
		-fork="$jobs" -ignore_timeouts=0 -ignore_ooms=0 -timeout=20 \
		-rss_limit_mb=2048 -max_len=300000 -max_total_time="$fuzz" \
		-artifact_prefix="findings/$1/" \
		"corpus/$1" work/seeds >"$1.out" 2>&1 </dev/null &&
		[ -z "$(ls "findings/$1")" ]
}

fuzz_all() {
	step "build in build-fuzz"
	mkdir -p build-fuzz
	fuzz_build || {
		tail -n 60 build-fuzz/build.out
		broken "fuzz build"
		return
	}
	cd build-fuzz || return
	for target in $(make -s -C work/fuzz print-fuzz-targets); do
		name=${target##*/}
		step "$name for $fuzz s"
		if fuzz_one "$name"; then
			grep -E 'cov:' "$name.out" | tail -n 1
			passed=$((passed + 1))
		else
			tail -n 60 "$name.out"
			find "$top/build-fuzz/findings/$name" -type f
			broken "$name"
		fi
	done
}

# The lines and branches of readers/ and symbolize/ that tests reach.
coverage_report() {
	gcovr -j "$jobs" -r "$top" --gcov-ignore-parse-errors \
		--exclude-unreachable-branches \
		-f "$top/readers/" -f "$top/symbolize/" \
		--json-summary coverage.json --txt coverage.txt \
		readers symbolize >gcovr.out 2>&1 || tail -n 20 gcovr.out
	if python3 "$top/tests/coverage.py" coverage.json; then
		passed=$((passed + 1))
	else
		broken "coverage is less than wanted"
	fi
}

# The files that gcov writes make tests fail that count files and system
# calls: failures are shown, and do not decide.
coverage_all() {
	build build-coverage CC=gcc --enable-coverage || {
		broken "build for coverage"
		return
	}
	step "test in build-coverage"
	find_perf
	find . -name '*.gcda' -exec rm -f {} +
	timeout 3000 make -s -k -j "$jobs" check >check.out 2>&1 </dev/null
	grep -E '^(FAIL|ERROR|XPASS)' check.out
	step coverage
	coverage_report
}

# Archive, static program and packages: each takes minutes.
packages() {
	step "packages"
	rm -f "$top"/build-gcc/tests/packages/*.trs
	(cd "$top/build-gcc" && make -s -k check-packages) \
		>"$top/build-gcc/packages.out" 2>&1 </dev/null
	grep -E '^(FAIL|ERROR|SKIP)' "$top/build-gcc/packages.out"
	eval "$(count "$top/build-gcc/tests/packages")"
	reasons "$top/build-gcc/tests/packages"
}

step "install what is missing"
if [ -n "$fuzz$coverage" ]; then
	need test
elif [ -n "$packages" ]; then
	need packages
else
	need build
fi
step "autoreconf"
autoreconf -fi >/dev/null || {
	broken autoreconf
	finish
}
if [ -n "$fuzz" ]; then
	fuzz_all
	finish
fi
if [ -n "$coverage" ]; then
	coverage_all
	finish
fi
# -O3 is for those who use it; --packages tests it.
if build build-gcc CC=gcc CFLAGS="-g1 -O2" --enable-werror; then
	if [ -n "$packages" ]; then
		packages
		finish
	fi
	suite build-gcc
else
	broken "build with gcc"
fi
wait
if [ -z "$quick" ]; then
	# What sanitizers say needs lines and no more, and compiles sooner.
	if build build-clang CC=clang CFLAGS="-O1 -gline-tables-only" \
		--enable-werror --enable-sanitize=address,undefined; then
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
