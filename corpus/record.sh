#!/bin/sh
# SPDX-License-Identifier: MIT
# Records the captures of this folder anew: `corpus/record.sh [CASE...]`.
#
# A person runs it now and then, as root, on a machine with perf; nothing
# else in the project does.  Each recipe below is one case: a folder with
# the capture and PROVENANCE (command, machine, date, sha256).  The workloads are
# those of corpus/workloads, installed under $prefix so that the paths in the
# captures belong to nobody.  A system-wide recording also sees what else runs:
# it is repeated until nothing foreign is in it.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
prefix=/usr/local/lib/coldperf-corpus
out=
cd /

build() {
	mkdir -p "$prefix"
	for w in known jit jitdump; do
		gcc -O1 -g -fno-omit-frame-pointer -fno-optimize-sibling-calls \
			-ffile-prefix-map="$here"=corpus -pthread \
			"$here/workloads/$w.c" -o "$prefix/$w"
	done
	cat >"$prefix/family" <<-'SH'
	#!/bin/sh
	# Several short programs, as a build or a CI job has.
	d=${0%/*}
	"$d/known" shares 0.2 >/dev/null &
	"$d/known" recurse 0.15
	"$d/known" children 0.1 >/dev/null
	"$d/known" kernel 0.1 >/dev/null
	wait
	SH
	chmod +x "$prefix/family"
}

# case_begin NAME: an empty folder.
case_begin() {
	out=$here/$1
	rm -rf "$out"
	mkdir -p "$out"
	echo "recording $1" >&2
}

# run COMMAND...: runs it in the case's folder and remembers its words.
run() {
	command_line=$*
	(cd "$out" && PATH=$prefix:$PATH && export PATH && sh -c "$*") \
		>/dev/null 2>"$out/stderr" || return 1
}

# What a capture must not contain: programs and folders that are not ours.
foreign() {
	find "$out" -type f -name '*data*' -exec strings -n 4 {} + |
		grep -E '^/(root|home|work|opt|srv|mnt|tmp/[^p])' && return 0
	perf script -f -G -i "$out/perf.data" --show-task-events -F \
		comm,pid,event,trace 2>/dev/null |
		grep -oE '^ *[^ ]+|comm=[^ ]+|: [^: ]+:[0-9]+/' |
		sed 's/^ *//; s/^comm=//; s/^: //; s/:[0-9]*\/$//' | sort -u |
		grep -vE '^(known|jit|jitdump|family|sh|perf.*|swapper.*|heavy|medium|light|sleep|true|dd|:[0-9]+|kworker.*|k[a-z]+(/.*)?|rcu.*|migration.*|cpuhp.*|jbd2.*|idle_inject.*|)$' &&
		return 0
	return 1
}

case_end() {
	rm -f "$out/stderr"
	find "$out" -type f -exec chmod 644 {} +
	{
		echo "Recorded with corpus/record.sh; the workload is in corpus/workloads."
		echo "command: $command_line"
		[ -z "${1-}" ] || echo "then: $1"
		echo "kernel: $(uname -srm)"
		echo "perf: $(perf --version)"
		echo "date: $(date -u +%Y-%m-%dT%H:%M:%SZ)"
		echo "sha256:"
		(cd "$out" && find . -type f ! -iname "*provenance" | LC_ALL=C sort |
			sed 's,^\./,,' | xargs sha256sum)
	} >"$out/.provenance"
	mv "$out/.provenance" "$out/PROVENANCE"
}

# record NAME COMMAND: a recording of our own programs only.
record() {
	case_begin "$1"
	run "$2"
	if foreign >&2; then
		echo "$1: foreign content" >&2
		exit 1
	fi
	case_end
}

# record_wide NAME COMMAND: of a CPU; repeated until nothing foreign is in it.
record_wide() {
	tries=0
	while :; do
		case_begin "$1"
		run "$2"
		foreign >/dev/null || break
		tries=$((tries + 1))
		if [ "$tries" -gt 60 ]; then
			echo "$1: the machine is too busy" >&2
			exit 1
		fi
	done
	case_end
}

good_fp() {
	record good-fp 'perf record -e cpu-clock -F 499 -g -o perf.data family'
	archive
}

# As `perf archive` does, but only of what cannot be found elsewhere.
archive() {
	mkdir -p "$out/symbols"
	cp "$prefix/known" "$out/symbols/known"
	strip --strip-debug "$out/symbols/known"
	case_end "symbols/known is the recorded binary without debug information"
}

good_nochain() {
	record good-nochain 'perf record -e cpu-clock -F 999 -o perf.data known threads 0.3'
}

good_period() {
	record good-period 'perf record -e cpu-clock -c 2000003 -d -g -o perf.data known recurse 0.4'
}

good_events() {
	record good-events 'perf record -e cpu-clock,page-faults,context-switches -F 299 -g -o perf.data family'
}

good_group() {
	record good-group "perf record -e '{cpu-clock,task-clock,page-faults}:S' -F 299 -g -o perf.data known shares 0.4"
}

good_counts() {
	case_begin good-counts
	run 'perf stat record -I 100 -e task-clock,page-faults,context-switches -o perf.data known shares 0.3'
	case_end
}

good_system() {
	record_wide good-system 'perf record --synth=no -C 1 -e cpu-clock -F 199 -g -o perf.data taskset -c 1 known children 0.3'
}

good_pipe() {
	record good-pipe 'perf record -e cpu-clock -F 499 -g -o - family 2>/dev/null >perf.data'
}

good_zstd() {
	record good-zstd 'perf record -z -e cpu-clock -F 999 -g -o perf.data family'
}

good_zstd_pipe() {
	record good-zstd-pipe 'perf record -z -e cpu-clock -F 999 -g -o - known threads 0.4 2>/dev/null >perf.data'
}

good_directory() {
	record_wide good-directory 'perf record --synth=no -C 0,1 --threads -e cpu-clock -F 199 -g -o perf.data known threads 0.25'
}

good_tracepoints() {
	record_wide good-tracepoints 'perf record --synth=no -C 1 -e sched:sched_switch,sched:sched_wakeup,sched:sched_process_exit -g -o perf.data taskset -c 1 known children 0.15'
}

good_sched() {
	record_wide good-sched 'perf sched record --synth=no -C 1 -o perf.data taskset -c 1 known children 0.1'
}

good_syscalls() {
	record good-syscalls 'perf record -e raw_syscalls:sys_enter,raw_syscalls:sys_exit -o perf.data known children 0.05'
}

good_dwarf() {
	record good-dwarf 'perf record -e cpu-clock -F 199 --call-graph dwarf,4096 -o perf.data known recurse 0.3'
}

good_buildid_mmap() {
	record good-buildid-mmap 'perf record --buildid-mmap -e cpu-clock -F 299 -g -o perf.data family'
}

good_switch() {
	record good-switch 'perf record --switch-events -e cpu-clock -F 299 -g -o perf.data known children 0.3'
}

good_clock() {
	record good-clock 'perf record -k CLOCK_MONOTONIC -e cpu-clock -F 299 -g -T -o perf.data family'
}

good_jit() {
	case_begin good-jit
	run 'perf record -e cpu-clock -F 299 -g -o perf.data jit 0.3'
	mkdir "$out/symbols"
	mv /tmp/perf-[0-9]*.map "$out/symbols/"
	case_end 'the map /tmp/perf-PID.map of the run was moved to symbols'
}

# Code that changes at its address while it runs.
good_jitdump() {
	case_begin good-jitdump
	run 'perf record -k mono -e cpu-clock -F 299 -g -o perf.data jitdump 0.3 /tmp'
	mkdir "$out/symbols"
	mv /tmp/jit-[0-9]*.dump "$out/symbols/"
	case_end 'the dump jit-PID.dump of the run was moved to symbols'
}

# The recorder dies before it writes the size of the data and the features.
bad_killed() {
	case_begin bad-killed
	run 'perf record -e cpu-clock -F 1999 -m 4 -g -o perf.data known shares 1 & sleep 0.8; kill -KILL $!; wait || :'
	case_end
}

recipes=$(sed -n 's/^\([a-z]*_[a-z_]*\)() {$/\1/p' "$here/record.sh" | grep -E '^(good|odd|bad)_')
if [ $# -gt 0 ]; then
	recipes=$(printf '%s\n' "$@" | sed 's,.*/,,' | tr - _)
fi
build
for r in $recipes; do
	"$r"
done
du -sh "$here"/good-* "$here"/bad-* 2>/dev/null | sort -h
