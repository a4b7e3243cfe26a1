#!/bin/sh
# SPDX-License-Identifier: MIT
# What a page carries is what `hotspots' counts, of every capture of the corpus;
# its bytes are the same for any number of workers.
# shellcheck source=tests/lib.sh
. "$top_srcdir/tests/lib.sh"

need_node

corpus "$tmp/corpus"

# page OUTPUT CAPTURE OPTION...
page() {
	output=$1
	shift
	"$COLDPERF" hotspots --no-local -f html -o "$output" "$@" \
		2>"$tmp/err"
}

mkdir "$tmp/pages" || exit 99
for capture in "$tmp"/corpus/good-*.data "$tmp"/corpus/odd-*.data; do
	name=${capture##*/}
	name=${name%.data}
	symbols=$top_srcdir/corpus/$name/symbols
	set -- "$capture"
	[ ! -d "$symbols" ] || set -- "$capture" --symbols "$symbols"
	"$COLDPERF" hotspots --no-local --by event,dso,symbol --top 0 \
		-f csv "$@" >"$tmp/pages/$name.csv" 2>/dev/null || continue
	try "$name becomes a page" page "$tmp/pages/$name.html" "$@"
done
node "$top_srcdir/tests/page/sums.js" "$tmp/pages" >"$tmp/said" 2>&1
for page in "$tmp"/pages/*.html; do
	name=${page##*/}
	name=${name%.html}
	grep -qx "right: $name" "$tmp/said"
	ok $? "$name: the page's samples are those counted"
done
sed "s|^|# |" "$tmp/said" | grep -v "^# right: "

for capture in good-waits good-sched-waits good-switch odd-waits-lost; do
	set -- "$tmp/corpus/$capture.data"
	"$COLDPERF" offcpu --no-local --top 0 -f json "$@" >"$tmp/off.json" \
		2>/dev/null
	try "$capture becomes a page" page "$tmp/page.html" "$@"
	try "$capture: threads do what offcpu says they did" \
		node "$top_srcdir/tests/page/states.js" "$tmp/page.html" \
		"$tmp/off.json"
done

# Each capture of a comparison has strings of its own.
set -- "$tmp/corpus/good-sched.data" "$tmp/corpus/good-waits.data"
symbols=$top_srcdir/corpus/good-waits/symbols
try "two captures become a page" "$COLDPERF" diff --no-local -f html \
	-o "$tmp/page.html" --symbols "$symbols" "$@"
for n in 0 1; do
	"$COLDPERF" offcpu --no-local --top 0 -f json --symbols "$symbols" \
		"$1" >"$tmp/off.json" 2>/dev/null
	try "${1##*/}: threads do what offcpu says they did, as one of two" \
		node "$top_srcdir/tests/page/states.js" "$tmp/page.html" \
		"$tmp/off.json" $n
	shift
done

for capture in good-fp good-dwarf good-tracepoints; do
	for jobs in 1 2 5; do
		page "$tmp/$jobs.html" "$tmp/corpus/$capture.data" --jobs $jobs
	done
	same "$tmp/1.html" "$tmp/2.html" "$capture: two workers write the same"
	same "$tmp/1.html" "$tmp/5.html" "$capture: five, too"
done

set -- "$tmp/corpus/good-fp.data" --symbols "$top_srcdir/corpus/good-fp/symbols"
"$COLDPERF" hotspots --no-local --by event,dso,symbol --top 0 -f csv "$@" \
	>"$tmp/hot.csv" 2>/dev/null
for most in 100 20 1; do
	page "$tmp/page.html" "$@" --page-samples $most
	try "merged into $most: the sums are the same" node \
		"$top_srcdir/tests/page/sums.js" "$tmp/page.html" "$tmp/hot.csv"
done

# Stacks of which no two are alike: stretches that merge nothing keep the time.
{
	echo 'attr cpu-clock type=1 config=0 period=1000 ids=1' \
		'sample_type=IP|TID|TIME|CPU|PERIOD|CALLCHAIN' \
		'flags=sample_id_all'
	for i in 1 2 3 4 5 6 7 8 9; do
		for k in 0 1 2 3 4 5 6 7 8 9 a b c d e f; do
			echo "sample ip=0x10$i${k}0 pid=1 tid=1 cpu=0" \
				"time=$((i * 1600 + 0x$k * 100)) period=1000" \
				"chain=user,0x10$i${k}0"
		done
	done
} >"$tmp/apart.mkperf"
"$top_builddir/tests/tools/mkperf" "$tmp/apart.mkperf" "$tmp/apart.data"
"$COLDPERF" hotspots --no-local --by event,dso,symbol --top 0 -f csv \
	"$tmp/apart.data" >"$tmp/hot.csv" 2>/dev/null
page "$tmp/page.html" "$tmp/apart.data" --page-samples 70
try "nothing to merge: there are some stretches of time" node \
	"$top_srcdir/tests/page/sums.js" "$tmp/page.html" "$tmp/hot.csv" 1000
done_testing
