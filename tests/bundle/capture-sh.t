#!/bin/sh
# SPDX-License-Identifier: MIT
# contrib/coldperf-capture.sh, which root runs: names and files that a recorded
# program chose bring no other file into the bundle, hang nothing, overwrite
# nothing, and are said where they are left out.
. "$top_srcdir/tests/lib.sh"

command -v perf >/dev/null || skip_all "no perf"
command -v gcc >/dev/null || skip_all "no gcc"
capture_sh=$(cd "$top_srcdir/contrib" && pwd)/coldperf-capture.sh
HOME=$tmp/home
PERF_BUILDID_DIR=$tmp/home/.debug
TMPDIR=$tmp/private
export HOME PERF_BUILDID_DIR TMPDIR
mkdir "$HOME" "$tmp/work" "$TMPDIR"
cd "$tmp/work" || exit 1
cat >w.c <<'END'
#include <string.h>
int main(void)
{
	static char b[4096];
	volatile unsigned long s = 0;
	for (int i = 0; i < 200000; i++) {
		memset(b, i, sizeof(b));
		for (int k = 0; k < 200; k++)
			s += b[k];
	}
	return 0;
}
END
gcc -O1 -o w w.c || exit 1
perf record -q -e cpu-clock -g -o try.data ./w >/dev/null 2>&1 ||
	skip_all "perf cannot record here"

# packed CAPTURE: the names in its bundle.
packed() {
	rm -f out.tar
	timeout 120 sh "$capture_sh" -o out.tar "$1" >said 2>&1
	status=$?
	tar tf out.tar >names 2>/dev/null
	tar xOf out.tar coldperf/MANIFEST >manifest 2>/dev/null
}

echo secret >"$tmp/secret"
mkdir -p "t ($tmp" && cp w "t ($tmp/secret"
perf record -q -e cpu-clock -g -o name.data "./t ($tmp/secret" >/dev/null 2>&1
packed name.data
is $status 0 "a program with another's path in its name is packed"
is "$(grep -c "files$tmp/secret" names)" 0 "... and not that other file"
is "$(grep -c "t ($tmp/secret/.*/elf" names)" 1 "... but the program"
is "$(stat -c %a out.tar)" 600 "the bundle is its owner's"

perf record -q -B -N -e cpu-clock -g -o bare.data "./t ($tmp/secret" \
	>/dev/null 2>&1
packed bare.data
is "$(grep -c "coldperf/files$tmp/secret" names)" 0 "without build IDs neither"
is "$(grep -c "coldperf/files.*/t ($tmp/secret\$" names)" 1 \
	"... the program is found by its mapping"

perf record -q -z -e cpu-clock -g -o z.data "./t ($tmp/secret" >/dev/null 2>&1
packed z.data
is "$(grep -c "coldperf/files$tmp/secret" names)" 0 "compressed: neither"

cp w replaced
perf record -q -B -N -e cpu-clock -g -o replaced.data ./replaced >/dev/null 2>&1
cp w other && mv other replaced
packed replaced.data
is "$(grep -c "work/replaced\$" names)" 0 "a file that was replaced is left out"
is "$(grep -c "^missing.*work/replaced\$" manifest)" 1 "... and is said"
rm replaced && mkfifo replaced
packed replaced.data
is "$status $(grep -c "^missing.*work/replaced\$" manifest)" "0 1" \
	"a pipe in its place hangs nothing"
rm replaced && ln -s /dev/zero replaced
packed replaced.data
is "$status $(grep -c "^missing.*work/replaced\$" manifest)" "0 1" \
	"nor does a link to a device"

odd=$(printf 'a\nb\tc')
cp w "$odd"
perf record -q -e cpu-clock -g -o odd.data "./$odd" >/dev/null 2>&1
packed odd.data
is "$(grep -c '^missing.*work/a?b?c$' manifest)" 1 \
	"a name with a line in it is said to be missing"

pid=$(perf script -i name.data -F pid 2>/dev/null | sort -u | tr -d ' ' |
	grep . | tail -n 1)
map=/tmp/perf-$pid.map
if [ ! -e "$map" ]; then
	for kind in link pipe text map; do
		case $kind in
		link) ln -s "$tmp/secret" "$map" ;;
		pipe) mkfifo "$map" ;;
		text) echo "no map" >"$map" ;;
		map) echo "1000 10 made" >"$map" ;;
		esac
		packed name.data
		taken=0
		[ $kind != map ] || taken=1
		is "$status $(grep -c "jit/perf-$pid.map" names)" "0 $taken" \
			"$kind as a perf map"
		rm -f "$map"
	done
fi

echo kept >kept
ln -s kept out.tar.part
packed name.data
is "$(cat kept)" kept "no link in the place of an unfinished file is followed"
is "$(find . -name 'out.tar.*' ! -name '*.part' | wc -l | tr -d ' ')" 0 \
	"nothing unfinished is left"
is "$(ls "$TMPDIR")" "" "nor a folder"
done_testing
