#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Redaction of names of threads in payloads that the policy keeps: in fields of
# fixed and of varying size, and in those that are not called so.
import os
import re
import subprocess
import sys
import tempfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
sys.path.insert(0, os.environ["top_srcdir"] + "/tests/redact")
import plant
import tap

mkperf = os.path.join(tap.top_builddir, "tests/tools/mkperf")
tmp = tempfile.TemporaryDirectory()
# Four bytes: the search of the output does not look for such names.
TEXT = """
attr sched:sched_switch type=2 config=316 period=1 ids=1 \\
	flags=sample_id_all|mmap|comm \\
	sample_type=IP|TID|TIME|CPU|PERIOD|RAW|IDENTIFIER
attr app:named type=2 config=900 period=1 ids=2 flags=sample_id_all \\
	sample_type=IP|TID|TIME|CPU|PERIOD|RAW|IDENTIFIER
attr app:bare type=2 config=901 period=1 ids=3 flags=sample_id_all \\
	sample_type=IP|TID|TIME|CPU|PERIOD|RAW|IDENTIFIER
tracing printk=""
format sched <<END
name: sched_switch
ID: 316
format:
""" + plant.COMMON + """	field:char prev_comm[16];	offset:8;	size:16;	signed:0;
	field:pid_t prev_pid;	offset:24;	size:4;	signed:1;
	field:int prev_prio;	offset:28;	size:4;	signed:1;
	field:long prev_state;	offset:32;	size:8;	signed:1;
	field:char next_comm[16];	offset:40;	size:16;	signed:0;
	field:pid_t next_pid;	offset:56;	size:4;	signed:1;
	field:int next_prio;	offset:60;	size:4;	signed:1;

print fmt: "prev_comm=%s", REC->prev_comm
END
format app <<END
name: named
ID: 900
format:
""" + plant.COMMON + """	field:__data_loc char[] comm;	offset:8;	size:4;	signed:0;
	field:__data_loc char[] other;	offset:12;	size:4;	signed:0;
	field:char who[16];	offset:16;	size:16;	signed:0;
	field:u64 number;	offset:32;	size:8;	signed:0;

print fmt: "%s", __get_str(comm)
END
comm 20 20 "zqa1" time=1000
comm 21 21 "zqb1" time=1001
repeat 3 as i {
sample sched:sched_switch ip=0xffffffff81000300 pid=20 time=2000+i*20 cpu=0 \\
	raw=u2:316,u1:0,u1:0,u4:20,s:"zqa1",n:6,s:"zqc1",n:2,u4:20,u4:120,u8:1,c16:"zqd1",u4:22,u4:120
sample app:named ip=0x400100 pid=20 time=2010+i*20 cpu=0 \\
	raw=u2:900,u1:0,u1:0,u4:20,u4:0x00080028,u4:0x000c0030,c16:"zqb1",u8:7654321,z:"zqe1",n:3,z:"of zqword",n:2
sample app:bare ip=0x400100 pid=20 time=2015+i*20 cpu=0 \\
	raw=u2:901,u1:0,u1:0,u4:20,c16:"zqf1"
}
"""
POLICY = """[rules]
comm = %s
[words]
remove = zqword
"""


def path(name):
    return os.path.join(tmp.name, name)


def write(name, text):
    with open(path(name), "w") as f:
        f.write(text)
    return path(name)


def run(*words):
    env = dict(os.environ, COLDPERF_REDACT_KEY_FILE=path("key"))
    return subprocess.run([tap.coldperf, *words], env=env, timeout=300,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def redacted(how):
    """The names that are left, and the new file."""
    rule = write(how + ".ini", POLICY % how)
    out = path(how + ".data")
    r = run("redact", "--redact", rule, "-o", out, data)
    tap.ok(r.returncode == 0, how + ": a capture is written", r.stderr)
    with open(out, "rb") as f:
        found = f.read()
    left = [w for w in names if w.encode() in found]
    return left, found


if not os.access(mkperf, os.X_OK):
    tap.skip_all("mkperf was not built")
write("key", "0123456789abcdef0123456789abcdef")
data = path("in.data")
subprocess.run([mkperf, write("in.mkperf", TEXT), data], check=True)
names = ["zqa1", "zqb1", "zqc1", "zqd1", "zqe1", "zqf1", "zqword"]
with open(data, "rb") as f:
    plain = f.read()
tap.ok(all(w.encode() in plain for w in names), "the names are there")

for how in ("generalize", "hash", "drop"):
    left, found = redacted(how)
    tap.ok(not left, how + ": no name is left", left)
    tap.ok(found.count((7654321).to_bytes(8, "little")) == 3,
           how + ": numbers of payloads are kept")
left, found = redacted("generalize")
tap.ok(found.count(b"thread-1\0") == 4 and found.count(b"thread-2\0") == 4,
       "a thread and its payloads have one name", re.findall(
           rb"thread-\d\0", found))
tap.ok(found.count(b"of removed") == 3, "a word in a text that is kept")
lines = TEXT.splitlines(True)
comms = [line for line in lines if line.startswith("comm ")]
write("in.mkperf", "".join([line for line in lines if line not in comms] +
                           comms))
subprocess.run([mkperf, path("in.mkperf"), data], check=True)
left, _ = redacted("generalize")
tap.ok(len(comms) > 1 and not left,
       "payloads before the record that names their thread", left)
write("in.mkperf", TEXT)
subprocess.run([mkperf, path("in.mkperf"), data], check=True)
left, found = redacted("keep")
tap.ok(left == names[:2] + names[3:6] and b"zqa1\0" in found,
       "kept names stay; what follows them does not", left)
tap.done()
