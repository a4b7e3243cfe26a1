#!/bin/sh
# SPDX-License-Identifier: MIT
# The code that a page shows has the samples that `annotate' says.
# shellcheck source=tests/lib.sh
. "$top_srcdir/tests/lib.sh"

command -v node >/dev/null || skip_all "node is not installed"
node -e 'new DecompressionStream("deflate-raw")' 2>/dev/null ||
	skip_all "node is too old: it has no deflate-raw"

corpus "$tmp/corpus"
for name in good-fp good-exact-ip good-cpi good-jitdump; do
	symbols=$top_srcdir/corpus/$name/symbols
	if [ ! -d "$symbols" ]; then
		skip "$name: the symbols are not here"
		continue
	fi
	for show in '--all' '--context 2' '--show asm'; do
		# shellcheck disable=SC2086 # two words
		"$COLDPERF" annotate --no-local $show -f html \
			-o "$tmp/page.html" --symbols "$symbols" \
			"$tmp/corpus/$name.data" 2>/dev/null || exit 99
		try "$name, annotate $show: rows have their samples" node \
			"$top_srcdir/tests/page/listing.js" "$tmp/page.html"
	done
done
try "addresses of a kernel are exact" \
	node "$top_srcdir/tests/page/listing-exact.js"
done_testing
