# SPDX-License-Identifier: MIT
"""What the checks of tests/cases.t share."""
import csv
import gzip
import io
import os
import re
import shutil
import subprocess
import tempfile

import tap

CASES = os.environ.get("SHARED_CASES") or \
    os.path.join(tap.top_srcdir, "..", "shared", "cases")
work = tempfile.TemporaryDirectory(prefix="coldperf-cases.")
# No names from recordings before.
os.environ["PERF_BUILDID_DIR"] = os.path.join(work.name, "none")


class Skip(Exception):
    """What the check needs is missing."""


class Wrong(Exception):
    """The value that is not right."""


def case(path):
    return os.path.join(CASES, path)


def scratch(*names):
    path = os.path.join(work.name, *names)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    return path


def need(*tools):
    for tool in tools:
        if shutil.which(tool) is None:
            raise Skip(tool + " is not installed")


def right(held, why=""):
    if not held:
        raise Wrong(why)


def command(*words, **more):
    return subprocess.run(words, stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, errors="replace",
                          **more)


def coldperf(*arguments, status=0):
    p = command(tap.coldperf, *arguments)
    right(status is None or p.returncode == status,
          "status %d of %s\n%s" % (p.returncode, " ".join(arguments), p.stderr))
    return p.stdout, p.stderr


def rows(*arguments, status=None):
    return list(csv.DictReader(io.StringIO(
        coldperf("hotspots", "-f", "csv", "--top", "0", *arguments,
                 status=status)[0])))


def shares(*arguments, by="symbol", status=None):
    """{symbol without parameters: per cent} of hotspots."""
    out = {}
    for row in rows("--by", by, *arguments, status=status):
        name = re.sub(r"\(.*", "", row["symbol"]).strip()
        out[name] = out.get(name, 0) + 100 * float(row["share"])
    return out


def whole(name, *arguments):
    """All samples are in that function."""
    got = shares("--no-local", *arguments)
    right(got.get(name, 0) > 99, got)


def folded(*arguments):
    out = {}
    for line in coldperf("flame", "-f", "folded", *arguments,
                         status=None)[0].splitlines():
        stack, n = line.rsplit(" ", 1)
        out[stack] = out.get(stack, 0) + int(n)
    return out


def unpacked(path):
    """The path of an unpacked copy."""
    to = scratch(path.replace("/", "-").rsplit(".", 1)[0])
    with gzip.open(case(path)) as f, open(to, "wb") as g:
        shutil.copyfileobj(f, g)
    return to


def built(source, *options, name="prog", compiler="gcc"):
    need(compiler)
    to = scratch(os.path.basename(source) + ".built", name)
    p = command(compiler, *options, "-o", to, source)
    if p.returncode:
        raise Skip("%s cannot build it: %s" % (compiler, p.stderr[-200:]))
    return to


def recorded(prog, *options):
    """A recording of the program, made here."""
    if tap.sanitized:
        raise Skip("recorded in the other build")
    need("perf")
    to = prog + ".data"
    p = command("perf", "record", "-q", "-N", "-o", to, *options, "--", prog,
                timeout=120)
    if p.returncode or not os.path.exists(to):
        raise Skip("perf cannot record here: " + p.stderr[-200:])
    return to


def script_lines(path, fields, *arguments, status=0):
    out, _ = coldperf("script", "-F", fields, "--no-local", *arguments, path,
                      status=status)
    return [line for line in out.splitlines() if line and line[0] != "\t"]
