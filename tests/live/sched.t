#!/bin/sh
# SPDX-License-Identifier: MIT
# The scheduler's oracle over captures recorded here and now: messages, a
# pipe, a build, and one whose buffer is too small to hold what happens.
#
# SCHED_EVENTS=1000000 makes each workload larger until its capture has so
# many events; PERF7 names a perf of version 7 to be compared with, too.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/live/live.sh"

# FILE NAME: a number that coldperf tells of the capture.
told() {
	"$COLDPERF" quality --section quality "$1" 2>"$tmp/err" |
		sed -n "s/,//g; s/^  $2: *//p"
}

# kind NAME WORK OPTIONS...: perf sched record's events.
kind() {
	name=$1 work=$2 size=1
	shift 2
	while :; do
		live_record "$tmp/$name" -a -m 1024 -c 1 -R \
			-e sched:sched_switch -e sched:sched_stat_runtime \
			-e sched:sched_process_fork -e sched:sched_wakeup_new \
			-e sched:sched_migrate_task "$@" -- \
			sh "$tmp/work.sh" "$work" $size "$tmp" "$live_cc" || {
			skip "$name cannot be recorded here"
			return
		}
		got=$(told "$tmp/$name" samples)
		[ "${got:-0}" -gt 0 ] || got=${SCHED_EVENTS:-1}
		[ "$got" -lt "${SCHED_EVENTS:-1}" ] || break
		size=$((size * SCHED_EVENTS / got * 9 / 8 + 1))
	done
	diag "$name: $got events"
	captures="$captures $name"
}

# It has the machine to itself, so each second of it is one of the whole run.
! sanitized || skip_all "perf sched is asked without sanitizers"
live_begin
perf bench sched pipe -l 1 >"$tmp/probe.out" 2>&1 ||
	skip_all "perf bench does not run here"
cat >"$tmp/work.sh" <<'END'
case $1 in
messaging) perf bench sched messaging -g 1 -l $((40 * $2)) ;;
pipe) perf bench sched pipe -l $((1000 * $2)) ;;
build)
	for _ in $(seq "$2"); do
		for i in 1 2 3 4; do
			echo "int f$i(int x) { return x * $i; }" >"$3/f$i.c"
			"$4" -O2 -c -o "$3/f$i.o" "$3/f$i.c" &
		done
		wait
	done ;;
esac
END
captures=''
kind messaging messaging -e sched:sched_waking
kind pipe pipe -e sched:sched_waking
kind build build -e sched:sched_waking
kind wakeup pipe -e sched:sched_wakeup
kind both messaging -e sched:sched_waking -e sched:sched_wakeup
kind nowakes pipe
kind lost messaging -m 1 -e sched:sched_waking
[ ! -e "$tmp/lost" ] || [ "$(told "$tmp/lost" lost)" != 0 ] ||
	skip "the smallest buffer of perf lost nothing here"

[ -n "$captures" ] || skip_all "tracepoints cannot be recorded here"
cd "$tmp" || exit 99 # whatever its name is
# shellcheck disable=SC2086
TAP_POINTS=$tap_points "$top_srcdir/tests/oracle/sched.t" $captures
