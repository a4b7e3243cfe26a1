#!/bin/sh
# SPDX-License-Identifier: MIT
# What the page shows of a selection is what the commands print with the same
# filters, sample for sample: tables as `hotspots', stacks as `flame -f folded'.
# shellcheck source=tests/lib.sh
. "$top_srcdir/tests/lib.sh"

need_node

corpus "$tmp/corpus"
captures='good-fp good-dwarf good-lbr good-jit good-fork good-exec good-events good-waits
	good-system good-sched good-containers good-group-inherit odd-names odd-no-time
	odd-out-of-order odd-mixed-attrs good-vdso'
selections=5
! nightly || selections=20

# Threads that change between names which a list has to quote, or that are shown
# otherwise than they are.
{
	echo 'attr cycles type=0 config=0 period=1000 sample_type=IP|TID|TIME|CPU|PERIOD flags=sample_id_all|comm'
	echo 'mmap pid=8 addr=0x400000 len=0x1000 pgoff=0 name="/bin/x"'
	n=0
	for comm in a,b '(c' d '/e/,f' 'g,h)' '{' i,j a,b d '(c' i,j '{' g,h \
		'(c' a,b d '/e/,f' '{' k,l '\n\x7f' 'cut\xc3' '' k,l; do
		n=$((n + 1))
		tid=$((8 + n % 3))
		printf '%s\n' "comm 8 $tid \"$comm\" time=${n}000"
		echo "sample ip=0x400010 pid=8 tid=$tid cpu=0 time=${n}100 period=$n"
	done
} >"$tmp/corpus/names.mkperf"
"$top_builddir/tests/tools/mkperf" "$tmp/corpus/names.mkperf" \
	"$tmp/corpus/names.data" || exit 99
captures="$captures names"

# Threads of several processes whose number is not known, as while they end.
{
	echo 'attr cycles type=0 config=0 period=1000 sample_type=IP|TID|TIME|CPU|PERIOD flags=sample_id_all|comm'
	echo 'mmap pid=8 addr=0x400000 len=0x1000 pgoff=0 name="/bin/x"'
	for n in 1 2 3 4 5 6 7; do
		echo "sample ip=0x400010 pid=$((8 + n % 3)) tid=4294967295 cpu=0 time=${n}100 period=$n"
	done
} >"$tmp/corpus/ending.mkperf"
"$top_builddir/tests/tools/mkperf" "$tmp/corpus/ending.mkperf" \
	"$tmp/corpus/ending.data" || exit 99
captures="$captures ending"

# More samples and rows than intervals are measured on, in phases, with unlike
# periods.
awk 'BEGIN {
	print "attr cycles type=0 config=0 period=4999 sample_type=IP|TID|TIME|CPU|PERIOD flags=sample_id_all|comm|freq"
	for (i = 0; i < 217; i++)
		printf "mmap pid=8 addr=0x%x len=0x1000 pgoff=0 name=\"/bin/x%d\"\n",
		    4194304 + i * 4096, i
	print "comm 8 8 \"many\""
	for (i = 0; i < 70000; i++) {
		at = int(i / 90) * 7 % 13 * 4096 + i * i % 5 * 4096
		if (i % 3 == 0)
			at = (17 + int(i / 9) * 7 % 200) * 4096
		printf "sample ip=0x%x pid=8 tid=%d cpu=%d time=%d period=%d\n", 4194304 + at,
		    8 + i % 3, i % 2, 200000 * int(i / 2) + i % 2 * 700, 1000 + i % 997
	}
}' >"$tmp/corpus/many.mkperf"
"$top_builddir/tests/tools/mkperf" "$tmp/corpus/many.mkperf" \
	"$tmp/corpus/many.data" || exit 99
captures="$captures many"

