#!/bin/sh
# SPDX-License-Identifier: MIT
#
# bench/record-1m.sh OUT.data [SAMPLES [KINDS]]: records a capture of at least
# SAMPLES (default 1,000,000) samples with frame-pointer chains of
# bench/workload.  Fewer KINDS of requests give fewer distinct chains: 400 (the
# default) some 190,000 in a million samples, 4000 some 380,000.
#
# Each CPU gives up to 20,000 samples a second of its own busy time, so two
# CPUs need about 30 seconds.  If other work took the CPUs away and there are
# too few, it records again for longer.  Needs perf and the right to use it.
set -eu

out=${1:?usage: record-1m.sh OUT.data [SAMPLES]}
# A name without a folder would be looked for in $PATH.
case $out in
*/*) ;;
*) out=./$out ;;
esac
want=${2:-1000000}
kinds=${3:-400}
here=$(cd "$(dirname "$0")" && pwd)
rate=20000
cpus=$(getconf _NPROCESSORS_ONLN)
max=$(cat /proc/sys/kernel/perf_event_max_sample_rate)
[ "$max" -ge "$rate" ] || rate=$max

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
${CC:-cc} -O2 -g -fno-omit-frame-pointer -fno-optimize-sibling-calls \
	-pthread -o "$work/workload" "$here/workload.c"
# The object stays beside the capture: it is needed for the symbols.
cp "$work/workload" "$out.workload"

seconds=$((want / (rate * cpus) + 5))
for try in 1 2 3 4; do
	perf record -q -e cpu-clock -F "$rate" -g -m 2048 -o "$out" -- \
		"$out.workload" "$seconds" $((cpus * 4)) 2 "$kinds"
	got=$(perf report --stats -i "$out" 2>/dev/null |
		awk '$1 == "SAMPLE" { print $3; exit }')
	echo "$out: $got samples in $seconds s"
	[ "$got" -lt "$want" ] || exit 0
	seconds=$((seconds * 2))
done
echo "record-1m.sh: fewer than $want samples after $try tries" >&2
exit 1
