# shellcheck shell=sh
# SPDX-License-Identifier: MIT
# What tests in a browser need; sourced after tests/lib.sh.
#
#	browse SCRIPT       drives the pictures in $tmp through Chromium, or says
#	                    what is missing; ends the test
#	modules_with NAME   $modules is the folder where npm left NAME, or the
#	                    test ends
modules_with() {
	for modules in "$top_builddir" "$top_srcdir"; do
		modules=$modules/tests/browser/node_modules
		[ ! -d "$modules/$1" ] || return 0
	done
	skip_all "$1 is not there: npm ci in tests/browser"
}

browse() {
	if sanitized; then
		for picture in "$tmp"/*.svg "$tmp"/*.html; do
			[ -e "$picture" ] || continue
			try "${picture##*/} is drawn" test -s "$picture"
		done
		skip "they are looked at in a build without sanitizers"
		done_testing
	fi
	command -v node >/dev/null || skip_all "node is not installed"
	for browser in "${CHROMIUM:-}" chromium-headless-shell chromium \
		chromium-browser google-chrome; do
		[ -n "$browser" ] && CHROMIUM=$(command -v "$browser") && break
	done
	[ -n "${CHROMIUM:-}" ] || skip_all "no chromium"
	modules_with playwright-core
	export CHROMIUM
	PLAYWRIGHT=$modules/playwright-core HOME=$tmp \
		node "$top_srcdir/tests/browser/$1" "$tmp"
	exit $?
}
