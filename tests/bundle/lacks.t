#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# What a bundle lacks is named with the samples that it concerns, and --slim
# --sources keeps what leads to the lines.
import os
import re
import shutil
import subprocess
import sys
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
sys.path.insert(0, os.environ["top_srcdir"] + "/tests/analyses")
import made
import tap

work = made.work.name


def coldperf(*arguments):
    p = subprocess.run([os.path.abspath(tap.coldperf)] + list(arguments),
                       cwd=work, env=dict(os.environ, LC_ALL="C", HOME=work),
                       stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE, timeout=60)
    return p.stdout.decode(), p.stderr.decode()


HEAD = """
attr cpu-clock type=1 config=0 period=1 sample_type=IP|TID|TIME|CALLCHAIN flags=sample_id_all|mmap|comm
comm 7 7 "prog"
"""
path = made.build("lacks", HEAD + """
mmap pid=7 addr=0x400000 len=0x1000 pgoff=0 name="/gone/prog"
mmap pid=7 addr=0x500000 len=0x1000 pgoff=0 name="/gone/lib.so"
mmap pid=7 addr=0x600000 len=0x1000 pgoff=0 name="/gone/caller"
repeat 30 as i {
sample cpu-clock ip=0x500010 pid=7 time=1000+i chain=user,0x500010,0x400020,0x600020,0x400030
}
repeat 10 as i {
sample cpu-clock ip=0x400010 pid=7 time=2000+i chain=user,0x400010
}
""")
err = coldperf("pack", "--no-local", "--cache", "/none", "-o", "b.tar",
               path)[1]
got = re.findall(r"^coldperf: not found: (.*)$", err, re.M)
want = ["file of /gone/lib.so (75.00% of the samples; in the stacks of "
        "75.00%)",
        "file of /gone/prog (25.00% of the samples; in the stacks of "
        "100.00%)",
        "file of /gone/caller (0.00% of the samples; in the stacks of "
        "75.00%)"]
tap.ok(got == want, "what was not found, the heaviest first", err)

# A program whose file has a hole of 1 TB at its end.
sparse = os.path.join(work, "sparse")
shutil.copy(os.path.join(tap.top_srcdir, "corpus/good-fp/symbols/known"),
            sparse)
try:
    os.truncate(sparse, 1 << 40)
    holes = made.build("holes", HEAD + """
mmap pid=7 addr=0x401000 len=0x1000 pgoff=0x1000 name="%s"
sample cpu-clock ip=0x401010 pid=7 time=1000 chain=user,0x401010
""" % sparse)
    err = coldperf("pack", "-o", "h.tar", holes)[1]
    tap.ok("(limit): CP_MAX_SPOOL: " + sparse + " is too large" in err and
           "not found: file of " + sparse in err,
           "a file of 1 TB of holes is not read to be packed", err)
except OSError as e:
    tap.skip("no file of 1 TB can be made: %s" % e)
out = coldperf("verify", "b.tar")[0]
tap.ok(": 1 member, " in err and out.startswith("1 member checked"),
       "the capture alone is one member", err + out)
os.environ["COLDPERF_OPTIONS"] = "--tid 8"
err = coldperf("pack", "--no-local", "--cache", "/none", "-o", "c.tar",
               path)[1]
del os.environ["COLDPERF_OPTIONS"]
tap.ok(re.findall(r"^coldperf: not found: (.*)$", err, re.M) == want,
       "a filter that is always given changes nothing: all is packed", err)

SOURCE = """volatile long sink;
__attribute__((noinline)) void hot(void)
{
	sink += 4711;
}
int main(void)
{
	hot();
	return 0;
}
"""
# Debug information of many pages: a bundle keeps whole pages.
SOURCE += "".join("int f%d(int a, int b) { return a * b + %d; }\n" % (i, i)
                  for i in range(2000))
os.makedirs(os.path.join(work, "tree"))
for name in "prog.c", "tree/prog.c":
    with open(os.path.join(work, name), "w") as f:
        f.write(SOURCE)
cc = os.environ.get("CC", "cc").split()[-1]
if not shutil.which(cc) or subprocess.run(
        [cc, "-g", "-O1", "-fno-pie", "-no-pie", "-o", "prog", "prog.c"],
        cwd=work, stderr=subprocess.DEVNULL).returncode != 0:
    tap.skip_all("no compiler")
symbols = subprocess.run(["nm", "prog"], cwd=work, stdout=subprocess.PIPE,
                         stderr=subprocess.DEVNULL).stdout.decode()
place = re.search(r"^([0-9a-f]+) T hot$", symbols, re.M)
if not place:
    tap.skip_all("no nm, or not of this compiler's programs")
hot = int(place.group(1), 16)
segments = subprocess.run(["readelf", "-lW", "prog"], cwd=work,
                          stdout=subprocess.PIPE).stdout.decode()
load = re.search(r"LOAD +(0x[0-9a-f]+) (0x[0-9a-f]+) \S+ (0x[0-9a-f]+) \S+ "
                 r"R E", segments)
if not load:
    tap.skip_all("the program has no segment of code by itself")
offset, start, size = (int(w, 16) for w in load.groups())
path = made.build("lines", HEAD + """
mmap pid=7 addr=%d len=%d pgoff=%d name="%s"
repeat 20 as i {
sample cpu-clock ip=%d pid=7 time=1000+i chain=user,%d
}
""" % (start & -4096, (size + 4095) & -4096, offset & -4096,
       os.path.join(work, "prog"), hot, hot))
coldperf("pack", "--slim", "--sources", "--cache", "/none", "--symbols",
         "tree", "-o", "lines.tar", path)
coldperf("pack", "--slim", "--cache", "/none", "-o", "slim.tar", path)
for name in "prog", "prog.c", "tree/prog.c":
    os.remove(os.path.join(work, name))
lines = "annotate", "--by", "line", "--no-local", "--no-cache"
out, err = coldperf(*lines, "lines.tar")
tap.ok("prog.c:" in out and "hot" in out and
       re.search(r"prog\.c:[34]  +(sink \+= 4711;|\{)", out),
       "--slim --sources: lines are shown", out + err)
out, err = coldperf(*lines, "slim.tar")
tap.ok("hot" in out and "prog.c:" not in out, "--slim alone: none", out + err)
tap.done()
