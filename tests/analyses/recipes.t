#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Each recipe of pair, on a capture made for it, with times that are known by
# hand: of one key from 0 to 60 us, of another from 5 to 15 and from 16 to 36,
# or where one event ends the first and begins the second, from 15 to 35.
import os
import re
import sys
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
sys.path.insert(0, os.environ["top_srcdir"] + "/tests/analyses")
import tap
import made

PAIRS = ((7, 0, 60), (8, 5, 15), (8, 16, 36))


def recipes():
    """{name: members} of the file that is installed."""
    found, now = {}, None
    with open(os.path.join(tap.top_srcdir, "analyses/pairs/recipes.conf")) as f:
        for line in (x.strip() for x in f):
            if line.startswith("["):
                now = found[line[1:line.index("]")]] = {}
            elif " -> " in line and not line.startswith("#"):
                now["begin"], now["end"] = line.split(" -> ")
            elif line and not line.startswith("#"):
                now.update(re.match(r"(\S+) = ?(.*)", m.strip()).groups()
                           for m in line.split(";"))
    return found


def sample(event, key, of, value, us):
    """An event's fields, thread and CPU: each word of its key has the value."""
    fields, who = {}, {"tid": 7, "cpu": 0}
    for word in key.split():
        name, equal, number = re.match(r"([^!=]+)(!?=?)(.*)", word).groups()
        if name[0] == "@":
            who[name[1:]] = value
        else:
            fields[name.split("|")[0]] = (
                value if equal == "" else int(number) if equal == "=" else 3)
    for name, number in of:
        if name:
            fields.setdefault(name.split("|")[0].lstrip("*"), number)
    return us, event, tuple(sorted(fields.items())), who["tid"], who["cpu"]


def capture(name, r):
    key = r.get("key", "@tid")
    of = r.get("of", "").replace("@call", "id")
    samples = []
    chained = r["begin"] == r["end"] and "=" not in key
    for value, start, end in PAIRS:
        if chained and start == 16:
            start, end = 15, 35
        samples.append(sample(r["begin"], key, ((of, 0), (r.get("value"), 9)),
                              value, start))
        samples.append(sample(r["end"], r.get("end-key", key),
                              ((r.get("error"), -5 if end == 60 else 0),
                               (chained and of, 0)),
                              value, end))
    samples = sorted(set(samples))
    events = list(dict.fromkeys((r["begin"], r["end"])))
    fields = {e: sorted({f for s in samples if s[1] == e for f, v in s[2]})
              for e in events}
    text = "".join(
        "attr %s type=2 config=%d period=1 sample_type=IP|TID|TIME|CPU|RAW|"
        "IDENTIFIER flags=sample_id_all|mmap|comm|task ids=%d\n" %
        (e, 101 + i, 1 + i) for i, e in enumerate(events)) + "tracing\n"
    for i, e in enumerate(events):
        text += "format %s <<END\nname: %s\nID: %d\nformat:\n" % (
            *e.split(":"), 101 + i)
        text += ("\tfield:unsigned short common_type;\toffset:0;\tsize:2;"
                 "\tsigned:0;\n")
        text += "".join("\tfield:u64 %s;\toffset:%d;\tsize:8;\tsigned:0;\n" %
                        (f, 8 + 8 * k) for k, f in enumerate(fields[e]))
        text += "\nprint fmt: \"\"\nEND\n"
    for us, e, values, tid, cpu in samples:
        values = dict(values)
        text += ("sample %s ip=0xffffffff81000104 pid=%d tid=%d time=%d cpu=%d "
                 "id=%d raw=u2:%d,n:6%s\n" % (
                     e, tid, tid, 10 ** 9 + us * made.US, cpu,
                     1 + events.index(e), 101 + events.index(e), "".join(
                         ",u8:%d" % (values.get(f, 0) % 2 ** 64)
                         for f in fields[e])))
    return made.build(name, text)


for name, r in recipes().items():
    rep = made.report(capture(name, r), "pair", name)
    rows = made.rows(rep, "pairs")
    got = [tuple(row[c]["value"] if isinstance(row[c], dict) else row[c]
                 for c in ("Count", "Time", "p50", "Max", "Errors"))
           for row in rows if row["Of"] == "(all)" or len(rows) == 1]
    tap.ok(got == [(3, 90000, 20000, 60000, int("error" in r))], name,
           (got, made.notes(rep)))
tap.done()
