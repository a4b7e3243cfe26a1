#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# coldperf hotspots gives the shares of perf report: samples of every row
# equal, shares to the last printed digit, per event; and the shares
# with children where there are call chains.
#
# perf lists what it cannot name by address; those rows are added up to one
# [unknown] per command and object, as coldperf shows them.  With children
# the sums of such rows say nothing, so only named rows are compared.
import collections
import csv
import io
import os
import re
import sys
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
sys.path.insert(0, os.environ["top_srcdir"] + "/tests/oracle")
import oracle
import tap

# capture and event: (rows that differ, reason)
ALLOWED = {
}
SEPARATOR = "\x1f"


def perf_report(path, options, fields):
    """{event: [row]} of perf report's table."""
    status, out, err = oracle.run(
        ["perf", "report", "-f", "--stdio", "-g", "none", "--no-inline",
         "--no-group", "--no-itrace",
         "--max-stack", "8192", "--percent-limit", "0", "-t", SEPARATOR,
         "-i", path] + options + ["-F", fields])
    events, rows = collections.OrderedDict(), None
    for line in out.splitlines():
        m = re.match(r"# Samples: .* of events? '([^']*)'", line)
        if m:
            rows = events.setdefault(m.group(1), [])
        elif line and line[0] != "#" and rows is not None:
            rows.append([cell.strip() for cell in line.split(SEPARATOR)])
    return oracle.refused(status, err), events


def symbol_name(cell):
    name = re.sub(r"^\[.\] ", "", cell)
    return "[unknown]" if re.match(r"0x?[0-9a-f]{8,}$", name) else name


def hotspots(path, event, options):
    status, out, messages = oracle.run(
        [tap.coldperf, "hotspots", "-f", "csv", "--event", event, "--by",
         "comm,dso,symbol", "--top", "0"] + options + [path])
    if status not in (0, 3):
        tap.diag(messages)
        return []
    return list(csv.DictReader(io.StringIO(out)))


def key_of(row):
    return row["command"], row["object"].split("/")[-1], row["symbol"]


def percent(part, total):
    return "%.2f%%" % (100 * part / (total or 1))


def self_rows(path, event, rows):
    want = collections.defaultdict(lambda: [0, 0])
    got = collections.defaultdict(lambda: [0, 0])
    for period, samples, comm, dso, symbol in rows:
        row = want[comm, dso.split("/")[-1], symbol_name(symbol)]
        row[0] += int(samples)
        row[1] += int(period)
    for r in hotspots(path, event, []):
        row = got[key_of(r)]
        row[0] += int(r["samples"])
        row[1] += float(r["share"])
    total = sum(row[1] for row in want.values())
    for key in sorted(set(got) | set(want)):
        yield ("%s %d %s" % (key, got[key][0], percent(got[key][1], 1)),
               "%s %d %s" % (key, want[key][0], percent(want[key][1], total)))


def children_rows(path, event, rows):
    want = {(comm, dso.split("/")[-1], symbol_name(symbol)): share
            for share, comm, dso, symbol in rows}
    got = {key_of(r): percent(float(r["children"]), 1)
           for r in hotspots(path, event, ["--children"])}
    for key in sorted(set(got) | set(want)):
        if key[2] != "[unknown]":
            yield ("%s %s" % (key, got.get(key)),
                   "%s %s" % (key, want.get(key)))


def compare(name, path, options, fields, rows_of, text):
    reason, events = perf_report(path, options, fields)
    if text and oracle.has_user_stacks(path):
        reason = "perf unwinds the dumped stacks"
    if reason:
        tap.skip("%s: %s" % (name, reason))
        return
    for event, rows in events.items():
        if text and all(symbol_name(r[3]) == "[unknown]" for r in rows):
            tap.skip("%s %s: perf finds no names to compare" % (name, event))
        elif rows:
            differing, why = oracle.report_differences(
                rows_of(path, event, rows))
            allowed.judge("%s %s%s" % (name, event, text), differing,
                          "%s, %s: %d rows equal perf report%s" %
                          (name, event, len(rows), text), why)


oracle.need_perf()
allowed = oracle.Allowed(ALLOWED)
for name, path in oracle.captures():
    compare(name, path, ["--no-children"], "period,sample,comm,dso,sym",
            self_rows, "")
    compare(name, path, ["--children"], "overhead_children,comm,dso,sym",
            children_rows, " --children")
tap.done()
