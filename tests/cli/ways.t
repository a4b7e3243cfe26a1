#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# A report of a capture without names ends with the ways to names.  They are
# run as they are printed: what the first collects names the samples in the
# next.  A file of another build is said to be one.
import os
import shutil
import subprocess
import sys
import tarfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
sys.path.insert(0, os.environ["top_srcdir"] + "/tests/analyses")
import made
import tap

KNOWN = os.path.join(tap.top_srcdir, "corpus/good-fp/symbols/known")
work = made.work.name
home = os.path.join(work, "the host's")
os.makedirs(home)
program = os.path.join(home, "known")
shutil.copy(KNOWN, program)
path = made.build("unnamed", """
attr cpu-clock type=1 config=0 period=1000 sample_type=IP|TID|TIME|PERIOD|CALLCHAIN flags=sample_id_all|mmap|comm
comm 7 7 "known"
mmap pid=7 addr=0x401000 len=0x1000 pgoff=0x1000 name="%s"
mmap pid=7 addr=0x7f0000 len=0x1000 pgoff=0 name="//anon"
repeat 40 as i {
sample cpu-clock ip=0x401220+i%%4 pid=7 time=1000+i period=1000 chain=user,0x401220+i%%4
}
repeat 4 as i {
sample cpu-clock ip=0x7f0010 pid=7 time=2000+i period=1000 chain=user,0x7f0010,0x4014d8
}
""" % program)


def run(*arguments, env=None):
    p = subprocess.run([tap.coldperf] + list(arguments), cwd=work,
                       env=dict(os.environ, LC_ALL="C", **(env or {})),
                       stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE)
    return p.stdout.decode(), p.stderr.decode()


def end_of(text):
    """The last section of a report as a dictionary."""
    title, lines = None, {}
    for line in text.splitlines():
        if line and not line.startswith(" "):
            title, lines = line, {}
        elif ":" in line:
            key, value = line.split(":", 1)
            lines[key.strip()] = value.strip()
    return title, lines


offline = ["--no-local", "--cache", "/nonexistent"]
narrow = None
for width in "20", "40", "80", "300":
    title, ways = end_of(run("report", "--width", width, *offline, path)[0])
    tap.ok(title == "To get names" and len(ways) >= 4 and
           not any("…" in way for way in ways.values()) and
           (narrow is None or ways == narrow),
           "at %s columns the report ends with the ways, whole" % width,
           "%s %s" % (title, ways))
    narrow = ways

JIT = "on the host, JIT"
tap.ok("perf-7.map" in ways.get(JIT, ""), "generated code has its own line",
       ways)
command = ways["on the host"]
p = subprocess.run(["sh", "-c", command], cwd=work, stderr=subprocess.PIPE)
tap.ok(p.returncode == 0, "the first line runs", p.stderr.decode())
os.rename(home, home + ".away")
again = ways["with such a file or folder"].replace("PATH", "symbols.tar.gz")
again = again.replace("coldperf", '"$CP"', 1) + " " + " ".join(offline)
p = subprocess.run(["sh", "-c", again], cwd=work, stdout=subprocess.PIPE,
                   stderr=subprocess.PIPE, env=dict(
                       os.environ, LC_ALL="C",
                       CP=os.path.abspath(tap.coldperf)))
out = p.stdout.decode()
tap.ok("heavy" in out and "To get names" not in out,
       "with what it collects the samples have names, and nothing is asked",
       out + p.stderr.decode())
listed = run("info", "--objects", "--width", "20", *offline, path)[0]
tap.ok("\n  on the host: %s\n" % command in listed,
       "info --objects has the same line, at 20 columns", listed)

# A pipe is gone once it was read; a name that begins as an option has a way.
os.rename(home + ".away", home)
shutil.copy(path, os.path.join(work, "-x.data"))
dash = end_of(run("report", *offline, "--", "-x.data")[0])[1]
tap.ok(dash.get("what is missing") == "coldperf info --objects './-x.data'",
       "a capture whose name begins with a dash", dash)
with open(path, "rb") as pipe:
    out = subprocess.run([tap.coldperf, "report", *offline, "-"], cwd=work,
                         stdin=pipe, stdout=subprocess.PIPE).stdout.decode()
tap.ok(end_of(out)[1].get("what is missing") ==
       "coldperf info --objects CAPTURE", "a pipe is called a capture", out)

# The same name, another build.
other = os.path.join(work, "other")
os.makedirs(other)
shutil.copy(KNOWN, other)
fp = os.path.join(tap.top_srcdir, "corpus/good-fp/perf.data")
right = run("report", "--symbols", other, *offline, fp)
tap.ok("build-id-mismatch" not in right[1], "a right file is no other build",
       right[1])
with open(os.path.join(other, "known"), "r+b") as f:
    image = f.read()
    at = image.index(bytes.fromhex("04989075cda917b7ef47"))
    f.seek(at)
    f.write(b"\xff")
wrong = run("report", "--symbols", other, *offline, fp)
tap.ok("build-id-mismatch" in wrong[1] and
       "file ff989075cda917b7ef47" in wrong[1] and
       os.path.join(other, "known") in wrong[1] and
       "only a file of another build" in wrong[0],
       "a folder with the file of another build: it is said, with its path",
       wrong[1] + wrong[0])
member = "srv/known/" + "ff989075cda917b7ef47" * 2 + "/elf"
archive = os.path.join(work, "perf.data.tar.bz2")
with tarfile.open(archive, "w:bz2") as tar:
    tar.add(os.path.join(other, "known"), member)
wrong = run("report", "--symbols", archive, *offline, fp)
tap.ok("build-id-mismatch" in wrong[1] and archive + ": " + member in wrong[1],
       "... and so is that of perf archive", wrong[1])
tap.done()
