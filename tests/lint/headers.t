#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Every header compiles alone; the public one as C++ too.  A header that its
# own .c file includes first did so when that was compiled.
import os
import shlex
import shutil
import subprocess
import sys
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
sys.path.insert(0, os.environ["top_srcdir"] + "/tests/lint")
import source
import tap

CC = shlex.split(os.environ.get("CC", "cc"))
FLAGS = ["-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-Wno-unused-parameter",
         "-D_GNU_SOURCE", "-I" + tap.top_srcdir,
         "-I" + tap.top_srcdir + "/include", "-I" + tap.top_builddir]


def compiles(command, header):
    text = '#include "%s"\n' % header
    run = subprocess.run(command + FLAGS + ["-"], input=text, text=True,
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return run.returncode == 0, run.stdout


def comes_first(header):
    """Does the .c file of that name begin with it?"""
    code = header[:-2] + ".c"
    if not os.path.exists(os.path.join(tap.top_srcdir, code)):
        return False
    includes = source.includes(source.read(tap.top_srcdir, code))
    return [name for _, _, name in includes][:1] == [header]


for path in source.files(tap.top_srcdir, (".h",)):
    if comes_first(path):
        continue
    good, why = compiles(CC + ["-std=gnu17", "-x", "c"], path)
    tap.ok(good, path + " compiles alone", why)
cxx = shutil.which("g++") or shutil.which("clang++")
if cxx:
    for name in source.files(tap.top_srcdir, (".h",), ("include/coldperf",)):
        good, why = compiles([cxx, "-x", "c++"], name)
        tap.ok(good, name + " compiles as C++", why)
else:
    tap.skip("no C++ compiler")
tap.done()
