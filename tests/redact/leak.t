#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Redaction: secrets are planted wherever a text can stand in a capture, and
# dug for in every output, raw and unpacked.
import os
import re
import shutil
import subprocess
import sys
import tempfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
sys.path.insert(0, os.environ["top_srcdir"] + "/tests/redact")
import dig
import plant
import tap

mkperf = os.path.join(tap.top_builddir, "tests/tools/mkperf")
tmp = tempfile.TemporaryDirectory()
ALL = ("share", "public", "hashed")
# What `share' keeps; all else must be gone.
SHARE_KEEPS = ("comm", "path", "system", "event", "symbol")
FORMATS = ("text", "json", "csv", "html", "svg", "folded", "pprof",
           "speedscope", "callgrind", "dot", "firefox", "perfetto", "otlp",
           "ndjson", "samples-csv", "snapshot")
HASHED = """
[rules]
host = hash
command-line = drop
system = drop
comm = hash
path = hash
cgroup = hash
event = generalize
symbol = hash
payload = drop
stack = drop
data-address = drop
source = drop
"""


def path(name):
    return os.path.join(tmp.name, name)


def write(name, data):
    with open(path(name), "wb" if isinstance(data, bytes) else "w") as f:
        f.write(data)
    return path(name)


def run(*words):
    env = dict(os.environ, COLDPERF_REDACT_KEY_FILE=path("key"))
    return subprocess.run([tap.coldperf, *words], env=env, timeout=600,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def capture(kind, secrets):
    text = write(kind + ".mkperf", plant.KINDS[kind](secrets))
    out = path(kind + ".data")
    made = subprocess.run([mkperf, text, out], stderr=subprocess.PIPE)
    if made.returncode:
        tap.ok(False, kind + ": mkperf", made.stderr.decode())
        tap.done()
    if kind == "jit":
        os.makedirs(path("symbols"), exist_ok=True)
        write("symbols/perf-20.map", "700000 100 %s /home/%s/app.js:1\n"
              % (secrets("name of JIT code", "symbol"),
                 secrets("a user in the name of JIT code", "share")))
    return out


def outputs(kind, data):
    """Name, command and file of each output; None: standard output."""
    more = ["--symbols", path("symbols")] if kind == "jit" else []
    for f in FORMATS:
        yield f, ["flame", "-f", f], None
        yield f + " of a report", ["report", "-f", f] + more, None
    for command in ("sched", "info", "offcpu", "timeline", "quality", "mem",
                    "syscalls", "unwind", "branches"):
        yield command, [command, "-f", "json"] + more, None
    yield "annotate", ["annotate"] + more, None
    yield "script", ["script", "-F", "+cgroup,addr"] + more, None
    for table in ("samples", "frames", "symbols", "threads"):
        yield "sql " + table, ["sql", "SELECT * FROM " + table], None
    yield "substr", ["sql", "SELECT substr(name, 2) FROM symbols"], None
    yield "snapshot command", ["snapshot"], "x.cold"
    yield "pack", ["pack"], "x.tar.zst"
    yield "redact", ["redact"], "x.data"


def leaks(data, secrets, policy):
    found = {s.decode() for s in dig.dig(data)}
    if policy != "share":
        return found
    kept = {s[:4].lower() for s, (_, rule) in secrets.places.items()
            if rule in SHARE_KEEPS}
    return {s for s in found if s[:4].lower() not in kept}


def named(found, secrets):
    by = {s[:4].lower(): what for s, (what, _) in secrets.places.items()}
    return ["%s: %s" % (s, by.get(s[:4].lower())) for s in sorted(found)]


def check(kind, data, secrets, policy, turn):
    rule = path("hashed.ini") if policy == "hashed" else policy
    wrong, written = [], 0
    ways = tap.share(outputs(kind, data), turn, 2 * len(ALL))
    if not any(name == "redact" for name, _, _ in ways):
        ways += list(outputs(kind, data))[-1:]  # perf reads it
    for name, words, file in ways:
        to = ["-o", path(file)] if file else []
        if file and os.path.exists(path(file)):
            os.unlink(path(file))
        r = run(words[0], "--redact", rule, *words[1:], *to, data) \
            if words[0] != "sql" else \
            run("sql", "--redact", rule, data, words[1])
        out = r.stdout
        if file and os.path.exists(path(file)):
            with open(path(file), "rb") as f:
                out = f.read()
        if r.returncode not in (0, 3) and b"not-redacted" in r.stderr:
            wrong.append(name + ": " + r.stderr.decode(errors="replace"))
        written += bool(out)
        wrong += ["%s: %s" % (name, x) for x in
                  named(leaks(out, secrets, policy), secrets)]
    tap.ok(not wrong, "%s: nothing leaks with %s" % (kind, policy),
           "\n".join(wrong))
    return written / len(ways)


def count_planted(data, secrets):
    with open(data, "rb") as f:
        return len({s[:4].lower() for s in dig.dig(f.read())})


def control(data):
    """Without --redact each way to pack is seen through."""
    blind = []
    for words in (["flame", "-f", "pprof"], ["report", "-f", "html"],
                  ["flame", "-f", "perfetto"], ["flame", "-f", "json"]):
        if not dig.dig(run(*words, data).stdout):
            blind.append(" ".join(words))
    for words in (["snapshot"], ["pack"]):
        run(*words, "-o", path("x"), data)
        with open(path("x"), "rb") as f:
            if dig.zstd and not dig.dig(f.read()):
                blind.append(words[0])
    tap.ok(not blind, "the digging sees into outputs", blind)


def perf_reads(kind, policy):
    perf = shutil.which("perf")
    if not perf:
        return tap.skip("no perf")
    r = subprocess.run([perf, "script", "--force", "-i", path("x.data")],
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    lines = [x for x in r.stdout.splitlines() if re.search(rb"\d: ", x)]
    tap.ok(r.returncode == 0 and len(lines) >= 11,
           "%s: perf reads what %s leaves" % (kind, policy),
           r.stderr[-500:])


if not os.access(mkperf, os.X_OK):
    tap.skip_all("mkperf was not built")
write("key", "0123456789abcdef0123456789abcdef")
write("hashed.ini", HASHED)
total = {}
for turn, kind in enumerate(plant.KINDS):
    secrets = plant.Plant()
    data = capture(kind, secrets)
    total.update({(kind, k): v for k, v in secrets.places.items()})
    n = count_planted(data, secrets)
    tap.ok(n >= 40, "%s: secrets are in the capture" % kind, n)
    if kind == "fp":
        control(data)
    for policy in ALL:
        turn += 2
        written = check(kind, data, secrets, policy, turn)
        tap.ok(written >= 0.4, "%s: outputs with %s" % (kind, policy), written)
        perf_reads(kind, policy)
places = {what for what, _ in total.values()}
tap.ok(len(places) >= 60, "60 places", len(places))
tap.done()
