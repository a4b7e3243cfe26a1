#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# The records of a large capture are several frames of zstd, which threads
# compress: any number of threads makes the same, and what is damaged is told.
import ctypes
import os
import subprocess
import sys
import tarfile
import tempfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
sys.path.insert(0, os.environ["top_srcdir"] + "/tests/exports")
import parquet
import tap

PIECE = 4 << 20  # docs/snapshot-format.md
SAMPLES = 6000
TEXT = """\
attr cycles type=0 config=0 period=9 sample_type=IP|TID|TIME|CALLCHAIN \
flags=sample_id_all
repeat %d as i {
sample ip=64+i pid=7 tid=7 time=1000+i chain=user,%s
}
""" % (SAMPLES, ",".join("hash(i*200+%d)" % n for n in range(200)))
scratch = tempfile.TemporaryDirectory(prefix="coldperf-snapshot-frames.")
tmp = scratch.name
data, cold = tmp + "/n.data", tmp + "/n.cold"


def coldperf(*args):
    return subprocess.run([tap.coldperf, *args], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE)


def read(path):
    with open(path, "rb") as f:
        return f.read()


def frames(packed):
    """The sizes of the frames."""
    size, sizes, at = parquet.LIB.ZSTD_findFrameCompressedSize, [], 0
    size.restype, size.argtypes = ctypes.c_size_t, [ctypes.c_char_p,
                                                    ctypes.c_size_t]
    while at < len(packed):
        sizes.append(size(packed[at:], len(packed) - at))
        at += sizes[-1]
    return sizes


def damaged(what):
    """Samples that are read, whether the records are named, and the status."""
    with open(tmp + "/bad.cold", "wb") as f:
        f.write(what)
    run = coldperf("script", tmp + "/bad.cold")
    return (run.stdout.count(b"cycles"), b"perf.data.zst" in run.stderr,
            run.returncode)


if parquet.LIB is None:
    print("1..0 # SKIP there is no libzstd.so.1 for Python")
    sys.exit(0)
with open(tmp + "/input", "w") as f:
    f.write(TEXT)
subprocess.run([tap.top_builddir + "/tests/tools/mkperf", tmp + "/input",
                data], check=True)
capture, made = read(data), []
for jobs in "1", "2", "4":
    coldperf("snapshot", "-j", jobs, "-o", cold, data)
    made.append(read(cold))
tap.ok(made[0] == made[1] == made[2], "threads do not change a byte")
with tarfile.open(cold) as tar:
    m = tar.getmember("perf.data.zst")
    packed = tar.extractfile(m).read()
sizes = frames(packed)
tap.ok(len(sizes) == -(-len(capture) // PIECE) > 2,
       "the records are a frame for each 4 MiB", (sizes, len(capture)))
tap.ok(parquet.inflate(packed, len(capture)) == capture,
       "and together they are the capture")
whole, want = made[0], coldperf("script", data).stdout
tap.ok(want.count(b"cycles") == SAMPLES and
       coldperf("script", cold).stdout == want, "which is read as one")
few = sum(sizes[:2]) * SAMPLES // sum(sizes)
got = damaged(whole[:m.offset_data + sum(sizes[:2])])
tap.ok(abs(got[0] - few) < SAMPLES // 20 and got[1:] == (True, 3),
       "records that are cut between frames are read up to there", (few, got))
at = m.offset_data + sizes[0] + 2
got = damaged(whole[:at] + bytes([whole[at] ^ 0x55]) + whole[at + 1:])
tap.ok(SAMPLES // 5 < got[0] < few and got[1:] == (True, 3),
       "those before a frame that is damaged are read", got)
tap.done()
