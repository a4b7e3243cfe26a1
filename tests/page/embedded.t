#!/bin/sh
# SPDX-License-Identifier: MIT
# A page of any command has the code of functions above --page-source.
# shellcheck source=tests/lib.sh
. "$top_srcdir/tests/lib.sh"

need_node

corpus "$tmp/corpus"
# make_of COMMAND OPTION...: runs it on the case
make_of() {
	"$COLDPERF" "$@" --no-local --symbols "$symbols" \
		"$tmp/corpus/$name.data" >/dev/null 2>"$tmp/err"
}
embedded() {
	node "$top_srcdir/tests/page/embedded.js" "$tmp/page.html" \
		"$tmp/annotate.json" "$1"
}
for name in good-fp good-jitdump; do
	symbols=$top_srcdir/corpus/$name/symbols
	if [ ! -d "$symbols" ]; then
		skip "$name: the symbols are not here"
		continue
	fi
	make_of annotate --top 0 -o "$tmp/annotate.json" || exit 99
	if grep -q no-code "$tmp/err"; then
		skip "$name: no instructions here, so no code"
		continue
	fi
	for share in 0.1 1 30; do
		make_of report --page-source $share% -o "$tmp/page.html" ||
			exit 99
		try "$name: code of functions above $share %" embedded $share
	done
	make_of report -o "$tmp/page.html" -o "$tmp/page.json" -o "$tmp/page.txt"
	try "$name: the default is 1 %" embedded 1
	try "$name: some are above it" test "$(embedded 1)" -gt 0
	make_of report --page-source 0 -o "$tmp/page.html" \
		-o "$tmp/none.json" -o "$tmp/none.txt"
	try "$name: 0 means none" test "$(embedded 101)" -eq 0
	try "$name: JSON has no code" cmp "$tmp/page.json" "$tmp/none.json"
	try "$name: text has none" cmp "$tmp/page.txt" "$tmp/none.txt"
done

# Shares that no double is exactly: of 1,000 samples each function has just one.
known=$top_srcdir/corpus/good-fp/symbols/known
# shellcheck disable=SC2046 # words
set -- $(nm "$known" 2>/dev/null | sed -n 's/^0*\([0-9a-f]*\) t .*[ty]$/0x\1/p')
if [ $# -ge 3 ]; then
	name=exact symbols=$known
	{
		echo 'attr cycles type=0 config=0 period=1 sample_type=IP|TID|TIME flags=sample_id_all|comm'
		echo 'comm 8 8 "known"'
		echo 'mmap pid=8 addr=0x400000 len=0x10000 pgoff=0 name="/bin/known"'
		echo "repeat 72 as i {"
		echo "sample ip=0x400000+$1 pid=8 time=100+i"
		echo "}"
		echo "repeat 11 as i {"
		echo "sample ip=0x400000+$2 pid=8 time=300+i"
		echo "}"
		echo "repeat 917 as i {"
		echo "sample ip=0x400000+$3 pid=8 time=500+i"
		echo "}"
	} >"$tmp/exact.mkperf"
	"$top_builddir/tests/tools/mkperf" "$tmp/exact.mkperf" \
		"$tmp/corpus/exact.data" || exit 99
	make_of annotate --top 0 -o "$tmp/annotate.json" || exit 99
	for share in 1.1 7.2 91.7; do
		make_of report --page-source $share% -o "$tmp/page.html" ||
			exit 99
		grep -q no-code "$tmp/err" ||
			try "a function of $share % is in" embedded $share
	done
else
	skip "nm is not installed"
fi

name=odd-names symbols=/nonexistent/none
make_of report -o "$tmp/page.html"
try "code that is not to be had is no warning" \
	sh -c '! grep no-code "$1"' - "$tmp/err"
for bad in x 101 -1 1x '' nan; do
	make_of report --page-source "$bad" -o "$tmp/page.html"
	is "$?" 2 "a share of '$bad' is none"
done
done_testing
