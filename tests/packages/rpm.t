#!/bin/sh
# SPDX-License-Identifier: MIT
# rpmbuild makes packages of the archive of a release, as far as Debian's rpm
# goes: it knows no package of another distribution, so that what is required
# is not looked for.  rpmlint finds no error, and the program of the package
# reports what the build tree does.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/packages/packages.sh"

for p in rpmbuild rpm2cpio cpio rpmlint; do
	command -v "$p" >/dev/null || skip_all "no $p"
done
whole_sources "$tmp/sources"
env -u CC rpmbuild -tb --nodeps --define "_topdir $tmp/rpm" \
	--define "debug_package %{nil}" "$tarball" >"$tmp/build.out" 2>&1 \
	</dev/null
ok $? "rpmbuild" || {
	tail -n 20 "$tmp/build.out" | sed 's/^/# /'
	done_testing
}
set -- "$tmp"/rpm/RPMS/*/coldperf-[0-9]*.rpm
is "$#" 1 "one package of the program"
rpmlint "$tmp"/rpm/RPMS/*/*.rpm >"$tmp/rpmlint" 2>&1
# Who builds for a distribution signs, and names the packager and the group.
grep ': E: ' "$tmp/rpmlint" | grep -vE 'no-(signature|packager-tag|group-tag)' \
	>"$tmp/errors"
is "$(wc -l <"$tmp/errors")" 0 "rpmlint finds no error" ||
	sed 's/^/# /' "$tmp/errors"
mkdir "$tmp/root"
(cd "$tmp/root" && rpm2cpio "$1" | cpio -id --quiet)
corpus_into "$tmp/in"
CAPTURES=$tmp/in BUILD_TREE=$COLDPERF
reports "unpacked" "$tmp/root/usr/bin/coldperf"
done_testing
