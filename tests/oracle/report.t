#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# coldperf hotspots gives the shares of perf report: samples of every row
# equal, shares to the last printed digit, per event; and the shares
# with children where there are call chains.
#
# What has no name is listed by address, as perf does.  Where coldperf has no
# symbols of the recorded kernel, and perf takes those of this machine's, the
# rows of the kernel are added up.  With children only named rows are compared:
# perf lists callers without a name by another kind of address.
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
    "good-exec cycles":
        (2, "perf keeps what was mapped before the exec"),
    "good-group-inherit cycles":
        (4, "perf before 6.13 counts threads together"),
    "good-group-inherit instructions":
        (4, "perf before 6.13 counts threads together"),
    "good-offcpu-time offcpu-time":
        (4, "perf before 6.16 does not look into the raw data"),
    "good-vdso cycles":
        (6, "perf has no names for the vsyscall page"),
    "odd-attr-size-zero cycles:HG":
        (1, "perf makes its own name of the event"),
    "odd-guest-kernel cycles":
        (6, "perf drops the samples of guests; perf kvm has these names"),
    "odd-guest-chain cycles":
        (3, "perf drops the samples of guests"),
    "shared/jbeich-platform_system_extras/perf_display_bitmaps.data "
    "cpu-clock:HG":
        (495, "perf does not know simpleperf's name of the event"),
    "shared/openharmony-developtools_hiperf/fp.uncompress.data cycles:HG":
        (246, "perf does not know hiperf's name of the event"),
    "shared/openharmony-developtools_hiperf/perf.data.libreport cycles:HG":
        (672, "perf does not know hiperf's name of the event"),
}
SEPARATOR = "\x1f"


