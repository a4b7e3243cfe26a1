#!/bin/sh
# SPDX-License-Identifier: MIT
# The page's script has the types that its comments tell.  Needs a TypeScript
# compiler: Debian's node-typescript, or `npm install typescript' in a folder
# and TSC=FOLDER/node_modules/.bin/tsc.
# shellcheck source=tests/lib.sh
. "$top_srcdir/tests/lib.sh"

TSC=${TSC:-tsc}
command -v "$TSC" >/dev/null || skip_all "no TypeScript compiler (TSC=...)"
try "types are sound" "$TSC" --project "$top_srcdir/tests/page"
# A check that finds nothing here would find nothing there.
mkdir "$tmp/page" || exit 99
echo 'boxAt(1).none;
/** @param {string} a @returns {{b: number}} */
function boxAt(a) { return { b: a.length }; }' >"$tmp/page/wrong.js"
sed 's|"../../render/page/|"page/|' "$top_srcdir/tests/page/tsconfig.json" \
	>"$tmp/tsconfig.json"
"$TSC" --project "$tmp" >"$tmp/said" 2>&1
grep -q 'wrong.js(1,7): error TS2345' "$tmp/said" &&
	grep -q "wrong.js(1,10): error TS2339" "$tmp/said"
ok $? "and wrong ones are found"
done_testing
