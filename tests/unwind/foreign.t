#!/bin/sh
# SPDX-License-Identifier: MIT
# Other architectures: a cross-compiled program, run by qemu-user or by this
# machine, dumps registers and stacks of itself; mkperf makes captures of them;
# libdwfl unwinds the same.
#
# Where libdwfl's stack is only the beginning of ours (stopped), leads out of
# all mappings (wild) or lacks frames (skipped), code has no table: it takes
# the frame pointer for one, or stops; we look at the link register.  It does
# not know of signed return addresses either.  4 % may differ otherwise, or end
# early: qemu's own signal trampolines are in no file, and how many samples fall
# in them is up to the load of the machine; of riscv64 it also decides how many
# fall in the parts of its libc that have no table.
. "$top_srcdir/tests/lib.sh"

dwfl=$top_builddir/tests/unwind/dwfl-stacks
[ -x "$dwfl" ] || skip_all "built without libdw (Debian: libdw-dev)"
mkperf=$top_builddir/tests/tools/mkperf

field() {
	printf '%s\n' "$1" | sed "s/.* $2 \([0-9]*\).*/\1/"
}

as_libdwfl() {
	[ "${samples:-0}" -ge 100 ] &&
		[ $(((equal + stopped + wild + skipped) * 100)) -ge \
			$((samples * 96)) ]
	ok $? "$name as libdwfl:$last" || {
		grep '^other' "$tmp/$name.out" | cut -c 1-500 | head -n 4 |
			sed 's/^/# /'
		sed 's/^/# /' "$tmp/$name.err" | head -n 3
	}
}

# try_arch NAME COMPILER EMULATOR LEAST OPTIONS...: so many of 100 stacks must
# reach the outermost frame.
try_arch() {
	name=$1 cc=$2 run=$3 least=$4
	shift 4
	command -v "$cc" >/dev/null || {
		skip "$name: no $cc"
		return
	}
	[ -z "$run" ] || command -v "$run" >/dev/null || {
		skip "$name: no $run"
		return
	}
	"$cc" -g -static "$@" -o "$tmp/$name" \
		"$top_srcdir/tests/unwind/work/foreign.c" \
		>"$tmp/build.out" 2>&1 || {
		skip "$name: does not compile"
		return
	}
	timeout 120 $run "$tmp/$name" >"$tmp/$name.txt" \
		2>"$tmp/$name.err" &&
		"$mkperf" "$tmp/$name.txt" "$tmp/$name.data" || {
		skip "$name: does not run"
		return
	}
	"$dwfl" "$tmp/$name.data" >"$tmp/$name.out" 2>"$tmp/$name.err"
	last=" $(tail -n 1 "$tmp/$name.out")"
	samples=$(field "$last" samples) equal=$(field "$last" equal)
	stopped=$(field "$last" stopped) wild=$(field "$last" wild)
	skipped=$(field "$last" skipped)
	# libdwfl takes what is above a frame record for the caller's stack.
	[ "$name" = arm64bare ] || as_libdwfl
	complete=$("$COLDPERF" unwind -f csv "$tmp/$name.data" 2>/dev/null |
		awk -F , '$5 == "complete" { n += $4 } END { print n + 0 }')
	[ "${complete:-0}" -ge $((samples * least / 100)) ]
	ok $? "$name: ${complete:-none} of $samples complete"
}

QEMU_CPU=max # signs return addresses
export QEMU_CPU
try_arch arm64 aarch64-linux-gnu-gcc qemu-aarch64 96 -O2
try_arch arm64nofp aarch64-linux-gnu-gcc qemu-aarch64 96 -O2 \
	-fomit-frame-pointer
try_arch arm64pac aarch64-linux-gnu-gcc qemu-aarch64 96 -O1 \
	-mbranch-protection=standard
try_arch arm64bare aarch64-linux-gnu-gcc qemu-aarch64 97 -O1 -g0 \
	-fno-omit-frame-pointer -fno-unwind-tables \
	-fno-asynchronous-unwind-tables
unset QEMU_CPU
try_arch riscv64 riscv64-linux-gnu-gcc qemu-riscv64 30 -O2 \
	-fasynchronous-unwind-tables
try_arch s390x s390x-linux-gnu-gcc qemu-s390x 90 -O2
try_arch ppc64le powerpc64le-linux-gnu-gcc qemu-ppc64le 90 -O2
bare='-fno-unwind-tables -fno-asynchronous-unwind-tables'
try_arch arm arm-linux-gnueabihf-gcc qemu-arm 96 -O2 -marm -funwind-tables
# shellcheck disable=SC2086 # a list of options
try_arch armbare arm-linux-gnueabihf-gcc qemu-arm 96 -O2 -marm $bare
# shellcheck disable=SC2086
try_arch thumbbare arm-linux-gnueabihf-gcc qemu-arm 96 -O2 -mthumb $bare
try_arch i386 i686-linux-gnu-gcc '' 70 -O2
try_arch x86_64 gcc '' 99 -O2
done_testing
