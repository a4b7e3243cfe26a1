#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Damaged captures: coldperf must end by itself, within bounds, with an honest
# account, report what is intact and invent nothing.
#
# COUNT (default 100, at night 200; 1200 for a full run) damaged files are made
# from the captures of the corpus by tests/tools/damage, which knows what is
# intact.
# A failure names kind, seed and capture; `damage KIND SEED GOOD BAD` makes
# the file again.  KIND and CASE select; JOBS (default 2) run at a time.
import collections
import contextlib
import json
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

COUNT = int(os.environ.get("COUNT", "200" if tap.nightly else "100"))
JOBS = int(os.environ.get("JOBS", "2"))
SECONDS = 10  # of CPU: other work does not count
HANGS = 300  # waits for something that does not come
MAX_RSS = 256 << 10  # KiB, as wait4 counts
ABOUT_DATA = ("bad-header", "bad-attr", "bad-feature", "bad-record",
              "truncated", "killed-recorder", "bad-compression",
              "bad-tracing-data", "unknown-record", "unknown-id")
STATUSES = (0, 2, 3, 4)
SYNTHETIC = ("good-compressed", "good-compressed2", "good-endian-big",
             "good-ids-by-identifier", "good-rounds", "good-pipe-all",
             "good-dynamic-fields", "good-late-attrs", "good-all-fields")
tools = os.path.join(tap.top_builddir, "tests/tools")
corpus = os.path.join(tap.top_srcdir, "corpus")
tmp = tempfile.TemporaryDirectory()
env = dict(os.environ, ASAN_OPTIONS="exitcode=99:quarantine_size_mb=8:"
           "malloc_context_size=8:detect_leaks=0",
           UBSAN_OPTIONS="print_stacktrace=1:exitcode=99", TZ="UTC",
           LC_ALL="C", COLDPERF_PLUGIN_PATH="")

Run = collections.namedtuple("Run", "status out err rss late")


def run(arguments, name):
    """Runs coldperf; its output goes through files, its use is measured."""
    paths = [os.path.join(tmp.name, name + s) for s in (".out", ".err")]
    with open(paths[0], "wb") as out, open(paths[1], "wb") as err:
        child = subprocess.Popen([tap.coldperf] + arguments, stdout=out,
                                 stderr=err, stdin=subprocess.DEVNULL,
                                 env=env)
        with contextlib.suppress(ProcessLookupError):  # it has ended
            resource.prlimit(child.pid, resource.RLIMIT_CPU,
                             (SECONDS, SECONDS + 1))
        late = threading.Event()

        def stop():
            late.set()
            child.kill()
        timer = threading.Timer(HANGS, stop)
        timer.start()
        _, status, usage = os.wait4(child.pid, 0)
        timer.cancel()
        child.returncode = os.waitstatus_to_exitcode(status)
    texts = []
    for path in paths:
        with open(path, "rb") as f:
            texts.append(f.read().decode(errors="replace"))
    return Run(child.returncode, texts[0], texts[1], usage.ru_maxrss,
               late.is_set())


def wrong(r):
    """What is wrong with how a run ended, or None."""
    if r.late:
        return "not finished after %d s" % HANGS
    if r.status == -signal.SIGXCPU:
        return "used %d s of CPU" % SECONDS
    if r.status < 0:
        return "ended by signal %d" % -r.status
    if r.status not in STATUSES or "Sanitizer" in r.err or \
            "runtime error" in r.err:
        said = [line for line in r.err.splitlines()
                if "rror" in line or " #" in line[:8]]
        return "status %d: %s" % (r.status, " | ".join(said[:8]))
    if r.rss > MAX_RSS:
        return "used %d MiB" % (r.rss >> 10)
    return None


def parse(text):
    """(event, time as printed) of each sample that script printed."""
    found = []
    for line in text.splitlines():
        m = re.search(r"(\d+)\.(\d{6,9})", line)
        if m:
            event = (line[:m.start()] + line[m.end():]).strip(" :\t")
            found.append((event, m.group(1) + "." + m.group(2)))
    return found


def printed(ns, digits):
    """A time in ns as script prints it with that many decimals."""
    text = "%d.%09d" % divmod(ns, 10 ** 9)
    return text[:len(text) - 9 + digits]


def decimals(times):
    return len(times[0].partition(".")[2]) if times else 9


def damage(*arguments):
    r = subprocess.run([tools + "/damage"] + [str(a) for a in arguments],
                       capture_output=True)
    return json.loads(r.stdout) if r.returncode == 0 else None


def captures():
    """(name, path) of the good captures to spoil."""
    for case in sorted(os.listdir(corpus)):
        path = os.path.join(corpus, case, "perf.data")
        source = os.path.join(corpus, case, "input.mkperf")
        if not tap.wanted(case):
            continue
        if case.startswith("good-") and os.path.isfile(path):
            yield case, path
        elif case in SYNTHETIC and os.path.exists(source):
            path = os.path.join(tmp.name, case + ".data")
            subprocess.run([tools + "/mkperf", source, path], check=True)
            yield case, path


