#!/bin/sh
# SPDX-License-Identifier: MIT
# capture, on this host: questions recorded, and their commands find what they
# need; the budget; a ring; a perf that is killed; a user without rights; names
# that a shell would take for commands.
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
question cpi cpi
question memory faults
[ ! -f cpu.tar ] || {
	"$coldperf" report cpu.tar | grep -q '^  labels: .*for=cpu · ticket=7'
	ok $? "a report has the labels"
	"$coldperf" advise latency.tar | grep -q '^  why it is slow.*wall'
	ok $? "advise knows what was recorded"
}

# Words of the target are no words of a shell.
mkdir 'a;touch evil' && cp work 'a;touch evil/$(touch evil) b'
"$coldperf" capture -o evil.tar -- './a;touch evil/$(touch evil) b' 0.05 '3;4' \
	>said 2>&1
[ -f evil.tar ] && [ ! -e evil ]
ok $? "a name for a shell is only a name"
"$coldperf" capture --dry-run -o evil2.tar -- \
	'./a;touch evil/$(touch evil) b' 0.05 >line 2>/dev/null
sh -c "$(cat line)" >/dev/null 2>&1
[ -s evil2.tar.perf.data ] && [ ! -e evil ]
ok $? "what --dry-run prints can be pasted" || diag "$(cat line)"

# The cost of a second is known then, and the rate is lowered.
"$coldperf" capture --budget 0.05% -o budget.tar -- ./work 2.6 4 >said 2>&1
is $? 4 "a budget" || diag "$(cat said)"
is "$(sed -n 's/.*begins anew with \([0-9]*\) samples.*/\1/p' said |
	awk '$1 > 5 && $1 < 999' | wc -l | tr -d ' ')" 1 "... lowers the rate" ||
	diag "$(cat said)"

# A ring ends at the trigger, the program goes on.
"$coldperf" capture --ring 2s --trigger "test -e 'go now'" -o ring.tar -- \
	./work 1.2 >said 2>&1 &
pid=$!
sleep 0.6
: >'go now'
wait $pid
"$coldperf" report ring.tar 2>/dev/null | grep -q 'duration: '
ok $? "a ring is packed at its trigger" || diag "$(cat said)"

# The status of the command is said, and is ours.
ends() {
	want=$1
	shift
	"$coldperf" capture -o ended.tar "$@" >said 2>&1
	is $? "$want" "... $*" || diag "$(cat said)"
}
ends 7 -- sh -c 'exit 7'
grep -q 'ended with status 7$' said
ok $? "the status of the command is said"
ends 137 -- sh -c 'kill -9 $$'
ends 5 --budget 50% -- sh -c 'exit 5'

# What cannot start is said before, and leaves the file that was there.
: >plain
printf '#!/no/such\n' >script
chmod +x script
cp ended.tar before.tar
for name in nosuchcommand '' /tmp ./plain ./script; do
	ends 2 -- "$name"
done
ends 2 --pid 999999999
for trigger in '' 'runq>' 'runq>x' 'runq>-1' 'nosuchcommand x'; do
	ends 2 --ring 2 --trigger "$trigger" -- true
done
ends 2 --seconds 0 -- true
cmp -s ended.tar before.tar && [ ! -e ended.tar.perf.data ]
ok $? "... and the older bundle is as it was"
mkdir folder
for out in no/x folder; do
	"$coldperf" capture -o "$out" -- true >said 2>&1
	is $? 5 "no file at $out" || diag "$(cat said)"
done

# All that the command started ends with --seconds.
ends 0 --seconds 1 -- sh -c './work 6 & echo $! >child; ./work 6; true'
! grep -q '^State:.[RS]' "/proc/$(cat child)/status" 2>/dev/null
ok $? "no child is left by --seconds"
# ... also one that takes no SIGTERM.
# shellcheck disable=SC2016 # words of the command
ends 0 --seconds 1 -- sh -c 'trap "" TERM; echo $$ >child; while :; do :; done'
kill -0 "$(cat child)" 2>/dev/null
is $? 1 "a command that ignores SIGTERM ends with --seconds"

# A return to the CPU is known of a program alone, too.
"$coldperf" capture --dry-run --for offcpu --pid $$ 2>/dev/null |
	grep -q -- ' --switch-events .*-m [0-9]*K '
ok $? "switches of a program alone, in buffers that keep them"

comes() { # FILE: waits for it
	for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		[ -s "$1" ] && return
		sleep 0.1
	done
}

# SIGUSR1 packs a ring at once, whatever its trigger; the command goes on.
"$coldperf" capture --ring 2s --trigger 'runq>9999' -o usr1.tar -- \
	./work 2.5 >said 2>&1 &
pid=$!
comes usr1.tar.perf.data
sleep 0.3
kill -USR1 $pid
comes usr1.tar
[ -s usr1.tar ] && kill -0 $pid
ok $? "SIGUSR1 packs a ring at once" || diag "$(cat said)"
wait $pid

# We are killed: neither perf nor the target stays, and perf's file is whole.
"$coldperf" capture --ring 2s -o left.tar -- ./work 9 >said 2>&1 &
pid=$!
comes left.tar.perf.data
sleep 0.3
children=$(cat "/proc/$pid/task/"*/children)
kill -KILL $pid
for _ in 1 2 3 4 5 6 7 8 9; do
	sleep 0.2
	: >left
	for child in $children; do
		grep -s '^State:.[RSD]' "/proc/$child/status" >>left
	done
	[ -s left ] || break
done
"$coldperf" report left.tar.perf.data >said 2>&1
[ $? = 0 ] && [ ! -s left ]
ok $? "what is killed leaves a ring's file, and no process" || diag "$(cat said)"

# perf is killed: what it wrote is packed.
"$coldperf" capture -o killed.tar -- ./work 3 >said 2>&1 &
pid=$!
sleep 0.7
for child in $(cat "/proc/$pid/task/"*/children); do
	kill -KILL "$child"
done
wait $pid
is $? 3 "a loss is no success"
pgrep -f './work 3' >left
[ -s killed.tar ] && [ ! -s left ]
ok $? "what a killed perf wrote is packed" || diag "$(cat said)"

if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
	mkdir -m 777 others && cp work others && chmod 755 "$tmp"
	as_nobody() {
		(cd others && setpriv --reuid 65534 --regid 65534 \
			--clear-groups env HOME=/nonexistent "$coldperf" \
			capture --no-config "$@" -- ./work 0.1) >said 2>&1
	}
	if [ -x others/work ] && setpriv --reuid 65534 "$coldperf" version \
		>/dev/null 2>&1; then
		as_nobody --for latency -o l.tar
		grep -q 'ask the administrator for: sysctl' said &&
			[ -s others/l.tar ]
		ok $? "a user without rights gets what he may record" ||
			diag "$(cat said)"
		as_nobody --for sched -o s.tar
		is $? 2 "... or what to ask for" || diag "$(cat said)"
	else
		skip "another user cannot run what was built here"
	fi
fi

# The script for hosts without coldperf asks the same.
sh "$top_srcdir/contrib/coldperf-capture.sh" -o script.tar for faults -- \
	./work 0.05 >said 2>&1
"$coldperf" faults script.tar >faults 2>&1
is "$(grep -c 'the capture has no' faults)" 0 "contrib/coldperf-capture.sh for"
done_testing
