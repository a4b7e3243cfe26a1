#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# The map step: the tables of each capture's snapshot, where engines read them.
#
#	map.py -o FOLDER [-j JOBS] [LIST...] [-- OPTIONS OF coldperf snapshot]
#
# A line of LIST (standard input without one) is PATH, SERVICE and the time of
# the recording (seconds since 1970; default: the file's), with tabs between.
# FOLDER gets TABLE/capture=ID/part.parquet and, last, captures/ID.json.  The ID
# is made of the capture's bytes, so that a task can be repeated: it writes the
# same again.  Captures that cannot be read are in failed/ID.json; the exit
# status is then 1.  Nothing but Python and coldperf is needed.
import argparse
import concurrent.futures
import datetime
import hashlib
import json
import os
import resource
import subprocess
import sys
import tarfile
import tempfile
import threading

TABLES = ("samples", "stacks", "frames", "symbols", "spots", "objects",
          "threads", "events", "quality")
COLDPERF = os.environ.get("COLDPERF", "coldperf")


def identity(path):
    """What a capture is called in all tables."""
    digest = hashlib.sha256()
    with open(path, "rb") as f:
        while block := f.read(1 << 20):
            digest.update(block)
    # The letter keeps engines from taking the partition for a number.
    return "c" + digest.hexdigest()[:32]


def put(path, data):
    """A file that is there as a whole or not at all."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    scratch = "%s.%d-%d.tmp" % (path, os.getpid(), threading.get_ident())
    with open(scratch, "wb") as f:
        f.write(data)
    os.replace(scratch, path)


def put_row(path, row):
    put(path, (json.dumps(row, sort_keys=True) + "\n").encode())


def facts_of(report):
    """What the capture says of itself: the first value of each key."""
    found = {}
    for section in report["sections"]:
        if section["slug"] == "facts":
            for row in section["rows"]:
                found.setdefault(row["values"][1], row["values"][2])
        elif section["slug"] in ("label", "span"):
            for s in section["scalars"]:
                found.setdefault(s["key"], s["value"])
    return found


def week_of(moment):
    year, week, _ = moment.isocalendar()
    return "%d-W%02d" % (year, week)


def capture_row(task, meta, report):
    facts = facts_of(report)
    moment = datetime.datetime.fromtimestamp(
        task["started"], datetime.timezone.utc)
    return {
        "capture": task["capture"], "path": task["path"],
        "service": task["service"], "bytes": os.path.getsize(task["path"]),
        "started": moment.strftime("%Y-%m-%d %H:%M:%S"),
        "week": week_of(moment),
        "host": facts.get("host", ""), "kernel": facts.get("kernel", ""),
        "arch": facts.get("arch", ""), "command": facts.get("command", ""),
        "cpus": int(facts.get("cpus-online", 0)),
        "duration_ns": int(facts.get("length", 0)),
        "samples": meta["tables"]["samples"], "tool": meta["tool"],
    }


def write_tables(task, snapshot, out):
    with tarfile.open(snapshot) as tar:
        meta = json.load(tar.extractfile("meta.json"))
        if meta["version"] != 1:
            raise ValueError("snapshot of version %s" % meta["version"])
        report = json.load(tar.extractfile("report.json"))
        for table in TABLES:
            put("%s/%s/capture=%s/part.parquet" %
                (out, table, task["capture"]),
                tar.extractfile(table + ".parquet").read())
    put_row("%s/captures/%s.json" % (out, task["capture"]),
            capture_row(task, meta, report))


def map_one(task, out, keep, options):
    """The account of one capture: nothing, or why there is none."""
    task["capture"] = identity(task["path"])
    with tempfile.TemporaryDirectory(prefix="coldperf-map.") as scratch:
        snapshot = "%s/%s.cold" % (keep or scratch, task["capture"])
        done = subprocess.run(
            [COLDPERF, "snapshot", "-j", "1", "-o", snapshot, *options,
             task["path"]], stderr=subprocess.PIPE,
            universal_newlines=True, errors="replace")
        # 1 to 3 are complaints; a snapshot was written all the same.
        if not os.path.exists(snapshot):
            return "status %d: %s" % (done.returncode, done.stderr[-2000:])
        write_tables(task, snapshot, out)
    return ""


def attempt(task, out, keep, options):
    try:
        why = map_one(task, out, keep, options)
    except (OSError, ValueError, KeyError, tarfile.TarError) as error:
        why = str(error)
    if why:
        name = task.get("capture") or hashlib.sha256(
            task["path"].encode()).hexdigest()[:33]
        put_row("%s/failed/%s.json" % (out, name),
                {"path": task["path"], "why": why})
    return why


def tasks_of(lines):
    for line in lines:
        path, service, started, *_ = line.rstrip("\n").split("\t") + ["", ""]
        if not path:
            continue
        if not started and os.path.exists(path):
            started = os.path.getmtime(path)
        yield {"path": path, "service": service,
               "started": float(started or 0)}


def lines_of(lists):
    for name in lists or ["-"]:
        if name == "-":
            yield from sys.stdin
        else:
            with open(name) as f:
                yield from f


def arguments():
    args, options = sys.argv[1:], []
    if "--" in args:
        at = args.index("--")
        args, options = args[:at], args[at + 1:]
    parser = argparse.ArgumentParser(description="The fleet's map step.")
    parser.add_argument("-o", "--output", required=True)
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--keep", help="a folder that keeps the snapshots")
    parser.add_argument("list", nargs="*")
    return parser.parse_args(args), options


def main():
    args, options = arguments()
    if args.keep:
        os.makedirs(args.keep, exist_ok=True)
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        whys = list(pool.map(
            lambda task: attempt(task, args.output, args.keep, options),
            tasks_of(lines_of(args.list))))
    failed = sum(1 for why in whys if why)
    used = [resource.getrusage(who) for who in
            (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    print("%d captures, %d not read; CPU seconds: %.1f here, %.1f coldperf" % (
        len(whys), failed, *(u.ru_utime + u.ru_stime for u in used)))
    return 1 if failed else 0


sys.exit(main())
