#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# annotate: instructions where objdump has them, each sample of a function at
# its address, also between instructions; lines as addr2line has them, and
# their text only from the right file; functions of any kind.
import collections
import csv
import http.server
import io
import itertools
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import urllib.parse
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

ID = "0123456789abcdef0123456789abcdef01234567"
url = {"to": ""}
scratch = tempfile.TemporaryDirectory(prefix="coldperf-annotate.")
HEADER = """static inline __attribute__((always_inline)) unsigned
square(unsigned n)
{
	return n * n + 1;
}
static inline __attribute__((always_inline)) unsigned
sum(unsigned n)
{
	unsigned s = 0;
	while (n-- > 0)
		s += square(n) ^ s;
	return s;
}
"""
SOURCE = """#include "part.h"
volatile unsigned sink;
__attribute__((noinline)) void hot(unsigned n)
{
	sink += sum(n); /* \x1b[31mred\x1b[m \u202e */
	for (n *= 3; n > 0; n--)
		sink ^= n;
}
void huge(void);
void garbage(void);
void none(void);
int main(int c, char **v)
{
	hot((unsigned)c);
	if (v[0] == 0) { huge(); garbage(); none(); }
	return 0;
}
__asm__(".text\\n"
	".globl huge\\n.type huge, @function\\n"
	"huge: .fill 700000, 1, 0x90\\n ret\\n.size huge, .-huge\\n"
	".globl garbage\\n.type garbage, @function\\n"
	"garbage: .byte 0x06,0x07,0xff,0xff,0x62,0xf1,0x0e,0xd6,0x8f,0xff\\n"
	".byte 0xc4,0xe3,0x66,0x66,0x66,0x66,0x66,0x66,0x66,0x66,0x66,0x66\\n"
	".byte 0x0f,0x0b\\n.size garbage, .-garbage\\n"
	".globl none\\n.type none, @function\\n"
	"none: nop\\n nop\\n ret\\n"
	".globl outer\\n.type outer, @function\\n"
	"outer: nop\\n"
	".globl inner\\n.type inner, @function\\n"
	"inner: nop\\n ret\\n.size inner, .-inner\\n"
	"nop\\n ret\\n.size outer, .-outer\\n");
"""
NAMES = """#define IN inline __attribute__((always_inline))
volatile int sink;
namespace ns {
template <class T> struct P {
	T v;
	IN bool operator<(const P<T> &o) const { sink = 1; return v < o.v; }
	template <class U> IN void push(U u) { sink = 2; v += u; }
	template <class U> IN int operator()(U u) { sink = 3; return u + v; }
};
template <class T> IN int operator-(P<T> a, P<T> b) {
	sink = 4;
	return a.v - b.v;
}
}
namespace { IN void hidden(int n) { sink = n; } }
IN void cooperator(int n) { sink = n + 1; }
IN void LONGEST(int n) { sink = n + 2; }
int main(int c, char **)
{
	ns::P<int> a = { c }, b = { c * 2 };
	a.push<short>((short)c);
	hidden(c);
	cooperator(c);
	LONGEST(c);
	return (a < b) + (a - b) + a(c);
}
"""


def path(*names):
    return os.path.join(scratch.name, *names)


def run(*command, **more):
    return subprocess.run(command, cwd=scratch.name, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          env=dict(os.environ, LC_ALL="C", HOME=path("home"),
                                   XDG_CACHE_HOME=path("home/cache"),
                                   DEBUGINFOD_CACHE_PATH=path("dbg"),
                                   DEBUGINFOD_URLS=url["to"]), **more)


def annotate(*arguments, capture="capture"):
    p = run(os.path.abspath(tap.coldperf), "annotate", "--top", "0",
            "--all", *arguments, path(capture))
    return p.returncode, p.stdout.decode("utf-8", "replace"), p.stderr.decode()


def table(*arguments, **more):
    """Rows of the CSV, with their function."""
    status, out, err = annotate("-f", "csv", *arguments, **more)
    if status not in (0, 4):
        tap.diag("status %d: %s" % (status, err))
    rows, function = [], None
    for r in csv.DictReader(io.StringIO(out)):
        if r["depth"] == "0":
            function = r["code"].split(" (")[0]
        rows.append(dict(r, function=function, samples=int(r["samples"])))
    return rows, err