def perf_report(path, options, fields):
    """{event: [row]} of perf report's table."""
    # perf cuts a command at the width of its column, unless that is given.
    widths = ["64" if field == "comm" else "0" for field in fields.split(",")]
    status, out, err = oracle.run(
        ["perf", "report", "-f", "--stdio", "-g", "none", "--no-inline",
         "-w", ",".join(widths),
         "--no-group", "--no-itrace", "--no-branch-stack",
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


ADDRESS = re.compile(r"(0x)?[0-9a-f]{16}$")


def symbol_name(cell):
    name = re.sub(r"^\[.\] ", "", cell)
    return "0x%x" % int(name, 16) if ADDRESS.match(name) else name


def hotspots(path, event, options):
    """Rows, and whether the recorded kernel has no names."""
    status, out, messages = oracle.run(
        [tap.coldperf, "hotspots", "--split-threads", "--addresses",
         "--inline=no", "--lost-callers=hide", "-f", "csv",
         "--event", event, "--by",
         "comm,dso,symbol", "--top", "0"] + options + [path])
    if status not in (0, 3):
        tap.diag(messages)
        return [], False
    rows = list(csv.DictReader(io.StringIO(out)))
    for row in rows:  # perf shows one of the names of an address
        row["symbol"] = re.sub(r" \(= .*\)$", "", row["symbol"])
    return rows, \
        oracle.kernel_unnamed(messages)


def key_of(comm, dso, symbol, unnamed):
    # perf has several words for the kernel and for the code of a JIT.
    dso = re.sub(r"^\[JIT\] tid (\d+)$", r"perf-\1.map", dso.split("/")[-1])
    dso = dso.replace("[kernel.vmlinux]", "[kernel.kallsyms]")
    # perf names the vDSO from its cache only, which may hold none.
    kernel = dso == "[vdso]" or unnamed and dso == "[kernel.kallsyms]"
    if dso.startswith("libpython") and symbol.startswith("0x") and \
       not oracle.perf_counts_slots():
        symbol = oracle.STUB
    return comm, dso, "any" if kernel else oracle.stub_alike(symbol)


def is_named(row):
    return not ADDRESS.match(re.sub(r"^\[.\] ", "", row[3]))


def percent(part, total):
    """Sums of printed shares are a little off: a tie must stay one."""
    return "%.2f%%" % round(100 * part / (total or 1), 6)


def self_rows(path, event, rows):
    want = collections.defaultdict(lambda: [0, 0])
    got = collections.defaultdict(lambda: [0, 0])
    ours, unnamed = hotspots(path, event, [])
    for period, samples, comm, dso, symbol in rows:
        if unnamed and dso == "[unknown]" and "ffffffff" in symbol:
            dso = "[kernel.kallsyms]"  # past the end of this machine's kernel
        row = want[key_of(comm, dso, symbol_name(symbol), unnamed)]
        row[0] += int(samples)
        row[1] += int(period)
    for r in ours:
        row = got[key_of(r["command"], r["object"], symbol_name(r["symbol"]),
                         unnamed)]
        row[0] += int(r["samples"])
        row[1] += float(r["share"])
    total = sum(row[1] for row in want.values())
    for key in sorted(set(got) | set(want)):
        yield ("%s %d %s" % (key, got[key][0], percent(got[key][1], 1)),
               "%s %d %s" % (key, want[key][0], percent(want[key][1], total)))


def children_rows(path, event, rows):
    ours, unnamed = hotspots(path, event, ["--children"])
    want = {key_of(comm, dso, symbol_name(symbol), unnamed): share
            for share, comm, dso, symbol in rows}
    got = {key_of(r["command"], r["object"], symbol_name(r["symbol"]),
                  unnamed): percent(float(r["children"]), 1) for r in ours}
    for key in sorted(set(got) | set(want)):
        if key[2] not in ("any", oracle.STUB) and \
           not key[2].startswith("0x"):
            yield ("%s %s" % (key, got.get(key)),
                   "%s %s" % (key, want.get(key)))


def after_call(path):
    """Functions that perf takes for callers because a call before them
    returns where they begin; coldperf names the function of the call."""
    names, leaf = set(), True
    for line in oracle.run(["perf", "script", "-f", "--no-inline", "-F",
                            "comm,ip,sym,symoff", "--max-stack", "8192",
                            "-i", path])[1].splitlines():
        m = re.match(r"\s+[0-9a-f]+ (\S.*)\+0x0$", line)
        if m and not leaf:
            names.add(oracle.stub_alike(m.group(1)))
        leaf = not line or line[0] != "\t"
    return names


def without_after_call(path, pairs):
    """The pairs that differ for another reason than that."""
    pairs = [(got, want) for got, want in pairs if got != want]
    names = after_call(path) if pairs else set()
    rest = [p for p in pairs if not any("'%s')" % n in p[1] for n in names)]
    # Each of these functions takes from at most one other.
    return rest if len(rest) > len(names) else []


def compare(name, path, options, fields, rows_of, text):
    reason, events = perf_report(path, options, fields)
    if text and oracle.has_user_stacks(path):
        reason = "perf unwinds the dumped stacks"
    if reason:
        tap.skip("%s: %s" % (name, reason))
        return
    for event, rows in events.items():
        if any(len(row) != len(fields.split(",")) for row in rows):
            tap.skip("%s, %s: perf's table is broken by a name" %
                     (name, event))
        elif text and (not any(map(is_named, rows)) or rows[0][0] == "N/A"):
            tap.skip("%s, %s: no call chains or no names" % (name, event))
        elif rows:
            pairs = rows_of(path, event, rows)
            differing, why = oracle.report_differences(
                without_after_call(path, pairs) if text else pairs)
            allowed.judge("%s %s%s" % (name, event, text), differing,
                          "%s, %s: %d rows equal perf report%s" %
                          (name, event, len(rows), text), why)


oracle.need_perf()
allowed = oracle.Allowed(ALLOWED)
for name, path in oracle.captures(1):
    compare(name, path, ["--no-children"], "period,sample,comm,dso,sym",
            self_rows, "")
    compare(name, path, ["--children"], "overhead_children,comm,dso,sym",
            children_rows, " --children")

# Where the CPU is.
path = os.path.join(tap.top_srcdir, "corpus/good-system/perf.data")
for key in "socket", "cpu":
    events = perf_report(path, ["--no-children"],
                         "sample," + key)[1]
    want = {(event, int(at)): int(n)
            for event, rows in events.items() for n, at in rows}
    out = oracle.run([tap.coldperf, "hotspots", "-f", "csv", "--by", "event," + key,
                      path])[1]
    got = {(r["event"], int(r[key])): int(r["samples"])
           for r in csv.DictReader(io.StringIO(out))}
    tap.ok(got == want and got, "--by %s as --sort %s" % (key, key),
           (got, want))
out = oracle.run([tap.coldperf, "hotspots", "-f", "csv", "--by", "core,node",
                  path])[1]
tap.ok({(r["core"], r["numa_node"]) for r in csv.DictReader(io.StringIO(out))}
       == {("1", "0")}, "core and node, by the topology", out)
tap.done()
