#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# A name that is read can be typed: each name that hotspots shows at 80
# columns, given to --callers and annotate, finds the share it was shown with,
# inlined functions too; what matched is said, and what nothing matches is
# answered with names that are near, the heaviest first.
#
# TYPED="capture capture ..." sweeps over these with 60 names each instead.
import os
import re
import subprocess
import sys
import tempfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

scratch = tempfile.TemporaryDirectory(prefix="coldperf-typed.")
OWN = ["good-fp", "good-jitdump", "good-hybrid", "good-cpi", "good-vdso",
       "good-jit", "good-simpleperf", "good-ksymbol"]
OTHERS = os.environ.get("SHARED_CORPUS") or \
    os.path.join(tap.top_srcdir, "..", "shared", "corpus")
OF_OTHERS = ["jbeich-platform_system_extras/perf_display_bitmaps.data",
             "jbeich-platform_system_extras/perf_with_symbols.data"]
ID = "0123456789abcdef0123456789abcdef01234567"
SOURCE = """#include <map>
#include <string>
#include <algorithm>
struct Index {
	std::map<std::string, int> m;
	__attribute__((noinline)) void add(const std::string &s) { m[s]++; }
	__attribute__((noinline)) int find(const std::string &s) const
	{
		auto i = m.lower_bound(s);
		return i == m.end() ? 0 : i->second;
	}
};
volatile long sink;
__attribute__((noinline)) void work(int n) { while (n-- > 0) sink += n; }
__attribute__((noinline)) void work(long n) { while (n-- > 0) sink ^= n; }
int main(int c, char **v)
{
	Index x;
	std::string all[4] = { v[0], "b", "c", "d" };
	std::sort(all, all + 4);
	x.add(all[0]);
	work(c);
	work((long)c);
	return x.find(all[1]);
}
"""


def path(name):
    return os.path.join(scratch.name, name)


def coldperf(*arguments):
    p = subprocess.run([os.path.abspath(tap.coldperf), *arguments],
                       cwd=scratch.name, stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)
    return p.stdout.decode("utf-8", "replace"), \
        p.stderr.decode("utf-8", "replace")


def shown(options, capture, top):
    """(share, samples, name) of the first table's rows with a name."""
    out, _ = coldperf("hotspots", *options, "--by", "symbol", "--top", top,
                      "--width", "80", capture)
    rows = []
    for line in out[out.index("(approx.)"):].split("\n\n")[0].splitlines():
        m = re.match(r" +([\d.]+)% +(?:[\d.]+–[\d.]+ +)?([\d,]+ +)?"
                     r"(?:\[.\] +)?(\S.*)", line)
        if m and not re.match(r"\[|0x|.*\+0x", m.group(3)):
            rows.append((float(m.group(1)), m.group(3)))
    return rows


def said(out):
    """Functions matched, and their two shares, of the first event."""
    m = re.search(r"matches (\d+) functions?: .*?; ([\d.]+) % of .*?, "
                  r"([\d.]+) % with", out)
    return (int(m.group(1)), float(m.group(2)), float(m.group(3))) \
        if m else (0, -1, -1)


def check(case, options, capture, top="7", code=True):
    rows, wrong = shown(options, capture, top), []
    for name in {name for _, name in rows}:
        same = [share for share, other in rows if other == name]
        for command in (["hotspots", "--by", "symbol", "--callers", name,
                         *options, capture],
                        ["annotate", *options, capture, "--show", "asm",
                         "--top", "1", name] if code else
                        ["hotspots", "--by", "symbol", "--callees", name,
                         *options, capture]):
            n, share, more = said(coldperf(*command)[0])
            exact = abs(share - sum(same)) < 0.006 * len(same) + 0.001
            if not (exact or (n > len(same) and share > sum(same) - 0.01)) or \
               more < share:
                wrong.append((name, same, command[0], n, share, more))
    tap.ok(rows and not wrong, "%s: %d names are typed back" %
           (case, len(rows)), wrong)
    return rows


