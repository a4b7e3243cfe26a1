#!/bin/sh
# SPDX-License-Identifier: MIT
# dpkg-buildpackage makes a package of the archive of a release, in a fresh root
# of each suite of Debian in which nothing is but what debian/control asks for.
# lintian of that suite finds nothing, and installed in another fresh root it
# reports what the build tree does.  SUITES names other suites: sid.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/packages/packages.sh"

[ "$(id -u)" -eq 0 ] || skip_all "not root"
command -v debootstrap >/dev/null || skip_all "no debootstrap"

# inside ROOT COMMAND...: there, with /proc, and without what is set here.
# shellcheck disable=SC2016 # the inner shell's
inside() {
	unshare -m sh -c 'mount -t proc proc "$0/proc" && exec chroot "$0" \
		env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C \
		DEBIAN_FRONTEND=noninteractive "$@"' "$@" </dev/null
}

built() {
	mkdir "$1/b"
	cp -r "$sources" "$1/b/"
	cp "$tarball" "$1/b/coldperf_$version.orig.tar.xz"
	try "$suite: what debian/control asks for" inside "$1" sh -c "
		cd /b/coldperf-$version && apt-get -qq update &&
		apt-get -qq install -y --no-install-recommends dpkg-dev &&
		apt-get -qq build-dep -y --no-install-recommends ./" || return
	try "$suite: dpkg-buildpackage" inside "$1" sh -c \
		"cd /b/coldperf-$version && dpkg-buildpackage -us -uc" || return
	try "$suite: lintian" inside "$1" sh -c "
		apt-get -qq install -y --no-install-recommends lintian &&
		lintian --allow-root --fail-on error,warning /b/*.changes"
}

installed() {
	cp "$2"/b/coldperf_*.deb "$COLDPERF" "$1/root/"
	corpus_into "$1/in"
	try "$suite: the package installs" inside "$1" sh -c \
		'apt-get -qq update && apt-get -qq install -y /root/*.deb' ||
		return
	CAPTURES=/in
	BUILD_TREE="inside $1 /root/coldperf"
	reports "$suite" inside "$1" coldperf
}

whole_sources "$tmp/deb"
version=${sources##*-}
for suite in ${SUITES-bookworm trixie}; do
	fresh=$tmp/$suite
	try "$suite: debootstrap" debootstrap --variant=minbase "$suite" \
		"$fresh" || continue
	cp /etc/resolv.conf "$fresh/etc/"
	# A mirror may be of last month.
	echo 'Acquire::Check-Valid-Until "false";' \
		>"$fresh/etc/apt/apt.conf.d/old-mirror"
	cp -a "$fresh" "$fresh-build"
	built "$fresh-build" && installed "$fresh" "$fresh-build"
	rm -rf "$fresh" "$fresh-build"
done
done_testing
