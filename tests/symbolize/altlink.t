#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# dwz writes relative paths, too (Fedora, RHEL): they begin at the file that
# has them, wherever the program stands.
import os
import re
import shutil
import subprocess
import sys
import tempfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

MKPERF = os.path.abspath(os.path.join(tap.top_builddir, "tests/tools/mkperf"))
OURS = os.path.abspath(tap.coldperf)
SOURCE = """
volatile int v;
static inline __attribute__((always_inline)) int
shared_helper_with_a_long_name(int n)
{ int s = 0; for (int i = 0; i < n; i++) s += v * i; return s; }
int %s(int n) { return shared_helper_with_a_long_name(n); }
int main(int n, char **a) { (void)a; return %s(n) & 1; }
"""
for tool in ("gcc", "dwz", "readelf", "nm"):
    if not shutil.which(tool):
        tap.skip_all(tool + " is not installed")


def run(*words, **more):
    return subprocess.run(words, stdout=subprocess.PIPE, check=False,
                          stderr=subprocess.PIPE, text=True,
                          errors="replace", **more)


with tempfile.TemporaryDirectory(prefix="coldperf-altlink.") as tmp:
    for name in ("one", "two"):
        with open(tmp + "/" + name + ".c", "w", encoding="ascii") as f:
            f.write(SOURCE % (name + "_work", name + "_work"))
        if run("gcc", "-g", "-gdwarf-4", "-O2", "-Wl,--build-id", "-o", name,
               name + ".c", cwd=tmp).returncode != 0:
            tap.skip_all("gcc cannot compile it")
    if run("dwz", "-r", "-m", "common.debug", "one", "two",
           cwd=tmp).returncode != 0 or \
            not os.path.exists(tmp + "/common.debug"):
        tap.skip_all("dwz makes no common file")
    link = run("readelf", "-p", ".gnu_debugaltlink", tmp + "/one").stdout
    tap.ok(re.search(r"\]  common\.debug", link) is not None,
           "the link is relative", link)
    build = re.search("Build ID: ([0-9a-f]+)",
                      run("readelf", "-n", tmp + "/one").stdout).group(1)
    start, size = next((int(w[0], 16), int(w[1], 16)) for w in
                       (line.split() for line in
                        run("nm", "-S", tmp + "/one").stdout.splitlines())
                       if w[-1] == "one_work")
    text = ["attr cycles period=1 sample_type=IP|TID|TIME ids=1 "
            "flags=sample_id_all|mmap|comm",
            "build_id %s %s/one misc=2" % (build, tmp),
            'comm 8 8 "one"',
            'mmap pid=8 addr=0x10000000 len=0x10000 pgoff=0 name="%s/one"'
            % tmp]
    text += ["sample cycles ip=0x%x pid=8 tid=8 time=%d"
             % (0x10000000 + a, a + 1) for a in range(start, start + size)]
    with open(tmp + "/in.mkperf", "w", encoding="ascii") as f:
        f.write("\n".join(text) + "\n")
    made = run(MKPERF, tmp + "/in.mkperf", tmp + "/perf.data")
    tap.ok(made.returncode == 0, "the capture is made", made.stderr)
    flame = (OURS, "flame", "-f", "folded", "--no-cache", "--inline", "yes",
             tmp + "/perf.data")
    out = run(*flame, cwd="/")
    tap.ok("shared_helper_with_a_long_name" in out.stdout,
           "a name that dwz moved is found", out.stdout + out.stderr)
    os.rename(tmp + "/common.debug", tmp + "/elsewhere")
    out = run(*flame, cwd="/")
    tap.ok("one_work" in out.stdout,
           "without the file the outer name stays", out.stdout + out.stderr)
    tap.ok("(no-object): common.debug" in out.stderr,
           "and the file that lacks is named", out.stderr)
tap.done()
