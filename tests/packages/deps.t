#!/bin/sh
# SPDX-License-Identifier: MIT
# .ci/deps.sh calls the package manager that there is, as root or by sudo, and
# says what is needed where it cannot.  Stand-ins say how they were called.
. "$top_srcdir/tests/lib.sh"

stand_in() {
	printf '#!/bin/sh\n%s\n' "$2" >"$tmp/bin/$1"
	chmod +x "$tmp/bin/$1"
}
# called UID PROGRAM...: what deps.sh says where there are only these.
called() {
	rm -rf "${tmp:?}/bin"
	mkdir "$tmp/bin"
	stand_in id "echo $1"
	shift
	for p in "$@"; do
		# shellcheck disable=SC2016 # the stand-in's
		stand_in "$p" 'echo "${0##*/} $*" >&2'
	done
	# shellcheck disable=SC2016 # the stand-in's
	[ ! -e "$tmp/bin/sudo" ] ||
		stand_in sudo '[ "$1" = -n ] && shift && echo sudo >&2 && exec "$@"'
	env -i PATH="$tmp/bin" /bin/sh "$top_srcdir/.ci/deps.sh" build 2>&1
}

by_name="pkgconfig(capstone) pkgconfig(libarchive) pkgconfig(libdeflate)\
 pkgconfig(libdw) pkgconfig(liblzma) pkgconfig(libzstd)\
 pkgconfig(ncursesw) pkgconfig(nettle) pkgconfig(sqlite3) pkgconfig(zlib)"
dnf="dnf -y -q install gcc make autoconf automake binutils-devel $by_name"
zypper="zypper -n -q install gcc make autoconf automake binutils-devel $by_name"
pacman="pacman -S --needed --noconfirm gcc make autoconf automake pkgconf\
 binutils capstone elfutils libarchive libdeflate ncurses nettle sqlite xz zlib\
 zstd"
apk="apk add -q build-base autoconf automake pkgconf binutils-dev capstone-dev\
 elfutils-dev libarchive-dev libdeflate-dev ncurses-dev nettle-dev sqlite-dev\
 xz-dev zlib-dev zstd-dev"
eval "$(sed -n '/^build="/,/"$/p' "$top_srcdir/.ci/deps.sh")"
# shellcheck disable=SC2086,SC2116,SC2154 # a list of names, set by eval
debian="deps.sh: needed are, as Debian names them: $(echo $build)"

is "$(called 0 dnf)" "$dnf" "dnf, as root"
is "$(called 0 zypper)" "$zypper" "zypper"
is "$(called 0 pacman)" "$pacman" "pacman"
is "$(called 0 apk)" "$apk" "apk"
is "$(called 1000 sudo apk)" "sudo
$apk" "... by sudo"
is "$(called 1000 pacman)" "deps.sh: not root: cannot run $pacman
$debian" "neither root nor sudo: says what was wanted, and what is needed"
is "$(called 0)" "$debian" "no manager that is known: says what is needed"
done_testing
