# shellcheck shell=sh
# SPDX-License-Identifier: MIT
# For tests/packages/static.t; sourced after tests/lib.sh.
#
#	inputs FOLDER       captures, bundles of each kind, texts with names
#	everything COMMAND...
#	                    what that coldperf says to all commands, all formats
#	                    and all bundles; it sees the folder as /in, and may
#	                    write into /tmp
#	walls COMMAND...    the same of the sandbox, which a kernel may lack
#	everything_captures may be made shorter; the first has all formats

everything_captures="good-fp good-dwarf good-syscalls good-sched good-waits
good-jitdump good-mem good-stat good-branches good-tracepoints good-compressed
good-cpi good-lbr good-containers good-pipe good-directory bad-killed
good-exact-ip"

inputs() {
	mkdir -p "$1"
	for c in $everything_captures; do
		cp -R "$top_srcdir/corpus/$c/perf.data" "$1/$c.data" \
			2>/dev/null ||
			"$top_builddir/tests/tools/mkperf" \
				"$top_srcdir/corpus/$c/input.mkperf" "$1/$c.data"
	done
	for c in good-fp good-jitdump; do
		cp -R "$top_srcdir/corpus/$c/symbols" "$1/$c.symbols"
	done
	# Names of C++20, of Rust and of today's Rust, and of D.
	cat >"$1/names.txt" <<-'END'
		prog 1/1 [000] 1.000000:     10 cycles:
		 401000 _ZN3foo3barILi3EE3bazERKSt6vectorIiSaIiEE+0x1 (/bin/prog)
		 402000 _ZN4core3fmt5write17h0123456789abcdefE+0x1 (/bin/prog)
		 403000 _RNvCs1234_7mycrate3foo+0x1 (/bin/prog)
		 404000 _Z1fITk1CiEvv+0x1 (/bin/prog)
		 405000 _D3std5stdio7writelnFZv+0x1 (/bin/prog)

	END
	echo 04989075cda917b7ef47fa5426a1240f91cad1b1,0x1233 >"$1/names.csv"
	(
		cd "$1" && cp good-fp.data perf.data || exit
		cp -R good-fp.symbols symbols
		tar -cf b.tar perf.data symbols
		for z in gzip bzip2 xz; do
			$z -c b.tar >b.tar.$z
			$z -c perf.data >b.data.$z
		done
		zstd -q b.tar -o b.tar.zst
		python3 -m zipfile -c b.zip perf.data symbols
		rm -r symbols perf.data
	)
}

# Pages and pictures are large: their sum tells that they are equal.
said() {
	echo "== $*"
	$everything_by "$@" >"$tmp/said" 2>"$tmp/said.err" </dev/null
	echo "status $?"
	# redact knows its own texts by /proc, which the roots lack and qemu has.
	grep -v 'words removed also stand' "$tmp/said.err"
	if [ "$(wc -c <"$tmp/said")" -gt 20000 ]; then
		wc -c <"$tmp/said"
		cksum <"$tmp/said"
	else
		cat "$tmp/said"
	fi
}

everything() {
	everything_by=$*
	lists=$("$COLDPERF" list)
	analyses=$(echo "$lists" | sed -n '/^analyses/,/^formats/s/^  \([a-z]*\).*/\1/p')
	formats=$(echo "$lists" | sed -n '/^formats/,$s/^  \([a-z-]*\).*/\1/p')
	for c in $everything_captures; do
		for a in $analyses info script dump symbols; do
			said "$a" "/in/$c.data"
		done
	done
	for f in $formats; do
		for a in report profile hotspots flame; do
			said "$a" -f "$f" "/in/${everything_captures%% *}.data"
		done
	done
	for f in b.tar b.tar.gzip b.tar.bzip2 b.tar.xz b.tar.zst b.zip \
		b.data.gzip b.data.bzip2 b.data.xz names.txt; do
		said hotspots "/in/$f"
		said verify "/in/$f"
	done
	for d in no simple short full; do
		said flame --demangle "$d" -f folded /in/names.txt
	done
	said annotate --symbols /in/good-fp.symbols /in/good-fp.data
	said report --symbols /in/good-jitdump.symbols /in/good-jitdump.data
	said annotate --symbols /in/good-jitdump.symbols \
		/in/good-jitdump.data
	said check --symbols /in/good-fp.symbols /in/good-fp.data
	said check --sample 0 --all /in/good-dwarf.data
	said diff /in/good-fp.data /in/good-exact-ip.data
	said sql /in/good-fp.data
	said sql /in/good-fp.data "SELECT * FROM self LIMIT 10"
	said sql -f json /in/good-fp.data \
		"SELECT time, sqrt(2), printf('%.3f', 0.1) FROM samples LIMIT 9"
	said repair -o /tmp/r.data /in/bad-killed.data
	said report /tmp/r.data
	said redact --redact share -o /tmp/s.data /in/good-fp.data
	said report /tmp/s.data
	said snapshot -o /tmp/a.cold /in/good-fp.data
	said report /tmp/a.cold
	said merge -o /tmp/m.cold /in/good-fp.data /in/good-dwarf.data
	said report /tmp/m.cold
	for z in tar tar.zst tar.gz tar.xz zip; do
		said pack --symbols /in/good-fp.symbols -o "/tmp/p.$z" \
			/in/good-fp.data
		said verify "/tmp/p.$z"
		said unpack -o "/tmp/u-$z" "/tmp/p.$z"
		said hotspots "/tmp/p.$z"
	done
	said names -f ndjson --symbols /in/b.tar /in/names.csv
	for c in bash zsh fish; do
		said completion "$c"
	done
	for c in $analyses browse capture run help sql; do
		said help "$c"
	done
	said browse /in/good-fp.data
	said run show LAST
	said version
	said --examples
}

walls() {
	everything_by=$*
	said selftest
	said report --sandbox=require /in/good-fp.data
}
