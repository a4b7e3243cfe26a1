# shellcheck shell=sh
# SPDX-License-Identifier: MIT
# For tests of what is shipped; sourced after tests/lib.sh.
#
#	whole_sources FOLDER    unpacks what make dist makes there, as $sources
#	corpus_into FOLDER      three captures of the corpus
#	reports TEXT COMMAND... three reports by that coldperf are those of the
#	                        build tree, byte for byte; CAPTURES is the
#	                        folder of the captures as the command sees it

# Tests have no folder for ccache's files; what is shipped is compiled anew.
CCACHE_DISABLE=1
export CCACHE_DISABLE
unset MAKEFLAGS MAKELEVEL CFLAGS LDFLAGS

captures="good-fp good-dwarf good-syscalls"

# $BUILD_TREE is a coldperf of this build that sees the same files.
reports() {
	text=$1
	shift
	for c in $captures; do
		"$@" report "$CAPTURES/$c.data" >"$tmp/got" 2>&1
		$BUILD_TREE report "$CAPTURES/$c.data" >"$tmp/want" 2>&1
		[ -s "$tmp/want" ] || diag "no report of $c"
		same "$tmp/got" "$tmp/want" "$text: report of $c"
	done
}

corpus_into() {
	mkdir -p "$1"
	for c in $captures; do
		cp "$top_srcdir/corpus/$c/perf.data" "$1/$c.data"
	done
}

whole_sources() {
	env -u MAKEFLAGS -u MAKELEVEL make -s -C "$top_builddir" dist \
		>"$tmp/dist.out" 2>&1 </dev/null
	ok $? "make dist" || diag "$(tail -n 5 "$tmp/dist.out")"
	mkdir -p "$1"
	tarball=$(cd "$top_builddir" && ls -t "$PWD"/coldperf-*.tar.xz | head -n 1)
	tar -C "$1" -xf "$tarball"
	sources=$(echo "$1"/coldperf-*)
}
