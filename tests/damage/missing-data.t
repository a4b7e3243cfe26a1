#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# A folder of `perf record --threads` that lost a data file says so, with
# status 3; what is left is read.
import os
import shutil
import subprocess
import sys
import tempfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

tmp = tempfile.TemporaryDirectory()
GOOD = os.environ["top_srcdir"] + "/corpus/good-directory/perf.data"
LOST = "data.0 is not there, data.1 is"


def read(name, without=()):
    """Reads a copy of the folder that lacks these files."""
    path = os.path.join(tmp.name, name)
    os.mkdir(path)
    for f in set(os.listdir(GOOD)) - set(without):
        shutil.copyfile(os.path.join(GOOD, f), os.path.join(path, f))
    return again(name)


def again(name):
    r = subprocess.run([tap.coldperf, "flame", "-f", "folded",
                        os.path.join(tmp.name, name)],
                       capture_output=True, text=True)
    return r, sum(int(line.rsplit(" ", 1)[1])
                  for line in r.stdout.splitlines())


whole, all_of_it = read("whole")
tap.ok(whole.returncode == 0 and "(missing-data)" not in whole.stderr,
       "a whole folder: nothing is missing", whole.stderr)
label = subprocess.run([tap.coldperf, "report", "--section", "label",
                        os.path.join(tmp.name, "whole")],
                       capture_output=True, text=True).stdout
tap.ok(os.path.join(tmp.name, "whole") + "\n" in label,
       "its name is that of the folder", label)
cut, rest = read("cut", ["data.0"])
tap.ok(cut.returncode == 3, "a lost file: status 3", cut.returncode)
tap.ok(LOST in cut.stderr and cut.stderr.count("(missing-data)") == 1,
       "a lost file: said once, by name", cut.stderr)
tap.ok(0 < rest < all_of_it, "a lost file: the others are read",
       (rest, all_of_it))
for make in os.mkfifo, os.mkdir:
    kind = make.__name__[2:]
    read(kind)
    make(os.path.join(tmp.name, kind, "data.2"))
    extra, n = again(kind)
    tap.ok(extra.returncode == 3 and n == all_of_it and
           "(directory-file): data.2: no regular file" in extra.stderr,
           "one that is a %s is said" % kind, extra.stderr)
tap.done()