def make():
    """A program with inlined functions, and a sample at each of its bytes."""
    with open(path("prog.cc"), "w") as f:
        f.write(SOURCE)
    try:
        subprocess.run(["g++", "-g", "-O2", "-no-pie", "prog.cc", "-o", "prog",
                        "-Wl,--build-id=0x" + ID], cwd=scratch.name,
                       check=True)
    except (OSError, subprocess.CalledProcessError):
        return False
    text = ["attr cycles type=0 config=0 period=1 "
            "sample_type=IP|TID|TIME|PERIOD|CALLCHAIN flags=mmap|mmap2",
            'mmap pid=5 addr=0x400000 len=0x400000 pgoff=0 name="%s"'
            % path("prog"), 'build_id %s "%s"' % (ID, path("prog"))]
    symbols = subprocess.run(["nm", "-S", path("prog")], check=True,
                             stdout=subprocess.PIPE).stdout.decode()
    for line in symbols.splitlines():
        word = line.split()
        if len(word) != 4 or not re.search("Index|work|^main|sort", word[3]):
            continue
        start, size = int(word[0], 16), int(word[1], 16)
        for a in range(start, start + min(size, 1500), 3):
            text.append("sample cycles pid=5 time=%d period=1 ip=%d "
                        "chain=%d,%d" % (len(text), a, a, 0x400010))
    with open(path("in.mkperf"), "w") as f:
        f.write("\n".join(text) + "\n")
    subprocess.run([os.path.join(tap.top_builddir, "tests/tools/mkperf"),
                    path("in.mkperf"), path("capture")], check=True)
    return True


def inlined():
    if not make():
        return tap.skip("no g++")
    rows = check("inlined", ["--no-cache"], "capture")
    tap.ok(any("(inlined)" in name for _, name in rows), "some are inlined",
           rows)
    out, _ = coldperf("hotspots", "--by", "symbol", "--no-cache", "capture")
    tap.ok("work(int)\n" in out and "work(long)\n" in out and
           " main\n" in out and " Index::add\n" in out,
           "parameters tell overloads apart, and stand nowhere else", out)
    for word in ("compare", "std::string::compare", "lower_bound", "Index::add",
                 "*Index*::find", "work"):
        n, share, more = said(coldperf("hotspots", "--callers", word,
                                       "capture")[0])
        m, of, code = said(coldperf("annotate", "capture", word)[0])
        tap.ok(n and m and share == of and more >= share and code >= of,
               "%s: hotspots and annotate mean the same" % word,
               (n, share, more, m, of, code))
    out, _ = coldperf("hotspots", "--symbol", "lower_bound", "capture")
    tap.ok("functions:" in out and "::lower_bound (inlined)" in out,
           "a filter has inlined functions, and says which", out)
    _, err = coldperf("hotspots", "--callers", "lowr_bound", "capture")
    tap.ok(re.search(r"there are: std::\S*::lower_bound \(inlined\)", err),
           "what is near is suggested", err)
    _, err = coldperf("annotate", "capture", "Index::ad")
    tap.ok("there are: Index::add" in err,
           "annotate suggests what has others inlined", err)
    _, err = coldperf("hotspots", "--callers", "qqqqqqqq", "capture")
    heavy = max((share, name) for share, name in rows)[1]
    tap.ok("there are: " + heavy.split("…")[-1][:8] in err or heavy in err,
           "else what is heavy: " + heavy, err)


