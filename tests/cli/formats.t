#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# A recorder that was killed wrote no layouts of tracepoints: they come from
# --formats or from the built-in table, and only if the payloads agree.
import os
import re
import subprocess
import sys
import tempfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

MKPERF = os.path.join(tap.top_builddir, "tests/tools/mkperf")
work = tempfile.TemporaryDirectory(prefix="coldperf-formats.")
with open(os.path.join(tap.top_srcdir,
                       "corpus/good-sched-waits/input.mkperf")) as f:
    WHOLE = f.read()
FORMAT = re.compile(r"^format (\w+) <<END\n(.*?)^END\n", re.M | re.S)
CUT = "layout killed\n" + FORMAT.sub("", WHOLE).replace(
    'tracing cmdlines=""\n', "")


def make(name, text):
    path = os.path.join(work.name, name)
    with open(path + ".mkperf", "w") as f:
        f.write(text)
    subprocess.run([MKPERF, path + ".mkperf", path], check=True)
    return path


def coldperf(*words):
    p = subprocess.run([tap.coldperf] + list(words), stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)
    return p.returncode, p.stdout.decode(), p.stderr.decode()


def tables(path, *words):
    return coldperf("sched", "--format", "csv", "--section", "delays",
                    *words, path)


whole, cut = make("whole.data", WHOLE), make("cut.data", CUT)
want = tables(whole)
tap.ok(want[0] == 0 and "\n" in want[1].strip(), "the whole capture is read")

status, out, err = tables(cut)
tap.ok(status == 3, "the cut one is, in part")
tap.ok("(format)" in err and "sched:sched_switch by the built-in layout" in err,
       "the source of the switches' layout is said", err)
tap.ok("(no-format)" in err and "unknown tracepoint (3" in err,
       "of wake-ups, which look like others, the layout is asked for", err)

# Another capture of the kernel, a format file each, a copy of tracefs.
folder = os.path.join(work.name, "tracing/events")
files = []
for system, text in FORMAT.findall(WHOLE):
    event = re.search("^name: (.*)$", text, re.M).group(1)
    os.makedirs(os.path.join(folder, system, event))
    files.append(os.path.join(folder, system, event, "format"))
    with open(files[-1], "w") as f:
        f.write(text)
each = [word for path in files for word in ("--formats", path)]
for what, words in (("a capture", ["--formats", whole]),
                    ("a folder", ["--formats", folder]),
                    ("files", each)):
    status, out, err = tables(cut, *words)
    tap.ok(status == 3, "by " + what + ": status")
    tap.ok(out == want[1], "by " + what + ": the same waits as of the whole")
    tap.ok("by --formats" in err and "no-format" not in err,
           "by " + what + ": the source is said", err)

# A layout that is another kernel's: the number is right, the place is not.
wrong = make("wrong.data", WHOLE.replace(
    "field:pid_t next_pid;	offset:56", "field:pid_t next_pid;	offset:72"))
status, out, err = tables(cut, "--formats", wrong)
tap.ok("other-format" in err and "by the built-in layout" in err,
       "a layout that does not agree is not used", err)

# Payloads that are no switches are not taken for some: the pid is not theirs.
odd = make("odd.data", re.sub(
    r"(raw=u2:\d+,u1:\d+,u1:\d+,u4:)\w+", r"\g<1>77777", CUT))
status, out, err = tables(odd)
tap.ok("built-in" not in err and "no-format" in err,
       "payloads that agree with no layout are not read", err)

status, out, err = tables(cut, "--formats", MKPERF + ".c")
tap.ok(status == 2, "a path without layouts is an error")
tap.ok("no layouts" in err or "cannot" in err or "not a" in err, "and said",
       err)
tap.done()
