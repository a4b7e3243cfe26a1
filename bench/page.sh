#!/bin/sh
# SPDX-License-Identifier: MIT
#
# bench/page.sh [SAMPLES]: what a page of scale takes: first picture, selections,
# zooming, memory, bytes; and what it costs to write one.  The capture is made
# up by page-capture.py (default: a million samples).  Writes bench/PAGE.md (or
# $RESULTS) and fails if a target is missed.  Run in a build folder, with
# nothing else on the machine; needs node, Chromium and playwright-core.
#
#	COLDPERF	the program (default: coldperf of the build folder)
#	CHROMIUM	default: chromium
#	PLAYWRIGHT	default: what `make browser-deps` fetched
set -eu

samples=${1:-1000000}
runs=5
here=$(cd "$(dirname "$0")" && pwd)
coldperf=${COLDPERF:-./coldperf}
results=${RESULTS:-$here/PAGE.md}
PLAYWRIGHT=${PLAYWRIGHT:-tests/browser/node_modules/playwright-core}
CHROMIUM=${CHROMIUM:-$(command -v chromium)}
export PLAYWRIGHT CHROMIUM
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

make -s bench/measure tests/tools/mkperf >&2
"$here/page-capture.py" tests/tools/mkperf "$work" "$samples"

# NAME COMMAND...: one measurement, appended to $work/NAME.
measure()
{
	name=$1
	shift
	bench/measure "$coldperf" "$@" --no-local --symbols "$work" \
		"$work/scale.data" >"$work/line"
	cat "$work/line" >>"$work/$name"
	echo "$name: $(cat "$work/line")" >&2
}

# NAME COLUMN: the median of a column.
median()
{
	sort -n -k "$2,$2" "$work/$1" | awk -v c="$2" '{ v[NR] = $c }
		END { print v[int((NR + 1) / 2)] }'
}

i=0
while [ "$i" -lt "$runs" ]; do
	i=$((i + 1))
	measure folded flame -f folded
	measure kept flame -o "$work/stacks.folded"
	measure one flame -o "$work/one.html"
	measure page report -o "$work/case.html"
	measure text report
	measure bare report --page-source 0 -o "$work/bare.html"
done
"$coldperf" report --no-local --symbols "$work" -j 1 -o "$work/again.html" \
	"$work/scale.data"
cmp "$work/case.html" "$work/again.html" || failed=1

# NAME OTHER: the median of the ratios of their CPU time, run by run.
ratio()
{
	paste "$work/$1" "$work/$2" | awk '{ print $1 / $5 }' | sort -n |
		awk '{ v[NR] = $1 } END { printf "%.2f", v[int((NR + 1) / 2)] }'
}

# NAME WORDS: what a page costs, as lines of the table.
cost()
{
	of=$(ratio "$1" folded)
	if awk "BEGIN { exit !($of <= 1.5) }"; then
		verdict=met
	else
		verdict='**missed**'
		echo missed >"$work/missed"
	fi
	echo "| $2 to \`flame -f folded\`, CPU | $of | <= 1.5 | $verdict |"
	echo "| $2 to \`flame -o case.folded\`, CPU | $(ratio "$1" kept) |  |  |"
}

# NAME COMMAND: a line of medians.
line()
{
	echo "| \`$2\` | $(median "$1" 1) | $(median "$1" 3) |" \
		"$(($(median "$1" 2) / 1024)) |"
}

{
	echo "# The page at scale"
	echo
	echo "Written by \`bench/page.sh\`; medians of $runs runs, on" \
		"$(date -u +%Y-%m-%d). The capture is made up by" \
		"\`page-capture.py\`: $samples samples of two events."
	echo
	echo "* Machine: $(getconf _NPROCESSORS_ONLN) CPUs," \
		"$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo |
			head -n 1); $("$CHROMIUM" --version 2>/dev/null)," \
		"headless, 1280x800."
	echo "* A ratio of CPU time is the median of those of each run. What" \
		"\`-f folded\` writes is thrown away; \`-o case.folded\`" \
		"has it in a file, as a page is."
	echo "* A selection is timed from the change of the address to the" \
		"end of the frame that shows it: the first time, in a page that" \
		"was opened for it, so that no selection's sums are kept;" \
		"the median of three such pages. The page was idle for half" \
		"a second before: then it makes its table, and some trees."
	echo "* Memory is that of the tab's process. \`Resident\` counts the" \
		"pages of the browser's program, which all tabs share; \`its" \
		"own\` are the anonymous ones, as the browser's task manager" \
		"counts them. Without garbage: after the script's heap was" \
		"collected, as the browser does when memory is short."
	echo
	echo "| command | CPU s | wall s | peak MiB |"
	echo "|---|---|---|---|"
	line folded "flame -f folded"
	line kept "flame -o case.folded"
	line one "flame -o case.html"
	line text "report"
	line page "report -o case.html"
	line bare "report -o case.html --page-source 0"
	echo
	echo "| what | is | wanted | |"
	echo "|---|---|---|---|"
	cost one "the page of \`flame\`"
	cost page "the page of \`report\`"
	node "$here/page.js" "$work/case.html" || echo missed >"$work/missed"
} >"$work/results"
[ ! -e "$work/missed" ] || failed=1
mv "$work/results" "$results"
cat "$results"
exit $failed
