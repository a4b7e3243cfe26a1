#!/bin/sh
# SPDX-License-Identifier: MIT
# The scheduler's oracle over captures recorded here and now: messages, a
# pipe, a build, and one whose buffer is too small to hold what happens.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/live/live.sh"

# kind NAME OPTIONS... -- COMMAND...: perf sched record's events.
kind() {
	name=$1
	shift
	if live_record "$tmp/$name" -a -m 1024 -c 1 -R \
		-e sched:sched_switch -e sched:sched_stat_runtime \
		-e sched:sched_process_fork -e sched:sched_wakeup_new \
		-e sched:sched_migrate_task "$@"; then
		captures="$captures $tmp/$name"
	else
		skip "$name cannot be recorded here"
	fi
}

live_begin
perf bench sched pipe -l 1 >"$tmp/probe.out" 2>&1 ||
	skip_all "perf bench does not run here"
captures=''
cat >"$tmp/build.sh" <<'EOF'
for i in 1 2 3 4; do
	echo "int f$i(int x) { return x * $i; }" >"$1/f$i.c"
	"$2" -O2 -c -o "$1/f$i.o" "$1/f$i.c" &
done
wait
EOF
kind messaging -e sched:sched_waking -- perf bench sched messaging -g 1 -l 40
kind pipe -e sched:sched_waking -- perf bench sched pipe -l 2000
kind build -e sched:sched_waking -- sh "$tmp/build.sh" "$tmp" "$live_cc"
kind wakeup -e sched:sched_wakeup -- perf bench sched pipe -l 1000
kind both -e sched:sched_waking -e sched:sched_wakeup -- \
	perf bench sched messaging -g 1 -l 20
kind nowakes -- perf bench sched pipe -l 1000
kind lost -m 1 -e sched:sched_waking -- perf bench sched messaging -g 2 -l 100

[ -n "$captures" ] || skip_all "tracepoints cannot be recorded here"
# shellcheck disable=SC2086
"$top_srcdir/tests/oracle/sched.t" $captures
