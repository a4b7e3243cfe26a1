# shellcheck shell=sh
# SPDX-License-Identifier: MIT
# The Test Anything Protocol for tests written in POSIX sh; sourced, not run.
#
# A test begins with `. "$top_srcdir/tests/lib.sh"`, states its points with the
# functions below and ends with `done_testing`.  It finds coldperf in $COLDPERF
# and a folder of its own in $tmp, removed at exit.  make sets the variables;
# started by hand, a test is given top_srcdir and top_builddir.
#
#	ok STATUS TEXT...       a point that held if STATUS is 0
#	try TEXT COMMAND...     a point that held if the command succeeded
#	is GOT WANT TEXT...     two strings are the same
#	same GOT WANT TEXT...   two files are the same; shows the difference
#	skip REASON...          a point that could not be tried, and why
#	skip_all REASON...      ends the test: nothing of it can be tried, or
#	                        nothing more after the points that were
#	diag TEXT...            a remark
#	sanitized               whether coldperf has sanitizers: all is slower
#	CASE=word               in the environment: only points that have the word
#	nightly                 whether all is tried, also what changes rarely
#	corpus FOLDER           fills the folder with all captures of the corpus
#	                        as CASE.data, the synthetic ones compiled

: "${top_srcdir:?is not set}"
: "${top_builddir:=.}"
: "${COLDPERF:=$top_builddir/coldperf}"
LC_ALL=C
TZ=UTC
export LC_ALL TZ
unset DEBUGINFOD_URLS COLDPERF_PLUGIN_PATH PERF_BUILDID_DIR COLDPERF_OPTIONS
XDG_CONFIG_HOME=/nonexistent/none
export XDG_CONFIG_HOME
DEBUGINFOD_CACHE_PATH=/nonexistent/none
export DEBUGINFOD_CACHE_PATH

tap_points=0
tap_failures=0
tmp=$(mktemp -d "${TMPDIR:-/tmp}/coldperf-test.XXXXXX") || exit 99
trap 'rm -rf "$tmp"' EXIT
# What perf and rustup keep in the user's folder: a test has a folder of its
# own, so that no kernel is named by what somebody recorded.
: "${RUSTUP_HOME=${HOME-}/.rustup}"
HOME=$tmp/nobodys
mkdir "$HOME"
export HOME RUSTUP_HOME
trap 'exit 99' HUP INT TERM

ok() {
	tap_status=$1
	shift
	case "$*" in
	*"${CASE-}"*) ;;
	*) return "$tap_status" ;;
	esac
	tap_points=$((tap_points + 1))
	if [ "$tap_status" -eq 0 ]; then
		printf 'ok %d - %s\n' "$tap_points" "$*"
	else
		printf 'not ok %d - %s\n' "$tap_points" "$*"
		tap_failures=$((tap_failures + 1))
	fi
	return "$tap_status"
}

try() {
	tap_text=$1
	shift
	"$@" >"$tmp/try.out" 2>&1
	ok $? "$tap_text" || { sed 's/^/# /' "$tmp/try.out" | head -n 40; false; }
}

is() {
	tap_got=$1
	tap_want=$2
	shift 2
	[ "$tap_got" = "$tap_want" ]
	ok $? "$*" || {
		diag "got  $tap_got"
		diag "want $tap_want"
		false
	}
}

same() {
	tap_got=$1
	tap_want=$2
	shift 2
	diff "$tap_got" "$tap_want" >"$tmp/same.diff" 2>&1
	ok $? "$*" || { sed 's/^/# /' "$tmp/same.diff" | head -n 40; false; }
}

skip() {
	tap_points=$((tap_points + 1))
	printf 'ok %d # SKIP %s\n' "$tap_points" "$*"
}

skip_all() {
	[ "$tap_points" -eq 0 ] || {
		skip "the rest: $*"
		done_testing
	}
	printf '1..0 # SKIP %s\n' "$*"
	exit 0
}

# Skips all without a node that reads pages; and with sanitizers, which tell
# nothing of a page's script and take a minute.
need_node() {
	! sanitized || skip_all "what pages count is tested without sanitizers"
	command -v node >/dev/null || skip_all "node is not installed"
	# Node takes the quotes away.
	# shellcheck disable=SC2089,SC2090
	NODE_OPTIONS="--require \"$top_srcdir/tests/page/raw-deflate.cjs\""
	# shellcheck disable=SC2090
	export NODE_OPTIONS
	node -e 'new DecompressionStream("deflate-raw")' 2>/dev/null ||
		skip_all "node is too old: it has no streams that inflate"
}

diag() {
	printf '%s\n' "$*" | sed 's/^/# /'
}

done_testing() {
	printf '1..%d\n' "$tap_points"
	[ "$tap_failures" -eq 0 ] && [ "$tap_points" -ne 0 ]
	exit $?
}

sanitized() {
	[ -n "${SAN_FLAGS:-}" ]
}

nightly() {
	[ -n "${NIGHTLY-}" ]
}

corpus() {
	mkdir -p "$1"
	for tap_case in "$top_srcdir"/corpus/*-*/; do
		tap_case=${tap_case%/}
		tap_data=$1/${tap_case##*/}.data
		if [ -e "$tap_case/perf.data" ]; then
			cp -R "$tap_case/perf.data" "$tap_data"
		elif [ -e "$tap_case/input.mkperf" ]; then
			"$top_builddir/tests/tools/mkperf" \
				"$tap_case/input.mkperf" "$tap_data" ||
				diag "$tap_case was not compiled"
		fi
	done
	chmod -R u+w "$1"
}
