#!/bin/sh
# SPDX-License-Identifier: MIT
# Split debug information: .dwo files and packages are packed, and found in a
# bundle or a --symbols folder by their names; of several the one that was made
# together with the program is taken, and a wrong one never.  Sources likewise,
# if they are asked for.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/live/live.sh"

live_begin
command -v zstd >/dev/null || skip_all "tar needs zstd to list a bundle"
HOME=$tmp/home
export HOME
COLDPERF=$(realpath "$COLDPERF")
mkdir -p "$tmp/build/one" "$tmp/build/two"
# What is inlined is most of each loop, so that samples fall in it.
cat >"$tmp/build/one/hot.c" <<'EOF'
static inline __attribute__((always_inline)) long add(long n, long i)
{
	n = n * 3 + i;
	n ^= n >> 7;
	n = n * 11 + i;
	return n ^ n >> 9;
}
__attribute__((noinline)) long hot(long n)
{
	for (long i = 0; i < 100000; i++)
		n = add(n, i);
	return n;
}
EOF
cat >"$tmp/build/two/hot.c" <<'EOF'
static inline __attribute__((always_inline)) long mix(long n, long i)
{
	n = (n ^ i) * 7;
	n ^= n >> 5;
	n = n * 13 + i;
	return n ^ n >> 11;
}
__attribute__((noinline)) long warm(long n)
{
	for (long i = 0; i < 100000; i++)
		n = mix(n, i);
	return n;
}
long hot(long);
int main(void)
{
	long n = 0;
	for (int i = 0; i < 800; i++)
		n += hot(n) + warm(n);
	return n == 42;
}
EOF
app=$tmp/build/app
build() {
	(cd "$tmp/build" && for part in one two; do
		gcc -O2 -g -gsplit-dwarf -c -o $part/hot.o $part/hot.c ||
			exit 1
	done && gcc -Wl,--build-id -o app one/hot.o two/hot.o) \
		>"$tmp/out" 2>&1 && [ -e "$tmp/build/one/hot.dwo" ]
}
build || skip_all "gcc makes no split debug information: $(cat "$tmp/out")"
live_record "$tmp/data" -e cpu-clock:u -F 999 -g "$app" ||
	skip_all "nothing could be recorded"

# Samples with inlined functions and lines; on the host, and without it.  Not
# frames of libraries, which only some of the places have names for.
here() {
	"$COLDPERF" script --no-cache --lines -F ip,sym "$@" 2>"$tmp/err" |
		awk '/^\t/ { lib = $1 ~ /^7[ef]..........$/ } !lib || NF == 0'
}
away() {
	here --no-local --cache /none "$@"
}
here "$tmp/data" >"$tmp/want"
is "$(grep -o '[a-z]* (inlined)' "$tmp/want" | sort -u | tr '\n' ,)" \
	'add (inlined),mix (inlined),' "inlined functions of both units here"
try "it is packed" "$COLDPERF" pack -o "$tmp/b.tar" "$tmp/data"
cp -R "$tmp/build" "$tmp/copy"
cp -R "$tmp/build" "$tmp/other"
"$COLDPERF" verify "$tmp/b.tar" >"$tmp/out" 2>&1
ok $? "... and is as it says" || diag "$(cat "$tmp/out")"

# Built again from other sources: the same names, other ids.
sed -i 's/n \* 3/n * 5/; s/add/sum/g' "$tmp/other/one/hot.c"
(cd "$tmp/other/one" && gcc -O2 -g -gsplit-dwarf -DOTHER -c hot.c) || :
mv "$tmp/build" "$tmp/gone"
away "$tmp/b.tar" >"$tmp/got"
same "$tmp/got" "$tmp/want" "the bundle has both .dwo files" ||
	diag "$(cat "$tmp/err")"

# Sources go along if they are asked for.
is "$(tar tf "$tmp/b.tar" | grep -c '\.c$')" 0 "no sources are packed"
mv "$tmp/gone" "$tmp/build"
try "--sources without sums packs" "$COLDPERF" pack --sources \
	-o "$tmp/n.tar" "$tmp/data"
is "$(tar tf "$tmp/n.tar" | grep -c '\.c$')" 0 \
	"... nothing that only a path leads to"