def compile_program(cc="gcc", flags=("-g",)):
    if not shutil.which(cc):
        return False
    with open(path("part.h"), "w") as f:
        f.write(HEADER)
    with open(path("prog.c"), "w") as f:
        f.write(SOURCE)
    for name in ("part.h", "prog.c"):
        os.utime(path(name), (1e9, 1e9))
    p = run(cc, "-O1", "-no-pie", "-fno-pie", *flags, path("prog.c"), "-o",
            path("prog"), "-Wl,--build-id=0x" + ID)
    if p.returncode != 0:
        tap.diag(p.stderr.decode())
    return p.returncode == 0


def symbols():
    """name -> first, end"""
    found = {}
    for line in run("nm", "-S", path("prog")).stdout.decode().splitlines():
        w = line.split()
        if len(w) == 4:
            found[w[3]] = (int(w[0], 16), int(w[0], 16) + int(w[1], 16))
        elif len(w) == 3:
            found[w[2]] = (int(w[0], 16), None)
    return found


def objdump(start, end):
    out = run("objdump", "-d", "-w", "--start-address=%d" % start,
              "--stop-address=%d" % end, path("prog")).stdout.decode()
    return [int(m, 16) for m in re.findall(r"^ +([0-9a-f]+):\t", out, re.M)]


def innermost(addrs):
    """address -> file:line as addr2line has it."""
    out = run("addr2line", "-a", "-i", "-e", path("prog"),
              *map(hex, addrs)).stdout.decode()
    found = {}
    for block in re.split(r"^0x", out, flags=re.M)[1:]:
        lines = block.splitlines()
        found[int(lines[0], 16)] = re.sub(r" \(disc.*", "",
                                          os.path.basename(lines[1]))
    return found


def make_capture(samples):
    """samples: (event, address, count)"""
    lines = ["attr %s type=0 config=%d period=1 sample_type=IP|TID|TIME|PERIOD"
             " flags=sample_id_all|mmap" % (e, i)
             for i, e in enumerate(("cycles", "faults"))]
    lines[0] += " ids=1"
    lines[1] += " ids=2"
    lines = [line.replace("PERIOD ", "PERIOD|ID ") for line in lines]
    lines.append('mmap pid=5 addr=0x400000 len=0x400000 pgoff=0 name="%s"'
                 % path("prog"))
    lines.append('build_id %s "%s"' % (ID, path("prog")))
    t = 0
    for event, addr, count in samples:
        for _ in range(count):
            t += 1
            lines.append("sample %s pid=5 time=%d period=%d ip=%d"
                         % (event, t, 1 + addr % 3, addr))
    with open(path("in.mkperf"), "w") as f:
        f.write("\n".join(lines) + "\n")
    subprocess.run([os.path.join(tap.top_builddir, "tests/tools/mkperf"),
                    path("in.mkperf"), path("capture")], check=True)


def choose_samples(where):
    """At every byte of hot(), some of others; of both events."""
    chosen = []
    for a in range(*where["hot"]):
        chosen.append(("cycles", a, a * 7 % 5))
        chosen.append(("faults", a, a * 5 % 3))
    for name, offsets in (("huge", (0, 17, 600000, 700000)),
                          ("garbage", range(24)), ("none", (0, 1, 2)),
                          ("outer", (0, 1, 2, 3, 4)), ("main", (0,))):
        for o in offsets:
            chosen.append(("cycles", where[name][0] + o, 1 + o % 3))
    return chosen


def by_address(rows, function=None):
    count = collections.Counter()
    for r in rows:
        if r["depth"] == "2" and function in (None, r["function"]):
            count[int(r["address"], 16)] += r["samples"]
    return +count


