#!/bin/sh
# SPDX-License-Identifier: MIT
#
# bench/run.sh FOLDER [RUNS [KIND...]]: coldperf against perf and against the
# floor, on each capture of bench/kinds.sh, in one run on one machine, so that
# the ratios mean something.
#
# Measures CPU time (user and system, children included) and peak memory of
# each command RUNS times (default 3), interleaved, and takes medians; then a
# capture ten times as long.  Writes bench/RESULTS.md (or $RESULTS), the worst
# ratio first, and fails if a target is missed.  Needs perf; measures inferno
# and the FlameGraph scripts if they are there.
#
#	COLDPERF	the program (default: coldperf of the build folder)
#	BENCH_BIN	where floor, multiply and measure are (default: bench)
set -eu

folder=${1:?usage: run.sh FOLDER [RUNS [KIND...]]}
runs=${2:-3}
shift $(($# < 2 ? $# : 2))
here=$(cd "$(dirname "$0")" && pwd)
bin=${BENCH_BIN:-bench}
coldperf=${COLDPERF:-./coldperf}
results=${RESULTS:-$here/RESULTS.md}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# perf looks for the names of generated code here.
cp "$folder"/perf-*.map /tmp/

# KIND NAME COMMAND...: one measurement, appended to $work/KIND.NAME.
measure()
{
	to=$work/$1.$2
	shift 2
	"$bin/measure" "$@" >>"$to" 2>/dev/null
	echo "${to##*/}: $(tail -n 1 "$to")" >&2
}

# KIND NAME COLUMN: the median of a column; 0: not measured.
median()
{
	if [ ! -e "$work/$1.$2" ]; then
		echo 0
		return
	fi
	sort -n -k "$3,$3" "$work/$1.$2" | awk -v c="$3" '
		{ v[NR] = $c } END { print v[int((NR + 1) / 2)] }'
}

# KIND: each command once.
turn()
{
	k=$1
	f=$folder/$k.data
	own()
	{
		measure "$k" "$@" --symbols "$folder" "$f"
	}
	measure "$k" floor "$bin/floor" "$f"
	if [ "$k" = sched ]; then
		own sched "$coldperf" sched
		measure "$k" psched perf sched latency -i "$f"
		return
	fi
	own flame "$coldperf" flame -o "$work/flame.svg"
	own folded "$coldperf" flame -o "$work/flame.folded"
	own hotspots "$coldperf" hotspots
	own report "$coldperf" report
	own page "$coldperf" report -o "$work/page.html"
	measure "$k" script perf script --no-inline -i "$f"
	measure "$k" preport perf report --stdio --no-children -g none -i "$f"
	command -v inferno-flamegraph >/dev/null && measure "$k" inferno sh -c \
		"perf script --no-inline -i '$f' | inferno-collapse-perf |
		inferno-flamegraph"
	command -v flamegraph.pl >/dev/null && measure "$k" scripts sh -c \
		"perf script --no-inline -i '$f' | stackcollapse-perf.pl |
		flamegraph.pl"
	return 0
}

# shellcheck disable=SC2046,SC2012
[ $# -ne 0 ] || set -- $(cd "$folder" && ls -- *.data | sed 's/\.data$//')
i=0
while [ "$i" -lt "$runs" ]; do
	i=$((i + 1))
	for kind in "$@"; do
		turn "$kind"
	done
done
"$bin/multiply" 10 "$folder/few.data" "$work/ten.data"
measure ten flame "$coldperf" flame -o "$work/flame.svg" \
	--symbols "$folder" "$work/ten.data"
measure one flame "$coldperf" flame -o "$work/flame.svg" \
	--symbols "$folder" "$folder/few.data"

# FIGURE WANTED NAME COLUMN ABOVE BELOW: a line for each kind that has both:
# "FIGURE WANTED KIND RATIO".  WANTED is <=N or >=N.
ratios()
{
	figure=$1 wanted=$2 column=$3 above=$4 below=$5
	shift 5
	for kind in "$@"; do
		awk -v a="$(median "$kind" "$above" "$column")" \
			-v b="$(median "$kind" "$below" "$column")" \
			-v f="$figure" -v w="$wanted" -v k="$kind" 'BEGIN {
			if (a > 0 && b > 0)
				printf "%s|%s|%s|%.3f\n", f, w, k, a / b }'
	done
}

{
	ratios 'flame, of the floor' '<=12' 1 flame floor "$@"
	ratios 'hotspots, of the floor' '<=2.5' 1 hotspots floor "$@"
	ratios 'perf script, of flame' '>=8' 1 script flame "$@"
	ratios 'perf script and inferno, of flame' '>=12' 1 inferno flame "$@"
	ratios 'perf script and FlameGraph, of flame' '>=12' 1 scripts flame "$@"
	ratios 'perf report, of hotspots' '>=6' 1 preport hotspots "$@"
	ratios 'perf sched latency, of sched' '>=3' 1 psched sched "$@"
	ratios 'report, of flame' '<=1.3' 1 report flame "$@"
	ratios 'page, of flame' '<=1.5' 1 page flame "$@"
	ratios 'peak of flame, of perf script' '<=1' 2 flame script "$@"
} >"$work/ratios"
awk -v a="$(median ten flame 2)" -v b="$(median one flame 2)" 'BEGIN {
	printf "peak of ten times as long, of once|<=1.05|few|%.3f\n", a / b }' \
	>>"$work/ratios"

{
	echo "# Bench"
	echo
	echo "Written by \`bench/run.sh\`; medians of $runs runs, interleaved," \
		"on $(date -u +%Y-%m-%d)."
	echo
	echo "* Machine: $(getconf _NPROCESSORS_ONLN) CPUs," \
		"$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1);" \
		"Linux $(uname -r), $(perf --version)."
	echo "* Captures: \`bench/kinds.sh\`; warm page cache. The floor reads" \
		"the file, walks the record headers and hashes each record."
	echo "* \`flame\` is \`flame -o flame.svg\`, a page \`report -o" \
		"page.html\`, perf script has \`--no-inline\`, perf report" \
		"\`--stdio --no-children -g none\`."
	echo
	echo "| figure | wanted | worst kind | is | | other kinds |"
	echo "|---|---|---|---|---|---|"
	# The distance from what is wanted sorts figures, and kinds in each.
	awk -F'|' '{
		want = substr($2, 3) + 0
		off = $2 ~ /^</ ? $4 / want : want / ($4 > 0 ? $4 : 1e-9)
		printf "%.4f|%s\n", off, $0 }' "$work/ratios" |
	sort -t'|' -k1,1nr | awk -F'|' '
		!($2 in is) { order[++n] = $2; wanted[$2] = $3; worst[$2] = $4
			is[$2] = $5; met[$2] = $1 <= 1; next }
		{ others[$2] = others[$2] (others[$2] ? ", " : "") $4 " " \
			sprintf("%.2f", $5) }
		END { for (i = 1; i <= n; i++) { f = order[i]
			printf "| %s | %s | %s | %.2f | %s | %s |\n", f,
				wanted[f], worst[f], is[f],
				met[f] ? "met" : "**missed**", others[f] } }'
	echo
	echo "CPU seconds, and peak MiB:"
	echo
	echo "| kind | MB | floor | flame | folded | hotspots | report | page |" \
		"perf script | perf report |"
	echo "|---|---|---|---|---|---|---|---|---|---|"
	for kind in "$@"; do
		[ "$kind" = sched ] && continue
		printf '| %s | %.0f |' "$kind" \
			"$(wc -c <"$folder/$kind.data" | awk '{ print $1 / 1e6 }')"
		for name in floor flame folded hotspots report page script preport
		do
			awk -v t="$(median "$kind" $name 1)" \
				-v m="$(median "$kind" $name 2)" \
				'BEGIN { printf " %.2f, %.0f |", t, m / 1024 }'
		done
		echo
	done
	[ ! -e "$work/sched.sched" ] ||
		echo "
\`sched\` of $(wc -c <"$folder/sched.data") bytes: $(median sched sched 1) s;" \
		"perf sched latency: $(median sched psched 1) s."
} >"$work/results"
mv "$work/results" "$results"
cat "$results"
! grep -q missed "$results"
