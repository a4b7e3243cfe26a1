#!/bin/sh
# SPDX-License-Identifier: MIT
# Each fuzz target survives the corpus, intact and damaged, and what fuzzing
# has stored.  Deeper fuzzing is `check.sh --fuzz`.
. "$top_srcdir/tests/lib.sh"

"$top_srcdir/tests/fuzz/seeds.sh" "$tmp/corpus" 2>"$tmp/err"
for kind in captures stored symbols seeds; do
	[ -n "$(find "$tmp/corpus/$kind" -type f)" ]
	ok $? "there are seeds: $kind" || sed 's/^/# /' "$tmp/err"
done
# What is stored was found by one target, and is for that one.
mv "$tmp/corpus/stored" "$tmp/stored"
for target in ${FUZZ_TARGETS-}; do
	own=$tmp/stored/${target##*/}
	mkdir -p "$own"
	timeout 300 "$top_builddir/$target" -runs=1 -mutate="${MUTATE:-1}" \
		"$tmp/corpus" "$own" >"$tmp/out" 2>&1
	status=$?
	ok $status "$(basename "$target") survives the corpus" || sed 's/^/# /' \
		"$tmp/out" | tail -n 40
done
[ -n "${FUZZ_TARGETS-}" ] || skip "no fuzz targets are built"
done_testing
