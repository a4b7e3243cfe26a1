#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Snapshots hold what the ndjson export of the same capture says, are the same
# from run to run, are verified, and are read by other programs.
import hashlib
import importlib.util
import json
import os
import re
import subprocess
import sys
import tarfile
import tempfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
sys.path.insert(0, os.environ["top_srcdir"] + "/tests/exports")
import parquet
import tap

scratch = tempfile.TemporaryDirectory(prefix="coldperf-snapshot.")
tmp = scratch.name
CORPUS = tap.top_srcdir + "/corpus/"
SYMBOLS = ["--symbols", CORPUS + "good-fp/symbols"]
# Several events, DWARF stacks, JIT, a kernel, waits, damage, losses, names
# that are no text, no threads, no times, other byte order.
CASES = {
    "good-fp": SYMBOLS, "good-events": SYMBOLS, "good-dwarf": SYMBOLS,
    "good-jit": ["--symbols", CORPUS + "good-jit/symbols"],
    "good-waits": ["--symbols", CORPUS + "good-waits/symbols"],
    "good-sched": [], "bad-killed": SYMBOLS, "odd-lost": [],
    "odd-names": [], "odd-no-pid": [], "odd-no-time": [],
    "odd-no-samples": [], "good-endian-big": [], "odd-guest-kernel": [],
}


def coldperf(*args):
    return subprocess.run(
        [tap.coldperf, *args], stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, env=dict(os.environ, NO_COLOR="1"))


def capture(case):
    """The capture's path; the synthetic ones are compiled."""
    return tap.capture(case, tmp)


def compiled(text, to):
    subprocess.run([tap.top_builddir + "/tests/tools/mkperf", text, to],
                   check=True)


def members(path):
    with tarfile.open(path) as tar:
        return {m.name: tar.extractfile(m).read() for m in tar}


def tables(files):
    return {name[:-8]: parquet.rows(parquet.read(data)[0])
            for name, data in files.items() if name.endswith(".parquet")}


def none(v):
    """The ndjson export has null where a snapshot has -1 or no text."""
    return None if v in (-1, "") else v


def samples_of(t):
    """Rows of samples as the ndjson export has them, but for functions."""
    out = []
    for s in t["samples"]:
        frame = t["frames"][t["stacks"][s["stack"]]["frame"]]
        thread = (t["threads"][s["thread"]] if s["thread"] >= 0 else
                  {"pid": -1, "tid": -1, "comm": ""})
        inner = [x["symbol"] for x in t["spots"]
                 if x["frame"] == frame["frame"]] or [frame["symbol"]]
        name = t["symbols"][inner[-1]]["name"]
        if len(inner) > 1 and not name.endswith(" (inlined)"):
            name += " (inlined)"
        out.append((
            none(s["time_ns"]), none(thread["pid"]), none(thread["tid"]),
            none(thread["comm"]), none(s["cpu"]),
            t["events"][s["event"]]["name"], s["weight"],
            none(frame["level"]), none(name),
            none(t["objects"][frame["object"]]["name"]),
            "0x%x" % (frame["addr"] % (1 << 64))))
    return out


def visible(v):
    """JSON has escapes for control characters, which snapshots write out."""
    if isinstance(v, str):
        return none(re.sub(r"[\x00-\x1f\x7f]",
                           lambda m: "\\x%02x" % ord(m.group()), v))
    return v


def samples_wanted(lines):
    keys = ("time", "pid", "tid", "comm", "cpu", "event", "weight", "level",
            "symbol", "object", "addr")
    return [tuple(visible(x.get(k)) for k in keys)
            for x in lines if x["row"] == "sample"]


def check_rows(case, t, lines):
    got, want = samples_of(t), samples_wanted(lines)
    tap.ok(got == want, case + ": samples are those of the ndjson export",
           [x for x in zip(got, want) if x[0] != x[1]][:3])
    got = [(s["from_ns"], s["to_ns"], none(s["cpu"]), s["state"],
            none(s["reason"]), s["stack"]) for s in t["states"]]
    want = [(x["from"], x["to"], x["cpu"], x["state"], x["reason"],
             x["stack"]) for x in lines if x["row"] == "state"]
    tap.ok(got == want, case + ": and the states of threads",
           "%r\n%r" % (got[:3], want[:3]))
    got = [(none(m["time_ns"]), m["kind"]) for m in t["marks"]]
    want = [(x["time"], x["kind"]) for x in lines if x["row"] == "mark"]
    tap.ok(got == want, case + ": and the marks",
           "%r\n%r" % (got[:9], want[:9]))
    got = [(e["name"], e["unit"], e["samples"], e["weight"], e["lost"],
            e["lost_samples"], e["throttled"]) for e in t["events"]]
    want = [(x["event"], x["unit"], x["samples"], x["weight"], x["lost"],
             x["lost_samples"], x["throttled"])
            for x in lines if x["row"] == "event"]
    tap.ok(got == want, case + ": and the events", "%r\n%r" % (got, want))