def test_counts(where, samples):
    rows, err = table("--event", "cycles")
    want = collections.Counter()
    for event, a, n in samples:
        want[a] += n if event == "cycles" else 0
    tap.ok(by_address(rows) == +want,
           "%d samples, all at their addresses" % sum(want.values()),
           "%s" % sorted((by_address(rows) - want).items() |
                         (want - by_address(rows)).items())[:20])
    whole, parts, blocks = (collections.Counter() for _ in range(3))
    for r in rows:
        (whole, blocks, parts)[int(r["depth"])][r["function"]] += r["samples"]
    tap.ok(+whole == +parts, "functions are the sums of their rows",
           "%s\n%s" % (whole, parts))
    tap.ok(blocks["hot"] == whole["hot"], "and blocks of lines those of theirs")
    weight = sum(float(r["local"]) for r in rows
                 if r["depth"] == "2" and r["function"] == "hot")
    tap.ok(abs(weight - 1) < 1e-6, "by weight, too", weight)
    listed = [int(r["address"], 16) for r in rows if r["depth"] == "2" and
              r["function"] == "hot" and not r["code"].startswith("(inside")]
    tap.ok(listed == objdump(*where["hot"]),
           "instructions begin where objdump has them")
    tap.ok(any(r["code"].startswith("(inside") for r in rows),
           "samples between have rows of their own")
    wrong = []
    for r in rows:
        m = re.search(r"0x([0-9a-f]+) <(\w+)(?:\+0x([0-9a-f]+))?>$", r["code"])
        if m and where[m.group(2)][0] + int(m.group(3) or "0", 16) != \
                int(m.group(1), 16):
            wrong.append(r["code"])
    tap.ok(not wrong and any("<hot+0x" in r["code"] for r in rows) and
           any("<hot>" in r["code"] for r in rows),
           "targets are told by function and offset", wrong)
    return rows, err


def test_odd_functions(rows, err, where):
    names = [r["function"] for r in rows if r["depth"] == "0"]
    tap.ok(names.count("inner") == 1 and names.count("outer") == 1,
           "a function in another is one of its own", names)
    tap.ok(sum(by_address(rows, "none").values()) == 6,
           "a function without size is shown", by_address(rows, "none"))
    shown = [r["code"] for r in rows if r["function"] == "garbage" and
             r["depth"] == "2"]
    tap.ok(any(".byte" in c for c in shown), "bytes that are no instructions",
           shown)
    last = [r for r in rows if r["function"] == "huge"][-2:]
    tap.ok([r["code"] for r in last] == ["[not known]"] * 2 and
           "CP_MAX_FUNCTION" in err, "a huge function is cut, not its samples",
           "%s\n%s" % (last, err))


def test_lines(rows):
    text = {"prog.c": SOURCE.splitlines(), "part.h": HEADER.splitlines()}
    blocks = [r for r in rows if r["function"] == "hot" and
              r["depth"] == "1" and r["where"]]
    theirs = innermost([int(r["address"], 16) for r in blocks])
    wrong = [(r["where"], theirs[int(r["address"], 16)]) for r in blocks
             if r["where"].split(" ")[0] != theirs[int(r["address"], 16)]]
    tap.ok(len(blocks) > 4 and not wrong, "%d blocks have the lines that "
           "addr2line has" % len(blocks), wrong)
    wrong = []
    for r in blocks:
        name, line = r["where"].split(" ")[0].split(":")
        want = text[name][int(line) - 1].expandtabs(8)
        want = want.replace("\x1b", "\\x1b").replace("\u202e", "\\u202e")
        if r["code"] != want:
            wrong.append((r["code"], want))
    tap.ok(not wrong, "and their text", wrong)
    tap.ok(any(r["where"].endswith(" square") for r in blocks) and
           any("sum at prog.c:5 > square at part.h:11" in r["code"]
               for r in rows), "inlined functions are named, and where",
           [r["code"] for r in rows if "inlined" in r["code"]])
    addrs = by_address(rows, "hot")
    want, lines = collections.Counter(), innermost(sorted(addrs))
    # A byte inside an instruction is of its line.
    for a, n in addrs.items():
        want[lines[a]] += n
    got = collections.Counter()
    found, _ = table("--event", "cycles", "--by", "line")
    for r in found:
        if r["depth"] == "1" and r["function"] == "hot":
            got[r["where"].split(" ")[0]] += r["samples"]
    tap.ok(got == want, "--by line has the same sums", "%s\n%s" % (got, want))


