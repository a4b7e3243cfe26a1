#!/bin/sh
# SPDX-License-Identifier: MIT
# Languages away from the host: C++, Rust, Go, Java, Node, Python and Wasmtime
# are recorded here, packed by coldperf and by perf archive, and named in another
# root, where no recorded path exists.  Every name is the one that perf script
# gives here, with everything at hand.  What is not installed is left out.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/live/live.sh"
. "$top_srcdir/tests/bundle/root.sh"

live_begin
command -v python3 >/dev/null || skip_all "python3 compares"
# rustup's commands look for the compiler at home.
rustc=$(HOME=$(eval "echo ~$(id -un)") rustc --print sysroot 2>/dev/null)
HOME=$tmp/home
mkdir -p "$HOME"
export HOME
make_root || skip_all "no other root can be entered: $(head -n 1 "$tmp/err")"
fields=comm,tid,time,ip,sym,symoff,dso

# kind NAME MARK [-i] ARGUMENTS...: records; MARK is in a name that perf must
# have given, -i says that perf inject brings a jitdump in.
kind() {
	name=$1 mark=$2 injected=
	shift 2
	[ "$1" != -i ] || { injected=1; shift; }
	mkdir -p "$tmp/$name"
	(cd "$tmp/$name" && live_record perf.data -e cpu-clock -F 999 "$@") || {
		skip "$name cannot be recorded here"
		return
	}
	seen=$tmp/$name/perf.data
	if [ -n "$injected" ]; then
		seen=$tmp/$name/injected
		(cd "$tmp/$name" && perf inject -j -i perf.data -o "$seen") \
			>"$tmp/out" 2>&1 || diag "$(tail -n 2 "$tmp/out")"
	fi
	# -f: a map may be another user's.
	perf script -f --no-inline -F "$fields" -i "$seen" \
		>"$tmp/$name.perf" 2>/dev/null
	if grep -q "$mark" "$tmp/$name.perf"; then
		travels
	else
		skip "$name: perf sees nothing of its code here"
	fi
	rm -rf "${tmp:?}/$name"
}

