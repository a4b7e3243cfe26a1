#!/bin/sh
# SPDX-License-Identifier: MIT
# What we read from the header features is what perf prints of them, for every
# capture of the corpus and those beside the project, if there are any.
#
# perf's words are rewritten into ours; what it does not print (ways of a
# cache, nanoseconds) is cut from ours.
. "$top_srcdir/tests/lib.sh"

show=$top_builddir/tests/readers/show-features
command -v perf >/dev/null 2>&1 || skip_all "no perf here"
perf --version | grep -q 'perf version 6\.' || skip_all "not perf 6.x"

from_perf() {
	sed -n -E \
	-e 's/^# hostname : /hostname: /p' \
	-e 's/^# os release : /os-release: /p' \
	-e 's/^# perf version : /perf-version: /p' \
	-e 's/^# arch : /arch: /p' \
	-e 's/^# nrcpus online : /cpus-online: /p' \
	-e 's/^# nrcpus avail : /cpus-available: /p' \
	-e 's/^# cpudesc : /cpu: /p' \
	-e 's/^# cpuid : /cpuid: /p' \
	-e 's/^# total memory : /memory: /p' \
	-e "s/\\\\'/'/g" -e 's/^# cmdline : (.*) $/cmdline: \1/p' \
	-e 's/^# event : name = (.*), , id = \{ ([0-9, ]*) \},.*/ids: \1 = \2/p' \
	-e 's/^# sibling sockets : /package: cpus /p' \
	-e 's/^# sibling dies    : /die: cpus /p' \
	-e 's/^# sibling threads : /core: cpus /p' \
	-e 's/^# (CPU [0-9]+: Core ID .*)/\1/p' \
	-e 's/^# node([0-9]+) meminfo  : total = (.*), free = (.*)/numa-node: \1: \2, \3 free/p' \
	-e 's/^# node([0-9]+) cpu list : (.*)/numa-cpus: \1: \2/p' \
	-e 's/^# group: /members: /p' \
	-e 's/^#  (L[0-9]) (.*[^ ]) +([0-9]+K) \[(.*)\]$/cache: \1 \2: cpus \4, \3/p' \
	-e 's/^# time of first sample : /first-sample: /p' \
	-e 's/^# time of last sample : /last-sample: /p' \
	-e 's/^# compressed : Zstd, level = ([0-9]+), ratio = /compression: zstd (1), level \1, ratio /p' \
	-e 's/^# clockid: .* \(([0-9]+)\)/clock: \1/p' \
	-e 's/^# reference time: ([-0-9]+) ([0-9:.]+) =.*\(TOD\) = ([0-9.]+) .*/wall-clock-reference: \1T\2\nclock-reference: \3/p' \
	-e '/^# pmu mappings: /{s///; s/, /\n/g; s/^/pmu: /; s/\n/\npmu: /g; p}' |
	sed -E -e '/^(first|last)-sample: 0\.000000$/d'
}

from_us() {
	sed -E \
	-e 's/^(wall-clock-reference: .*\.[0-9]{6})000Z$/\1/' \
	-e 's/^numa-node: ([0-9]+): cpus (.*), ([0-9]+ kB, [0-9]+ kB free)/numa-node: \1: \3\nnuma-cpus: \1: \2/' \
	-e 's/^(cache: .*), [0-9]+ ways.*/\1/' \
	-e 's/^((first|last)-sample: .*)[0-9]{3}$/\1/' \
	-e 's/^clock: .*\(([0-9]+)\)/clock: \1/' "$1" |
	grep -v '^ids: .* =$' |
	grep -E '^(hostname|os-release|perf-version|arch|cpus-(online|available)|cpu|cpuid|memory|cmdline|ids|package|die|core|CPU [0-9]+|numa-node|numa-cpus|members|cache|first-sample|last-sample|compression|clock|(wall-)?clock-reference|pmu): '
}

compare() {
	perf report --header-only -I -f -i "$1" 2>/dev/null >"$tmp/perf" ||
		{ skip "perf cannot read $2"; return; }
	grep -q '^# data offset' "$tmp/perf" ||
		{ skip "perf prints no header of $2"; return; }
	"$show" "$1" >"$tmp/us" 2>"$tmp/err" ||
		{ skip "we find no features in $2"; return; }
	from_perf <"$tmp/perf" | grep -v -e ': $' -e ': (null)$' | sort >"$tmp/want"
	from_us "$tmp/us" | grep -v ': $' | sort >"$tmp/got.all"
	# perf drops the places of CPUs that it does not believe.
	if grep -q '^# Core ID and Socket ID information is not' "$tmp/perf"
	then
		grep -v '^CPU ' "$tmp/got.all" >"$tmp/got"
	else
		cp "$tmp/got.all" "$tmp/got"
	fi
	[ -s "$tmp/want" ] || [ -s "$tmp/got" ] ||
		{ skip "no features in $2"; return; }
	same "$tmp/got" "$tmp/want" "features of $2: $(wc -l <"$tmp/want")" \
		"lines as perf prints them"
	# perf names an object once, and prints the padding of short IDs.
	perf buildid-list -f -i "$1" 2>/dev/null | sort -u |
		sed -E 's/^([0-9a-f]{8,32}[0-9a-f]{8})00000000 /\1 /
			s/^/build-id: /' >"$tmp/want"
	grep '^build-id: ' "$tmp/us" | sort -u >"$tmp/got"
	# Without the feature perf collects IDs from records.
	grep -q '^build-ids: ' "$tmp/us" || return
	same "$tmp/got" "$tmp/want" "build IDs of $2: $(wc -l <"$tmp/want")"
}

for file in "$top_srcdir"/corpus/*/perf.data \
    "$top_srcdir"/corpus/*/perf.data/data \
    "$top_srcdir"/../shared/corpus/*/*; do
	[ -f "$file" ] || continue
	case $(head -c 8 "$file") in
	PERFILE2|PERFFILE|2ELIFREP)
		compare "$file" "${file#"$top_srcdir/"}" ;;
	esac
done
[ "$tap_points" -ne 0 ] || skip "no captures"
done_testing
