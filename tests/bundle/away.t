#!/bin/sh
# SPDX-License-Identifier: MIT
# Away from the host: captures are recorded here, packed, and analysed in
# another root, where no recorded path exists.  Every sample must read as it
# does here, with everything at hand, and as perf script prints it.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/live/live.sh"
. "$top_srcdir/tests/bundle/root.sh"

# The first frame of each sample.
leaves() {
	awk 'NF == 0 { n = 0; next } ++n <= 2'
}

live_begin
HOME=$tmp/home
mkdir -p "$HOME"
export HOME
make_root || skip_all "no other root can be entered: $(head -n 1 "$tmp/err")"

cat >"$tmp/templates.cc" <<'END'
#include <algorithm>
#include <map>
#include <string>
#include <vector>
template <class T> struct Box {
	T by;
	__attribute__((noinline)) T spin(T n)
	{
		T s{};
		for (T i = 0; i < n; i++)
			s += (i ^ s) * by;
		return s;
	}
};
static __attribute__((noinline)) int work(int n)
{
	std::vector<int> v(n);
	std::map<int, std::string> m;
	for (int i = 0; i < n; i++)
		v[i] = (i * 7919) % n;
	std::sort(v.begin(), v.end());
	for (int i = 0; i < n / 10; i++)
		m[v[i]] = std::to_string(i);
	return (int)m.size();
}
int main()
{
	Box<long> b{3};
	long r = 0;
	for (int i = 0; i < 40; i++)
		r += work(20000) + b.spin(3000000);
	return r == 42;
}
END
cat >"$tmp/hot.js" <<'END'
function hot(n) { let s = 0; for (let i = 0; i < n; i++) s += i % 7; return s; }
const end = Date.now() + 400;
let r = 0;
while (Date.now() < end) r += hot(1e5);
END

captures=
# kind NAME ARGUMENTS...: records, and notes how it reads here.
kind() {
	name=$1
	shift
	mkdir -p "$tmp/$name"
	if ! (cd "$tmp/$name" && live_record perf.data "$@"); then
		skip "$name cannot be recorded here"
		return
	fi
	(cd "$tmp/$name" && "$COLDPERF" script perf.data) \
		>"$tmp/$name.here" 2>"$tmp/$name.err"
	captures="$captures $name"
}

k=$tmp/known
kind c -e cpu-clock -F 1999 -g "$k" shares 0.3
kind kernel -e cpu-clock -F 1999 -g "$k" kernel 0.2
kind mmap-ids --buildid-mmap -e cpu-clock -F 1999 -g "$k" children 0.2
kind threads --threads -e cpu-clock -F 499 -g "$k" children 0.2
# Where all runs on one CPU, the files of the others are empty.
cpu=$(taskset -cp $$ | sed 's/.*: \([0-9]*\).*/\1/')
live_on="taskset -c $cpu"
kind one-thread --threads -e cpu-clock -F 499 -g "$k" children 0.2
live_on=
if c++ -O2 -g -o "$tmp/templates" "$tmp/templates.cc" 2>/dev/null; then
	kind cxx -e cpu-clock -F 1999 -g "$tmp/templates"
	kind cxx-stacks -e cpu-clock -F 499 --call-graph dwarf,4096 "$tmp/templates"
else
	skip "no C++ compiler"
fi
# Bundles of programs as large as node take long.
if ! nightly; then
	:
elif command -v node >/dev/null; then
	kind node -e cpu-clock -F 999 -g node --perf-basic-prof \
		--interpreted-frames-native-stack "$tmp/hot.js"
	kind node-jitdump -k mono -e cpu-clock -F 999 -g node --perf-prof \
		"$tmp/hot.js"
else
	skip "node is not installed"
fi
[ -n "$captures" ] || skip_all "nothing could be recorded"

# Perf's view while all is at hand; the names come from the bundle alone.
cat >"$tmp/bundled" <<END
#!/bin/sh
for last; do :; done
exec "$COLDPERF" "\$@" --no-local --cache /nowhere \
	--symbols "\${last%/*}/full.tar.zst"
