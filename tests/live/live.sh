# shellcheck shell=sh
# SPDX-License-Identifier: MIT
# For tests that record on the spot; sourced after tests/lib.sh.
#
#	live_begin          builds the workloads in $tmp; ends the test when
#	                    this machine does not let us record
#	live_record FILE ARGUMENTS...   perf record -o FILE ARGUMENTS, as an
#	                    argument of $live_on if that is set

live_begin() {
	command -v perf >/dev/null || skip_all "perf is not installed"
	perf record -q -e cpu-clock -o "$tmp/probe.data" true \
		>"$tmp/probe.out" 2>&1 || skip_all "perf cannot record here:" \
		"$(tail -n 1 "$tmp/probe.out") (perf_event_paranoid is" \
		"$(cat /proc/sys/kernel/perf_event_paranoid 2>/dev/null))"
	# Not clang, which unrolls the recursion.
	live_cc=$(command -v gcc) || live_cc=${CC:-cc}
	for live_program in known jit; do
		# Its source is shown if it lies below the folder it is compiled in.
		(cd "$top_srcdir/corpus/workloads" &&
			$live_cc -O1 -g -fno-omit-frame-pointer \
			-fno-optimize-sibling-calls -pthread -o \
			"$tmp/$live_program" \
			"$top_srcdir/corpus/workloads/$live_program.c") ||
			skip_all "the workload does not compile"
	done
}

live_record() {
	live_file=$1
	shift
	${live_on-} perf record -q -o "$live_file" "$@" >"$tmp/record.out" 2>&1 || {
		diag "perf record $*: $(tail -n 2 "$tmp/record.out")"
		return 1
	}
}
