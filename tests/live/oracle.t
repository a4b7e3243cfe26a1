#!/bin/sh
# SPDX-License-Identifier: MIT
# The oracles once more, over captures recorded here and now: the objects are
# at hand, so that names are compared and not only addresses.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/live/live.sh"
! sanitized || skip_all "perf is asked without sanitizers"

# kind OPTION-AND-COMMAND...: records a capture of that name, or says why not.
kind() {
	name=$1
	shift
	if live_record "$tmp/$name" "$@"; then
		case " $* " in
		*" -a "*) all="$all $name" ;;
		*) own="$own $name" ;;
		esac
	else
		skip "$name cannot be recorded here"
	fi
}

live_begin
cd "$tmp" || exit 99 # whatever its name is
# all: with what else runs on this machine, other tests among it.  perf names
# no code of jitdumps, and report gives a thread's first name to its samples
# before it; so of these captures only our own samples are compared.
all='' own=''
k=$tmp/known
kind plain -e cpu-clock -F 999 "$k" threads 0.3
kind fp -e cpu-clock -F 999 -g "$k" shares 0.4
kind fork -e cpu-clock -F 999 -g "$k" children 0.3
kind kernel -e cpu-clock -F 999 -g "$k" kernel 0.2
kind wide -a -e cpu-clock -F 199 -g "$k" threads 0.4
kind events -e cpu-clock,page-faults -F 499 -g "$k" children 0.2
kind zstd -z -e cpu-clock -F 499 -g "$k" recurse 0.2
# The corpus has most of these, too.
if nightly; then
	kind modifiers -e cpu-clock:u,cpu-clock:k -F 299 -g "$k" kernel 0.2
	kind read -a -e '{cpu-clock,page-faults}:S' -F 199 "$k" children 0.2
	kind data -d -e page-faults -c 1 "$k" children 0.1
	kind tail --overwrite --tail-synthesize -e cpu-clock -F 299 -a "$k" threads 0.2
	kind folder --threads -e cpu-clock -F 299 -a -g "$k" children 0.2
	kind bounds --buildid-mmap -T -P -s --sample-cpu -k monotonic -e cpu-clock -F \
		299 -g "$k" children 0.2
	cp "$k" "$tmp/odd name;x"
	kind names -e cpu-clock -F 499 -g "$tmp/odd name;x" shares 0.1
fi
# Not by a wrapper script: perf report cuts the names of its children.
python=$(python3 -c 'import os, sys; print(os.path.realpath(sys.executable))')
kind python -e cpu-clock -F 999 -g "$python" -c 'sum(i for i in range(10**6))'
[ -n "$own" ] || skip_all "nothing could be recorded"

"$COLDPERF" report "$tmp/kernel" >"$tmp/out" 2>"$tmp/err"
if [ "$(sed -n 's/^\([0-9a-f]*\) . _text$/\1/p' /proc/kallsyms | tr -d 0)" ]; then
	! grep no-kallsyms "$tmp/err"
	ok $? "the kernel that runs is found" || diag "$(cat "$tmp/err")"
else
	skip "this machine hides the addresses of its kernel"
fi
# shellcheck disable=SC2086 # names without blanks
try "script: fresh captures equal perf" \
	"$top_srcdir/tests/oracle/script.t" $own
# Without a capture the oracle would take the corpus.
if [ -n "$all" ]; then
	# shellcheck disable=SC2086
	try "script: our samples among those of everything equal perf" \
		env ORACLE_COMM=known "$top_srcdir/tests/oracle/script.t" $all
else
	skip "only our own samples may be recorded here"
fi
for oracle in folded report; do
	# shellcheck disable=SC2086
	try "$oracle: fresh captures equal perf" \
		"$top_srcdir/tests/oracle/$oracle.t" $own
done

# waits NAME ORACLE OPTIONS...: what else runs here is in it, too.
waits() {
	name=$1
	oracle=$2
	shift 2
	if live_record "$tmp/$name" -m 2048 -a "$@" "$k" children 0.3; then
		try "$oracle: a fresh capture equals perf" \
			env ORACLE_COMM=known \
			"$top_srcdir/tests/oracle/$oracle.t" "$tmp/$name"
	else
		skip "$name cannot be recorded here"
	fi
}
waits switches offcpu -e sched:sched_switch -e sched:sched_waking \
	-e sched:sched_wakeup_new -g
waits calls latency -e raw_syscalls:sys_enter -e raw_syscalls:sys_exit
waits locks latency -e lock:contention_begin -e lock:contention_end -g
done_testing
