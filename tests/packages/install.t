#!/bin/sh
# SPDX-License-Identifier: MIT
# make install puts all that a user needs below DESTDIR and nothing elsewhere,
# make uninstall takes it away, and the version stands in one place.
. "$top_srcdir/tests/lib.sh"

# Folders may have spaces: packagers' build folders do.
dest="$tmp/a root"
quiet_make() {
	env -u MAKEFLAGS -u MAKELEVEL make -s -C "$top_builddir" "$@" \
		>"$tmp/make.out" 2>&1 </dev/null
}
files() {
	(cd "$1" && find . ! -type d | LC_ALL=C sort)
}

quiet_make install DESTDIR="$dest" prefix=/opt/cp
ok $? "make install" || diag "$(tail -n 5 "$tmp/make.out")"
there=$dest/opt/cp
is "$(ls "$dest") $(ls "$dest/opt")" "opt cp" "nothing is outside of the prefix"
version=$(sed -n 's/^AC_INIT(\[coldperf\], \[\([^]]*\)\].*/\1/p' \
	"$top_srcdir/configure.ac")
is "$("$there/bin/coldperf" version | head -n 1)" "coldperf $version" \
	"the program has the version of configure.ac"
is "$(PKG_CONFIG_PATH=$there/lib/pkgconfig pkg-config --modversion coldperf)" \
	"$version" "... pkg-config too"
is "$(sed -n '1s/^coldperf (\(.*\)-[0-9]*).*/\1/p' "$top_srcdir/debian/changelog")" \
	"$version" "... Debian's changelog too"
is "$(sed -n 's/^Version: *//p' "$top_srcdir/contrib/rpm/coldperf.spec")" \
	"$version" "... and the RPM"

(cd "$top_srcdir/man" && ls -- *.[1-9]) >"$tmp/want"
(cd "$there/share/man" && find . -type f | sed 's|.*/||' | sort) >"$tmp/got"
same "$tmp/got" "$tmp/want" "all manual pages"
if [ -e "$top_builddir/completions/coldperf" ]; then
	for f in bash-completion/completions/coldperf \
		zsh/site-functions/_coldperf \
		fish/vendor_completions.d/coldperf.fish; do
		[ -s "$there/share/$f" ]
		ok $? "$f"
	done
else
	skip "a cross build has no completions"
fi
[ -x "$there/share/coldperf/coldperf-capture.sh" ]
ok $? "the script for hosts without coldperf"

# What is installed needs the build no more, and a plug-in compiles with it.
cat >"$tmp/p.c" <<'END'
#include <coldperf/plugin.h>
int abi = CP_ABI;
END
export CCACHE_DISABLE=1
# shellcheck disable=SC2086 # may be two words
try "a plug-in compiles with the installed headers" ${CC-cc} -std=gnu17 \
	-I "$there/include" -c -o "$tmp/p.o" "$tmp/p.c"
(cd / && "$there/bin/coldperf" report --no-local \
	"$(cd "$top_srcdir" && pwd)/corpus/good-fp/perf.data") >"$tmp/got" 2>&1
"$COLDPERF" report --no-local "$top_srcdir/corpus/good-fp/perf.data" \
	>"$tmp/want" 2>&1
sed -i 's|/.*/corpus/|corpus/|' "$tmp/got" "$tmp/want"
same "$tmp/got" "$tmp/want" "the installed program reports the same"

quiet_make uninstall DESTDIR="$dest" prefix=/opt/cp
ok $? "make uninstall"
is "$(files "$dest")" "" "... leaves no file"
done_testing
