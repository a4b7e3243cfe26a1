#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Redaction of what does not come from the capture: functions, inlined ones,
# and the names and texts of the sources of a program on this machine.
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
SOURCE = """static volatile int x;
static inline __attribute__((always_inline)) void
Zq25Leak_in(void) { x += 3; x *= 5; x ^= 9; /* Zq22Leak */ }
__attribute__((noinline)) void
Zq26Leak_fn(void) { for (int i = 0; i < 100; i++) Zq25Leak_in(); }
int main(void) { for (;;) Zq26Leak_fn(); }
"""
CAPTURE = """
attr cycles type=0 config=0 period=1000 ids=1 \\
	flags=sample_id_all|mmap|comm sample_type=IP|TID|TIME|IDENTIFIER
comm 20 20 "app" time=1000
mmap2_build_id pid=20 addr=%#x len=0x1000 pgoff=0 id=%s \\
	name="/home/Zq20Leak/Zq27Leak" time=1003
repeat 30 as i {
sample cycles ip=%#x+i pid=20 time=2000+i
}
"""
# By policy: what may stand in outputs.
KEPT = {
    "share": {"zq21", "zq25", "zq26", "zq27"},
    "public": set(),
    "drop": {"zq22", "zq25", "zq26"},
    "hash": {"zq22", "zq25", "zq26"},
    "symbols": {"zq21", "zq27"},
}
RULES = {
    "drop": "path = drop\n",
    "hash": "path = hash\n",
    "symbols": "symbol = hash\nsource = drop\npath = generalize\n",
}
WAYS = [["flame", "-f", f] for f in (
    "html", "json", "pprof", "callgrind", "speedscope", "firefox", "perfetto",
    "otlp", "snapshot")] + [["annotate"], ["annotate", "-f", "html"],
                            ["hotspots", "--by", "line"], ["script"]]
# The sum of two captures has the names in its tables.
OF_SUMS = [["flame", "-f", f] for f in (
    "html", "json", "pprof", "callgrind", "snapshot")] + [
        ["report", "-f", "html"], ["hotspots", "--by", "line"]]


def path(*names):
    return os.path.join(tmp.name, *names)


def write(name, text):
    with open(path(name), "w") as f:
        f.write(text)
    return path(name)


def program():
    """Its folder is a user's."""
    os.makedirs(path("home/Zq20Leak"))
    write("home/Zq20Leak/Zq21Leak.c", SOURCE)
    r = subprocess.run(["gcc", "-g", "-O2", "-no-pie", "-Wl,--build-id=sha1",
                        "Zq21Leak.c", "-o", "Zq27Leak"],
                       cwd=path("home/Zq20Leak"), stderr=subprocess.PIPE)
    return r.returncode == 0


def output(*words):
    r = subprocess.run(words, stdout=subprocess.PIPE, check=True)
    return r.stdout.decode()


def capture():
    built = path("home/Zq20Leak/Zq27Leak")
    build_id = re.search("Build ID: ([0-9a-f]+)", output("readelf", "-n",
                                                         built)).group(1)
    fn = re.search("([0-9a-f]+) T Zq26Leak_fn", output("nm", built)).group(1)
    load = re.search("LOAD +0x0+ 0x([0-9a-f]+)", output("readelf", "-lW",
                                                        built)).group(1)
    ip = int(fn, 16)
    at = ip & ~0xfff
    text = CAPTURE % (at, build_id, ip)
    text = text.replace("pgoff=0 ", "pgoff=%#x " % (at - int(load, 16)))
    write("in.mkperf", text)
    subprocess.run([mkperf, path("in.mkperf"), path("in.data")], check=True)


def found(words, file="in.data"):
    env = dict(os.environ, COLDPERF_REDACT_KEY_FILE=path("key"))
    more = ["--symbols", path("home/Zq20Leak")] if file == "in.data" else []
    r = subprocess.run([tap.coldperf, words[0], *more, *words[1:], path(file)],
                       env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if r.returncode not in (0, 3) or not r.stdout:
        return {r.stderr.decode(errors="replace")}
    return {s.decode()[:4].lower() for s in dig.dig(r.stdout)}


def check(policy):
    rule = policy
    if policy in RULES:
        rule = write(policy + ".ini", "[rules]\n" + RULES[policy])
    wrong = []
    for words in WAYS:
        more = found([words[0], "--redact", rule, *words[1:]]) - KEPT[policy]
        wrong += ["%s: %s" % (" ".join(words), x) for x in sorted(more)]
    for words in OF_SUMS:
        more = found([words[0], "--redact", rule, *words[1:]], "sum.cold") - \
            KEPT[policy]
        wrong += ["sum: %s: %s" % (" ".join(words), x) for x in sorted(more)]
    tap.ok(not wrong, policy + ": no other names of the program",
           "\n".join(wrong))


if not os.access(mkperf, os.X_OK):
    tap.skip_all("mkperf was not built")
if not all(map(shutil.which, ("gcc", "nm", "readelf"))) or not program():
    tap.skip_all("gcc is needed")
if os.uname().machine != "x86_64":
    tap.skip_all("the capture is of x86_64")
capture()
shutil.copy(path("in.data"), path("in2.data"))
subprocess.run([tap.coldperf, "merge", "-o", path("sum.cold"), "--symbols",
                path("home/Zq20Leak"), path("in.data"), path("in2.data")],
               stderr=subprocess.DEVNULL)
write("key", "0123456789abcdef0123456789abcdef")
seen = found(["annotate", "-f", "html"])
tap.ok({"zq21", "zq22", "zq25", "zq26"} <= seen,
       "without a policy all of them are there", seen)
seen = found(["report", "-f", "html"], "sum.cold")
tap.ok({"zq20", "zq21", "zq25", "zq26"} <= seen, "and in the sum", seen)
for policy in KEPT:
    check(policy)
tap.done()
