# shellcheck shell=sh
# SPDX-License-Identifier: MIT
# Another root, in which no path of this machine exists; sourced after
# tests/lib.sh.
#
#	make_root           makes $root; fails if it cannot be entered
#	away ARGUMENTS...   coldperf over there; /in is $root/in

# Another root that holds coldperf and the libraries it loads, elsewhere.
make_root() {
	root=$tmp/root
	mkdir -p "$root/l" "$root/tmp" "$root/in" || return 1
	cp "$COLDPERF" "$root/coldperf" || return 1
	lib=$(ldconfig -p | sed -n 's/.*libarchive\.so\.13 .*=> //p' | head -n 1)
	[ -n "$lib" ] || return 1
	{ ldd "$COLDPERF"; ldd "$lib"; echo "x => $lib"; } |
		sed -n 's/^.* => \(\/[^ ]*\).*/\1/p; s/^[ 	]*\(\/[^ ]*\) (.*/\1/p' |
		sort -u >"$tmp/libs"
	while read -r file; do
		cp -L "$file" "$root/l/" || return 1
	done <"$tmp/libs"
	loader=$(sed -n 's|.*/\(ld-linux[^/]*\)$|\1|p' "$tmp/libs" | head -n 1)
	[ -n "$loader" ] && away version >/dev/null 2>"$tmp/err"
}

# coldperf over there.
away() {
	env -i PATH="$PATH" HOME=/nowhere \
		ASAN_OPTIONS="${ASAN_OPTIONS-}" unshare -r \
		chroot "$root" "/l/$loader" --library-path /l /coldperf "$@"
}
