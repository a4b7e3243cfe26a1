#!/bin/sh
# SPDX-License-Identifier: MIT
# What the page shows of a selection is what the commands print with the same
# filters, sample for sample: tables as `hotspots', stacks as `flame -f folded'.
# shellcheck source=tests/lib.sh
. "$top_srcdir/tests/lib.sh"

command -v node >/dev/null || skip_all "node is not installed"
node -e 'new DecompressionStream("deflate-raw")' 2>/dev/null ||
	skip_all "node is too old: it has no deflate-raw"

corpus "$tmp/corpus"
captures='good-fp good-dwarf good-lbr good-jit good-fork good-exec good-events good-waits
	good-system good-sched good-containers odd-names odd-no-time
	odd-out-of-order odd-mixed-attrs good-vdso'
selections=20
if sanitized; then
	captures='good-fp good-events odd-names'
	selections=5
fi

# Threads that change between names which a list has to quote.
{
	echo 'attr cycles type=0 config=0 period=1000 sample_type=IP|TID|TIME|CPU|PERIOD flags=sample_id_all|comm'
	echo 'mmap pid=8 addr=0x400000 len=0x1000 pgoff=0 name="/bin/x"'
	n=0
	for comm in a,b '(c' d '/e/,f' 'g,h)' '{' i,j a,b d '(c' i,j '{' g,h \
		'(c' a,b d '/e/,f' '{' k,l; do
		n=$((n + 1))
		tid=$((8 + n % 3))
		echo "comm 8 $tid \"$comm\" time=${n}000"
		echo "sample ip=0x400010 pid=8 tid=$tid cpu=0 time=${n}100 period=$n"
	done
} >"$tmp/corpus/names.mkperf"
"$top_builddir/tests/tools/mkperf" "$tmp/corpus/names.mkperf" \
	"$tmp/corpus/names.data" || exit 99
captures="$captures names"

for name in $captures; do
	set -- "$tmp/corpus/$name.data"
	symbols=$top_srcdir/corpus/$name/symbols
	[ ! -d "$symbols" ] || set -- "$@" --symbols "$symbols"
	"$COLDPERF" report --no-local -f html -o "$tmp/page.html" "$@" \
		2>/dev/null || exit 99
	try "$name: a page's numbers are those of the commands" \
		node "$top_srcdir/tests/page/numbers.js" "$tmp/page.html" \
		$selections "$@"
done
done_testing
