#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Redaction of words in mangled names: of a perf map, and of a program with
# functions that the compiler has inlined.
import os
import re
import shutil
import subprocess
import sys
import tempfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
sys.path.insert(0, os.environ["top_srcdir"] + "/tests/redact")
import dig
import tap

mkperf = os.path.join(tap.top_builddir, "tests/tools/mkperf")
tmp = tempfile.TemporaryDirectory()
# Names with the word, which their demangled form has as a word.
MANGLED = """
_ZN7zebrasy7quentin3inlEl
_ZN3app7zebrasyEv
_ZN3app11zebrasy_oneEv
_ZN3app11one_zebrasyEv
_ZN3app9a_Zebrasy3runEv
_ZN4ab1217zebrasy3runEv
_ZN4ab129x_zebrasy3runEv
_Z3runPN7zebrasy4itemE
_Z3runISt6vectorI7zebrasySaIS1_EEEvT_
_ZN3app3runEv.zebrasy
_GLOBAL__sub_I__ZN7zebrasy4initE
_ZN7zebrasy3run17h0123456789abcdefE
_ZN40_$LT$app..A$u20$as$u20$zebrasy..Run$GT$3run17h0123456789abcdefE
_RNvNtCs1234_7zebrasy5inner3run
_RNvC7zebrasy3run
_RNvMs_NtC3app7zebrasyNtB4_4Item3run
_D7zebrasy4main3runFZv
_D3app7zebrasyQn3runFZv
$s7zebrasy4mainyyF
camlZebrasy__run_12
""".split()
# Names without the word as a word.
OTHER = """
_ZN8zebrasyx3runEv
_ZN3app8xzebrasyEv
_ZN3app3runEv
vec7zebrasyrun
""".split()
HEAD = """
attr cycles type=0 config=0 period=1000 ids=1 \\
	flags=sample_id_all|mmap|comm sample_type=IP|TID|TIME|IDENTIFIER
comm 20 20 "app" time=1000
"""
SOURCE = """namespace zebrasy {
struct quentin {
	static inline __attribute__((always_inline)) long inl(long x)
	{ for (int i = 0; i < 50; i++) x = x * 31 + 7; return x; }
};
__attribute__((noinline)) long hot(long n)
{ volatile long s = 0; for (long i = 0; i < n; i++) s += quentin::inl(i);
  return s; }
}
int main() { return zebrasy::hot(9) == 3; }
"""
WAYS = [["script"], ["hotspots"], ["hotspots", "--demangle", "no"],
        ["script", "--demangle", "no"], ["script", "--demangle", "simple"],
        ["sql"]] + [["flame", "-f", f] for f in (
            "text", "html", "json", "pprof", "callgrind", "speedscope",
            "firefox", "perfetto", "otlp", "snapshot", "ndjson")]


# A sum has no samples.
OF_SUMS = [w for w in WAYS if w[0] in ("hotspots", "sql") or w[-1] in (
    "html", "json", "pprof", "callgrind", "snapshot")]


def path(*names):
    return os.path.join(tmp.name, *names)


def write(name, text):
    with open(path(name), "w") as f:
        f.write(text)
    return path(name)


