#!/bin/sh
# SPDX-License-Identifier: MIT
# Fills a folder with inputs for fuzz targets: `seeds.sh FOLDER`.
#
# Takes the corpus of captures, what tests/fuzz/seeds and tests/fuzz/stored
# have, and makes objects, caches and bundles of each kind with the tools of
# this machine; what a missing tool would make is left out.  tests/fuzz/run.t,
# `check.sh --fuzz` and contrib/oss-fuzz/build.sh use it.
: "${top_srcdir:?is not set}"
: "${top_builddir:=.}"
: "${COLDPERF:=$top_builddir/coldperf}"
to=${1:?where to?}

captures() {
	for f in "$top_srcdir"/corpus/*/input.mkperf; do
		"$top_builddir/tests/tools/mkperf" "$f" \
			"$to/captures/$(basename "$(dirname "$f")").data"
	done
	for f in "$top_srcdir"/corpus/*/perf.data; do
		cp -R "$f" "$to/captures/$(basename "$(dirname "$f")").data"
	done
}

# Captures that have a secret in each place for a text.
planted() {
	for kind in fp dwarf tracepoints; do
		PYTHONDONTWRITEBYTECODE=1 python3 - $kind >"$to/planted.mkperf" \
			<<-END
			import sys
			sys.path.insert(0, "$top_srcdir/tests/redact")
			import plant
			print(plant.KINDS[sys.argv[1]](plant.Plant()))
		END
		"$top_builddir/tests/tools/mkperf" "$to/planted.mkperf" \
			"$to/captures/planted-$kind.data"
	done
	rm "$to/planted.mkperf"
}

# linked COMPILER OBJECT: a program of the object; all addresses of an object
# are 0, and nothing is looked up there.  Linkers leave out split units, which
# are then added.
linked() {
	o=$2.o
	$1 -nostdlib -no-pie -Wl,-e,0,--unresolved-symbols=ignore-all \
		-o "$2.elf" "$o" || return
	for part in $(objdump -h "$o" |
		sed -n 's/.* \(\.debug_[a-z_]*\.dwo\) .*/\1/p'); do
		objcopy --dump-section "$part=$2.part" "$o" "$2.copy" &&
			objcopy --add-section "$part=$2.part" "$2.elf"
	done
	rm -f "$2.part" "$2.copy"
}

# Debug information as compilers write it, one of each kind.
debug_information() {
	for flags in "-gdwarf-2 -O2" "-gdwarf-4 -O2" "-gdwarf-5 -O2" \
		"-gdwarf-5 -O2 -ffunction-sections" \
		"-gdwarf-4 -gsplit-dwarf -O2" "-gdwarf-5 -gsplit-dwarf -O2"; do
		for cc in "${CC:-cc}" gcc clang; do
			out=$to/debug/$(echo "${cc##*/}$flags" | tr -d ' ')
			# Assembled by itself a split unit stays in the same
			# file.  clang leaves an empty .dwo where it runs.
			# shellcheck disable=SC2086
			(cd "$to/debug" && $cc $flags -w -S -o "$out.s" \
				"$top_srcdir/tests/fuzz/seeds/inlined.c") &&
				$cc -c -o "$out.o" "$out.s" &&
				linked "$cc" "$out"
		done
	done
	rm -f "$to"/debug/*.s "$to"/debug/*.dwo
}

# Tables of Go programs, and one each by itself.
go_tables() {
	for layout in 2 16 18 20; do
		for order in little big; do
			for pie in "" pie; do
				out=$to/go/$layout$order$pie
				python3 "$top_srcdir/tests/symbolize/makego.py" \
					$layout $order "$out" $pie || continue
				printf '\0\0\0\0\0\0\0\0' >"$out.t"
				tail -c +8193 "$out" | head -c 4096 >>"$out.t"
			done
		done
	done
}

# A cache file, as coldperf writes it.
cache() {
	${CC:-cc} -g -O2 -w -shared -fPIC -o "$to/debug/lib.so" \
		"$top_srcdir/tests/fuzz/seeds/inlined.c" || return
	nm "$to/debug/lib.so" | sed -n 's/ [tT] .*//p' |
		"$top_builddir/tests/symbolize/inlines" -q \
			-c "$to/inlines" "$to/debug/lib.so"
	rm "$to/debug/lib.so"
}

# Bundles of each compression, one in another, with holes; a manifest.
bundles() {
	fp=$top_srcdir/corpus/good-fp
	b=$to/bundles
	tar -C "$fp" -cf "$b/a.tar" symbols
	for squeeze in gzip bzip2 xz zstd; do
		$squeeze -c <"$b/a.tar" >"$b/a.tar.$squeeze"
	done
	tar -C "$b" -cf "$b/b.tar" a.tar.gzip
	"$COLDPERF" pack --slim --no-local --cache /none \
		--symbols "$fp/symbols" -o "$b/slim.tar.zst" "$fp/perf.data"
	"$COLDPERF" unpack -o "$to/un" "$b/slim.tar.zst" &&
		cp "$to/un/coldperf/MANIFEST" "$b"
	chmod -R u+w "$to/un" && rm -rf "$to/un"
}

# merged NAME CAPTURE...: a snapshot of several, which has no records.
merged() {
	out=$to/snapshots/$1.cold
	shift
	"$COLDPERF" merge --no-local --no-cache \
		--symbols "$top_srcdir/corpus/good-fp/symbols" -o "$out" "$@"
}

# Snapshots, and their tables by themselves.
snapshots() {
	for name in good-fp good-dwarf good-jitdump good-events good-hybrid \
		good-sched good-waits; do
		"$COLDPERF" snapshot --no-local \
			--symbols "$top_srcdir/corpus/good-fp/symbols" \
			--symbols "$top_srcdir/corpus/good-jitdump/symbols" \
			-o "$to/snapshots/$name.cold" \
			"$to/captures/$name.data"
	done
	merged merged "$to/captures/good-fp.data" \
		"$to/captures/good-dwarf.data"
	merged events "$to/captures/good-events.data" \
		"$to/captures/good-group.data" "$to/captures/good-sched.data"
	merged twice "$to/snapshots/events.cold" "$to/snapshots/good-waits.cold"
	"$COLDPERF" snapshot --no-local --redact public \
		-o "$to/snapshots/redacted.cold" "$to/captures/good-waits.data"
	tar -C "$to/snapshots" -xf "$to/snapshots/good-fp.cold"
}

mkdir -p "$to/snapshots" "$to/captures" "$to/debug" "$to/go" \
	"$to/bundles" "$to/stored" || exit 1
captures
planted
cp -R "$top_srcdir/corpus/good-fp/symbols" "$top_srcdir/tests/fuzz/seeds" "$to"
python3 "$top_srcdir/tests/fuzz/stored.py" unpack "$to/stored" \
	"$top_srcdir"/tests/fuzz/stored/*.b64
debug_information
go_tables
cache
bundles
snapshots
chmod -R u+w "$to"
exit 0
