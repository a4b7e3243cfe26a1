#!/bin/sh
# SPDX-License-Identifier: MIT
# The page in a real browser: needs what flame.t needs.
# shellcheck source=tests/lib.sh
. "$top_srcdir/tests/lib.sh"

# shellcheck source=tests/browser/browser.sh
. "$top_srcdir/tests/browser/browser.sh"

corpus "$tmp/corpus"

# page NAME CASE: a page of that case of the corpus
page() {
	set -- "$1" "$tmp/corpus/$2.data" --symbols \
		"$top_srcdir/corpus/$2/symbols"
	[ -d "$4" ] || set -- "$1" "$2"
	name=$1
	shift
	"$COLDPERF" "${command:-report}" --no-local -f html -o "$tmp/$name.html" "$@" \
		2>/dev/null || exit 99
}
page plain good-fp
page hostile odd-names
page empty odd-no-samples
page events good-events
page notime odd-no-time
page inherit good-group-inherit
# A stack 40 deep, of functions with long names.
mkdir "$tmp/long"
i=0 chain=
while [ $i -lt 40 ]; do
	i=$((i + 1)) at=$((4096 * i))
	printf '%x 1000 outer::inner<std::vector<int> >::step_%d(long)\n' \
		$at $i >>"$tmp/long/perf-8.map"
	chain=,$at$chain
done
cat >"$tmp/long.mkperf" <<E
attr cycles type=0 config=0 period=1000 sample_type=IP|TID|TIME|CPU|CALLCHAIN
comm 8 8 "deep"
mmap pid=8 addr=0x1000 len=0x100000 pgoff=0 name="//anon"
E
i=0
while [ $i -lt 40 ]; do
	i=$((i + 1))
	echo "sample ip=0x28000 pid=8 time=${i}000 cpu=0 chain=user$chain"
done >>"$tmp/long.mkperf"
"$top_builddir/tests/tools/mkperf" "$tmp/long.mkperf" "$tmp/long.data" ||
	exit 99
"$COLDPERF" report --no-local -f html -o "$tmp/long.html" \
	--symbols "$tmp/long" "$tmp/long.data" 2>/dev/null || exit 99
# A thread that could run for half a millisecond of 20 s.
{
	cat "$top_srcdir/corpus/good-switch-synthetic/input.mkperf"
	echo 'sample cycles ip=0x400010 pid=8 time=20000000000 period=1000'
} >"$tmp/rare.mkperf"
"$top_builddir/tests/tools/mkperf" "$tmp/rare.mkperf" \
	"$tmp/corpus/rare.data" || exit 99
page rare rare
command=hotspots page hotspots good-fp
command=quality page quality good-fp
command=sched page waits good-sched-waits
set -- --no-local "$tmp/corpus/good-fp.data" --symbols \
	"$top_srcdir/corpus/good-fp/symbols"
[ -d "$top_srcdir/corpus/good-fp/symbols" ] ||
	set -- --no-local "$tmp/corpus/good-fp.data"
"$COLDPERF" report --no-local -f html -o "$tmp/jit.html" \
	"$tmp/corpus/good-jit.data" 2>/dev/null || exit 99
"$COLDPERF" diff --no-local -f html -o "$tmp/changed.html" \
	"$tmp/corpus/good-fp.data" "$tmp/corpus/good-dwarf.data" \
	2>/dev/null || exit 99
"$COLDPERF" report -f html -o "$tmp/part.html" --pid 1-99999 --tid 1-99999 \
	--time 0.000000001,999999.999999999 --comm "known,no-such-1,no-such-2" \
	--symbol "/read|./" --dso "/known|./" "$@" 2>/dev/null || exit 99
"$COLDPERF" flame -f folded --lost-callers=mark "$@" >"$tmp/plain.folded" 2>/dev/null || exit 99
"$COLDPERF" hotspots --children --by dso,symbol --top 0 -f csv "$@" \
	>"$tmp/plain.csv" 2>/dev/null || exit 99
browse case.js
