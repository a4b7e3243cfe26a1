#!/bin/sh
# SPDX-License-Identifier: MIT
#
# bench/waits.sh CAPTURE [RUNS]: the off-CPU flame graph against perf script
# over the same capture of the scheduler with stacks; it may take a tenth of
# the CPU time (user and system).  Where CAPTURE is not there it is recorded:
# about a million events of `perf bench sched messaging'.
#
# Runs take turns, medians of RUNS (default 5) count.  Symbols of the kernel
# are those of the running one, for both.
#
#	COLDPERF	the program (default: coldperf of the build folder)
#	BENCH_BIN	where measure is (default: bench)
set -eu

capture=${1:?usage: waits.sh CAPTURE [RUNS]}
runs=${2:-5}
bin=${BENCH_BIN:-bench}
coldperf=${COLDPERF:-./coldperf}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if [ ! -e "$capture" ]; then
	perf record -q -m 8192 -a -g -e sched:sched_switch \
		-e sched:sched_waking -e sched:sched_wakeup_new \
		-o "$capture" perf bench sched messaging -g 10 -l 3000 >&2
fi
cat /proc/kallsyms >"$work/kallsyms"

# FILE COMMAND...: the CPU time of one run, a line of the file.
measure()
{
	to=$1
	shift
	"$bin/measure" "$@" 2>"$work/err" | awk '{ print $1 }' >>"$to"
}

median()
{
	sort -n "$1" | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'
}

i=0
while [ "$i" -lt "$runs" ]; do
	measure "$work/perf" perf script -f -i "$capture"
	measure "$work/ours" "$coldperf" offcpu --symbols "$work/kallsyms" \
		-o "$work/x.svg" "$capture"
	i=$((i + 1))
done
perf=$(median "$work/perf")
ours=$(median "$work/ours")
echo "perf script $perf s, coldperf offcpu -o x.svg $ours s:" \
	"1/$(awk "BEGIN { printf \"%.1f\", $perf / $ours }") of it"
awk "BEGIN { exit !($ours <= $perf / 10) }"
