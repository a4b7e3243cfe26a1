#!/bin/sh
# SPDX-License-Identifier: MIT
# The flame graph in a real browser: needs node, chromium, and playwright-core
# as tests/browser/package-lock.json names it (`npm ci` in tests/browser or in
# a copy of its two JSON files below the build folder).
# shellcheck source=tests/lib.sh
. "$top_srcdir/tests/lib.sh"

# shellcheck source=tests/browser/browser.sh
. "$top_srcdir/tests/browser/browser.sh"

for report in plain hostile empty deep 100000; do
	"$top_builddir/tests/render/write-sample" svg "$report" \
		>"$tmp/$report.svg" || exit 99
done
"$top_builddir/tests/render/write-sample" svg plain 1200 icicle \
	>"$tmp/icicle.svg" || exit 99
# A hundred frames too narrow to be drawn have 0.6 % of all.
{
	echo "attr cycles type=0 period=1000 flags=sample_id_all|mmap|comm" \
		"sample_type=IP|TID|TIME|PERIOD"
	echo "comm 1 1 \"wide\""
	echo "sample ip=0x10 pid=1 time=1 period=994000"
	for i in $(seq 2 101); do
		echo "comm $i $i \"narrow$i\""
		echo "sample ip=0x10 pid=$i time=$i period=60"
	done
} >"$tmp/input"
"$top_builddir/tests/tools/mkperf" "$tmp/input" "$tmp/perf.data" || exit 99
"$COLDPERF" flame --no-local -o "$tmp/narrow.svg" "$tmp/perf.data" \
	2>/dev/null || exit 99
{
	echo "attr cycles type=0 period=1000 flags=sample_id_all|mmap|comm" \
		"sample_type=IP|TID|TIME|PERIOD"
	echo "comm 1 1 \"vast\""
	echo "sample ip=0x10 pid=1 time=1 period=9007199254740993"
} >"$tmp/input"
"$top_builddir/tests/tools/mkperf" "$tmp/input" "$tmp/perf.data" || exit 99
"$COLDPERF" flame --no-local -o "$tmp/vast.svg" "$tmp/perf.data" \
	2>/dev/null || exit 99
# A flame chart: f9, then f0, which calls f1 at its begin and at its end.
{
	echo "attr cycles type=0 period=1000 flags=sample_id_all|mmap|comm" \
		"sample_type=IP|TID|TIME|PERIOD|CALLCHAIN"
	echo "comm 1 1 \"timed\""
	for i in 0 1 9; do
		echo "mmap pid=1 addr=0x${i}0000 len=0x1000 pgoff=0" \
			"name=\"/opt/f$i\""
	done
	i=0
	for chain in 0x90010 0x10010,0x00010 0x00010 0x10010,0x00010; do
		i=$((i + 1))
		echo "sample ip=${chain%%,*} pid=1 time=$i period=10" \
			"chain=user,$chain"
	done
} >"$tmp/input"
"$top_builddir/tests/tools/mkperf" "$tmp/input" "$tmp/perf.data" || exit 99
"$COLDPERF" flame --no-local --order time -o "$tmp/timed.svg" \
	"$tmp/perf.data" 2>/dev/null || exit 99
for report in plain hostile; do
	"$top_builddir/tests/render/write-sample" html "$report" \
		>"$tmp/$report.html" || exit 99
done
browse flame.js