def test_ways(where, samples):
    whole, _ = table("--event", "cycles")
    p = run(os.path.abspath(tap.coldperf), "annotate", "-f", "csv",
            path("capture"), "hot")
    rows = list(csv.DictReader(io.StringIO(p.stdout.decode())))
    heads = [(r["event"], r["code"]) for r in rows if r["depth"] == "0"]
    tap.ok(heads == [("cycles", "hot (prog)"), ("faults", "hot (prog)")],
           "SYMBOL is the word behind the capture", p.stderr.decode())
    sums = collections.Counter()
    for r in rows:
        if r["depth"] == "2":
            sums[r["event"]] += int(r["samples"])
    want = collections.Counter()
    for event, a, n in samples:
        if where["hot"][0] <= a < where["hot"][1]:
            want[event] += n
    tap.ok(sums == want, "CSV has all events", "%s\n%s" % (sums, want))
    out = annotate("--function", "*n*")[1]
    tap.ok("inner (prog)" in out and "none (prog)" in out and
           "hot (prog)" not in out, "or a pattern")
    out = annotate("--function", "/^(inn|non)e/")[1]
    tap.ok("inner (prog)" in out and "none (prog)" in out and
           "hot (prog)" not in out, "or an expression")
    status, out, err = annotate("--function", "inber")
    tap.ok(status == 2 and not out and "(no-match)" in err and
           "there are: inner, " in err, "nobody's is an error", err)
    asm, _ = table("--event", "cycles", "--show", "asm")
    tap.ok(not any(r["depth"] == "1" for r in asm) and
           by_address(asm) == by_address(whole) and
           any(r["where"] == "prog.c:7" for r in asm), "--show asm")
    source, _ = table("--event", "cycles", "--show", "source")
    tap.ok(not any(r["depth"] == "2" for r in source) and
           [r for r in source if r["function"] == "hot"] ==
           [r for r in whole if r["function"] == "hot" and r["depth"] != "2"],
           "--show source")
    tap.ok("imull %" in annotate()[1] and
           re.search(r"imul e[a-z]+, ", annotate("--syntax", "intel")[1]),
           "either syntax")
    for bad in (("--by", "tid"), ("--show", "nothing"), ("--syntax", "arm"),
                ("two", "captures")):
        tap.ok(annotate(*bad)[0] == 2, "refused: " + " ".join(bad))
    report = json.loads(annotate("-f", "json")[1])
    tables = [s for s in report["sections"] if s.get("slug") == "annotate"]
    tap.ok([t["title"].split(":")[0] for t in tables] == ["cycles", "faults"],
           "a table for each event", [t["title"] for t in tables])
    test_width()
    test_near()


def test_width():
    """One listing whatever the width, with no number where no sample is."""
    wide = annotate("--width", "200")[1]
    tap.ok(" 0.00%" not in wide and not re.search(r"  0  +0x", wide),
           "no numbers where no sample fell")
    listing = re.search(r"^cycles: [0-9](.*?)^faults:", wide, re.S | re.M)
    addresses = re.findall(r" (0x[0-9a-f]+)  ", listing.group(1))
    for width in ("80", "60"):
        out = annotate("--width", width)[1]
        part = re.search(r"^cycles: [0-9](.*?)^faults:", out, re.S | re.M).group(1)
        tap.ok(part.count("Share") == 1 and
               re.findall(r" (0x[0-9a-f]+)  ", part) == addresses,
               "one listing in %s columns" % width, part[:2000])
        tap.ok(max(map(len, part.splitlines()[1:])) <= int(width),
               "... which has no more")
    out = annotate()[1]
    tap.ok("\x1b" not in out and "\u202e" not in out and "\\x1b[31mred" in out,
           "control characters of a source are shown, not obeyed",
           [line for line in out.splitlines() if "red" in line])
    tap.ok("prog.c:5" in annotate("-f", "html")[1], "as a page")


def listing(*arguments):
    """Rows below a function with few samples: code, samples, address."""
    known = os.path.abspath(os.path.join(tap.top_srcdir, "corpus/good-fp"))
    p = run(os.path.abspath(tap.coldperf), "annotate", "-f", "csv",
            "--show", "asm", "--no-local", "--symbols", known + "/symbols",
            *arguments, known + "/perf.data", "leaf")
    return [(r["code"], int(r["samples"]), r["address"])
            for r in csv.DictReader(io.StringIO(p.stdout.decode()))
            if r["depth"] == "2"]


def near(rows, context):
    """What is left of all rows: by hand, the same rule."""
    kept = [any(rows[k][1] for k in range(max(0, i - context),
                                          min(len(rows), i + context + 1)))
            for i in range(len(rows))]
    out = []
    for shown, group in itertools.groupby(range(len(rows)), lambda i: kept[i]):
        group = list(group)
        if shown or len(group) < 3:
            out += [rows[i] for i in group]
        else:
            out.append(("… %d instructions without samples" % len(group), 0,
                        ""))
    return out