# Packs it, takes everything away, and reads both bundles over there.
travels() {
	c=$tmp/$name/perf.data
	pids=$(perf script -f -F pid -i "$c" 2>/dev/null | sort -un)
	try "$name: is packed" "$COLDPERF" pack -o "$tmp/$name.tar.zst" "$c"
	# It takes long to pack node, and nothing else than the others; a
	# jitdump is not in it, nor a file of a cache with a blank in its path.
	case $name$HOME in
	node* | *-jitdump/* | *[[:space:]]*) ;;
	*)
		(cd "$tmp/$name" && perf archive perf.data) >"$tmp/out" 2>&1 ||
			diag "$name: $(tail -n 1 "$tmp/out")"
		;;
	esac
	rm -rf "$root/in" "$tmp/$name/gone"
	mkdir "$root/in"
	mv "$tmp/$name.tar.zst" "$root/in/b"
	reads b all "packed by coldperf"
	[ -e "$tmp/$name/perf.data.tar.bz2" ] || return 0
	rm "$root/in/b"
	# No archive of perf's holds JIT code: whoever has it brings the maps.
	mv "$c" "$tmp/$name"/*.tar.* "$root/in/"
	for pid in $pids; do
		[ ! -e "/tmp/perf-$pid.map" ] ||
			mv "/tmp/perf-$pid.map" "$root/in/"
	done
	reads perf.data leaves "packed by perf archive"
}

reads() {
	away script --inline=no -F "$fields" "/in/$1" >"$tmp/ours" 2>"$tmp/err"
	python3 "$top_srcdir/tests/bundle/compare.py" "$tmp/ours" \
		"$tmp/$name.perf" "$2" >"$tmp/out" 2>&1
	ok $? "$name, $3: $(tail -n 1 "$tmp/out")" ||
		diag "$(cat "$tmp/out" "$tmp/err")"
}

cat >"$tmp/t.cc" <<'EOF'
#include <map>
#include <string>
template <class T, int N> struct Box {
	std::map<T, int> m;
	__attribute__((noinline)) int spin(T x)
	{
		for (int i = 0; i < N; i++)
			m[x + std::to_string(i * 7919 % N)] += i;
		return m.size();
	}
};
int main()
{
	Box<std::string, 2000> b;
	int r = 0;
	for (int i = 0; i < 250; i++)
		r += b.spin("key");
	return r == 42;
}
EOF
cat >"$tmp/t.rs" <<'EOF'
use std::collections::HashMap;
trait Turn { fn turn(&mut self, n: u64) -> u64; }
struct Count<T>(HashMap<T, u64>);
impl Turn for Count<String> {
    #[inline(never)]
    fn turn(&mut self, n: u64) -> u64 {
        for i in 0..n { *self.0.entry((i % 97).to_string()).or_insert(0) += i; }
        self.0.values().map(|v| v ^ n).sum()
    }
}
fn main() {
    let mut c: Box<dyn Turn> = Box::new(Count::<String>(HashMap::new()));
    let mut r = 0u64;
    for i in 0..2000 { r = r.wrapping_add(c.turn(1000 + i % 2)); }
    println!("{}", r);
}
EOF
cat >"$tmp/t.go" <<'EOF'
package main

type turn[T any] struct{ m map[int]T }

//go:noinline
func (t *turn[T]) spin(n int, one func(int) T) {
	for i := 0; i < n; i++ {
		t.m[i*7919%n] = one(i)
	}
}

func main() {
	t := turn[float64]{map[int]float64{}}
	for i := 0; i < 8000; i++ {
		t.spin(2000, func(i int) float64 { return float64(i) / 3 })
	}
}
EOF
cat >"$tmp/T.java" <<'EOF'
public class T {
	static double hot(int n)
	{
		double s = 0;
		for (int i = 0; i < n; i++)
			s += Math.sqrt(i) * (i % 13);
		return s;
	}
	public static void main(String[] a)
	{
		double t = 0;
		for (int i = 0; i < 60000; i++)
			t += hot(3000);
		System.out.println(t);
	}
}
EOF
cat >"$tmp/t.js" <<'EOF'
function hot(n) { let s = 0; for (let i = 0; i < n; i++) s += i % 7; return s; }
let r = 0;
while (process.cpuUsage().user < 500000) r += hot(1e5);
EOF
cat >"$tmp/t.py" <<'EOF'
import time
def hot(n):
    return sum(i * i % 7 for i in range(n))
while time.process_time() < 0.8:
    hot(20000)
EOF

cat >"$tmp/wasm.py" <<'EOF'
import sys
import wasmtime
config = wasmtime.Config()
config.profiler = sys.argv[1]
store = wasmtime.Store(wasmtime.Engine(config))
module = wasmtime.Module(store.engine, """(module
(func $hot (export "hot") (param $n i32) (result i32) (local $s i32)
 (loop $again
  (local.set $s (i32.add (i32.mul (local.get $s) (i32.const 31))
                         (local.get $n)))
  (local.set $n (i32.sub (local.get $n) (i32.const 1)))
  (br_if $again (local.get $n)))
 (local.get $s)))""")
hot = wasmtime.Instance(store, module, []).exports(store)["hot"]
for i in range(12):
    hot(store, 30000000)
EOF

# program COMMAND...: it compiles, into a folder that will be gone.
program() {
	mkdir -p "$tmp/$1/gone"
	bin=$tmp/$1/gone/prog
	shift
	command -v "$1" >/dev/null || return 1
	"$@" >"$tmp/out" 2>&1 || { diag "$(tail -n 3 "$tmp/out")"; return 1; }
}

if program c++ c++ -O2 -g -fno-omit-frame-pointer -o "$tmp/c++/gone/prog" \
	"$tmp/t.cc"; then
	kind c++ 'Box<.*spin' -g "$bin"
else
	skip "no C++ compiler"
fi
if [ -n "$rustc" ] && program rust "$rustc/bin/rustc" -O -g -C force-frame-pointers -o "$tmp/rust/gone/prog" \
	"$tmp/t.rs"; then
	kind rust 'turn' -g "$bin"
else
	skip "no Rust compiler"
fi
if command -v go >/dev/null && program go env GOCACHE="$tmp/go-cache" \
	GO111MODULE=off GOFLAGS= go build -o "$tmp/go/gone/prog" "$tmp/t.go"; then
	kind go 'main.*spin' -g "$bin"
else
	skip "no Go compiler"
fi
if command -v node >/dev/null; then
	kind node '\*hot ' -g node --perf-basic-prof "$tmp/t.js"
	kind node-jitdump '\*hot ' -i -k mono -g node --perf-prof "$tmp/t.js"
else
	skip "node is not installed"
fi
if command -v javac >/dev/null && javac -d "$tmp" "$tmp/T.java" \
	>"$tmp/out" 2>&1; then
	kind java 'T\.hot' -g java -XX:+UnlockDiagnosticVMOptions \
		-XX:+DumpPerfMapAtExit -cp "$tmp" T
	agent=$(find /usr/lib /usr/lib64 /usr/libexec -name libperf-jvmti.so \
		2>/dev/null | head -n 1)
	if [ -n "$agent" ]; then
		JITDUMPDIR=$tmp/java-jitdump
		export JITDUMPDIR
		kind java-jitdump 'T\.hot' -i -k mono -g java \
			-agentpath:"$agent" -cp "$tmp" T
	else
		skip "perf's agent for java is not installed"
	fi
else
	skip "no JDK is installed"
fi
python=
for p in python3 python3.14 python3.13 python3.12; do
	[ -n "$python" ] || ! $p -X perf -c \
		'import sys; sys.exit(not sys.is_stack_trampoline_active())' \
		>/dev/null 2>&1 || python=$p
done
if [ -n "$python" ]; then
	kind python 'py::hot' -g "$python" -X perf "$tmp/t.py"
else
	skip "python3 is older than 3.12, or was built without trampolines"
fi
if python3 -c 'import wasmtime' 2>/dev/null; then
	kind wasmtime 'hot+' -g python3 "$tmp/wasm.py" perfmap
	kind wasmtime-jitdump 'hot+' -i -k mono -g python3 "$tmp/wasm.py" jitdump
else
	skip "wasmtime for python3 is not installed"
fi
is "$(find "$root/tmp" -type f ! -name '*.gcda' | wc -l)" 0 "no temporary file is left"
done_testing
