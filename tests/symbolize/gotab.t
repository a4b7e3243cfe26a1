#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Stripped Go programs: what they keep of themselves in .gopclntab.  Tables of
# each layout, in both byte orders and relocated; a capture of such a program;
# and a program of the Go that is here, against its own symbols and DWARF.
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

here = os.path.join(os.path.abspath(tap.top_builddir), "tests/symbolize")
make = os.path.join(os.path.abspath(tap.top_srcdir),
                    "tests/symbolize/makego.py")
scratch = tempfile.TemporaryDirectory(prefix="coldperf-gotab.")
FUNCTIONS = """401000 401010 runtime.goexit
401010 401050 main.work
401050 401070 main.main
"""
WORK, MAIN = "main.work\t/src/main.go:%d", "main.main\t/src/main.go:20"
# Address: function, frame, lines of Go 1.18 and later.
PLACES = [
    (0x401000, "runtime.goexit", 0, "runtime.goexit\t/src/main.go:90"),
    (0x401014, "main.work", 0, WORK % 10),
    (0x401024, "main.work", 40, "main.once\t/src/other.go:5|"
     "main.twice\t/src/other.go:7|" + WORK % 10),
    (0x401034, "main.work", 40, "main.twice\t/src/other.go:7|" + WORK % 10),
    (0x401048, "main.work", 0, WORK % 12),
    (0x401060, "main.main", 24, MAIN),
]


def path(name):
    return os.path.join(scratch.name, name)


def run(*command, text=""):
    return subprocess.run(command, stdout=subprocess.PIPE, input=text.encode(),
                          stderr=subprocess.DEVNULL, cwd=scratch.name
                          ).stdout.decode(errors="replace")


def ask(file, addresses, uname="x86_64"):
    return run(here + "/gotab", "-u", uname, file,
               text="".join("%x\n" % a for a in addresses)).splitlines()


def row(frame, big, last):
    if not big:
        return "%d,c-8" % (frame + 8)
    if last:
        return "%d,end" % frame
    return "%d,c-%d" % (frame, frame) if frame else "0,same"


def check_made(layout, order, *pie):
    file, big = path("made"), order == "big"
    subprocess.run([sys.executable, make, str(layout), order, file, *pie],
                   check=True)
    want = ["%s|%s|%s" % (name, row(frame, big, layout >= 18 and
                                    name == "runtime.goexit"),
                          lines if layout >= 18 else "-")
            for _, name, frame, lines in PLACES]
    got = run(here + "/gotab", "-n", file)
    found = ask(file, [p[0] for p in PLACES] + [0x400fff, 0x401070],
                "s390x" if big else "x86_64")
    tap.ok(got == FUNCTIONS and found == want + ["-|-|-"] * 2,
           "Go 1.%d, %s endian%s" % (layout, order, ", relocated" if pie
                                     else ""), (got, found, want))


def check_capture():
    """What the user sees of it."""
    file = path("prog")
    subprocess.run([sys.executable, make, "20", "little", file], check=True)
    with open(path("in"), "w") as f:
        f.write("""attr cycles type=0 config=0 period=1 \
sample_type=IP|TID|TIME|PERIOD flags=sample_id_all|mmap|mmap2
mmap2 pid=5 addr=0x401000 len=4096 pgoff=0x1000 name="%s"
sample cycles pid=5 time=1 period=1 misc=2 ip=0x401024
sample cycles pid=5 time=2 period=1 misc=2 ip=0x401060
""" % file)
    subprocess.run([os.path.join(tap.top_builddir, "tests/tools/mkperf"),
                    path("in"), path("data")], check=True)

    def coldperf(*command):
        return run(os.path.abspath(tap.coldperf), *command,
                   "--debuginfod=off", "--no-cache", path("data"))

    got = coldperf("script", "-F", "ip,sym,symoff")
    tap.ok(got.split()[1::2] == ["main.work+0x14", "main.main+0x10"],
           "its functions have names", got)
    got = coldperf("flame", "-f", "folded")
    tap.ok("main.work;main.twice" in got and "main.once" in got,
           "inlined ones are frames", got)
    got = coldperf("quality")
    tap.ok(re.search("gopclntab: +100", got),
           "quality says where they come from", got)
    got = coldperf("info", "--objects")
    tap.ok("gopclntab" in got and "Files found" in got and "tar -c" not in got,
           "info lacks nothing of it", got)


# -------------------------------------------------------------- a real one

PROGRAM = """package main
import ("fmt"; "sort"; "strings")
type item[T any] struct { v T }
func (i item[T]) get() T { return i.v }
func twice(n int) int { return n * 2 }
func main() {
	a := []int{3, 1, 2}
	sort.Slice(a, func(i, j int) bool { return twice(a[i]) < twice(a[j]) })
	fmt.Println(a, item[string]{strings.Repeat("x", 3)}.get())
}
"""