def check_whole(case, files, t):
    meta = json.loads(files["meta.json"])
    counts = {name: len(rows) for name, rows in t.items()}
    tap.ok(meta["version"] == 1 and meta["tables"] == counts,
           case + ": meta.json counts the rows", (meta["tables"], counts))
    tap.ok(all(x["parent"] < x["stack"] for x in t["stacks"][1:]) and
           all(x["frame"] < len(t["frames"]) for x in t["stacks"]),
           case + ": a parent comes before its children")
    listed = [line.split("\t") for line in
              files["coldperf/MANIFEST"].decode().splitlines()[1:]]
    tap.ok([(x[1], x[5]) for x in listed] ==
           [(hashlib.sha256(data).hexdigest(), name)
            for name, data in list(files.items())[1:]],
           case + ": the manifest has each member's SHA-256", listed)
    facts = {x["key"]: x["share"] or x["count"] for x in t["quality"]}
    report = json.loads(files["report.json"])
    wanted = {}
    for s in report["sections"]:
        if s["slug"] == "quality" and s["type"] == "scalars":
            wanted = {x["key"]: x["value"] for x in s["scalars"]}
    wanted = {k: v["value"] if isinstance(v, dict) else v or 0
              for k, v in wanted.items()}
    tap.ok(facts == wanted and facts,
           case + ": quality is told", (facts, wanted))


def check_case(case, options):
    path, to = capture(case), "%s/%s.cold" % (tmp, case)
    run = coldperf("snapshot", *options, "-o", to, path)
    again = coldperf("snapshot", *options, "-j", "1", "-o", to + ".2", path)
    plain = coldperf("hotspots", *options, "-f", "ndjson", path)
    if not os.path.exists(to):
        tap.ok(False, case + ": a snapshot is written", run.stderr)
        return
    tap.ok(run.returncode == plain.returncode == again.returncode,
           case + ": the exit status is that of other exports",
           (run.returncode, plain.returncode))
    with open(to, "rb") as a, open(to + ".2", "rb") as b:
        tap.ok(a.read() == b.read(), case + ": it is the same twice")
    checked = coldperf("verify", to)
    tap.ok(checked.returncode == 0 and b" 0 wrong" in checked.stdout,
           case + ": verify finds it whole", checked.stdout)
    files = members(to)
    t = tables(files)
    check_whole(case, files, t)
    check_rows(case, t, [json.loads(x) for x in plain.stdout.splitlines()])


def check_damage():
    path = tmp + "/good-fp.cold"
    with open(path, "rb") as f:
        data = bytearray(f.read())
    at = data.index(b"PAR1")
    data[at + 20] ^= 1
    with open(tmp + "/bad.cold", "wb") as f:
        f.write(data)
    run = coldperf("verify", tmp + "/bad.cold")
    tap.ok(run.returncode == 1 and b"damaged: events.parquet" in run.stdout,
           "verify names the table that was changed", run.stdout)
    with open(tmp + "/cut.cold", "wb") as f:
        f.write(data[:at + 2000])
    run = coldperf("verify", tmp + "/cut.cold")
    tap.ok(run.returncode != 0 and run.stdout, "and says if one is cut",
           run.stdout + run.stderr)
    run = coldperf("snapshot", "-f", "json", "-o", tmp + "/x",
                   capture("good-fp"))
    tap.ok(run.returncode == 2 and not os.path.exists(tmp + "/x"),
           "it has no other format", run.stderr)


def check_words():
    """README.txt has each table, the format page each column."""
    files = members(tmp + "/good-fp.cold")
    with open(tap.top_srcdir + "/docs/snapshot-format.md") as f:
        page = f.read()
    for name, data in files.items():
        if not name.endswith(".parquet"):
            continue
        columns = list(parquet.read(data)[0])
        words = files["README.txt"].decode()
        tap.ok(re.search(r"^%s +\S" % name[:-8], words, re.M),
               name + ": README.txt has it", words)
        part = re.search(r"^### %s\n(.*?)(?=^##|\Z)" % name[:-8], page,
                         re.M | re.S)
        said = re.findall(r"^\| `(\w+)`", part.group(1) if part else "",
                          re.M)
        tap.ok(said == columns, name + ": the format page has them",
               (said, columns))