class Capture:
    """A good capture, what is in it and what coldperf says of it."""

    def __init__(self, name, path):
        self.name, self.path = name, path
        self.known = damage("none", 0, path)
        self.usable = False
        if self.known is None:
            return
        r = run(["script", "-F", "event,time", path], name)
        self.reported = collections.Counter(parse(r.out))
        self.why = wrong(r)
        times = [t for _, t in self.reported.elements()]
        self.digits = decimals(times)
        want = collections.Counter(printed(ns, self.digits)
                                   for _, ns, _ in self.known["intact"])
        got = collections.Counter(times)
        # A group's samples are shown once for each member.
        self.grouped = got != want and not want - got
        self.usable = got == want
        if not self.usable and not self.grouped and self.why is None:
            self.why = "walk has %d samples, script %d: %s" % (
                sum(want.values()), sum(got.values()), r.err[:300])


class Tally:
    """What came out, over all files."""

    def __init__(self):
        self.lock = threading.Lock()
        self.failures = collections.defaultdict(list)
        self.files = 0
        self.by_kind = collections.defaultdict(lambda: [0, 0, 0])

    def fail(self, what, job, text):
        kind, seed, capture = job
        with self.lock:
            self.failures[what].append(
                "%s %d %s: %s" % (kind, seed, capture.name, text))

    def count(self, kind, intact, found):
        with self.lock:
            self.files += 1
            entry = self.by_kind[kind]
            entry[0] += 1
            entry[1] += intact
            entry[2] += found


def salvage(tally, job, about, r):
    """Compares what was reported with what is intact."""
    kind, _, capture = job
    reported = collections.Counter(parse(r.out))
    original = capture.reported
    if not about["names"]:
        reported = collections.Counter(t for _, t in reported.elements())
        original = collections.Counter(t for _, t in original.elements())
    spoilt = about["samples"] - len(about["intact"]) + about["again"]
    if about["description"]:
        extra = sum((reported - original).values())
        if extra > spoilt:
            tally.fail("invented", job, "%d samples, %d spoilt: %s" % (
                extra, spoilt, list((reported - original))[:3]))
    want = collections.Counter(printed(ns, capture.digits)
                               for _, ns, _ in about["intact"])
    got = collections.Counter()
    for key, n in reported.items():
        got[key if isinstance(key, str) else key[1]] += n
    found = sum((want & got).values())
    total = sum(want.values())
    if not about["description"]:
        total = found = 0
    if kind in ("cut-page", "cut-any", "killed") and found < total:
        tally.fail("cut", job, "%d of %d intact samples, status %d" % (
            found, total, r.status))
    elif found < total * 0.99:
        tally.fail("low", job, "%d of %d intact samples, status %d, "
                   "section %s" % (found, total, r.status,
                                   about["section"]))
    tally.count(kind, total, found)


def left_out(capture, about, r):
    """Bytes of intact samples, and how many, that were not reported."""
    size = {printed(ns, capture.digits): n for _, ns, n in about["intact"]}
    want = collections.Counter(printed(ns, capture.digits)
                               for _, ns, _ in about["intact"])
    lost = want - collections.Counter(t for _, t in parse(r.out))
    return sum(size[t] * n for t, n in lost.items()), sum(lost.values())


def places(tally, job, about, r):
    """Each message about data has a place in the file."""
    for line in r.err.splitlines():
        said = json.loads(line)
        if said["id"] in ABOUT_DATA and \
                said.get("offset", about["size"] + 1) > about["size"]:
            tally.fail("places", job, line)


def account(tally, job, about, r, script):
    """bytes parsed + bytes skipped = size of the file, always."""
    try:
        report = json.loads(r.out)
    except ValueError as e:
        tally.fail("account", job, "quality gave no JSON: %s" % e)
        return
    values = {}
    for section in report["sections"]:
        for scalar in section.get("scalars", []):
            values[scalar["key"]] = scalar["value"]
    total, parsed, skipped = (values.get("bytes_" + k)
                              for k in ("total", "parsed", "skipped"))
    if parsed is None or parsed + skipped != about["size"] or \
            total != about["size"]:
        tally.fail("account", job, "parsed %s + skipped %s, total %s, size %d"
                   % (parsed, skipped, total, about["size"]))
        return
    lost, n = left_out(job[2], about, script)
    if about["description"] and lost > skipped and \
            n > values["samples_unknown_id"]:
        tally.fail("agree", job, "%d samples of %d bytes, %d skipped" % (
            n, lost, skipped))


