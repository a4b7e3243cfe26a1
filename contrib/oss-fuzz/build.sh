#!/bin/bash
# SPDX-License-Identifier: MIT
# Builds all fuzz targets by the conventions of OSS-Fuzz: compilers and flags
# come in CC, CXX, CFLAGS, CXXFLAGS and LIB_FUZZING_ENGINE; each target, its
# seeds, its dictionary and the libraries that it needs go to OUT.  The source
# is SRC/coldperf; WORK is a folder to build in.  `check.sh --fuzz` builds by it.
set -eu
src=$SRC/coldperf
jobs=$(nproc)
mkdir -p "$WORK/fuzz" "$WORK/plain" "$WORK/flat" "$OUT/lib"

[ -e "$src/configure" ] || (cd "$src" && autoreconf -fi >/dev/null)
cd "$WORK/fuzz"
# Engines are C++: CXX links.  What they need to see code is in CFLAGS.
"$src/configure" -q --enable-fuzz="$LIB_FUZZING_ENGINE" >configure.out
# In a folder that was used, make first renews its own files, and says so.
make -s Makefile >>configure.out
targets=$(make -s print-fuzz-targets)
# shellcheck disable=SC2016,SC2086 # for make; a list of names
make -s -j"$jobs" CCLD="$CXX ${CXXFLAGS-}" LDFLAGS='-Wl,-rpath,\$$ORIGIN/lib' \
	$targets

# Seeds are made by a coldperf and tools that are not instrumented.
cd "$WORK/plain"
env -u CFLAGS -u CXXFLAGS "$src/configure" -q --disable-lto CFLAGS=-O1 \
	>configure.out
# `all` is a make of its own: the two must not compile the same file at once.
make -s -j"$jobs" all
make -s -j"$jobs" tests/tools/mkperf tests/symbolize/inlines
top_srcdir=$src top_builddir=$PWD \
	"$src/tests/fuzz/seeds.sh" "$WORK/seeds" 2>"$WORK/seeds.log"

# Archives of seeds have no folders: the name says which it was.
(cd "$WORK/seeds" && find . -type f -size -300k) | while read -r f; do
	cp "$WORK/seeds/$f" "$WORK/flat/$(echo "${f#./}" | tr / _)"
done
(cd "$WORK/flat" && find . -type f | zip -q -@ - >"$WORK/seeds.zip")

# What the base system has not; the last two are loaded at run time.
libraries() {
	# shellcheck disable=SC2086
	ldd $targets | awk '$2 == "=>" { print $3 }' | sort -u |
		grep -vE '/(libc|libm|libdl|libpthread|librt|libgcc_s)\.so'
	ldconfig -p | awk '/lib(archive|capstone)\.so\.[0-9]+ / { print $NF }'
}

cd "$WORK/fuzz"
libraries | while read -r f; do
	cp -L "$f" "$OUT/lib"
done
for target in $targets; do
	name=${target##*/}
	cp "$target" "$OUT"
	cp "$WORK/seeds.zip" "$OUT/${name}_seed_corpus.zip"
	dict=$("$src/tests/fuzz/dictionary.sh" "$name")
	[ -z "$dict" ] || cp "$dict" "$OUT/$name.dict"
done