def test_near():
    """It begins with the hottest lines; what is far from them is left out."""
    rows = listing("--all")
    for context in 0, 1, 2, 5:
        got = listing("--context", str(context))
        tap.ok(got == near(rows, context), "--context %d" % context,
               "%s\n%s" % (got, near(rows, context)))
    tap.ok(len(listing("--context", "0")) < len(rows), "... which is less")
    tap.ok(listing() == near(rows, 5), "five are shown without it")
    report = json.loads(annotate("-f", "json")[1])
    tables = [s for s in report["sections"] if s.get("type") == "table"]
    tap.ok(tables[0]["slug"] == "hottest", "the hottest lines stand first",
           [t["slug"] for t in tables])
    names = [c["name"] for c in tables[0]["columns"]]
    got = [dict(zip(names, r["values"])) for r in tables[0]["rows"]]
    want = collections.Counter()
    for r in table("--event", "cycles", "--by", "line")[0]:
        if r["depth"] == "1":
            want[r["function"], r["where"]] += r["samples"]
    samples = [r["Samples"] for r in got]
    tap.ok(got and len(got) <= 10 and samples == sorted(samples, reverse=True)
           and samples[0] == max(want.values()) and
           all(want[r["Function"], r["Where"]] == r["Samples"] for r in got
               if not r["Where"].startswith("0x")),
           "... as --by line sums them", "%s\n%s" % (got, want))


def version(*arguments, **more):
    """What the table of files says of prog.c, and whether its text is shown."""
    out = annotate("--function", "hot", *arguments, **more)[1]
    m = re.search(r"^  (?:\S.*)?prog\.c +(\S.*?)(?:   *(\S.*))?$", out, re.M)
    return (m.group(1) if m else "none"), "sink ^= n;" in out


def put(name, text, when=1e9):
    os.makedirs(os.path.dirname(path(name)), exist_ok=True)
    with open(path(name), "w") as f:
        f.write(text)
    os.utime(path(name), (when, when))


def test_sources():
    objects = ("--no-local", "--symbols", path("prog"))
    tap.ok(version() == ("not verified, older than the object", True),
           "a text without a sum is not verified", version())
    os.utime(path("prog.c"), (4e9, 4e9))
    tap.ok(version() == ("not verified, newer than the object", True),
           "one that was changed after the build", version())
    tap.ok(version(*objects) == ("not found", False), "--no-local", version(
        *objects))
    put("tree/deep/below/prog.c", SOURCE)
    tap.ok(version(*objects, "--symbols", path("tree"))[1],
           "found in a folder")
    put("tree/more/prog.c", "other\n" * 30)
    tap.ok(version(*objects, "--symbols", path("tree")) ==
           ("several files of that name", False), "not if it could be another",
           version(*objects, "--symbols", path("tree")))
    put("tree/sub%s" % path("prog.c"), SOURCE)
    tap.ok(version(*objects, "--symbols", path("tree"))[1],
           "the one whose path is most alike")
    put("dbg/%s/source%s" % (ID, path("prog.c").replace("/", "##")), SOURCE)
    tap.ok(version(*objects) == ("not verified, from debuginfod", True),
           "debuginfod's cache", version(*objects))
    tap.ok(version(*objects, "--debuginfod=off") == ("not found", False),
           "unless it is off")
    put("box/src/prog.c", SOURCE)
    run("tar", "-cf", path("box.tar"), "-C", path("box"), "src")
    tap.ok(version(*objects, "--debuginfod=off", "--symbols",
                   path("box.tar"))[1], "found in a bundle")


def test_names():
    """Inlined functions of C++ without their scopes and arguments."""
    with open(path("names.cc"), "w") as f:
        f.write(NAMES.replace("LONGEST", "a" * 39 + "\u00e4" * 2))
    if run("g++", "-g", "-O1", "-no-pie", "-fno-pie", path("names.cc"), "-o",
           path("prog"), "-Wl,--build-id=0x" + ID).returncode != 0:
        return tap.skip("no g++")
    start, end = symbols()["main"]
    make_capture([("cycles", start, 1)])
    out = annotate("--function", "main", "--show", "asm")[1]
    found = set(re.findall(r" names\.cc:\d+ (\S+) ", out))
    tap.ok(found == {"operator<", "operator-", "push", "operator()", "hidden",
                     "cooperator", "a" * 39 + "\u2026"},
           "inlined functions are called in few words", found)


