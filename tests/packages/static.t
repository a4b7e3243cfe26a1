#!/bin/sh
# SPDX-License-Identifier: MIT
# contrib/static/build.sh: one program that does in an empty root all that the
# build tree does, also on a kernel of 2014 and on the oldest processors.  Two
# builds of two folders are equal.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/packages/packages.sh"
. "$top_srcdir/tests/packages/everything.sh"
. "$top_srcdir/tests/bundle/root.sh"

grep -qs '^VERSION_CODENAME=bookworm' /etc/os-release ||
	skip_all "not Debian 12"
[ "$(uname -m)" = x86_64 ] || skip_all "not x86-64"
# The folder may be kept: fetching takes a minute.
folder=${STATIC_FOLDER-$tmp/static}
# built TEXT SOURCES CC ARCH FOLDER
# shellcheck disable=SC2317 # ShellCheck takes exit for the end
built() {
	CC=$3 nice "$2/contrib/static/build.sh" "$4" "$5" >"$tmp/build.out" \
		2>&1 </dev/null
	ok $? "$1" || {
		tail -n 20 "$tmp/build.out" | sed 's/^/# /'
		done_testing
		exit
	}
}

built "x86-64" "$top_srcdir" "${CC-gcc}" x86_64 "$folder"
program=$folder/coldperf-x86_64
! readelf -lW "$program" | grep -q INTERP
ok $? "the program needs no loader"
make_root || skip_all "no other root can be made here"
for l in libcapstone.so.4 libsqlite3.so.0 libdw.so.1 libc++abi.so.1 \
	libncursesw.so.6; do
	f=$(ldconfig -p | sed -n "s/.*$l .*=> //p" | head -n 1)
	[ -z "$f" ] || { echo "$f"; ldd "$f" | sed -n 's/^.* => \(\/[^ ]*\).*/\1/p'; }
done | sort -u | while read -r f; do cp -Ln "$f" "$root/l/"; done
empty=$tmp/empty
mkdir -p "$empty/tmp" "$root/lib/terminfo/x"
cp /lib/terminfo/x/xterm-256color "$root/lib/terminfo/x/"
cp "$program" "$empty/coldperf"
inputs "$root/in"
cp -r "$root/in" "$empty/in"
clean() {
	rm -rf "$root"/tmp/* "$empty"/tmp/*
}
alone() {
	# shellcheck disable=SC2086 # words, or none
	env -i PATH="$PATH" HOME=/nowhere unshare -r chroot "$empty" \
		${under-} "${here-/coldperf}" "$@"
}

CAPTURES=/in
BUILD_TREE=away
reports "in an empty root" alone
everything away >"$tmp/all"
n=$(grep -ac '^== ' "$tmp/all")
[ "$n" -gt 600 ]
ok $? "there is much to compare" || diag "$n runs"
walls away >"$tmp/walls"
clean
everything alone >"$tmp/got"
same "$tmp/got" "$tmp/all" "all commands, formats and bundles: $n runs"
walls alone >"$tmp/got"
same "$tmp/got" "$tmp/walls" "the sandbox"

# What browse writes to a terminal, until q three seconds later.
# shellcheck disable=SC2016 # the inner shell's
browsed() {
	{ sleep 3; printf q; } | script -qec "$*" /dev/null
}
terminal="env -i PATH=$PATH TERM=xterm-256color HOME=/nowhere unshare -r chroot"
browsed "$terminal $root /l/$loader --library-path /l /coldperf browse \
	/in/good-fp.data" >"$tmp/want"
browsed "$terminal $empty /coldperf browse /in/good-fp.data" >"$tmp/got"
[ "$(wc -c <"$tmp/want")" -gt 1000 ] && cmp "$tmp/got" "$tmp/want"
ok $? "browse, where nothing describes a terminal" ||
	diag "$(head -c 300 "$tmp/got")"

env -i PATH="$PATH" DEBUGINFOD_URLS=http://127.0.0.1:1 HOME=/ unshare -r \
	chroot "$empty" /coldperf symbols --fetch /in/good-fp.data \
	>"$tmp/got" 2>&1
grep -q 'this static coldperf has no libdebuginfod' "$tmp/got"
ok $? "debuginfod is missing, and that is said" || diag "$(head -n 5 "$tmp/got")"
touch "$empty/p.so"
alone --plugin /p.so list >"$tmp/got" 2>&1
grep -q 'this static coldperf has no plug-ins' "$tmp/got"
ok $? "plug-ins, too" || diag "$(head -n 5 "$tmp/got")"

# shellcheck disable=SC2086 # may be two words
${CC-gcc} -O1 -static -o "$empty/old-kernel" \
	"$top_srcdir/tests/packages/old-kernel.c"
clean
under=/old-kernel
everything alone >"$tmp/got"
same "$tmp/got" "$tmp/all" "as on Linux 3.16, which lacks later system calls"
alone report --sandbox=require /in/good-fp.data >"$tmp/got" 2>&1
grep -q 'no Landlock' "$tmp/got"
ok $? "... that has no sandbox, and this is said" || diag "$(cat "$tmp/got")"

# old TEXT EMULATOR PROGRAM: the same on another processor, of fewer captures.
old() {
	if ! command -v "${2%% *}" >/dev/null; then
		skip "no ${2%% *}"
		return
	fi
	cp "$(command -v "${2%% *}")" "$3" "$empty/"
	clean
	under=/$2 here=/${3##*/}
	everything alone >"$tmp/got"
	same "$tmp/got" "$tmp/few" "$1"
}
everything_captures="good-fp good-syscalls"
clean
everything away >"$tmp/few"
old "on the oldest x86-64" "qemu-x86_64-static -cpu Opteron_G1" "$program"

# The same archive from other folders.
whole_sources "$tmp/sources-elsewhere"
mkdir "$tmp/elsewhere"
[ ! -e "$folder/root-x86_64" ] ||
	cp -r "$folder/root-x86_64" "$tmp/elsewhere/"
built "x86-64 from the archive of a release" "$sources" gcc x86_64 \
	"$tmp/elsewhere"
cmp "$folder"/coldperf-*-linux-x86_64.tar.xz \
	"$tmp"/elsewhere/coldperf-*-linux-x86_64.tar.xz
ok $? "two builds in two folders are equal"

if command -v aarch64-linux-gnu-gcc >/dev/null; then
	built "aarch64" "$top_srcdir" aarch64-linux-gnu-gcc aarch64 "$folder"
	old "on aarch64" "qemu-aarch64-static -cpu cortex-a53" \
		"$folder/coldperf-aarch64"
else
	skip "no compiler for aarch64"
fi
done_testing