def one(tally, job, number):
    kind, seed, capture = job
    name = "job%d" % number
    bad = os.path.join(tmp.name, name + ".data")
    about = damage(kind, seed, capture.path, bad)
    view = ["hotspots"] if number % 2 else \
        ["flame", "-f", "folded", "-o", "/dev/null"]
    runs = [["script", "-F", "event,time"], ["quality", "--diag", "json", "-f", "json"], view]
    results = [run(arguments + [bad], name) for arguments in runs]
    for arguments, r in zip(runs, results):
        if wrong(r):
            tally.fail("end", job, "%s: %s" % (arguments[0], wrong(r)))
    if not wrong(results[0]):
        salvage(tally, job, about, results[0])
        if about["size"] < capture.known["size"] and results[0].status == 0 \
                and "pipe" not in capture.name:
            tally.fail("silent", job, "status 0 for a file that was cut")
        lost = sum(capture.reported.values()) - len(parse(results[0].out))
        if lost > 0 and results[0].status == 0:
            tally.fail("lost", job, "status 0, %d samples lost" % lost)
    if not wrong(results[1]) and results[1].status != 2:
        account(tally, job, about, results[1], results[0])
        places(tally, job, about, results[1])
    for suffix in (".data", ".out", ".err"):
        os.unlink(os.path.join(tmp.name, name + suffix))


def jobs(usable):
    """COUNT applicable (kind, seed, capture), spread evenly but for bombs,
    which take as long as all others together."""
    kinds = subprocess.run([tools + "/damage", "kinds"], check=True,
                           capture_output=True).stdout.decode().split()
    kinds = [k for k in kinds if os.environ.get("KIND", k) == k]
    probe = os.path.join(tmp.name, "probe")
    found = bombs = 0
    for seed in range(int(os.environ.get("SEED", "0")), 1 << 30):
        any_kind = False
        for i, kind in enumerate(kinds):
            capture = usable[(seed + i) % len(usable)]
            bomb = kind == "zstd-bomb" and len(kinds) > 1
            if bomb and bombs * 100 >= COUNT or \
                    damage(kind, seed, capture.path, probe) is None:
                continue
            bombs += bomb
            any_kind = True
            yield kind, seed, capture
            found += 1
            if found == COUNT:
                return
        if not any_kind and seed > 1000:
            return


def killed(tally):
    """Recordings whose recorder was killed, as they came."""
    for case in ("bad-killed", "bad-killed-synthetic", "bad-truncated-record"):
        path = tap.capture(case, tmp.name)
        about = damage("none", 0, path)
        r = run(["script", "-F", "event,time", path], case)
        times = [t for _, t in parse(r.out)]
        want = [ns for _, ns, _ in about["intact"]]
        digits = decimals(times)
        held = wrong(r) is None and sorted(times) == \
            sorted(printed(ns, digits) for ns in want)
        tap.ok(held and want and r.status == 3,
               case + ": every whole sample is reported, with status 3",
               "%d of %d, status %d: %s" % (len(times), len(want), r.status,
                                            wrong(r) or r.err[:300]))


def conclude(tally):
    texts = (("end", "every run ends by itself: in time, in memory, with a "
                     "status of its own"),
             ("account", "bytes parsed + bytes skipped = size of the file"),
             ("agree", "samples that are left out lie in skipped bytes"),
             ("places", "each message about data has a place in the file"),
             ("cut", "cut and killed files: every intact sample is reported"),
             ("invented", "no sample is invented"),
             ("silent", "a cut is never silent"),
             ("lost", "where samples are lost the status tells"))
    for what, text in texts:
        found = tally.failures[what]
        tap.ok(not found, text, "\n".join(
            ["%d failures" % len(found)] + sorted(found)[:40]))
    total = sum(e[1] for e in tally.by_kind.values())
    found = sum(e[2] for e in tally.by_kind.values())
    share = found / total if total else 0
    tap.ok(share >= 0.99, "99 % of the intact samples are reported",
           "%d of %d (%.3f %%)" % (found, total, 100 * share))
    for kind, (n, want, got) in sorted(tally.by_kind.items()):
        tap.diag("%-14s %4d files, %d of %d intact samples (%.2f %%)" % (
            kind, n, got, want, 100.0 * got / want if want else 100))
    tap.diag("%d files, %d of %d intact samples (%.3f %%)" % (
        tally.files, found, total, 100 * share))
    if os.environ.get("VERBOSE"):
        for line in sorted(tally.failures["low"]):
            tap.diag("low: " + line)


def main():
    if not os.access(tap.coldperf, os.X_OK):
        tap.skip_all("coldperf is not built")
    good = [Capture(name, path) for name, path in captures()]
    for capture in good:
        if capture.known is not None:
            tap.ok(capture.usable or capture.grouped,
                   capture.name + ": undamaged, all samples are reported",
                   capture.why)
    usable = [c for c in good if c.usable]
    if not tap.ok(len(usable) >= 10 or os.environ.get("CASE"),
                  "there are recordings to spoil", len(usable)):
        return tap.done()
    tally = Tally()
    with ThreadPoolExecutor(JOBS) as pool:
        for future in [pool.submit(one, tally, job, i)
                       for i, job in enumerate(jobs(usable))]:
            future.result()
    conclude(tally)
    killed(tally)
    tap.done()


main()
