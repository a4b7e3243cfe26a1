#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs what is missing: `.ci/deps.sh build` what ./configure and make
# need; on Debian and Ubuntu `.ci/deps.sh test` also what the tests need, and
# `.ci/deps.sh packages` what tests/packages needs.  Where no package manager is
# known it says what is needed and goes on.  Does nothing,
# and needs no root, when all is there.
set -eu

build="gcc libc6-dev make autoconf automake pkg-config xz-utils
libzstd-dev liblzma-dev libarchive-dev libcapstone-dev libdeflate-dev
libdw-dev libiberty-dev libncurses-dev libsqlite3-dev nettle-dev zlib1g-dev"
tests="bash binutils clang clang-format debuginfod dwz elfutils fish g++
gcovr graphviz libxml2-utils llvm mandoc procps python3 python3-pip shellcheck
strace tar tmux util-linux valgrind zip zsh zstd"
packages="bsdutils bzip2 cpio debootstrap gcc-aarch64-linux-gnu libc++abi1-19
libc6-dev-arm64-cross python3 qemu-user-static rpm rpmlint util-linux zstd"

missing=
need() {
	for p in "$@"; do
		dpkg-query -W -f '${Status}' "$p" 2>/dev/null |
			grep -q 'ok installed' || missing="$missing $p"
	done
}

have() {
	command -v "$1" >/dev/null 2>&1
}

# The first of the packages that there is.
newest() {
	for p in "$@"; do
		if apt-cache show "$p" >/dev/null 2>&1; then
			missing="$missing $p"
			return 0
		fi
	done
}

# PROGRAM PACKAGE...: unless the program is there.
optional() {
	have "$1" && return 0
	shift
	newest "$@"
}

as_root() {
	if [ "$(id -u)" -eq 0 ]; then
		"$@"
	elif have sudo; then
		sudo -n "$@"
	else
		echo "deps.sh: not root: cannot run $*" >&2
		return 1
	fi
}

apt_get() {
	as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq \
		-o Acquire::Retries=3 "$@" </dev/null >/dev/null
}

updated=
install_missing() {
	[ -n "$missing" ] || return 0
	echo "installing:$missing" >&2
	# shellcheck disable=SC2086 # a list of names
	if [ -z "$updated" ]; then
		apt_get update || :
		updated=1
	fi
	# shellcheck disable=SC2086
	apt_get install -y --no-install-recommends $missing || {
		# One unknown name must not keep the others away.
		for p in $missing; do
			apt_get install -y --no-install-recommends "$p" ||
				echo "deps.sh: could not install $p" >&2
		done
	}
	missing=
}

# Sanitizers come in a package whose name carries the version of clang.
clang_runtime() {
	have clang || return 0
	echo 'int main(void){return 0;}' | clang -fsanitize=address,undefined \
		-x c - -o /dev/null 2>/dev/null && return 0
	v=$(clang -dumpversion | cut -d. -f1)
	missing=" libclang-rt-$v-dev"
	install_missing
}

# What the build needs where packages say what pkg-config finds in them.
by_pkg_config() {
	echo gcc make autoconf automake binutils-devel
	for p in capstone libarchive libdeflate libdw liblzma libzstd \
		ncursesw nettle sqlite3 zlib; do
		echo "pkgconfig($p)"
	done
}

# Other systems get what the build needs.  What only tests need is named
# otherwise everywhere: a test skips where it is missing.
elsewhere() {
	# shellcheck disable=SC2046 # a list of names
	if have dnf; then
		as_root dnf -y -q install $(by_pkg_config)
	elif have zypper; then
		as_root zypper -n -q install $(by_pkg_config)
	elif have pacman; then
		as_root pacman -S --needed --noconfirm gcc make autoconf \
			automake pkgconf binutils capstone elfutils libarchive \
			libdeflate ncurses nettle sqlite xz zlib zstd
	elif have apk; then
		as_root apk add -q build-base autoconf automake pkgconf \
			binutils-dev capstone-dev elfutils-dev libarchive-dev \
			libdeflate-dev ncurses-dev nettle-dev sqlite-dev \
			xz-dev zlib-dev zstd-dev
	else
		false
	fi
}

if ! have dpkg-query || ! have apt-get; then
	# shellcheck disable=SC2086
	elsewhere </dev/null >/dev/null || echo "deps.sh: needed are, as" \
		"Debian names them:" $build >&2
	exit 0
fi
# shellcheck disable=SC2086
need $build
# shellcheck disable=SC2086
[ "${1-}" != packages ] || need $packages
if [ "${1-test}" = test ]; then
	# shellcheck disable=SC2086
	need $tests
	install_missing
	# Names differ between Debian and Ubuntu; none of these is essential.
	optional perf linux-perf linux-tools-generic
	optional node nodejs
	optional go golang-go
	optional npm npm
	optional tsc node-typescript
	# Names of C++20 are read by it.
	ldconfig -p | grep -q 'libc++abi\.so\.1' ||
		newest libc++abi1-22 libc++abi1-19 libc++abi1-18
	# Ubuntu's packages are empty ones that ask for a snap.
	if [ ! -e /etc/os-release ] || grep -q '^ID=debian' /etc/os-release; then
		# The shell has no windows to draw: a third of the work.
		optional chromium-headless-shell chromium-headless-shell chromium
		optional firefox-esr firefox-esr
	fi
	install_missing
	clang_runtime
else
	install_missing
fi