def run(*words):
    return subprocess.run([tap.coldperf, *words], timeout=300,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def has(data, words):
    return [w for w in words for x in dig.unpacked(data)
            if w.lower().encode() in x.lower()]


def asked(way, data):
    """Without the word: what is not asked for is not printed."""
    if way[0] == "sql":
        return ["sql", data, "SELECT * FROM symbols"]
    return [*way, data]


def written(rule, data, ways):
    for way in ways:
        words = asked(way, data)
        yield " ".join(way), run(words[0], "--redact", rule, "--symbols",
                                 path("symbols"), *words[1:])


def check(what, rule, data, words, kept, ways=WAYS):
    wrong, n = [], 0
    for way, r in written(rule, data, ways):
        n += r.returncode in (0, 3) and r.stdout != b""
        if r.returncode not in (0, 3):
            wrong.append(way + ": " + r.stderr.decode())
        wrong += ["%s: %s" % (way, w) for w in has(r.stdout, words)]
        if way.endswith("--demangle no") and has(r.stdout, kept) != kept:
            wrong.append(way + ": a name without the word is gone")
    tap.ok(not wrong, what, "\n".join(wrong))
    tap.ok(n == len(ways), what + ": all are written", n)


def of_map(names, user="nobody"):
    """A capture whose perf map has these names."""
    text = HEAD + 'mmap2 pid=20 addr=0x700000 len=0x10000 pgoff=0 ' \
        'name="//anon" time=1001\n' \
        'mmap2 pid=20 addr=0x800000 len=0x10000 pgoff=0 ' \
        'name="/home/%s/l.so" time=1002\n' % user
    for i in range(len(names)):
        text += "sample cycles ip=%#x pid=20 time=%d\n" % (
            0x700010 + i * 0x100, 2000 + i)
    os.makedirs(path("symbols"), exist_ok=True)
    write("symbols/perf-20.map", "".join(
        "%x 100 %s\n" % (0x700000 + i * 0x100, n)
        for i, n in enumerate(names)))
    subprocess.run([mkperf, write("map.mkperf", text), path("map.data")],
                   check=True)
    return path("map.data")


def program():
    """A capture of the program, which is in symbols/; None: no compiler."""
    write("app.cc", SOURCE)
    r = subprocess.run(["g++", "-g", "-O2", "-no-pie", "-Wl,--build-id=sha1",
                        path("app.cc"), "-o", path("symbols/app")],
                       stderr=subprocess.PIPE)
    if r.returncode != 0:
        return None
    nm = subprocess.run(["nm", path("symbols/app")], check=True,
                        stdout=subprocess.PIPE).stdout.decode()
    notes = subprocess.run(["readelf", "-n", path("symbols/app")], check=True,
                           stdout=subprocess.PIPE).stdout.decode()
    ip = int(re.search("([0-9a-f]+) T _ZN7zebrasy3hotEl", nm).group(1), 16)
    build_id = re.search("Build ID: ([0-9a-f]+)", notes).group(1)
    text = HEAD + 'mmap2_build_id pid=20 addr=%#x len=0x1000 pgoff=%#x ' \
        'id=%s name="/opt/app" time=1003\n' % (
            ip & ~0xfff, (ip & ~0xfff) - 0x400000, build_id) + \
        "repeat 48 as i {\nsample cycles ip=%#x+i pid=20 time=2000+i\n}\n" % ip
    subprocess.run([mkperf, write("app.mkperf", text), path("app.data")],
                   check=True)
    return path("app.data")


if not os.access(mkperf, os.X_OK):
    tap.skip_all("mkperf was not built")
rule = write("words.ini", "[words]\nremove = zebrasy\n")
for name in MANGLED:
    data = of_map([name, OTHER[2]])
    plain = run("script", "--symbols", path("symbols"), "--demangle", "no",
                data).stdout
    r = run("script", "--redact", rule, "--symbols", path("symbols"),
            "--demangle", "no", data)
    tap.ok(has(plain, ["zebrasy"]) and r.returncode == 0 and
           not has(r.stdout, ["zebrasy"]) and has(r.stdout, [OTHER[2]]),
           "the word in " + name, (r.stdout, r.stderr))
check("mangled names of a map", rule, of_map(MANGLED + OTHER[2:3]),
      ["zebrasy"], OTHER[2:3])
data = of_map(MANGLED + OTHER[2:3], "zebrasy")
check("a user in mangled names", "share", data, ["zebrasy"], OTHER[2:3])
r = run("script", "--redact", rule, "--symbols", path("symbols"),
        "--demangle", "no", of_map(OTHER))
tap.ok(r.returncode == 0 and has(r.stdout, OTHER) == OTHER,
       "names with other words stay", (r.stdout, r.stderr))
for names in (["_ZN7queenie3runEv", "f /home/queenie/app.js:1"],
              ["f /home/queenie/app.js:1", "_ZN7queenie3runEv"]):
    r = run("script", "--redact", "share", "--symbols", path("symbols"),
            "--demangle", "no", of_map(names))
    tap.ok(not has(r.stdout, ["queenie"]) and (r.returncode == 0 or
           b"`queenie' is still in it" in r.stderr),
           "a user that is learned too late is sought in mangled names",
           (r.returncode, r.stdout, r.stderr))
data = None
if os.uname().machine == "x86_64" and all(map(shutil.which, (
        "g++", "nm", "readelf"))):
    data = program()
if data is None:
    tap.skip("g++ for x86_64 is needed")
else:
    seen = run("script", "--symbols", path("symbols"), data).stdout
    tap.ok(has(seen, ["zebrasy::quentin::inl", "zebrasy::hot"]) != [],
           "without a policy the names are there", seen)
    check("a program", rule, data, ["zebrasy"], [])
    shutil.copy(data, path("app2.data"))
    run("merge", "-o", path("sum.cold"), "--symbols", path("symbols"), data,
        path("app2.data"))
    seen = run("hotspots", path("sum.cold")).stdout
    tap.ok(has(seen, ["zebrasy::hot"]) != [], "and in the sum", seen)
    check("a sum of captures", rule, path("sum.cold"), ["zebrasy"], [],
          OF_SUMS)
tap.done()
