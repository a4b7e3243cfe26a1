# shellcheck shell=sh
# SPDX-License-Identifier: MIT
# What tests in a browser need; sourced after tests/lib.sh.  Sets $CHROMIUM and
# $modules, or ends the test.
command -v node >/dev/null || skip_all "node is not installed"
for browser in "${CHROMIUM:-}" chromium chromium-browser google-chrome; do
	[ -n "$browser" ] && CHROMIUM=$(command -v "$browser") && break
done
[ -n "${CHROMIUM:-}" ] || skip_all "no chromium"
for modules in "$top_builddir" "$top_srcdir"; do
	modules=$modules/tests/browser/node_modules
	[ -d "$modules/playwright-core" ] && break
done
[ -d "$modules/playwright-core" ] ||
	skip_all "playwright-core is not there: npm ci in tests/browser"
export CHROMIUM