END
chmod +x "$tmp/bundled"
for name in $captures; do
	c=$tmp/$name/perf.data
	try "$name: is packed" "$COLDPERF" pack -o "$tmp/$name/full.tar.zst" "$c"
	try "$name: packed slim" "$COLDPERF" pack --slim \
		-o "$tmp/$name/slim.tar.zst" "$c"
	"$COLDPERF" pack -o "$tmp/$name/again" "$c" 2>/dev/null
	same "$tmp/$name/again" "$tmp/$name/full.tar.zst" \
		"$name: same input, same bytes"
	# gzip takes long for node.
	script=script.tar.gz
	case $name in
	node*) ! command -v zstd >/dev/null || script=script.tar.zst ;;
	esac
	(cd "$tmp/$name" && sh "$top_srcdir/contrib/coldperf-capture.sh" \
		-o $script) >"$tmp/out" 2>&1
	ok $? "$name: packed by perf and tar" || diag "$(cat "$tmp/out")"
	try "$name: ... which is as it says" "$COLDPERF" verify \
		"$tmp/$name/$script"
	is "$(sed -n 's/ members checked.*//p' "$tmp/try.out")" \
		"$(sed -n 's/.*: \([0-9]*\) members,.*/\1/p' "$tmp/out")" \
		"$name: ... and has as many members"
	# perf archive takes neither folders nor the ids of mmap-ids, nor JIT code,
	# and no file of a cache with a blank in its path.
	case $name in *thread* | mmap-ids | node* | *-stacks) continue ;; esac
	case $HOME in *[[:space:]]*) continue ;; esac
	(cd "$tmp/$name" && perf archive perf.data) >"$tmp/out" 2>&1 ||
		diag "$name: $(tail -n 1 "$tmp/out")"
done
for name in c kernel cxx; do
	case " $captures " in *" $name "*) ;; *) continue ;; esac
	try "$name: as perf script" env COLDPERF="$tmp/bundled" \
		"$top_srcdir/tests/oracle/script.t" "$tmp/$name/perf.data"
done

# Now it is all gone.
rm -rf "$HOME" "$tmp/known" "$tmp/jit" "$tmp/templates"
for name in $captures; do
	rm -rf "$root/in"
	mkdir "$root/in"
	for bundle in full.tar.zst slim.tar.zst script.tar.gz script.tar.zst
	do
		[ -e "$tmp/$name/$bundle" ] || continue
		cp "$tmp/$name/$bundle" "$root/in/b"
		away script /in/b >"$tmp/away" 2>"$tmp/err"
		cp "$tmp/$name.here" "$tmp/here"
		# The vdso is in no file that a script could copy.
		[ "${bundle%%.*}" != script ] ||
			sed -i 's/ [^ ]* (\[vdso\])$/ [vdso]/' "$tmp/away" "$tmp/here"
		# Nor are inlined functions in what is left of an object.
		[ "$bundle" != slim.tar.zst ] ||
			sed -i '/ (inlined)$/d' "$tmp/away" "$tmp/here"
		same "$tmp/away" "$tmp/here" \
			"$name: $bundle reads as on the host" || diag "$(cat "$tmp/err")"
	done
	# perf archive takes what samples fell in, not their callers.
	[ -e "$tmp/$name/perf.data.tar.bz2" ] || continue
	cp -R "$tmp/$name/perf.data" "$tmp/$name/perf.data.tar.bz2" "$root/in/"
	away script /in/perf.data 2>"$tmp/err" | leaves >"$tmp/away"
	leaves <"$tmp/$name.here" >"$tmp/here"
	same "$tmp/away" "$tmp/here" \
		"$name: perf archive's bundle beside it does" ||
		diag "$(cat "$tmp/err")"
done
is "$(find "$root/tmp" -type f ! -name '*.gcda' | wc -l)" 0 "no temporary file is left"
done_testing
