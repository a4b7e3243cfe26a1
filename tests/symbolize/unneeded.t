#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Debug sections that no answer needs are not inflated, nor any of an object
that no sample fell in.

Such sections are replaced by ones that inflate to 256 MB.  Who inflates one
has them in memory, which is measured; that it would show is seen where a
section is replaced that is needed.
"""
import os
import random
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib

sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

OURS = os.path.abspath(tap.top_builddir + "/tests/symbolize/inlines")
MKPERF = os.path.abspath(tap.top_builddir + "/tests/tools/mkperf")
SIZE = 256 << 20
SOLID = 10  # MB of it
UNNEEDED = [".debug_" + s for s in (
    "loc", "loclists", "macro", "macinfo", "pubnames", "pubtypes",
    "gnu_pubnames", "gnu_pubtypes", "frame")]
NEEDED = [".debug_" + s for s in ("info", "abbrev", "line", "str")]
SOURCE = """
#define SCALE 3
static inline __attribute__((always_inline)) int inner(int x)
{
	return x * SCALE + 1;
}
int NAME(int *v, int n)
{
	int sum = 0;
	for (int i = 0; i < n; i++)
		sum += inner(v[i]);
	return sum;
}
"""
tmp = tempfile.mkdtemp(prefix="coldperf-unneeded.")


def finish():
    shutil.rmtree(tmp)
    tap.done()


def run(*words, **more):
    return subprocess.run(words, stdout=subprocess.PIPE, timeout=120,
                          stderr=subprocess.PIPE, cwd=tmp, **more)


def measured(words, text):
    """What a command says, and the most memory that it had, in MB."""
    with open(tmp + "/in", "w") as f:
        f.write(text)
    with open(tmp + "/in") as given, open(tmp + "/out", "wb") as out, \
            open(tmp + "/err", "wb") as err:
        p = subprocess.Popen(words, stdin=given, stdout=out, stderr=err,
                             cwd=tmp)
        _, status, used = os.wait4(p.pid, 0)
        p.returncode = status
    with open(tmp + "/out") as out:
        return status, out.read(), used.ru_maxrss // 1024


def bomb():
    """SIZE bytes, zeros but for the last, never in memory: a child would
    inherit them.  The last do not shrink: the ratio is one that is allowed."""
    z, out, noise = zlib.compressobj(9), [], random.Random(1)
    for left in range(SIZE >> 20, 0, -1):
        out.append(z.compress(bytes(1 << 20) if left > SOLID else
                              noise.randbytes(1 << 20)))
    return b"".join(out) + z.flush()


def section_headers(data):
    table, = struct.unpack_from("<Q", data, 40)
    size, count, names = struct.unpack_from("<HHH", data, 58)
    at = [table + size * i for i in range(count)]
    texts, = struct.unpack_from("<Q", data, at[names] + 24)
    for h in at:
        name, = struct.unpack_from("<I", data, h)
        end = data.index(b"\0", texts + name)
        yield data[texts + name:end].decode(), h


def replace(path, names, to):
    """A copy with those sections inflating to SIZE; which there were."""
    with open(path, "rb") as f:
        data = bytearray(f.read())
    packed, there = struct.pack("<IIQQ", 1, 0, SIZE, 1) + payload, []
    for name, h in list(section_headers(data)):
        if name in names:
            flags, = struct.unpack_from("<Q", data, h + 8)
            struct.pack_into("<Q", data, h + 8, flags | 0x800)
            struct.pack_into("<QQ", data, h + 24, len(data), len(packed))
            there.append(name)
    with open(to, "wb") as f:
        f.write(data + packed)
    return there


def build(name):
    with open(tmp + "/a.c", "w") as f:
        f.write(SOURCE)
    out = "%s/%s.so" % (tmp, name)
    try:
        p = run("gcc", "-g3", "-ggnu-pubnames", "-O2", "-shared", "-fPIC",
                "-m64", "-Wl,--build-id", "-DNAME=" + name, "a.c", "-o", out)
    except OSError:
        p = None
    if p is None or p.returncode != 0 or sys.byteorder != "little":
        shutil.rmtree(tmp)
        tap.skip_all("gcc makes no 64-bit little-endian library")
    return out


def function(path, name):
    for line in run("nm", "-S", path).stdout.decode().splitlines():
        w = line.split()
        if w[-1] == name:
            return int(w[0], 16), int(w[1], 16)
    return 0, 0


def check_sections(path):
    start, size = function(path, "hit")
    text = "".join("0x%x\n" % a for a in range(start, start + size))
    status, plain, most = measured([OURS, path], text)
    tap.ok(status == 0 and "inner\n" in plain and most < SIZE >> 20,
           "an object with inlined functions, in %d MB" % most)
    there = replace(path, UNNEEDED, tmp + "/unneeded.so")
    status, out, most = measured([OURS, tmp + "/unneeded.so"], text)
    tap.ok(len(there) > 1 and out == plain and most < SIZE >> 20,
           "%s: not inflated, in %d MB" % (" ".join(there), most), out[-400:])
    there = replace(path, [".debug_line"], tmp + "/needed.so")
    status, out, most = measured([OURS, tmp + "/needed.so"], text)
    tap.ok(there and most >= SIZE >> 20,
           "one that is needed would be noticed, in %d MB" % most)


def build_id(path):
    for line in run("readelf", "-n", path).stdout.decode().splitlines():
        if "Build ID:" in line:
            return line.split()[-1]
    return ""


def capture(hits, paths):
    """Samples in the functions of those objects that are hit."""
    text = ("byte_order little\nattr clock type=1 config=0 period=1000 "
            "ids=1 sample_type=IP|TID|TIME|CALLCHAIN|PERIOD "
            "flags=sample_id_all|mmap|mmap2|comm\ncomm 7 7 \"work\"\n")
    for i, path in enumerate(paths):
        text += ("mmap2_build_id pid=7 addr=0x%x len=0x100000 pgoff=0 "
                 "id=%s name=\"%s\"\n" % (
                     (i + 1) << 24, build_id(path), path))
    for i, path in enumerate(paths):
        name = os.path.basename(path)[:-3]
        start, size = function(path, name)
        for at in range(start, start + size) if name in hits else []:
            ip = ((i + 1) << 24) + at
            text += ("sample clock pid=7 tid=7 ip=0x%x time=%d "
                     "chain=user,0x%x\n" % (ip, 1000 + at, ip))
    with open(tmp + "/in.mkperf", "w") as f:
        f.write(text)
    p = run(MKPERF, "in.mkperf", "data")
    if p.returncode != 0:
        tap.diag(p.stderr.decode())


def check_objects(hit, quiet):
    plain = {}
    script = [os.path.abspath(tap.coldperf), "script", "--no-cache",
              "--cache", tmp + "/none", "--lines", tmp + "/data"]
    for hits in (["hit"], ["hit", "quiet"]):
        capture(hits, [hit, quiet])
        status, plain[len(hits)], _ = measured(script, "")
        tap.ok(status == 0 and "(inlined)" in plain[len(hits)] and
               ("quiet+" in plain[len(hits)]) == (len(hits) == 2),
               "a capture that hits " + " and ".join(hits),
               plain[len(hits)][-400:])
    os.rename(quiet, quiet + ".plain")
    replace(quiet + ".plain", NEEDED, quiet)
    capture(["hit"], [hit, quiet])
    status, out, most = measured(script, "")
    tap.ok(status == 0 and out == plain[1] and most < SIZE >> 20,
           "debug information of the other is not read, in %d MB" % most, out[-400:])
    replace(quiet + ".plain", [".debug_line"], quiet)
    capture(["hit", "quiet"], [hit, quiet])
    status, out, most = measured(script, "")
    tap.ok(most >= SIZE >> 20,
           "if it is hit, this is noticed, in %d MB" % most, out[-400:])


payload = bomb()
hit_path, quiet_path = build("hit"), build("quiet")
check_sections(hit_path)
check_objects(hit_path, quiet_path)
finish()
