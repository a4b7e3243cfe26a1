#!/bin/sh
# SPDX-License-Identifier: MIT
#
# bench/run.sh CAPTURE [RUNS]: coldperf against perf and against the floor, in
# one run on one machine, so that the ratios mean something.
#
# Measures CPU time (user and system, children included) and peak memory of
# each command RUNS times (default 3), interleaved, and takes medians.  Then
# the same capture ten times as long, and one of 1 GiB with no more address
# space than that.  Writes bench/RESULTS.md (or $RESULTS) and fails if a
# target is missed.  Needs perf, prlimit, and room for 11 times the capture in
# $TMPDIR.
#
#	COLDPERF	the program (default: coldperf of the build folder)
#	BENCH_BIN	where floor, multiply and measure are (default: bench)
set -eu

capture=${1:?usage: run.sh CAPTURE [RUNS]}
runs=${2:-3}
here=$(cd "$(dirname "$0")" && pwd)
bin=${BENCH_BIN:-bench}
coldperf=${COLDPERF:-./coldperf}
results=${RESULTS:-$here/RESULTS.md}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# NAME COMMAND...: one measurement, appended to $work/NAME.
measure()
{
	name=$1
	shift
	"$bin/measure" "$@" 2>"$work/err" >"$work/line"
	cat "$work/line" >>"$work/$name"
	read -r cpu peak wall status <"$work/line"
	echo "$name: $cpu s CPU, $wall s, $peak KiB, status $status" >&2
	if [ "$status" -ne 0 ]; then
		cat "$work/err" >&2
		failed=1
	fi
}

# NAME COLUMN: the median of a column.
median()
{
	sort -n -k "$2,$2" "$work/$1" | awk -v c="$2" '
		{ v[NR] = $c }
		END { m = int((NR + 1) / 2)
			print NR % 2 ? v[m] : (v[m] + v[m + 1]) / 2 }'
}

# NAME: the least peak.  Large pages come whole, and where they begin is chance.
least()
{
	sort -n -k 2,2 "$work/$1" | awk '{ print $2; exit }'
}

calc()
{
	awk "BEGIN { printf \"%.${2:-2}f\", $1 }"
}

# WHAT VALUE OPERATOR TARGET UNIT: a line of the table of targets.
target()
{
	if awk "BEGIN { exit !($2 $3 $4) }"; then
		verdict=met
	else
		verdict='**missed**'
		failed=1
	fi
	echo "| $1 | $2$5 | $3 $4$5 | $verdict |" >>"$work/targets"
}

# NAME COMMAND: a line of the table of medians.
line()
{
	echo "| \`$2\` | $(calc "$(median "$1" 1)" 3) |" \
		"$(calc "$(median "$1" 3)" 3) |" \
		"$(calc "$(median "$1" 2) / 1024" 1) |"
}

i=0
while [ "$i" -lt "$runs" ]; do
	i=$((i + 1))
	measure floor "$bin/floor" "$capture"
	measure flame "$coldperf" flame -o "$work/flame.svg" "$capture"
	measure hotspots "$coldperf" hotspots "$capture"
	measure script perf script --no-inline -i "$capture"
	measure report perf report --stdio --no-children -g none -i "$capture"
done

size=$(wc -c <"$capture")
# Peaks count pages of the file, and how large those are is up to who wrote it.
"$bin/multiply" 1 "$capture" "$work/one.data"
"$bin/multiply" 10 "$capture" "$work/ten.data"
for i in 1 2 3 4 5; do
	measure flame1 "$coldperf" flame -o "$work/flame.svg" "$work/one.data"
	measure hotspots1 "$coldperf" hotspots "$work/one.data"
	measure flame10 "$coldperf" flame -o "$work/flame.svg" "$work/ten.data"
	measure hotspots10 "$coldperf" hotspots "$work/ten.data"
done
rm "$work/one.data" "$work/ten.data"
"$bin/multiply" $((1073741824 / size + 1)) "$capture" "$work/gib.data"
measure flame_gib prlimit --as=1073741824 \
	"$coldperf" flame -o "$work/flame.svg" "$work/gib.data"
gib=$(wc -c <"$work/gib.data")
rm "$work/gib.data"

"$bin/floor" --distinct "$capture" >"$work/distinct"
read -r _ samples _ stacks _ bytes <"$work/distinct"
distinct=$(calc "$bytes / 1048576" 1)

: >"$work/targets"
target "\`flame\` to \`perf script\`, CPU" \
	"$(calc "$(median flame 1) / $(median script 1)" 4)" "<=" 0.0667 ""
target "\`hotspots\` to \`perf report\`, CPU" \
	"$(calc "$(median hotspots 1) / $(median report 1)" 4)" "<=" 0.25 ""
target "\`flame\` to the floor, CPU" \
	"$(calc "$(median flame 1) / $(median floor 1)" 2)" "<=" 6 ""
target "\`hotspots\` to the floor, CPU" \
	"$(calc "$(median hotspots 1) / $(median floor 1)" 2)" "<=" 6 ""
target "\`flame\` peak, 100 MiB and what is distinct" \
	"$(calc "$(median flame 2) / 1024" 1)" "<=" \
	"$(calc "100 + $distinct" 1)" " MiB"
target "\`hotspots\` peak, 100 MiB and what is distinct" \
	"$(calc "$(median hotspots 2) / 1024" 1)" "<=" \
	"$(calc "100 + $distinct" 1)" " MiB"
# A twentieth is for the allocator and the order of threads.
target "\`flame\` peak of the tenfold capture to the single one" \
	"$(calc "$(least flame10) / $(least flame1)" 2)" "<=" 1.05 ""
target "\`hotspots\` peak of the tenfold capture to the single one" \
	"$(calc "$(least hotspots10) / $(least hotspots1)" 2)" "<=" 1.05 ""
target "\`flame\` of $(calc "$gib / 1073741824") GiB within 1 GiB of address \
space, status" "$(median flame_gib 4)" "==" 0 ""

{
	echo "# Bench"
	echo
	echo "Written by \`bench/run.sh\`; medians of $runs runs," \
		"interleaved, on $(date -u +%Y-%m-%d)."
	echo
	echo "* Machine: $(getconf _NPROCESSORS_ONLN) CPUs," \
		"$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1);" \
		"Linux $(uname -r), $(perf --version)."
	echo "* Capture: $(calc "$size / 1048576" 1) MiB, $samples samples," \
		"$stacks distinct call chains ($distinct MiB), recorded by" \
		"\`bench/record-1m.sh\`; warm page cache."
	echo "* The floor reads the file, walks the record headers and" \
		"hashes the bytes of each record" \
		"($("$bin/floor" "$capture" | cut -d' ' -f1))."
	echo
	echo "| command | CPU s | wall s | peak MiB |"
	echo "|---|---|---|---|"
	line floor floor
	line flame "coldperf flame -o flame.svg"
	line hotspots "coldperf hotspots"
	line script "perf script --no-inline"
	line report "perf report --stdio --no-children -g none"
	line flame10 "coldperf flame, ten times as long"
	line hotspots10 "coldperf hotspots, ten times as long"
	line flame_gib "coldperf flame, 1 GiB capture in 1 GiB"
	echo
	echo "| target | is | wanted | |"
	echo "|---|---|---|---|"
	cat "$work/targets"
} >"$work/results"
mv "$work/results" "$results"
cat "$results"
exit $failed