for name in $captures; do
	set -- "$tmp/corpus/$name.data"
	symbols=$top_srcdir/corpus/$name/symbols
	[ ! -d "$symbols" ] || set -- "$@" --symbols "$symbols"
	"$COLDPERF" report --no-local -f html -o "$tmp/page.html" "$@" \
		2>/dev/null || exit 99
	[ "$name" != many ] || selections=5
	try "$name: a page's numbers are those of the commands" \
		node "$top_srcdir/tests/page/numbers.js" "$tmp/page.html" \
		$selections
done

# The commands of a page that was made with filters, or of several captures.
while read -r options; do
	# shellcheck disable=SC2086 # words
	set -- "$tmp/corpus/good-fp.data" $options
	"$COLDPERF" report --no-local -f html -o "$tmp/page.html" "$@" \
		2>/dev/null || exit 99
	try "a page made with $options: likewise" \
		node "$top_srcdir/tests/page/numbers.js" "$tmp/page.html" 6
done <<E
--time +50ms,+150ms
--time 20%,80% --comm known
--tid 8413,8420 --weight samples
--dso known --max-stack 2
E
"$COLDPERF" report --no-local -f html -o "$tmp/page.html" \
	"$tmp/corpus/good-fp.data" "$tmp/corpus/good-jit.data" 2>/dev/null ||
	exit 99
try "a page of several captures: likewise" node \
	"$top_srcdir/tests/page/numbers.js" "$tmp/page.html" 6

# Tables without records, of one capture that began before its first sample, and of
# a sum.
"$COLDPERF" snapshot --no-local -e cpu-clock -o "$tmp/tables.cold" \
	"$tmp/corpus/good-events.data" 2>/dev/null &&
	"$COLDPERF" merge --no-local -o "$tmp/sum.cold" \
		"$tmp/corpus/good-fp.data" "$tmp/corpus/good-events.data" \
		2>/dev/null || exit 99
for name in tables sum; do
	"$COLDPERF" report --no-local -f html -o "$tmp/page.html" \
		"$tmp/$name.cold" 2>/dev/null || exit 99
	try "a page of a snapshot, $name: likewise" node \
		"$top_srcdir/tests/page/numbers.js" "$tmp/page.html" $selections
done
# pool NAME TID...: samples of threads of a pool, each of the process that its
# number begins with.  A pool is of the first process that its names were met in;
# a sum takes captures by their names, not side by side.
pool() {
	file=$tmp/corpus/$1
	shift
	{
		echo 'attr cycles type=0 config=0 period=1000 sample_type=IP|TID|TIME|PERIOD flags=sample_id_all|comm'
		for pid in 8 9; do
			echo "mmap pid=$pid addr=0x400000 len=0x1000 pgoff=0 name=\"/bin/x\""
			echo "comm $pid ${pid}1 \"io-1\""
			echo "comm $pid ${pid}2 \"io-2\""
		done
		n=100
		for tid in "$@"; do
			n=$((n + 1))
			echo "sample ip=0x400010 pid=${tid%?} tid=$tid time=$n period=$n"
		done
	} >"$file.mkperf"
	"$top_builddir/tests/tools/mkperf" "$file.mkperf" "$file.data" ||
		exit 99
}
pool later 91 91 91 92
pool earlier 81 82
# On each side a capture: of one event, of a hybrid processor's and of another,
# and one side without samples or times.
while read -r before after; do
	"$COLDPERF" diff --no-local -f html -o "$tmp/page.html" \
		"$tmp/corpus/$before.data" "$tmp/corpus/$after.data" \
		2>/dev/null || exit 99
	try "$before to $after: its CSV and stacks are those of the command" \
		node "$top_srcdir/tests/page/numbers.js" "$tmp/page.html" 8
done <<E
good-fp good-jit
good-hybrid good-cpi
odd-no-samples good-fp
later earlier
E
"$COLDPERF" diff --no-local -f html -o "$tmp/page.html" \
	"$tmp/corpus/later.data" "$tmp/corpus/earlier.data" 2>/dev/null ||
	exit 99
try "later and earlier, the sum: commands, functions and stacks" \
	node "$top_srcdir/tests/page/numbers.js" "$tmp/page.html" 8 sum
done_testing