def test_server():
    """One that knows the source, asked only when allowed to."""
    asked, cut = [], ["now"]

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(self.path)
            found = urllib.parse.unquote(self.path) == \
                "/buildid/%s/source%s" % (ID, path("prog.c"))
            body = SOURCE.encode() if found else b""
            self.send_response(200 if found else 404)
            if found:
                self.send_header("X-DEBUGINFOD-SIZE", str(len(body)))
            if cut:
                body = body[:len(body) // 2]
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *arguments):
            pass

    shutil.rmtree(path("dbg"))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, args=(0.02,),
                     daemon=True).start()
    url["to"] = "http://127.0.0.1:%d" % server.server_address[1]
    objects = ("--no-local", "--symbols", path("prog"), "--function", "hot")
    tap.ok(version(*objects)[1] is False and not asked,
           "a server is not asked without being told to", asked)
    err = annotate(*objects, "--debuginfod=on")[2]
    if "is not installed" in err:
        tap.skip("libdebuginfod is not installed")
    else:
        tap.ok("source cut or damaged" in err and
               version(*objects)[0] == "not found",
               "a text that is shorter than it should be is not kept", err)
        cut.clear()
        tap.ok(version(*objects, "--debuginfod=on") ==
               ("not verified, from debuginfod", True), "one that is has it",
               "%s\n%s" % (err, asked))
        asked.clear()
        tap.ok(version(*objects) == ("not verified, from debuginfod", True) and not asked,
               "and it is kept", asked)
    server.shutdown()
    url["to"] = ""


def test_sums():
    if not compile_program("clang", ("-g", "-gdwarf-5")):
        return tap.skip("no clang, which writes sums of sources")
    where = symbols()
    make_capture([("cycles", a, 1) for a in range(*where["hot"])])
    tap.ok(version() == ("the MD5 is the same", True), "DWARF has the sum",
           version())
    with open(path("prog.c"), "a") as f:
        f.write("\n")
    put("dbg/%s/source%s" % (ID, path("prog.c").replace("/", "##")), SOURCE)
    tap.ok(version() == ("the MD5 is the same", True),
           "debuginfod's cache has the right one", version())
    tap.ok(version("--debuginfod=off") ==
           ("only of another version (MD5)", False),
           "another version is not shown", version("--debuginfod=off"))
    loose = ("--debuginfod=off", "--allow-mismatch")
    tap.ok(version(*loose) == ("another version", True),
           "unless asked for", version(*loose))
    tap.ok(version("--symbols", path("tree")) ==
           ("the MD5 is the same", True), "the right one of several",
           version("--symbols", path("tree")))


def part_capture(*offsets):
    """A capture of the program `part' with a sample at each offset."""
    with open(path("in.mkperf"), "w") as f:
        f.write("""attr cycles type=0 config=0 period=1 \
sample_type=IP|TID|TIME|PERIOD flags=sample_id_all|mmap
mmap pid=5 addr=0x10000000 len=0x10000 pgoff=0 name="%s"
build_id %s "%s"
""" % (path("part"), ID, path("part")))
        for time, at in enumerate(offsets, 1):
            f.write("sample cycles pid=5 time=%d period=1 ip=%d\n"
                    % (time, 0x10000000 + at))
    subprocess.run([os.path.join(tap.top_builddir, "tests/tools/mkperf"),
                    path("in.mkperf"), path("part.data")], check=True)



def test_part_of_code():
    """A slim bundle has the page that a function shares with stubs."""
    with open(path("part.c"), "w") as f:
        f.write('__asm__(".text\\n.globl part\\n.type part, @function\\n"'
                '"part: .fill 9000, 1, 0x90\\n ret\\n.size part, .-part");'
                'extern void part(void); int main(void) { part(); }')
    p = run("gcc", "-O1", "-fPIE", "-pie", path("part.c"), "-o", path("part"),
            "-Wl,--build-id=0x" + ID)
    found = re.search(r"^0*([0-9a-f]+) T part$",
                      run("nm", path("part")).stdout.decode(), re.M)
    if p.returncode != 0 or not found:
        return tap.skip("no program")
    part_capture(int(found[1], 16))
    run(os.path.abspath(tap.coldperf), "pack", "--slim", "-o",
        path("part.tar"), path("part.data"))
    out, err = annotate("--no-local", capture="part.tar")[1:]
    tap.ok("no-code" in err and "[not known]" in out and "addb" not in out,
           "zeros are not shown for the rest of a function",
           err + out[:2000])