try "with a folder of sources they are" "$COLDPERF" pack --sources \
	--symbols "$tmp/build" -o "$tmp/c.tar" "$tmp/data"
mv "$tmp/build" "$tmp/gone"
is "$(tar tf "$tmp/c.tar" | grep -c '/build/[a-z]*/hot\.c$')" 2 "... both"
"$COLDPERF" annotate --no-local --cache /none "$tmp/c.tar" hot \
	>"$tmp/out" 2>"$tmp/err"
if grep -q libcapstone "$tmp/err"; then
	skip "Capstone is not installed"
else
	grep -q 'n = n \* 3 + i;' "$tmp/out"
	ok $? "annotate shows them" || diag "$(cat "$tmp/out" "$tmp/err")"
fi

# A flat folder, in which a wrong file comes first.
mkdir -p "$tmp/flat/a" "$tmp/flat/b" "$tmp/flat/c"
cp "$tmp/other/one/hot.dwo" "$tmp/flat/a"
cp "$tmp/copy/one/hot.dwo" "$tmp/flat/b"
cp "$tmp/copy/two/hot.dwo" "$tmp/copy/app" "$tmp/flat/c"
away --symbols "$tmp/flat" "$tmp/data" >"$tmp/got"
same "$tmp/got" "$tmp/want" "files of one name are told apart by their ids"
rm "$tmp/flat/b/hot.dwo"
away --symbols "$tmp/flat" "$tmp/data" >"$tmp/got"
is "$(grep -o '[a-z]* (inlined)' "$tmp/got" | sort -u)" 'mix (inlined)' \
	"a .dwo of another build is not used"
mkdir -p "$tmp/rootfs$tmp"
cp -R "$tmp/copy" "$tmp/rootfs$tmp/build"
away --symbols "$tmp/rootfs" "$tmp/data" >"$tmp/got"
same "$tmp/got" "$tmp/want" "a folder as root has them at their paths"

# What is missing is written down.
cp -R "$tmp/copy" "$tmp/build"
rm "$tmp/build/one/hot.dwo"
"$COLDPERF" pack -o "$tmp/m.tar.zst" "$tmp/data" 2>"$tmp/err"
"$COLDPERF" unpack -o "$tmp/m" "$tmp/m.tar.zst" >/dev/null 2>&1
grep -q "^missing	dwo	-	.*/one/hot.dwo" "$tmp/m/coldperf/MANIFEST"
ok $? "a .dwo that is gone is in the manifest" ||
	diag "$(cat "$tmp/err" "$tmp/m/coldperf/MANIFEST")"
"$COLDPERF" pack --slim -o "$tmp/s.tar" "$tmp/data" 2>"$tmp/err"
is "$(tar tf "$tmp/s.tar" | grep -c 'dw[op]$')" 0 "--slim packs none"

# The package, in place of them.
cp "$tmp/copy/one/hot.dwo" "$tmp/build/one"
if (cd "$tmp/build" && { timeout 60 llvm-dwp -e app -o app.dwp ||
	timeout 60 dwp -e app -o app.dwp; }) >"$tmp/out" 2>&1; then
	rm "$tmp/build"/*/*.dwo
	here "$tmp/data" >"$tmp/got"
	same "$tmp/got" "$tmp/want" "a package on the host"
	"$COLDPERF" pack -o "$tmp/p.tar" "$tmp/data" 2>"$tmp/err"
	ok $? "... is packed" || diag "$(cat "$tmp/err")"
	mkdir -p "$tmp/flat2"
	cp "$tmp/build/app" "$tmp/build/app.dwp" "$tmp/flat2"
	rm -rf "$tmp/build"
	away "$tmp/p.tar" >"$tmp/got"
	same "$tmp/got" "$tmp/want" "... and found in the bundle" ||
		diag "$(cat "$tmp/err")"
	(cd "$tmp" && away --symbols flat2 "$tmp/data") >"$tmp/got"
	same "$tmp/got" "$tmp/want" "... and in a folder" ||
		diag "$(cat "$tmp/err")"
else
	skip "no dwp works here: $(tail -n 1 "$tmp/out")"
fi
done_testing