MANY = """\
attr cycles type=0 config=0 period=9 sample_type=IP|TID|TIME flags=sample_id_all
repeat 1050 as r {
repeat 1000 as i {
sample ip=hash(r*1000+i) pid=7 tid=7 time=1000000*r+i
}
}
"""


def check_many():
    """More than a row group of samples and of stacks, and many pages."""
    with open(tmp + "/many.mkperf", "w") as f:
        f.write(MANY)
    compiled(tmp + "/many.mkperf", tmp + "/many.data")
    cold = []
    for jobs in "1", "2", "5":
        coldperf("snapshot", "-j", jobs, "-o", tmp + "/many.cold",
                 tmp + "/many.data")
        with open(tmp + "/many.cold", "rb") as f:
            cold.append(hashlib.sha256(f.read()).digest())
    tap.ok(len(set(cold)) == 1, "threads do not change a byte")
    files = members(tmp + "/many.cold")
    got, groups, pages = parquet.read(files["samples.parquet"])
    tap.ok(groups == 2 and pages == 8, "a million samples are two row groups",
           (groups, pages))
    tap.ok(got["time_ns"] == [1000000 * r + i for r in range(1050)
                              for i in range(1000)] and
           got["stack"] == list(range(1, 1050001)) and
           got["weight"] == [9] * 1050000, "all of them are there, in order")
    got, groups, pages = parquet.read(files["frames.parquet"])
    tap.ok(groups == 2 and len(set(got["addr"])) == 1050001 and
           min(got["addr"]) < -1 << 62 and max(got["addr"]) > 1 << 62,
           "and their addresses, all 64 bits of them")


EXITS = """\
attr cycles type=0 config=0 period=9 sample_type=IP|TID|TIME flags=sample_id_all
repeat 3000 as i {
exit pid=7 ppid=1 tid=10+i ptid=1 time=1000+i
}
repeat 3000 as i {
sample ip=64 pid=7 tid=10+i time=5000+i
}
"""


def check_exits():
    """The first word of a thread may be its end."""
    with open(tmp + "/exits.mkperf", "w") as f:
        f.write(EXITS)
    compiled(tmp + "/exits.mkperf", tmp + "/exits.data")
    coldperf("snapshot", "-o", tmp + "/exits.cold", tmp + "/exits.data")
    got = parquet.read(members(tmp + "/exits.cold")["threads.parquet"])[0]
    tap.ok(got["end_ns"] == [1000 + i for i in range(3000)],
           "threads that are first heard of by their exit have its time",
           [e for e in enumerate(got["end_ns"]) if e[1] != 1000 + e[0]][:9])


def others():
    """Readers of other projects, which may not be installed."""
    for name in ("pyarrow", "duckdb"):
        if importlib.util.find_spec(name) is None:
            tap.skip("there is no %s for Python" % name)
        else:
            yield name


def read_by(name, path):
    if name == "pyarrow":
        import pyarrow.parquet
        return [tuple(r.values())
                for r in pyarrow.parquet.read_table(path).to_pylist()]
    import duckdb
    return duckdb.sql("select * from read_parquet('%s')" % path).fetchall()


def check_others():
    for reader in others():
        for case in CASES:
            wrong = []
            for name, data in members("%s/%s.cold" % (tmp, case)).items():
                if not name.endswith(".parquet"):
                    continue
                with open(tmp + "/" + name, "wb") as f:
                    f.write(data)
                want = list(zip(*parquet.read(data)[0].values()))
                if read_by(reader, tmp + "/" + name) != want:
                    wrong.append(name)
            tap.ok(not wrong, "%s: %s reads the same" % (case, reader), wrong)


if parquet.LIB is None:
    print("1..0 # SKIP there is no libzstd.so.1 for Python")
    sys.exit(0)
for name, options in CASES.items():
    check_case(name, options)
check_damage()
check_words()
if tap.sanitized or not tap.nightly:
    tap.skip("a million samples: at night, without sanitizers")
else:
    check_many()
check_exits()
check_others()
tap.done()
