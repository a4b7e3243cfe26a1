#!/bin/sh
# SPDX-License-Identifier: MIT
# The archive of a release builds on a machine without autoconf and automake.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/packages/packages.sh"

whole_sources "$tmp/from"
mkdir "$tmp/none"
for p in autoconf automake aclocal autoheader autoreconf autom4te makeinfo git; do
	printf '#!/bin/sh\necho %s >>%s\nexit 1\n' "$p" "$tmp/asked" \
		>"$tmp/none/$p"
done
chmod +x "$tmp"/none/*
PATH=$tmp/none:$PATH
export PATH
# A read-only source folder and a build folder beside it.
chmod -R a-w "$sources"
mkdir "$tmp/build"
cd "$tmp/build" || exit 99
try "configure" "$sources/configure" -q --prefix=/usr CC="${CC-cc}" \
	CFLAGS="-O1 -g"
try "make" make -s -j2
try "make install" make -s install DESTDIR="$tmp/dest"
cd / || exit 99
[ ! -e "$tmp/asked" ]
ok $? "none of the autotools was asked" || diag "$(cat "$tmp/asked")"
corpus_into "$tmp/in"
CAPTURES=$tmp/in
BUILD_TREE=$COLDPERF
reports "the archive" "$tmp/dest/usr/bin/coldperf"
(cd "$sources" && find . -name '*.o' -o -name '*.gch' -o -name core | head) \
	>"$tmp/junk"
is "$(cat "$tmp/junk")" "" "no object file is in the archive"
chmod -R u+w "$sources"
done_testing
