#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Redaction of several captures: merged, compared, out of a folder and as
# snapshots; of names there may be more than can be replaced.
import os
import re
import sys
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
sys.path.insert(0, os.environ["top_srcdir"] + "/tests/redact")
import dig
import plant
import tap
from scratch import bytes_of, capture, mkperf, path, run, tmp

# What `share' keeps; all else must be gone.
SHARE_KEEPS = ("comm", "path", "system", "event", "symbol")
dig.SECRET = re.compile(rb"[yz]q\d\dle?a?k?", re.I)


class Second(plant.Plant):
    """Its secrets are others than those of the first capture."""

    def __call__(self, what, rule):
        n = len(self.places) + 10
        self.places["Yq%02dLeak" % n] = (what, rule)
        return "Yq%02dLeak" % n


def found_in(words):
    """What leaks of standard output, or of the file x that was written."""
    data, said = bytes_of(words)
    if not data:
        return ["nothing written: " + said]
    return {s.decode()[:4].lower() for s in dig.dig(data)}


def check(policy, hidden, ins, words):
    found = found_in([words[0], "--redact", policy, *words[1:], *ins])
    wrong = [s for s in found if len(s) > 4 or s in hidden]
    tap.ok(not wrong, "%s: %s of %s" % (policy, " ".join(words[:3]),
           ", ".join(os.path.relpath(x, tmp.name) for x in ins)),
           [(s, hidden.get(s)) for s in wrong])


WAYS = (["report", "-f", "json"], ["report", "-f", "html"],
        ["flame", "-f", "pprof"], ["merge", "-o", path("x")])
COMPARE = (["diff", "-f", "html"], ["diff", "-f", "json"],
           ["diff", "-f", "text"])


def several(first, second, secrets):
    os.mkdir(path("more"))
    capture(path("more", "Zq08Leak.data"), plant.fp(first))
    capture(path("more", "Zq09Leak.data"), plant.fp(second))
    run("snapshot", "-o", path("Zq07Leak.cold"), path("more", "Zq08Leak.data"))
    two = [path("more", "Zq08Leak.data"), path("more", "Zq09Leak.data")]
    cold = [path("Zq07Leak.cold"), two[1]]
    for policy in ("share", "public"):
        hidden = {s[:4].lower(): what for s, (what, rule) in secrets.items()
                  if policy == "public" or rule not in SHARE_KEEPS}
        for ins in (two, cold, [path("more")]):
            for words in WAYS:
                check(policy, hidden, ins, words)
        check(policy, hidden, two[:1], ["snapshot", "-o", path("x")])
        for ins in (two, cold):
            for words in COMPARE:
                check(policy, hidden, ins, words)


def of_users(n):
    """A capture of programs in the folders of so many users."""
    text = ["attr cycles type=0 config=0 period=1000 ids=1 "
            "flags=sample_id_all|mmap|comm sample_type=IP|TID|TIME|IDENTIFIER"]
    for i in range(n):
        at = 0x400000 + 0x1000 * i
        text += ['mmap2 pid=20 addr=%#x len=0x1000 pgoff=0 maj=8 min=1 ino=5 '
                 'name="/home/Zq11Leak%d/prog" time=%d' % (at, i, 1000 + i),
                 'sample cycles ip=%#x pid=20 time=%d' % (at, 9000 + i)]
    return "\n".join(text) + "\n"


def many_users():
    """Each user's name is replaced, or nothing is written."""
    capture(path("600.data"), of_users(600))
    for words in (["report", "-f", "json"], ["redact", "-o", path("x")],
                  ["snapshot", "-o", path("x")]):
        check("share", {"zq11": "a user"}, [path("600.data")], words)
    capture(path("5000.data"), of_users(5000))
    r = run("report", "--redact", "share", path("5000.data"))
    tap.ok(r.returncode == 2 and not r.stdout and b"not-redacted" in r.stderr,
           "more users than can be replaced: nothing is written",
           r.stderr[-500:])


if not os.access(mkperf, os.X_OK):
    tap.skip_all("mkperf was not built")
first, second = plant.Plant(), Second()
several(first, second, {**first.places, **second.places,
                        **{"Zq0%dLeak" % i: ("the name of a capture", "share")
                           for i in (7, 8, 9)}})
many_users()
tap.done()