def test_no_lines():
    """A function that debug information has no lines of."""
    with open(path("part.c"), "w") as f:
        f.write("volatile int n; void part(void) { n = n * 3 + 1; }"
                "int main(void) { part(); }")
    code = run("gcc", "-g", "-O1", "-S", "-o", "-",
               path("part.c")).stdout.decode()
    head, rest = code.split("\npart:", 1)
    body, tail = rest.split("\t.size\tpart", 1)
    body = re.sub(r"\n\t\.loc .*", "", body)
    with open(path("part.s"), "w") as f:
        f.write(head + "\npart:" + body + "\t.size\tpart" + tail)
    p = run("gcc", "-pie", path("part.s"), "-o", path("part"),
            "-Wl,--build-id=0x" + ID)
    found = re.search(r"^0*([0-9a-f]+) T part$",
                      run("nm", path("part")).stdout.decode(), re.M)
    if p.returncode != 0 or not found:
        return tap.skip("no program")
    at = int(found[1], 16) & 0xffff
    part_capture(at, at + 6)
    out = annotate("--by", "line", "-f", "csv", capture="part.data")[1]
    rows = [r.split(",") for r in out.splitlines()[1:]]
    tap.ok([(r[0], r[7], r[8]) for r in rows] ==
           [("0", "2", ""), ("1", "2", "[unknown]")],
           "a function without lines has an unknown one", out)
    out = annotate("-f", "csv", capture="part.data")[1]
    rows = [r.split(",") for r in out.splitlines()[1:]]
    tap.ok(all(r[0] != "1" for r in rows) and len(rows) > 2,
           "and no line between its instructions", out)
    out = annotate("--show", "source", "-f", "csv", capture="part.data")[1]
    rows = [r.split(",") for r in out.splitlines()[1:]]
    tap.ok(rows and [r[9] for r in rows[1:]] == ["[unknown]"] * len(rows[1:])
           and sum(int(r[7]) for r in rows[1:]) == 2,
           "where only lines are shown, that one has its samples", out)


def test_no_code():
    corpus = os.path.join(tap.top_srcdir, "corpus")
    jit = os.path.join(corpus, "good-jit")
    out, err = annotate("--symbols", jit + "/symbols", "--no-local",
                        capture=os.path.abspath(jit + "/perf.data"))[1:]
    tap.ok("no-code" in err and "perf map" in err and "[not known]" in out,
           "a perf map has no code", err)
    run(os.path.abspath(tap.coldperf), "pack", "--slim", "-o",
        path("slim.tar"), path("capture"))
    out, err = annotate("--no-local", capture="slim.tar")[1:]
    tap.ok("no-code" in err and "--slim" in err and "[not known]" in out,
           "a slim bundle has none", err)
    run(os.path.abspath(tap.coldperf), "pack", "-o", path("full.tar"),
        path("capture"))
    out, err = annotate("--no-local", capture="full.tar")[1:]
    tap.ok("no-code" not in err and "<hot+0x" in out, "a full one has", err)


def test_no_library():
    os.makedirs(path("lib"))
    open(path("lib/libcapstone.so.4"), "w").close()  # no library
    p = subprocess.run(
        [os.path.abspath(tap.coldperf), "report", "-o", path("page.html"), path("capture")],
        env=dict(os.environ, LD_LIBRARY_PATH=path("lib")),
        stdin=subprocess.DEVNULL, capture_output=True)
    tap.ok(p.returncode == 0 and p.stderr.decode().count("(no-code)") == 1,
           "a page that has no code for want of Capstone says so once",
           p.stderr.decode())


if platform.machine() != "x86_64" or not shutil.which("objdump"):
    tap.skip_all("x86-64 and binutils are needed")
if not compile_program():
    tap.skip_all("gcc is needed")
where = symbols()
samples = choose_samples(where)
make_capture(samples)
if "libcapstone" in annotate("--function", "main")[2]:
    tap.skip_all("Capstone is not installed")
found, err = test_counts(where, samples)
test_odd_functions(found, err, where)
# The huge one makes each listing long, and has been seen.
samples = [s for s in samples
           if not where["huge"][0] <= s[1] <= where["huge"][1]]
make_capture(samples)
test_lines(found)
test_ways(where, samples)
test_sources()
test_no_code()
test_no_lines()
test_part_of_code()
test_server()
test_sums()
test_names()
test_no_library()
tap.done()
