#!/bin/sh
# SPDX-License-Identifier: MIT
# Each fuzz target survives the corpus, intact and damaged.  Deeper fuzzing is
# `check.sh --fuzz`.
. "$top_srcdir/tests/lib.sh"

corpus "$tmp/corpus"
cp -R "$top_srcdir/corpus/good-fp/symbols" "$top_srcdir/tests/fuzz/seeds" \
	"$tmp/corpus"
for target in ${FUZZ_TARGETS-}; do
	timeout 300 "$top_builddir/$target" -runs=1 -mutate="${MUTATE:-8}" \
		"$tmp/corpus" >"$tmp/out" 2>&1
	status=$?
	ok $status "$(basename "$target") survives the corpus" || sed 's/^/# /' \
		"$tmp/out" | tail -n 40
done
[ -n "${FUZZ_TARGETS-}" ] || skip "no fuzz targets are built"
done_testing
