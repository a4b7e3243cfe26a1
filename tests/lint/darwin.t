#!/bin/sh
# SPDX-License-Identifier: MIT
# Every source that macOS has is sound for it: clang's front end with the
# headers of macOS, which `make darwin-headers' fetches.  What is declared
# nowhere is an error there, and so is what is newer than macOS 13.
. "$top_srcdir/tests/lib.sh"

headers=$top_builddir/tests/lint/darwin
[ -e "$headers/unistd.h" ] || skip_all "no headers: make darwin-headers"
clang=$(command -v clang) || skip_all "no clang"
# Several files in one process are a third of the time: -cc1 takes them.
builtin=$("$clang" -print-resource-dir)/include

# Those of libraries, without the ones of Linux beside them.
mkdir "$tmp/libraries"
multiarch=/usr/include/$("$clang" -print-multiarch 2>/dev/null ||
	gcc -print-multiarch)
for name in archive.h archive_entry.h capstone curses.h gmp.h libdeflate.h \
	libiberty lzma lzma.h ncurses_dll.h nettle sqlite3.h unctrl.h \
	zconf.h zlib.h zstd.h zstd_errors.h; do
	for folder in /usr/include "$multiarch"; do
		[ ! -e "$folder/$name" ] ||
			ln -sfn "$folder/$name" "$tmp/libraries/$name"
	done
done

front_end() {
	"$clang" -cc1 -triple arm64-apple-macosx13.0.0 -fsyntax-only \
		-std=gnu17 -fblocks -fgnuc-version=4.2.1 -DCP_BUILT_IN -I"$top_srcdir" \
		-I"$top_srcdir/include" -I"$top_builddir" -isystem "$headers" \
		-isystem "$tmp/libraries" -internal-isystem "$builtin" \
		'-D__is_target_environment(x)=0' -Wno-builtin-macro-redefined \
		-Wall -Werror -Werror=unguarded-availability \
		-Wno-string-concatenation -x c "$@"
}

MAKEFLAGS='' make -s -C "$top_builddir" print-darwin-sources |
	tr ' ' '\n' | grep -x '[a-z][a-z0-9/-]*\.c' |
	sed "s,^,$top_srcdir/," >"$tmp/list"
[ "$(wc -l <"$tmp/list")" -gt 700 ]
ok $? "the list of sources is there: $(wc -l <"$tmp/list")" ||
	diag "$(head "$tmp/list")"
split -n r/2 "$tmp/list" "$tmp/part."
for part in "$tmp"/part.a?; do
	# shellcheck disable=SC2046 # no name has a blank
	front_end $(cat "$part") >"$part.out" 2>&1 || : >"$part.bad" &
done
wait
[ ! -e "$tmp/part.aa.bad" ] && [ ! -e "$tmp/part.ab.bad" ]
ok $? "all are sound for macOS 13" ||
	diag "$(grep -h -A 3 'error:' "$tmp"/part.*.out | cut -c 1-200 |
		head -n 60)"
front_end "$top_srcdir/base/port-linux.c" >/dev/null 2>&1
[ $? -eq 1 ]
ok $? "what is Linux' own is not"
done_testing
