#!/bin/sh
# SPDX-License-Identifier: MIT
# Each fuzz target survives the corpus, intact and damaged.  Deeper fuzzing is
# `check.sh --fuzz`.
. "$top_srcdir/tests/lib.sh"

corpus "$tmp/corpus"
cp -R "$top_srcdir/corpus/good-fp/symbols" "$top_srcdir/tests/fuzz/seeds" \
	"$tmp/corpus"
# For fuzz-sched: a thread dies, nobody knows where, while a CPU has it.
printf '%b' "\0223\0356\0265\0012\0171\0132\0037\0121" \
	"\0061\0264\0227\0047\0174\0254\0240\0145" \
	"\0002\0045\0115\0076\0306\0357\0375\0072" \
	"\0242\0143\0221\0216\0266\0047\0365\0373" \
	"\0073\0305\0016\0142\0202\0022\0132\0006" \
	>"$tmp/corpus/dead"
# Debug information as compilers write it, one of each kind.
mkdir "$tmp/corpus/debug"
for flags in "-gdwarf-2 -O2" "-gdwarf-4 -O2" "-gdwarf-5 -O2" \
	"-gdwarf-5 -O2 -ffunction-sections" \
	"-gdwarf-4 -gsplit-dwarf -O2" "-gdwarf-5 -gsplit-dwarf -O2"; do
	for cc in "${CC:-cc}" clang; do
		out=$tmp/corpus/debug/$cc$(echo "$flags" | tr -d ' ')
		# Assembled by itself a split unit stays in the same file.
		# clang leaves an empty .dwo where it runs.
		# shellcheck disable=SC2086
		(cd "$tmp" && $cc $flags -w -S -o "$out.s" \
			"$top_srcdir/tests/fuzz/seeds/inlined.c") &&
			$cc -c -o "$out.o" "$out.s" && rm "$out.s"
	done
done 2>"$tmp/err"
# Tables of Go programs, and one each by itself.
mkdir "$tmp/corpus/go"
for layout in 2 16 18 20; do
	for order in little big; do
		for pie in "" pie; do
			out=$tmp/corpus/go/$layout$order$pie
			python3 "$top_srcdir/tests/symbolize/makego.py" \
				$layout $order "$out" $pie &&
				{ printf '\0\0\0\0\0\0\0\0' &&
				tail -c +8193 "$out" | head -c 4096; } >"$out.t"
		done
	done
done 2>>"$tmp/err"
# A cache file, as coldperf writes it.
"$CC" -g -O2 -w -shared -fPIC -o "$tmp/lib.so" \
	"$top_srcdir/tests/fuzz/seeds/inlined.c" 2>>"$tmp/err" &&
	nm "$tmp/lib.so" | sed -n 's/ [tT] .*//p' |
	"$top_builddir/tests/symbolize/inlines" -q \
		-c "$tmp/corpus/inlines" "$tmp/lib.so" 2>>"$tmp/err"
# Bundles of each compression, one in another, with holes; a manifest.
mkdir "$tmp/corpus/bundles"
tar -C "$top_srcdir/corpus/good-fp" -cf "$tmp/corpus/bundles/a.tar" symbols
for squeeze in gzip bzip2 xz zstd; do
	$squeeze -c <"$tmp/corpus/bundles/a.tar" \
		>"$tmp/corpus/bundles/a.tar.$squeeze" 2>>"$tmp/err"
done
tar -C "$tmp/corpus/bundles" -cf "$tmp/corpus/bundles/b.tar" a.tar.gzip
"$COLDPERF" pack --slim --no-local --cache /none \
	--symbols "$top_srcdir/corpus/good-fp/symbols" \
	-o "$tmp/corpus/bundles/slim.tar.zst" \
	"$top_srcdir/corpus/good-fp/perf.data" 2>>"$tmp/err"
"$COLDPERF" unpack -o "$tmp/un" "$tmp/corpus/bundles/slim.tar.zst" \
	2>>"$tmp/err" && cp "$tmp/un/coldperf/MANIFEST" "$tmp/corpus/bundles"
# Snapshots, and their tables by themselves.
mkdir "$tmp/corpus/snapshots"
for name in good-fp good-dwarf good-jitdump; do
	"$COLDPERF" snapshot --symbols "$top_srcdir/corpus/good-fp/symbols" \
		--symbols "$top_srcdir/corpus/good-jitdump/symbols" --no-local \
		-o "$tmp/corpus/snapshots/$name.cold" \
		"$top_srcdir/corpus/$name/perf.data" 2>>"$tmp/err"
done
tar -C "$tmp/corpus/snapshots" -xf "$tmp/corpus/snapshots/good-fp.cold" \
	2>>"$tmp/err"
for target in ${FUZZ_TARGETS-}; do
	timeout 300 "$top_builddir/$target" -runs=1 -mutate="${MUTATE:-8}" \
		"$tmp/corpus" >"$tmp/out" 2>&1
	status=$?
	ok $status "$(basename "$target") survives the corpus" || sed 's/^/# /' \
		"$tmp/out" | tail -n 40
done
[ -n "${FUZZ_TARGETS-}" ] || skip "no fuzz targets are built"
done_testing
