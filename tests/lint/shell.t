#!/bin/sh
# SPDX-License-Identifier: MIT
# Scripts parse, and shellcheck finds nothing in them where it is installed.
. "$top_srcdir/tests/lib.sh"

cd "$top_srcdir" || exit 99
scripts=$(find check.sh demo.sh .ci contrib corpus tests bench -name node_modules -prune -o -type f \
	\( -perm -u+x -o -name '*.sh' \) -print 2>/dev/null | LC_ALL=C sort)
for s in $scripts; do
	case $(head -n 1 "$s") in
	'#!/bin/sh'* | '# shellcheck'*) try "$s parses" sh -n "$s" ;;
	*) continue ;;
	esac
	if command -v shellcheck >/dev/null; then
		try "$s: shellcheck" shellcheck -S warning -e SC1090,SC1091,SC2154,SC2034 "$s"
	fi
done
command -v shellcheck >/dev/null || skip "shellcheck is not installed"
done_testing