def twice():
    """A function of two objects is that of one with the object before it."""
    with open(path("twice"), "w") as f:
        for i, n in enumerate((30, 70)):
            f.write("app 8 1.%06d: %d cycles:\n\t%x work (/lib/%s.so)\n"
                    "\t401000 main (/bin/app)\n\n" %
                    (i, n, 0x7f0000001000 + (i << 20), "ab"[i]))
    for word, want in (("work", (2, 100)), ("a.so!work", (1, 30)),
                       ("/lib/b.so!work", (1, 70)), ("b.so!wor*", (1, 70)),
                       ("c.so!work", (0, -1)), ("a.so!main", (0, -1))):
        out, _ = coldperf("hotspots", "--callers", word, "twice")
        tap.ok(said(out)[:2] == want, "--callers " + word, out)
        tap.ok(word != "work" or "b.so!work, a.so!work" in out,
               "functions of one name are told apart", out)
        out, _ = coldperf("hotspots", "--symbol", word, "twice")
        tap.ok("(approx.) %d\n" % want[1] in out or want[0] == 0 == len(out),
               "--symbol " + word, out)


CUT = ["security_file_permission", "security_file_open_permission",
       "get_common_indices.constprop.0", "get_common_cache_info.constprop.0",
       "runtime.mapaccess1_faststr", "runtime.mapaccess2_faststr",
       "sync/atomic.(*Pointer[go.shape.struct_{}]).Load_of_a_pointer",
       "sync/atomic.(*Pointer[internal/unsafePoint]).Load_of_a_pointer"]
ALIKE = [
    "int app::handler<%s>::put_a_thing<%s, app::one>(app::list const&)" % pair
    for pair in (("int", "long"), ("int", "char"), ("long", "int"),
                 ("char", "long"), ("char", "char"))]


def cut():
    """Names that look alike when they are cut are cut in their order."""
    with open(path("cut"), "w") as f:
        for i, name in enumerate(CUT + ALIKE):
            f.write("app;%s %d\n" % (name, 100 + 7 * i))
    for width in "60", "70", "80":
        out, _ = coldperf("hotspots", "--top", "0", "--width", width, "cut")
        rows = re.findall(r"^ +([\d.]+)% .*?\[unknown\] +(\S.*)", out, re.M)
        wrong = []
        for share, name in rows:
            if "put" in name and width != "80":
                continue  # there is no room for two places
            text = coldperf("hotspots", "--callers", name, "cut")[0]
            if said(text)[:2] != (1, float(share)):
                wrong.append((name, share, text[:400]))
        tap.ok(len(rows) == len(CUT + ALIKE) and not wrong,
               "names that are cut to %s columns find theirs alone" % width,
               wrong or out)


def comma():
    """The comma of an operator parts no words."""
    with open(path("comma"), "w") as f:
        f.write("app;T::operator,(int) 30\napp;U::operator, 20\n"
                "app;work 10\napp;main 5\n")
    for words, n in (("T::operator,", 30), ("operator,,work", 60),
                     ("work,U::operator,,main", 35), ("work,main", 15),
                     ("T::operator,(int)", 30)):
        out, err = coldperf("hotspots", "--symbol", words, "comma")
        tap.ok("(approx.) %d\n" % n in out, "--symbol " + words, out + err)


sweep = os.environ.get("TYPED", "").split()
for capture in sweep:
    check(os.path.basename(capture), [], capture, "60")
if sweep:
    tap.done()
    sys.exit()
for case in OWN:
    folder = os.path.join(os.path.abspath(tap.top_srcdir), "corpus", case)
    symbols = os.path.join(folder, "symbols")
    where = ["--no-local", "--cache", ""]
    if os.path.isdir(symbols):
        where += ["--symbols", symbols]
    check(case, where, os.path.abspath(tap.capture(case, scratch.name)))
for case in OF_OTHERS:
    capture = os.path.abspath(os.path.join(OTHERS, case))
    if os.path.exists(capture):
        check(os.path.basename(case), ["--no-local", "--cache", ""], capture)
    else:
        tap.skip("no " + case)
kinds = os.path.join(os.path.abspath(tap.top_srcdir), "tests/cli/widths")
for kind in sorted(os.listdir(kinds)):
    if kind.endswith(".script"):
        check(kind, [], os.path.join(kinds, kind), "20", code=False)
twice()
cut()
comma()
inlined()
tap.done()
