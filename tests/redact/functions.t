#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# A user's name as a part of a function's name, as that of a service is: of a
# program of the system it stays and is told; of the user's own nothing is
# written, and the message names the line that lets it be.
import os
import re
import shutil
import subprocess
import sys
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
sys.path.insert(0, os.environ["top_srcdir"] + "/tests/redact")
import dig
import scratch
import tap
from scratch import mkperf, path, write

SOURCE = """#define FN __attribute__((noinline)) void
FN startzqservice(void) { __asm__ volatile("nop"); }
FN zqservice_main(void) { startzqservice(); __asm__ volatile("nop"); }
int main(void) { zqservice_main(); return 0; }
"""
HEAD = """
attr cycles type=0 config=0 period=1000 ids=1 flags=sample_id_all|mmap|comm \\
	sample_type=IP|TID|TIME|IDENTIFIER|PERIOD
feature hostname "%s"
feature cmdline perf record -u zqservice /opt/bin/zqservice -D /srv/zqservice
comm 20 20 "zqservice" time=1000
mmap2 pid=20 addr=0x7f0000000000 len=0x1000 pgoff=0 maj=8 min=1 ino=6 \\
	name="/home/%s/ext/lib.so" time=1003
"""
WAYS = [["script"], ["hotspots"], ["sql", "SELECT * FROM symbols"]] + [
    ["flame", "-f", f] for f in ("folded", "html", "json", "pprof",
                                 "callgrind", "speedscope", "perfetto",
                                 "otlp", "snapshot", "ndjson")]


def run(rule, way, data):
    words = [way[0], "--redact", rule, "--symbols", path("symbols")]
    words += [data, *way[1:]] if way[0] == "sql" else [*way[1:], data]
    return scratch.run(*words)


def made(*words):
    return subprocess.run(words, check=True, text=True,
                          stdout=subprocess.PIPE).stdout


def capture(name, object_path, host="rosebud-7", user="zqservice"):
    """Samples in both functions of the program, which was recorded there."""
    program = path("symbols", "zqservice")
    ip = {n: int(a, 16) for a, n in re.findall(
        "([0-9a-f]+) T (\\w+)", made("nm", program))}
    build_id = re.search("Build ID: ([0-9a-f]+)",
                         made("readelf", "-n", program)).group(1)
    start = ip["startzqservice"] & ~0xfff
    text = HEAD % (host, user) + (
        'mmap2_build_id pid=20 addr=%#x len=0x1000 pgoff=%#x id=%s name="%s" '
        'time=1003\n' % (start, start - 0x400000, build_id, object_path))
    for i, n in enumerate(("startzqservice", "zqservice_main")):
        text += "repeat 9 as i {\nsample cycles ip=%#x pid=20 time=%d+i\n}\n" \
            % (ip[n], 2000 + 100 * i)
    return scratch.capture(name, text)


def has(data, pattern):
    return any(re.search(pattern, x, re.I) for x in dig.unpacked(data))


if not os.access(mkperf, os.X_OK):
    tap.skip_all("mkperf was not built")
if os.uname().machine != "x86_64" or not all(map(shutil.which, (
        "gcc", "nm", "readelf"))):
    tap.skip_all("gcc for x86_64 is needed")
os.mkdir(path("symbols"))
if subprocess.run(["gcc", "-O1", "-no-pie", "-Wl,--build-id=sha1", write(
        "in.c", SOURCE), "-o", path("symbols/zqservice")]).returncode:
    tap.skip_all("no program can be linked without PIE")

system = capture("system.data", "/opt/bin/zqservice")
own = capture("own.data", "/home/zqservice/bin/zqservice")
of_host = capture("host.data", "/opt/bin/server", "zqservice", "somebody")
allow = write("allow.ini",
              "base = share\n[words]\nallow = startzqservice\n")
remove = write("remove.ini", "base = share\n[words]\nremove = zqservice\n")
for what, rule, data, told in (
        ("a program of the system", "share", system, True),
        ("a host's name", "share", of_host, True),
        ("a word that is allowed", allow, own, False)):
    wrong = []
    for way in WAYS:
        r = run(rule, way, data)
        if r.returncode or not has(r.stdout, b"startzqservice"):
            wrong.append((way, "is not whole", r.returncode, r.stderr))
        if has(r.stdout, b"(^|[^a-z])zqservice"):
            wrong.append((way, "has the word"))
        if told != (b"left: `zqservice', a user or host, is a part of a "
                    b"function's name: startzqservice" in r.stderr):
            wrong.append((way, "is told", r.stderr))
    tap.ok(not wrong, what + ": the name stands in the function alone", wrong)
for what, rule, data, base in (
        ("the user's own program", "share", own, b"begins with `base = share'"),
        ("a word of the policy", remove, system, b"remove.ini")):
    wrong = []
    for way in WAYS:
        r = run(rule, way, data)
        if r.returncode != 2 or r.stdout or base not in r.stderr or \
                b"write `allow = startzqservice' in [words]" not in r.stderr:
            wrong.append((way, r.returncode, r.stdout, r.stderr))
    tap.ok(not wrong, what + ": nothing is written, and the way out is said",
           wrong)
tap.done()