def build(name):
    """Twice: with all, and as programs are shipped."""
    with open(path("t.go"), "w") as f:
        f.write(PROGRAM)
    env = dict(os.environ, GOCACHE=path("cache"), GO111MODULE="off",
               GOFLAGS="", CGO_ENABLED="0", GOENV="off", GOTOOLCHAIN="local",
               HOME=scratch.name)
    for more in ([], ["-ldflags=-s -w"]):
        p = subprocess.run(["go", "build", *more, "-o",
                            path(name + ".s" * len(more)), path("t.go")],
                           env=env, stdout=subprocess.PIPE,
                           stderr=subprocess.STDOUT)
        if p.returncode != 0:
            tap.diag(p.stdout.decode()[-400:])
            return False
    return True


def plain(name):
    """What the linker writes otherwise in one of the tables."""
    name = name.replace("\u00b7", ".")
    return re.sub(r"\.abi(0|internal)$", "", re.sub(r"\[.*\]", "[]", name))


def check_names(name):
    want = {}
    for line in run("readelf", "-sW", path(name)).splitlines():
        w = line.split(None, 7)
        if len(w) == 8 and w[3] == "FUNC" and w[6] != "UND":
            want.setdefault(int(w[1], 16), []).append(plain(w[7]))
    got = {}
    for line in run(here + "/gotab", "-n", path(name + ".s")).splitlines():
        start, end, text = line.split(" ", 2)
        got[int(start, 16)] = int(end, 16), plain(text)
    wrong = [(hex(a), want.get(a), g) for a, g in got.items()
             if g[1] not in want.get(a, [])]
    lost = [hex(a) for a in want if a not in got and
            want[a] != ["runtime.etext"]]
    tap.ok(len(got) > 1000 and not wrong and not lost,
           "%s: %d functions, as the symbols have them" % (name, len(got)),
           (wrong[:3], lost[:3]))
    return got


def check_rows(name):
    want, columns, fde = {}, [], False
    for line in run("readelf", "--debug-dump=frames-interp",
                    path(name)).splitlines():
        w = line.split()
        if " FDE " in line or " CIE " in line:
            fde = " FDE " in line
        elif w[:1] == ["LOC"]:
            columns = w[2:]
        elif fde and re.match("[0-9a-f]{16} ", line):
            offset = int(re.search("[-+][0-9]+$", w[1]).group())
            want[int(w[0], 16)] = "%d,%s" % (
                offset, dict(zip(columns, w[2:]))["ra"])
    found = ask(path(name + ".s"), want)
    wrong = [(hex(a), want[a], f) for a, f in zip(want, found)
             if f.split("|")[1] != want[a]]
    tap.ok(len(found) == len(want) > 1000 and not wrong,
           "%s: %d rows, as in .debug_frame" % (name, len(want)), wrong[:5])


def check_lines(name, functions):
    random.seed(7)
    starts = sorted(functions)
    asked = [random.randrange(s, functions[s][0])
             for s in random.choices(starts, k=5000)]
    found = ask(path(name + ".s"), asked)
    theirs = run(here + "/inlines", path(name), text="".join(
        "%x\n" % a for a in asked)).split("\n\n")
    wrong = []
    for a, line, dwarf in zip(asked, found, theirs):
        mine = [(plain(n), f) for n, f in (
            x.split("\t") for x in line.split("|")[2:] if x != "-")]
        d = dwarf.strip("\n").split("\n")
        want = [(plain(d[i]), re.sub(r"^\./", "", d[i + 1].rsplit(":", 1)[0]))
                for i in range(0, len(d) - 1, 2) if d[i] != "??"]
        # DWARF has no file for what the compiler made up, or not its calls.
        if mine != want and not any(f == "<autogenerated>:1"
                                    for _, f in mine):
            wrong.append((hex(a), mine, want))
    tap.ok(len(found) == len(theirs) - 1 == len(asked) and
           len(wrong) * 1000 <= len(asked),
           "%s: inlined functions and lines of %d addresses, as in DWARF "
           "(%d differ)" % (name, len(asked), len(wrong)), wrong[:3])


def check_real():
    if not tap.nightly:
        tap.skip("a program of the Go that is here: at night")
        return
    version = run("go", "env", "GOVERSION") if shutil.which("go") else ""
    m = re.match(r"go1\.(\d+)", version)
    if os.uname().machine != "x86_64" or not m or not shutil.which("readelf"):
        tap.skip("no Go for this machine, or no readelf")
        return
    if not build("prog"):
        tap.skip("go builds nothing")
        return
    functions = check_names("prog")
    check_rows("prog")
    if int(m.group(1)) >= 18:
        check_lines("prog", functions)


for layout in 2, 16, 18, 20:
    for order in "little", "big":
        check_made(layout, order)
        check_made(layout, order, "pie")
check_capture()
check_real()
tap.done()
