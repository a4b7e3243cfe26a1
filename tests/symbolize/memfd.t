#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# A program in memory (memfd_create, fexecve) is mapped privately, as any other
# file; code that a runtime makes in a memfd is mapped shared, as it is written
# through another mapping.
import os
import shutil
import subprocess
import sys
import tempfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

scratch = tempfile.TemporaryDirectory(prefix="coldperf-memfd.")
known = os.environ["top_srcdir"] + "/corpus/good-fp/symbols/known"
mkperf = os.path.join(tap.top_builddir, "tests/tools/mkperf")
PRIVATE, SHARED, CODE, HEAVY = 2, 1, 0x55d8dee7f000, 0x219


def path(name):
    return os.path.join(scratch.name, name)


def capture(flags, name="/memfd:runc_cloned (deleted)", pgoff=0x1000):
    with open(path("in"), "w", encoding="ascii") as f:
        f.write("attr cycles type=0 config=0 period=1 sample_type=IP|TID|TIME "
                "flags=sample_id_all|mmap|mmap2|comm\ncomm pid=7 comm=runc\n"
                "mmap2 pid=7 tid=7 addr=%#x len=0x1000 pgoff=%#x prot=5 "
                "flags=%d maj=0 min=1 ino=1333 name=\"%s\"\n"
                "sample pid=7 time=9 misc=2 ip=%#x\n" %
                (CODE, pgoff, flags, name, CODE + HEAVY))
    done = subprocess.run([mkperf, path("in"), path("data")], check=False,
                          stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        tap.diag(done.stderr)


def flame(*options):
    done = subprocess.run([tap.coldperf, "flame", "-f", "folded", "--no-local",
                           *options, path("data")], text=True, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return done.stdout.rstrip("\n"), done.stderr


shutil.copy(known, path("any-name"))
os.mkdir(path("dir"))
shutil.copy(known, path("dir/runc_cloned"))
capture(PRIVATE)
got, err = flame()
tap.ok(got == "runc;[memfd:runc_cloned (deleted)] 1" and "no-object" in err and
       "made at run time" not in err,
       "it is a file that was not found, and its name is whole", (got, err))
got, err = flame("--symbols", path("any-name"))
tap.ok(got == "runc;heavy 1", "--symbols FILE names it", (got, err))
got, err = flame("--symbols", path("any-name"), "--symbols",
                 path("dir/runc_cloned"))
tap.ok(got == "runc;heavy 1", "of two files the one of its name", (got, err))
capture(PRIVATE, pgoff=0x5000)
got, err = flame("--symbols", path("any-name"))
tap.ok(got != "runc;heavy 1", "not a file that was mapped otherwise",
       (got, err))
capture(SHARED, "/memfd:doublemapper (deleted)")
got, err = flame("--symbols", path("any-name"))
tap.ok(got != "runc;heavy 1" and "no-jit-map" in err,
       "code made at run time is in no file", (got, err))
with open(path("perf-7.map"), "w", encoding="ascii") as f:
    f.write("%x 100 jitted\n" % (CODE + HEAVY))
got, err = flame()
tap.ok(got == "runc;jitted 1", "a perf map names it", (got, err))
tap.done()
