#!/bin/sh
# SPDX-License-Identifier: MIT
# Every view of the pages of six captures, to be looked at: needs what flame.t
# needs.  The pictures are left in $SHOTS, or in tests/browser/shots of the
# build.
# shellcheck source=tests/lib.sh
. "$top_srcdir/tests/lib.sh"
# shellcheck source=tests/browser/browser.sh
. "$top_srcdir/tests/browser/browser.sh"

SHOTS=${SHOTS:-$top_builddir/tests/browser/shots}
export SHOTS
mkdir -p "$SHOTS" && rm -f "$SHOTS"/*-*-*.png || exit 99

# page NAME CAPTURE [SYMBOLS]
page() {
	set -- "$1" "$2" "${3:-none}"
	[ -d "$3" ] || set -- "$1" "$2"
	"$COLDPERF" report --no-local -o "$tmp/$1.html" ${3:+--symbols "$3"} \
		"$2" 2>/dev/null
	[ -s "$tmp/$1.html" ] || exit 99
}

case_page() {
	page "$1" "$top_srcdir/corpus/$2/perf.data" "$top_srcdir/corpus/$2/symbols"
}

# recorded NAME "OPTIONS" PROGRAM ARGUMENT...
recorded() {
	name=$1 options=$2 program=$tmp/bin/$3
	shift 3
	command -v perf >/dev/null || return 1
	# shellcheck disable=SC2086 # one word each
	timeout 20 perf record -q -o "$tmp/$name.data" $options -- "$program" "$@" \
		>/dev/null 2>"$tmp/$name.err" && [ -s "$tmp/$name.data" ] &&
		page "$name" "$tmp/$name.data" "$tmp/bin"
}

# What cannot be recorded here has a capture of the corpus.
instead() {
	echo "# $1 is $2: perf, or its program, failed here"
	sed 's/^/# /' "$tmp/$1.err" 2>/dev/null
	case_page "$1" "$2"
}

mkdir "$tmp/bin"
cat >"$tmp/words.cc" <<'C'
#include <algorithm>
#include <map>
#include <string>
#include <vector>
namespace text {
template <typename Key> struct Counter {
	std::map<Key, int> seen;
	__attribute__((noinline)) void add(const Key &key) { seen[key]++; }
};
__attribute__((noinline)) static std::vector<std::string> words(int n)
{
	std::vector<std::string> all;
	for (int i = 0; i < n; i++)
		all.push_back("word number " + std::to_string(i * 7919 % n));
	std::sort(all.begin(), all.end());
	return all;
}
}
int main()
{
	text::Counter<std::string> counter;
	for (int i = 0; i < 150; i++)
		for (const std::string &word : text::words(4000))
			counter.add(word);
	return counter.seen.empty();
}
C

case_page cpu good-fp
case_page sched good-sched
case_page jit good-jit
case_page damaged bad-killed
# Without --switch-events a capture of own threads has no states of theirs.
{ "${CC:-cc}" -O1 -g -fno-omit-frame-pointer -pthread -o "$tmp/bin/waits" \
	"$top_srcdir/corpus/workloads/waits.c" 2>/dev/null && recorded mixed \
	"-e cpu-clock,sched:sched_switch,sched:sched_waking -F 499 -g --switch-events" \
	waits futex 60
} || instead mixed good-switch
{ g++ -O1 -g -o "$tmp/bin/words" "$tmp/words.cc" 2>/dev/null &&
	recorded cpp "-e cpu-clock -F 499 --call-graph dwarf,8192" words
} || instead cpp good-dwarf
browse shots.js
