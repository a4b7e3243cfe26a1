#!/bin/sh
# SPDX-License-Identifier: MIT
# What an analysis says to record when its events are missing: the line is
# run as it stands, for another workload, and then the analysis has them.
# shellcheck source=tests/lib.sh
. "$top_srcdir/tests/lib.sh"
# shellcheck source=tests/live/live.sh
. "$top_srcdir/tests/live/live.sh"

! sanitized || skip_all "commands to record with are tried without sanitizers"

live_begin
live_record "$tmp/sched" -a -e sched:sched_switch true ||
	skip_all "tracepoints cannot be recorded here"
live_record "$tmp/plain" -e cpu-clock "$tmp/known" shares 0.1 || exit 99
cat >"$tmp/work.sh" <<'EOT'
"$1/known" threads 0.2
dd if=/dev/zero of="$1/file" bs=65536 count=16 conv=fsync
EOT

# ANALYSIS CAPTURE: the lines that its notes give.
lines() {
	"$COLDPERF" "$1" "$2" 2>"$tmp/err" |
		sed -n 's/.*this records [^:]*: \(perf record .*\) -- sleep 10$/\1/p'
}

# LINE: the first of its tracepoints that this kernel has not got.
missing() {
	echo "$1" | grep -oE '[a-z_]+:[a-z_]+' | tr : / | while read -r event; do
		[ -d "/sys/kernel/tracing/events/$event" ] ||
			[ -d "/sys/kernel/debug/tracing/events/$event" ] ||
			echo "$event"
	done | head -n 1
}

# ANALYSIS CAPTURE KIND: follows the advice.
follow() {
	line=$(lines "$1" "$2")
	is "$(echo "$line" | grep -c '^perf record -')" 1 \
		"$1: one line to record ($(basename "$2"))" || return
	rm -f "$tmp/now"
	if (eval "$line -q -o '$tmp/now' -- sh '$tmp/work.sh' '$tmp'") \
		>"$tmp/record.out" 2>&1; then
		is "$(lines "$1" "$tmp/now")" "" "$1: it records them: $line" ||
			diag "$(cat "$tmp/record.out")"
	elif [ -n "$(missing "$line")" ]; then
		skip "$1: this kernel has no $(missing "$line")"
	elif [ "$3" = hardware ]; then
		skip "$1: not on this machine: $line"
	else
		false; ok $? "$1: it records them: $line"
		diag "$(tail -n 4 "$tmp/record.out")"
	fi
}

for analysis in offcpu sched timeline syscalls locks blockio faults; do
	follow $analysis "$tmp/plain" software
done
for analysis in cpi branches mem; do
	follow $analysis "$tmp/plain" hardware
done
for analysis in offcpu sched; do # they know no wake-ups
	follow $analysis "$tmp/sched" software
done
halves() {
	live_record "$tmp/half" -a -e "$2" true || return
	follow "$1" "$tmp/half" software
}
halves locks lock:contention_begin
halves blockio block:block_rq_complete
halves syscalls raw_syscalls:sys_enter
halves syscalls syscalls:sys_exit_read
done_testing
