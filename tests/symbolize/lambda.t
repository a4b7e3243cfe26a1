#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# A lambda that was inlined is called one: gcc gives closures no name and their
# function no linkage name.
import os
import shutil
import subprocess
import sys
import tempfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

SOURCE = """
volatile int v;
template <class F> static inline __attribute__((always_inline)) int
call(F f, int n) { int s = 0; for (int i = 0; i < n; i++) s += f(i); return s; }
int work(int n) {
	return call([&](int i) __attribute__((always_inline)) {
		int s = 0;
		for (int k = 0; k < 100; k++) s += v * i;
		return s;
	}, n);
}
int main(int n, char **) { return work(n) & 1; }
"""
ours = os.path.abspath(tap.top_builddir + "/tests/symbolize/inlines")
if not shutil.which("g++"):
    tap.skip_all("g++ is not installed")
with tempfile.TemporaryDirectory(prefix="coldperf-lambda.") as tmp:
    with open(tmp + "/a.cc", "w", encoding="ascii") as f:
        f.write(SOURCE)
    built = subprocess.run(["g++", "-g", "-O2", "-o", tmp + "/a",
                            tmp + "/a.cc"], stderr=subprocess.PIPE,
                           check=False)
    if built.returncode != 0:
        tap.skip_all("g++ cannot compile it")
    symbols = subprocess.run(["nm", "-S", tmp + "/a"], text=True, check=True,
                             stdout=subprocess.PIPE).stdout.splitlines()
    start, size = next((int(w[0], 16), int(w[1], 16)) for w in
                       (line.split() for line in symbols)
                       if w[-1] == "_Z4worki")
    asked = "".join("0x%x\n" % a for a in range(start, start + size))
    out = subprocess.run([ours, tmp + "/a"], input=asked, text=True,
                         stdout=subprocess.PIPE, check=False).stdout
tap.ok("{lambda}::operator()" in out, "the lambda is called one", out[:400])
tap.ok("{unnamed}::operator()" not in out, "and not {unnamed}")
tap.done()
