#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# A redaction reads a capture twice.  Where the first reading fails, which
# looks for names, the second would show those that it has not met: whatever
# read fails, nothing is written, or it has no name of a user.
import errno
import os
import subprocess
import sys
sys.path[:0] = [os.environ["top_srcdir"] + "/tests",
                os.environ["top_srcdir"] + "/tests/fault",
                os.environ["top_srcdir"] + "/tests/redact"]
import dig
import tap
from faults import LOCAL, log, run, top

mkperf = os.path.join(tap.top_builddir, "tests/tools/mkperf")
# The payload that tells of the user is far after the comm, and is left out.
TEXT = """
attr probe_app:at_open type=2 config=900 period=1 ids=1 \\
	flags=sample_id_all|mmap|comm sample_type=IP|TID|TIME|RAW|IDENTIFIER
tracing printk=""
format probe_app <<END
name: at_open
ID: 900
format:
	field:unsigned short common_type;	offset:0;	size:2;	signed:0;
	field:unsigned char common_flags;	offset:2;	size:1;	signed:0;
	field:unsigned char common_preempt_count;	offset:3;	size:1;	signed:0;
	field:int common_pid;	offset:4;	size:4;	signed:1;

	field:__data_loc char[] path;	offset:8;	size:4;	signed:0;
	field:u64 number;	offset:16;	size:8;	signed:0;

print fmt: "%%s", __get_str(path)
END
feature hostname "zqhost78"
comm 20 20 "queenie" time=1000
repeat %d as i {
sample probe_app:at_open ip=0x400100+i pid=20 time=2015+i*20 \\
	raw=u2:900,u1:0,u1:0,u4:20,u4:0x00050018,u4:0,u8:5,z:"name"
}
sample probe_app:at_open ip=0x400100 pid=20 time=900000 \\
	raw=u2:900,u1:0,u1:0,u4:20,u4:0x00180018,u4:0,u8:5,z:"/home/queenie/secret"
"""


def capture(name, samples):
    text = os.path.join(top, "text.mkperf")
    with open(text, "w") as f:
        f.write(TEXT % samples)
    subprocess.run([mkperf, text, os.path.join(top, name)], check=True)
    return os.path.join(top, name)


def leaks(data):
    return any(b"queenie" in x.lower() for x in dig.unpacked(data))


def counts(command):
    """How often the command reads, when nothing fails."""
    status, out, err, left = run(command)
    whole = b"".join(left.values()) + out
    with open(log) as f:
        n = {k: int(v) for k, v in (line.split() for line in f)}
    tap.ok(status == 0 and whole and not leaks(whole),
           " ".join(command[:3]) + ": the user is not in it", (status, err))
    return n


def each_read(what, command, least):
    n, wrong, failed = counts(command), [], 0
    for call in ("pread", "read"):
        for i in range(1, n[call] + 1):
            status, out, err, left = run(command, "%s:%d:%d" % (
                call, i, errno.EIO))
            written = b"".join(left.values()) + out
            failed += "no redaction: " in err
            if leaks(written) or (status != 0 and not err):
                wrong.append("%s %d: %d %s" % (call, i, status, err[-200:]))
    tap.ok(not wrong, "%s: no read that fails shows the user" % what,
           "\n".join(wrong))
    tap.ok(failed >= least, what + ": the first reading's failures are said",
           failed)


if not os.access(mkperf, os.X_OK):
    tap.skip_all("mkperf was not built")
data = capture("payload.data", 5000)
each_read("a capture", ["script", "-F", "comm,ip", "--redact", "share",
                        *LOCAL, data], 3)
each_read("a file that is written", ["redact", "--redact", "share", "-o",
                                     "x.data", data], 3)
small = capture("small.data", 100)
cold = os.path.join(top, "x.cold")
subprocess.run([tap.coldperf, "snapshot", *LOCAL, "-o", cold, small],
               check=True, capture_output=True)
each_read("a snapshot", ["script", "-F", "comm,ip", "--redact", "share",
                         *LOCAL, cold], 1)
with open(small, "rb") as f:
    p = subprocess.run([tap.coldperf, "script", "-F", "comm", "--redact",
                        "share", *LOCAL, "-"], capture_output=True,
                       input=f.read())
tap.ok(p.returncode == 2 and p.stdout == b"" and
       b"it can be read only once" in p.stderr,
       "a file through a pipe is not redacted", (p.stdout[:99], p.stderr))
tap.done()
