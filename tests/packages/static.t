#!/bin/sh
# SPDX-License-Identifier: MIT
# contrib/static/build.sh: one program that does in an empty root what the
# build tree does; two builds are equal.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/packages/packages.sh"
. "$top_srcdir/tests/bundle/root.sh"

unset MAKEFLAGS MAKELEVEL CFLAGS LDFLAGS
grep -qs '^VERSION_CODENAME=bookworm' /etc/os-release ||
	skip_all "not Debian 12"
arch=$(uname -m)
# The folder may be kept: fetching takes a minute.
folder=${STATIC_FOLDER-$tmp/static}
# shellcheck disable=SC2317 # ShellCheck takes exit for the end
build() {
	CC=${CC-gcc} nice "$top_srcdir/contrib/static/build.sh" "$@" \
		>"$tmp/build.out" 2>&1 </dev/null
	ok $? "contrib/static/build.sh $1" || {
		tail -n 20 "$tmp/build.out" | sed 's/^/# /'
		done_testing
		exit
	}
}

build "$arch" "$folder"
program=$folder/coldperf-$arch
cp "$folder"/coldperf-*-linux-"$arch".tar.xz "$tmp/first"
! readelf -lW "$program" | grep -q INTERP
ok $? "the program needs no loader"
make_root || skip_all "no other root can be made here"
for l in libcapstone.so.4 libsqlite3.so.0 libdw.so.1 libc++abi.so.1; do
	f=$(ldconfig -p | sed -n "s/.*$l .*=> //p" | head -n 1)
	[ -z "$f" ] || { echo "$f"; ldd "$f" | sed -n 's/^.* => \(\/[^ ]*\).*/\1/p'; }
done | sort -u | while read -r f; do cp -Ln "$f" "$root/l/"; done
empty=$tmp/empty
mkdir -p "$empty"
cp "$program" "$empty/coldperf"
corpus_into "$root/in"
cp -r "$top_srcdir/corpus/good-fp/symbols" "$root/in/symbols"
cp -r "$root/in" "$empty/in"
# What people are sent: tar, zst.
(cd "$empty/in" && cp good-fp.data perf.data &&
	tar -cf b.tar perf.data symbols && zstd -q b.tar -o b.tar.zst)
cp "$empty"/in/b.tar* "$root/in/"
alone() {
	env -i PATH="$PATH" HOME=/nowhere unshare -r chroot "$empty" /coldperf "$@"
}
CAPTURES=/in
BUILD_TREE=away
reports "in an empty root" alone
# both TEXT ARGUMENTS...: the same answer, the same words, the same status.
both() {
	text=$1
	shift
	away "$@" >"$tmp/want" 2>&1
	echo "status $?" >>"$tmp/want"
	alone "$@" >"$tmp/got" 2>&1
	echo "status $?" >>"$tmp/got"
	same "$tmp/got" "$tmp/want" "$text"
}
both "a tar bundle" report /in/b.tar
both "a zst bundle" hotspots /in/b.tar.zst
grep -q heavy "$tmp/got"
ok $? "... names functions"
both "SQL" sql /in/good-fp.data 'select count(*), sum(period) from samples'
both "instructions" annotate --symbols /in/symbols /in/good-fp.data heavy
grep -q 'mov\|add' "$tmp/got"
ok $? "... by Capstone"
both "elfutils' opinion" check --symbols /in/symbols /in/good-fp.data
both "a page" report -f html /in/good-fp.data
both "the sandbox" hotspots --sandbox=strict /in/good-dwarf.data
env -i PATH="$PATH" DEBUGINFOD_URLS=http://127.0.0.1:1 HOME=/ unshare -r \
	chroot "$empty" /coldperf symbols --fetch /in/good-fp.data \
	>"$tmp/got" 2>&1
grep -q 'this static coldperf has no libdebuginfod' "$tmp/got"
ok $? "debuginfod is missing, and that is said" || diag "$(head -n 5 "$tmp/got")"
touch "$empty/p.so"
alone --plugin /p.so list >"$tmp/got" 2>&1
grep -q 'this static coldperf has no plug-ins' "$tmp/got"
ok $? "plug-ins, too" || diag "$(head -n 5 "$tmp/got")"

build "$arch" "$folder"
cmp "$tmp/first" "$folder"/coldperf-*-linux-"$arch".tar.xz
ok $? "two builds are equal"

if [ "$arch" = x86_64 ] && command -v aarch64-linux-gnu-gcc >/dev/null; then
	CC=aarch64-linux-gnu-gcc build aarch64 "$folder"
	if command -v qemu-aarch64-static >/dev/null; then
		emulated() {
			(cd "$empty" && qemu-aarch64-static \
				"$folder/coldperf-aarch64" "$@")
		}
		both_here() {
			(cd "$empty" && "$COLDPERF" "$@") >"$tmp/want" 2>&1
			emulated "$@" >"$tmp/got" 2>&1
			same "$tmp/got" "$tmp/want" "aarch64: $1"
		}
		both_here report --no-local in/good-fp.data
		both_here hotspots --no-local in/b.tar.zst
		both_here sql in/good-fp.data 'select count(*) from samples'
		both_here annotate --no-local --symbols in/symbols \
			in/good-fp.data heavy
	else
		skip "no qemu-aarch64-static"
	fi
else
	skip "no compiler for aarch64"
fi
done_testing
