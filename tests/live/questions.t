#!/bin/sh
# SPDX-License-Identifier: MIT
# Each question of capture --for, recorded on this host and packed; the command
# that answers it finds what it needs.
# shellcheck source=tests/lib.sh
. "$top_srcdir/tests/lib.sh"
command -v perf >/dev/null || skip_all "perf is not installed"
perf record -q -e cpu-clock -o "$tmp/probe" true >/dev/null 2>&1 ||
	skip_all "perf cannot record here"
coldperf=$(cd "$(dirname "$COLDPERF")" && pwd)/$(basename "$COLDPERF")
gcc -O1 -g -fno-omit-frame-pointer -pthread -o "$tmp/work" \
	"$top_srcdir/tests/live/contend.c" ||
	skip_all "no gcc"
cd "$tmp" || exit 99

# question QUESTION COMMAND...: recorded, packed, and answered by the commands
question() {
	name=$1
	shift
	rm -f "$name.tar"
	if ! "$coldperf" capture --for "$name" --label ticket=7 -o "$name.tar" \
		-- ./work 0.15 >said 2>&1; then
		grep -q "has not got\|may not record" said
		ok $? "$name: what this host lacks is said"
		return
	fi
	rm -f said.all
	for command in "$@"; do
		"$coldperf" "$command" --no-pager "$name.tar" >>said.all 2>&1
	done
	is "$(grep -c 'this records\|the capture has no' said.all)" 0 \
		"$name: $* lacks nothing" || diag "$(grep 'records' said.all)"
	grep -q "ticket=7" said.all || diag "no label in: $*"
}
question cpu hotspots
question latency wall
question offcpu offcpu
question sched sched
question cpi cpi
question locks locks
question io blockio
question memory faults
question faults faults
question jit hotspots
question alloc pair
question syscalls syscalls
question branches branches
done_testing
