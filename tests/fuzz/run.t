#!/bin/sh
# SPDX-License-Identifier: MIT
# Each fuzz target survives the corpus, intact and damaged.  Deeper fuzzing is
# `check.sh --fuzz`.
. "$top_srcdir/tests/lib.sh"

inputs=$(find "$top_srcdir/corpus" -type f -size -400k ! -name '*.c' \
	! -name '*.sh' ! -name '*.mk' | LC_ALL=C sort)
[ -n "$inputs" ] || inputs=$0
for target in ${FUZZ_TARGETS-}; do
	# shellcheck disable=SC2086 # names of the corpus have no blanks
	timeout 300 "$top_builddir/$target" -runs=1 -mutate="${MUTATE:-8}" \
		$inputs >"$tmp/out" 2>&1
	status=$?
	ok $status "$(basename "$target") survives the corpus" || sed 's/^/# /' \
		"$tmp/out" | tail -n 40
done
[ -n "${FUZZ_TARGETS-}" ] || skip "no fuzz targets are built"
done_testing
