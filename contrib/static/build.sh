#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds one static program that runs on any Linux of its processor:
#
#	contrib/static/build.sh [x86_64|aarch64] [FOLDER]
#
# Run it on Debian 12, as any user.  The libraries' .a files are those of
# Debian 12: apt fetches them from the sources of this machine into FOLDER
# (build-static), where they stay; nothing is installed.  The compiler has to
# be there: gcc, or gcc-aarch64-linux-gnu for aarch64, and what
# `.ci/deps.sh build` installs.
#
# FOLDER/coldperf-VERSION-linux-ARCH.tar.xz has the program, its manual and the
# licences of the libraries.  Two builds of the same sources are equal.
set -eu
top=$(cd "$(dirname "$0")/../.." && pwd)

packages="libacl1-dev libarchive-dev libbz2-dev libc++abi-19-dev
libcapstone-dev libdeflate-dev libdw-dev libelf-dev libiberty-dev liblzma-dev
libncurses-dev libsqlite3-dev libzstd-dev nettle-dev zlib1g-dev"

die() {
	echo "build.sh: $*" >&2
	exit 1
}

machine=$(uname -m)
arch=${1-$machine}
case $arch in
x86_64) debian=amd64 ;;
aarch64) debian=arm64 ;;
*) die "$arch: x86_64 and aarch64 are built" ;;
esac
triplet=$arch-linux-gnu
mkdir -p "${2-$top/build-static}"
folder=$(cd "${2-$top/build-static}" && pwd)
root=$folder/root-$arch
build=$folder/$arch
stage=$folder/stage-$arch

host=
[ "$arch" = "$machine" ] || host=--host=$triplet
: "${CC=${host:+$triplet-}gcc}"
grep -qs '^VERSION_CODENAME=bookworm' /etc/os-release ||
	die "this is not Debian 12, whose libraries can be linked statically"
command -v "${CC##* }" >/dev/null || die "no $CC: install gcc${host:+-$triplet}"

# apt with a state of its own, so that it may ask for another architecture.
apt() {
	apt-get -qq -o APT::Architecture="$debian" \
		-o APT::Architectures="$debian" -o APT::Sandbox::User= \
		-o Dir::State="$folder/apt" -o Dir::Cache="$folder/apt" \
		-o Dir::State::status="$folder/apt/status" \
		-o Acquire::Retries=3 "$@" </dev/null
}

# Debian's packages, unpacked.
unpacked() {
	rm -rf "$folder/apt/debs"
	mkdir "$folder/apt/debs"
	(cd "$folder/apt/debs" && apt download "$@") ||
		die "apt does not find the libraries"
	for deb in "$folder"/apt/debs/*.deb; do
		dpkg-deb -x "$deb" "$root.part"
	done
}

# They are fetched once.  Some have their licence in another package.
libraries() {
	[ ! -e "$root" ] || return 0
	rm -rf "$folder/apt" "$root.part"
	mkdir -p "$folder/apt/lists/partial" "$folder/apt/archives/partial" \
		"$root.part"
	: >"$folder/apt/status"
	apt update
	# shellcheck disable=SC2086 # a list of names
	unpacked $packages
	# shellcheck disable=SC2046 # the same
	unpacked $(find "$root.part/usr/share/doc" -maxdepth 1 -type l -printf '%l\n')
	rm -rf "$folder/apt"
	mv "$root.part" "$root"
}

compile() {
	[ -x "$top/configure" ] || (cd "$top" && autoreconf -fi >/dev/null)
	rm -rf "$build" "$stage"
	mkdir -p "$build"
	cd "$build"
	lib=$root/usr/lib
	# shellcheck disable=SC2086 # nothing, or one word
	PKG_CONFIG_LIBDIR=$lib/$triplet/pkgconfig PKG_CONFIG_SYSROOT_DIR=$root \
	"$top/configure" -q --enable-static --prefix=/usr/local $host CC="$CC" \
		CPPFLAGS="-I$root/usr/include -I$root/usr/include/$triplet" \
		CFLAGS="-O2 -ffile-prefix-map=$top=. -ffile-prefix-map=$root=" \
		LDFLAGS="-L$lib/$triplet -L$lib/llvm-19/lib"
	make -s -j "$(getconf _NPROCESSORS_ONLN)" coldperf 2>make.err || {
		cat make.err >&2
		die "make failed in $build"
	}
	make -s install-strip DESTDIR="$stage" >/dev/null
}

# The libraries are linked into the program: their licences go with it.
licences() {
	mkdir -p "$stage/usr/local/share/doc/coldperf/licences"
	cp "$top/LICENSE" "$stage/usr/local/share/doc/coldperf/"
	for p in $packages; do
		cp -L "$root/usr/share/doc/$p/copyright" \
			"$stage/usr/local/share/doc/coldperf/licences/$p"
	done
	libc=libc6-dev${host:+-$debian-cross}
	cp -L "/usr/share/doc/$libc/copyright" \
		"$stage/usr/local/share/doc/coldperf/licences/$libc"
}

archive() {
	: "${SOURCE_DATE_EPOCH=$(stat -c %Y "$top/NEWS")}"
	name=coldperf-$("$top/configure" --version | sed -n '1s/.* //p')
	tar -C "$stage/usr/local" --sort=name --mtime="@$SOURCE_DATE_EPOCH" \
		--owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX \
		--transform "s,^\.,$name," -cf - . |
		xz -T1 >"$folder/$name-linux-$arch.tar.xz"
	cp "$stage/usr/local/bin/coldperf" "$folder/coldperf-$arch"
	ls -l "$folder/coldperf-$arch" "$folder/$name-linux-$arch.tar.xz"
}

umask 022
libraries
compile
licences
archive
