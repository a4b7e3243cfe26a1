#!/bin/sh
# SPDX-License-Identifier: MIT
# dpkg-buildpackage makes a package of the archive of a release; lintian finds
# nothing, and installed in a fresh root it reports what the build tree does.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/packages/packages.sh"

unset MAKEFLAGS MAKELEVEL CFLAGS LDFLAGS
for p in dpkg-buildpackage dh lintian fakeroot; do
	command -v "$p" >/dev/null || skip_all "no $p"
done
whole_sources "$tmp/deb"
version=${sources##*-}
cp "$tarball" "$tmp/deb/coldperf_$version.orig.tar.xz"
cd "$sources" || exit 99
env -u CC dpkg-buildpackage -us -uc >"$tmp/build.out" 2>&1 </dev/null
ok $? "dpkg-buildpackage" || {
	tail -n 20 "$tmp/build.out" | sed 's/^/# /'
	done_testing
	exit
}
cd / || exit 99
lintian --allow-root --fail-on error,warning "$tmp"/deb/*.changes \
	>"$tmp/lintian" 2>&1
ok $? "lintian" || sed 's/^/# /' "$tmp/lintian"

# The suite of this machine: the package needs its libraries.
suite=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
if [ "$(id -u)" -ne 0 ] || ! command -v debootstrap >/dev/null; then
	skip "no root, or no debootstrap"
	done_testing
	exit
fi
fresh=$tmp/fresh
try "debootstrap $suite" debootstrap --variant=minbase "$suite" "$fresh"
cp /etc/resolv.conf "$fresh/etc/"
cp "$tmp"/deb/coldperf_*.deb "$COLDPERF" "$fresh/root/"
corpus_into "$fresh/in"
try "the package installs" chroot "$fresh" env DEBIAN_FRONTEND=noninteractive \
	sh -c 'apt-get -qq update && apt-get -qq install -y /root/*.deb'
CAPTURES=/in
BUILD_TREE="chroot $fresh /root/coldperf"
reports "in a fresh $suite" chroot "$fresh" coldperf
done_testing
