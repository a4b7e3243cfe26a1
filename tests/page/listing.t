#!/bin/sh
# SPDX-License-Identifier: MIT
# The code that a page shows has the samples that `annotate' says.
# shellcheck source=tests/lib.sh
. "$top_srcdir/tests/lib.sh"

need_node

corpus "$tmp/corpus"
for name in good-fp good-exact-ip good-cpi good-jitdump; do
	symbols=$top_srcdir/corpus/$name/symbols
	if [ ! -d "$symbols" ]; then
		skip "$name: the symbols are not here"
		continue
	fi
	for show in '--all' '--context 2' '--show asm'; do
		# shellcheck disable=SC2086 # two words
		"$COLDPERF" annotate --no-local $show -f html \
			-o "$tmp/page.html" --symbols "$symbols" \
			"$tmp/corpus/$name.data" 2>/dev/null || exit 99
		try "$name, annotate $show: rows have their samples" node \
			"$top_srcdir/tests/page/listing.js" "$tmp/page.html"
	done
done

# Two copies of a program, deleted since, and a JIT's functions: with long names,
# and one with a name that has hidden characters.
known=$top_srcdir/corpus/good-fp/symbols/known
map=$tmp/perf-8.map
long=$(printf 'std::map<int, std::string>::%0500d::find' 0)
printf '1000 100 %s(int)\n1100 100 %s(char)\n1200 100 a\tb\001c\377\n' \
	"$long" "$long" >"$map"
id=$(readelf -n "$known" 2>/dev/null | sed -n 's/.*Build ID: //p')
start=$(nm "$known" 2>/dev/null | sed -n 's/ t leaf$//p')
if [ -n "$id" ] && [ -n "$start" ]; then
	{
		echo 'attr cycles type=0 config=0 period=1 sample_type=IP|TID|TIME flags=sample_id_all|comm'
		for pid in 8 9; do
			name="\"/opt/$pid/known (deleted)\""
			echo "build_id $id $name misc=2"
			echo "comm $pid $pid \"known\" time=1"
			echo "mmap pid=$pid addr=0x400000 len=0x10000 pgoff=0 name=$name time=2"
			echo "sample ip=0x400000+0x$start+$pid pid=$pid time=${pid}0"
			echo "sample ip=0x400000+0x$start pid=$pid time=${pid}1"
		done
		echo "sample ip=0x400000+0x$start pid=9 time=92"
		echo 'mmap pid=8 addr=0x1000 len=0x1000 pgoff=0 name="//anon" time=3'
		echo 'sample ip=0x1010 pid=8 time=93'
		echo 'sample ip=0x1110 pid=8 time=94'
		echo 'sample ip=0x1210 pid=8 time=95'
	} >"$tmp/copies.mkperf"
	"$top_builddir/tests/tools/mkperf" "$tmp/copies.mkperf" \
		"$tmp/copies.data" || exit 99
	"$COLDPERF" annotate --no-local --all -f html -o "$tmp/page.html" \
		--symbols "$known" --symbols "$map" "$tmp/copies.data" \
		2>/dev/null || exit 99
	try "copies of a program, and long names: each has its own samples" \
		node "$top_srcdir/tests/page/listing.js" "$tmp/page.html"
	"$COLDPERF" annotate --no-local -f csv --symbols "$known" \
		--symbols "$map" "$tmp/copies.data" >"$tmp/csv" 2>/dev/null
	grep -c "::find(" "$tmp/csv" >"$tmp/count"
	is "$(cat "$tmp/count")" 2 "and their names are whole"
else
	skip "readelf and nm are not installed"
fi
try "addresses of a kernel are exact" \
	node "$top_srcdir/tests/page/listing-exact.js"
done_testing
