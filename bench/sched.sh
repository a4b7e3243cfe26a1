#!/bin/sh
# SPDX-License-Identifier: MIT
#
# bench/sched.sh [CAPTURE [RUNS]]: `coldperf sched` against `perf sched
# latency`, CPU time in one run.
#
# Without a capture some five million events of the scheduler are recorded
# first, for which it must be allowed to record (about a minute).  The
# commands take turns RUNS times (default 5); the medians of user and system
# time, and of the peak, are printed as lines for bench/SCHED.md.  Fails if
# sched takes more than a third of perf's time.  Needs perf.
#
#	COLDPERF	the program (default: coldperf of the build folder)
#	BENCH_BIN	where measure is (default: bench)
#	PERF		the perf to compare with (default: perf)
set -eu

coldperf=${COLDPERF:-./coldperf}
bin=${BENCH_BIN:-bench}
perf=${PERF:-perf}
runs=${2:-5}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
capture=${1:-}

if [ -z "$capture" ]; then
	capture=$work/sched.data
	perf record -q -a -R -c 1 -m 4096 -o "$capture" \
		-e sched:sched_switch -e sched:sched_stat_runtime \
		-e sched:sched_process_fork -e sched:sched_wakeup_new \
		-e sched:sched_migrate_task -e sched:sched_waking -- \
		perf bench sched messaging -g 10 -l 12500 >"$work/out" 2>&1
fi

# NAME COMMAND...: one measurement, appended to $work/NAME.
measure()
{
	name=$1
	shift
	"$bin/measure" "$@" 2>"$work/err" >>"$work/$name"
}

# NAME COLUMN: the median of a column.
median()
{
	sort -n -k "$2,$2" "$work/$1" | awk -v c="$2" '
		{ v[NR] = $c } END { print v[int((NR + 1) / 2)] }'
}

i=0
while [ $i -lt "$runs" ]; do
	measure sched "$coldperf" sched -f csv -o "$work/sched.csv" "$capture"
	measure timehist "$coldperf" sched --timehist -f csv \
		-o "$work/timehist.csv" "$capture"
	measure perf "$perf" sched -f -i "$capture" latency
	i=$((i + 1))
done
printf '| %s | %s | %s | %s |\n' command 'CPU s' 'peak MiB' 'to perf'
printf '|---|---|---|---|\n'
for name in sched timehist perf; do
	awk "BEGIN { printf \"| %s | %.2f | %.0f | %.2f |\n\", \"$name\",
		$(median $name 1), $(median $name 2) / 1024,
		$(median $name 1) / $(median perf 1) }"
done
awk "BEGIN { exit !($(median sched 1) <= $(median perf 1) / 3) }"
