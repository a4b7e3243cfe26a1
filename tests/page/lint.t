#!/bin/sh
# SPDX-License-Identifier: MIT
# ESLint finds nothing in the scripts of pages, pictures and tests; the rules
# are in eslint.config.js.  Needs node, and eslint of `make browser-deps'.
# shellcheck source=tests/lib.sh
. "$top_srcdir/tests/lib.sh"
# shellcheck source=tests/browser/browser.sh
. "$top_srcdir/tests/browser/browser.sh"

command -v node >/dev/null || skip_all "node is not installed"
modules_with eslint
export NODE_MODULES="$modules"

# joined NAME PART...: a picture's script, which is one function; its parts
# know each other's names.
joined() {
	{
		echo "(function () { 'use strict';"
		for part in picture "$@"; do
			awk -v name="render_${part}_js" '$1 == name, !/\\$/' \
				render/local.mk
		done | sed 's/^render_.* =//; s/\\$//; s/%D%/render/g' |
			xargs sed 's/^import .*//; s/^export //'
		echo '})();'
	} >"$tmp/tree/render/svg/$1.js"
}

# ESLint takes only files below the folder in which it runs.
cd "$top_srcdir" || exit 99
mkdir -p "$tmp/tree/render/svg" || exit 99
find render/page tests bench -name node_modules -prune -o -name '*.js' \
	-print >"$tmp/names"
tar cf - -T "$tmp/names" | tar xf - -C "$tmp/tree" || exit 99
joined flame
joined chart
cd "$tmp/tree" && chmod -R u+w . || exit 99

lint() {
	node "$modules/eslint/bin/eslint.js" \
		-c "$top_srcdir/tests/page/eslint.config.js" "$@"
}
try "nothing is found in $(find . -name '*.js' | wc -l) scripts" lint .

# Rules that find nothing here would find nothing there.
for folder in render/page render/svg tests/page tests/browser tests/unwind \
	bench; do
	echo '(() => { let a = 1; const b = none == a; a = 2 })();' \
		>"$folder/wrong.js"
done
lint -f json ./*/wrong.js ./*/*/wrong.js >"$tmp/said"
for rule in eqeqeq no-undef no-unused-vars semi; do
	is "$(grep -o "\"ruleId\":\"$rule\",\"severity\"" "$tmp/said" | wc -l)" 6 \
		"$rule finds what is wrong in each folder"
done
done_testing
