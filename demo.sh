#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds coldperf and shows what it makes of a capture: `./demo.sh [CAPTURE]`.
# Prints the overview and writes a flame graph; without an argument it takes
# a recording of the corpus.
set -eu
top=$(cd "$(dirname "$0")" && pwd)

"$top/.ci/deps.sh" build </dev/null
here=$PWD
cd "$top"
[ -x configure ] || autoreconf -fi >/dev/null
mkdir -p build demo-out
cd build
[ -f Makefile ] || ../configure -q >configure.out
make -s -j "$(getconf _NPROCESSORS_ONLN)" >make.out
cd "$here"

symbols=
if [ $# -eq 0 ]; then
	set -- "$top/corpus/good-fp/perf.data"
	symbols=$top/corpus/good-fp/symbols
fi
svg=$top/demo-out/flame.svg
echo '$ coldperf report' "$1"
"$top/build/coldperf" report ${symbols:+--symbols "$symbols"} "$1" || [ $? -eq 3 ]
echo
echo '$ coldperf flame -o' "$svg" "$1"
"$top/build/coldperf" flame ${symbols:+--symbols "$symbols"} -o "$svg" "$1" ||
	[ $? -eq 3 ]
echo "The flame graph is in $svg: open it in a browser."
