#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# coldperf sql: its sums are those of hotspots on every capture of the corpus,
# the questions of docs/SQL.md have the answers that are there (UPDATE=1 writes
# them anew), and a query can read and no more.
import collections
import glob
import json
import os
import re
import subprocess
import sys
import tempfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

scratch = tempfile.TemporaryDirectory(prefix="coldperf-sql.")
corpus = os.path.join(tap.top_srcdir, "corpus")
fp = ["--symbols", corpus + "/good-fp/symbols", corpus + "/good-fp/perf.data"]


def ok(held, what, *details):
    return tap.ok(held, what, details)


def coldperf(command, arguments, stdin=""):
    p = subprocess.run([tap.coldperf, command, "--no-local", "--no-cache",
                        "--cache", "/nonexistent"] + arguments,
                       input=stdin.encode(), stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE)
    return p.returncode, p.stdout.decode("utf-8", "replace"), \
        p.stderr.decode("utf-8", "replace")


def capture(case):
    """The arguments that name a case's capture."""
    path = tap.capture(case, scratch.name)
    symbols = os.path.join(corpus, case, "symbols")
    return (["--symbols", symbols] if os.path.isdir(symbols) else []) + [path]


def rows(text, slug):
    """The rows of all tables of that slug, as dictionaries."""
    for s in json.loads(text)["sections"]:
        if s["type"] == "table" and s["slug"] == slug:
            names = [c["name"] for c in s["columns"]]
            for row in s["rows"]:
                yield dict(zip(names, row["values"]))


def named(name):
    return name is not None and not re.match(r"^(\[\d+ address.*|0x.*)$", name)


def compare(case):
    arguments = capture(case)
    status, text, err = coldperf(
        "hotspots", ["--by", "symbol", "--top", "0", "--addresses", "-f",
                     "json"] + arguments)
    mine, answer, why = coldperf(
        "sql", ["-f", "json"] + arguments +
        ["SELECT symbol AS Symbol, samples AS Samples FROM self"])
    if status in (2, 5) or "(no-data)" in err:
        ok(mine == status or "(no-data)" in err,
               case + ": both refuse it", err, why)
        return False
    want, got = collections.Counter(), collections.Counter()
    for row in rows(text, "hotspots"):
        want[row["Symbol"] if named(row["Symbol"]) else None] += \
            row["Samples"]
    for row in rows(answer, "answer") if answer else ():
        got[row["Symbol"] if named(row["Symbol"]) else None] += row["Samples"]
    return ok(got == want, case + ": samples as hotspots has them",
                  got - want, want - got, why) and want


def questions():
    page = os.path.join(tap.top_srcdir, "docs/SQL.md")
    with open(page) as f:
        text = f.read()
    block = re.compile(r"```sql\n(.*?)```\n\n```text\n(.*?)```", re.S)

    def answer(m):
        _, out, err = coldperf("sql", ["-f", "csv"] + fp + [m.group(1)])
        if not os.environ.get("UPDATE"):
            ok(out == m.group(2) and out, m.group(1).split("\n")[0],
                   out, m.group(2), err)
        return "```sql\n%s```\n\n```text\n%s```" % (m.group(1), out)
    new, n = block.subn(answer, text)
    ok(n == 15, "15 questions of docs/SQL.md", n)
    if os.environ.get("UPDATE"):
        with open(page, "w") as f:
            f.write(new)


REFUSED = [
    ("ATTACH '%s/x' AS x" % scratch.name, "can only read"),
    ("PRAGMA temp_store = 1", "can only read"),
    ("SELECT * FROM pragma_database_list", "not authorized"),
    ("CREATE TABLE a(b)", "can only read"),
    ("CREATE TEMP TABLE a(b)", "can only read"),
    ("INSERT INTO samples(weight) VALUES (1)", "only read|not be modified"),
    ("DELETE FROM samples", "only read|not be modified"),
    ("DROP VIEW self", "can only read"),
    ("VACUUM INTO '%s/x'" % scratch.name, "gives no rows"),
    ("SELECT load_extension('x')", "not authorized"),
    ("SELECT fts3_tokenizer('simple')", "not authorized|no such function"),
    ("SELECT 1; SELECT 2", "one query"),
    ("SELECT length(zeroblob(100000000))", "too big"),
    ("SELECT missing FROM samples", "no such column"),
    ("", "no query"),
]


def refusals():
    for query, why in REFUSED:
        status, out, err = coldperf("sql", fp + [query])
        ok(status == 2 and out == "" and re.search(why, err),
               "refused: " + query, status, err)
    ok(not os.path.exists(scratch.name + "/x"), "no file was written")
    status, out, err = coldperf("sql", ["--max-time", "1"] + fp + [
        "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) "
        "SELECT count(*) FROM r"])
    ok(status == 4 and "ended after 1 s" in err and "bad usage" not in err,
       "time has an end", status, err)


def run_on():
    """One step can be long, and an answer of few rows can be large."""
    status, out, err = coldperf("sql", ["--max-time", "1"] + fp + [
        "SELECT instr(hex(zeroblob(8000000)), hex(zeroblob(4000000)) || 1)"])
    ok(status == 4 and out == "" and "one function took" in err,
       "a function that takes hours has an end", status, err)
    p = subprocess.run([tap.coldperf, "sql", "-f", "csv"] + fp + [
        "SELECT hex(zeroblob(8000000)) FROM samples LIMIT 9"],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    ok(p.returncode == 4 and b"64 MiB of text" in p.stderr,
       "texts of an answer have a limit", p.returncode, p.stderr)


def values():
    _, out, err = coldperf("sql", ["-f", "csv"] + fp + [
        "SELECT 1 AS a, -1 AS b, 0.1 AS c, NULL AS d, x'00ff' AS e, '' AS f "
        "UNION ALL SELECT NULL, 2, NULL, NULL, NULL, 'x'"])
    ok(out == "a,b,c,d,e,f\n1,-1,0.1,,00ff,\n,2,,,,x\n",
           "values of each type", out, err)
    _, out, err = coldperf("sql", ["-f", "json"] + fp + [
        "SELECT 1 AS a, -1.5 AS b UNION ALL SELECT NULL, 2"])
    got = list(rows(out, "answer"))
    ok(got == [{"a": 1, "b": -1.5}, {"a": None, "b": 2}],
           "numbers and none in JSON", got, err)
    status, out, err = coldperf("sql", ["-f", "csv", "--shell"] + fp,
                                "SELECT 1 AS a;\nSELECT\n2 AS b;\n")
    ok(status == 0 and out == "a\n1\nb\n2\n", "--shell", out, err)
    status, out, err = coldperf("sql", ["-f", "csv", "--shell"] + fp,
                                "SELECT ';' AS a; SELECT 2 -- no ; end\n"
                                "AS b; -- the last\nSELECT 3 AS c;;\n -- end")
    ok(status == 0 and out == "a\n;\nb\n2\nc\n3\n",
       "--shell: several queries on a line", out, err)
    status, out, err = coldperf("sql", ["--shell"] + fp + ["SELECT 1"], "")
    ok(status == 2 and not out and "not `SELECT 1'" in err,
       "--shell takes no query as a word", out, err)
    status, out, err = coldperf("sql", ["-f", "csv", "--shell"] + fp,
                                "SELEC;\nSELECT 2 AS b;")
    ok(status == 2 and out == "b\n2\n", "--shell goes on", out, err)
    _, out, err = coldperf("sql", ["-f", "csv"] + fp + [
        "SELECT count(*) AS n FROM samples s JOIN samples t ON t.id = s.id"])
    ok(out == "n\n280\n", "a join by id finds each once", out, err)


# What alpha and beta of good-waits did, by hand, in ms from the start: state,
# began, ended, waker, reason.  Its text says how.
STATES = {
    "alpha": [("running", 0, 2, "", ""), ("blocked", 2, 5, "beta", "futex"),
              ("runnable", 5, 6, "", "woken"), ("running", 6, 10, "", ""),
              ("blocked", 10, 15, "", "disk"),
              ("runnable", 15, 15.5, "", "woken"),
              ("running", 15.5, 20, "", "")],
    "beta": [("", 0, 2, "", ""), ("running", 2, 6, "", ""),
             ("runnable", 6, 10, "", "preempted"),
             ("running", 10, 15.5, "", ""), ("blocked", 15.5, 25, "", "sleep"),
             ("runnable", 25, 25.2, "", "woken"),
             ("running", 25.2, 30, "", "")],
}


def waits():
    arguments = capture("good-waits")
    _, out, err = coldperf("sql", ["-f", "csv"] + arguments + [
        "SELECT t.name, s.state, s.began, s.ended, w.name AS waker, s.reason "
        "FROM states s JOIN threads t ON t.id = s.thread "
        "LEFT JOIN threads w ON w.id = s.waker ORDER BY s.thread, s.began"])
    want = ["%s,%s,%d,%d,%s,%s" % (
        name, state, 1e9 + began * 1e6, 1e9 + ended * 1e6, waker, reason)
        for name in STATES
        for state, began, ended, waker, reason in STATES[name]]
    ok(out.split("\n")[1:-1] == want, "states, by hand", out, err)
    _, out, err = coldperf("sql", ["-f", "csv"] + arguments + [
        "SELECT name, reason, times, ns FROM waits"])
    want = sorted((-(ended - began), name, reason)
                  for name in STATES
                  for state, began, ended, _, reason in STATES[name]
                  if state == "blocked")
    ok(out == "name,reason,times,ns\n" + "".join(
        "%s,%s,1,%d\n" % (name, reason, -ms * 1e6)
        for ms, name, reason in want), "waits, by hand", out, err)


def layouts():
    """sched_waking's layout is built in; those of the capture may move."""
    with open(os.path.join(corpus, "good-waits/input.mkperf")) as f:
        text = f.read()
    waking = re.search(r"^format sched <<END\nname: sched_waking\n.*?^END\n",
                       text, re.M | re.S).group(0)
    query = "SELECT thread, state, began, ended FROM states"
    _, want, _ = coldperf("sql", ["-f", "csv"] + capture("good-waits") +
                          [query])
    source, path = (os.path.join(scratch.name, "layouts" + end)
                    for end in (".mkperf", ".data"))
    wrong = []
    os.environ["MALLOC_PERTURB_"] = "165"  # freed memory shows
    for n in range(9):
        with open(source, "w") as f:
            f.write(text.replace(waking, "".join(
                waking.replace("sched_waking", "other_%d" % i)
                .replace("ID: 317", "ID: %d" % (900 + i)) for i in range(n))))
        subprocess.run([os.path.join(tap.top_builddir, "tests/tools/mkperf"),
                        source, path], check=True)
        status, out, err = coldperf("sql", ["-f", "csv", path, query])
        if out != want or "(format)" not in err:
            wrong.append((n, status, out, err))
    del os.environ["MALLOC_PERTURB_"]
    ok(want and not wrong, "states, with a layout from elsewhere", wrong)


# Threads that nothing was known of until they ended.
EXITS = """attr cpu-clock type=1 config=0 period=1 \\
	sample_type=IP|TID|TIME|PERIOD flags=sample_id_all|comm|task
repeat 100 as i {
exit 200+i 100 200+i 100 time=1000+i
}
repeat 100 as i {
sample ip=0x401000 pid=200+i time=5000+i
}
"""


def exits():
    text, path = (os.path.join(scratch.name, "exits" + end)
                  for end in (".mkperf", ".data"))
    with open(text, "w") as f:
        f.write(EXITS)
    subprocess.run([os.path.join(tap.top_builddir, "tests/tools/mkperf"),
                    text, path], check=True)
    _, out, err = coldperf("sql", ["-f", "csv", path,
                                   "SELECT tid, ended FROM threads"])
    ok(out == "tid,ended\n" + "".join(
        "%d,%d\n" % (200 + i, 1000 + i) for i in range(100)),
       "ends of threads not known before", out, err)


def marks():
    _, out, err = coldperf("sql", ["-f", "csv"] + capture("odd-lost") + [
        "SELECT kind, count(*) AS n FROM marks GROUP BY kind"])
    ok(out == "kind,n\nlost,4\nthrottle,2\nunthrottle,1\n",
       "each mark has a kind", out, err)


# Only this command loads SQLite; others do not pay for it.
def library():
    folder = os.path.join(scratch.name, "libraries")
    os.mkdir(folder)
    with open(os.path.join(folder, "libsqlite3.so.0"), "w") as f:
        f.write("no library\n")
    os.environ["LD_LIBRARY_PATH"] = folder
    status, out, err = coldperf("sql", fp + ["SELECT 1"])
    ok((status, out) == (2, "") and "SQLite is not installed" in err,
       "without SQLite that is said", status, out, err)
    status, out, err = coldperf("hotspots", fp)
    ok(status == 0 and "leaf" in out and "SQLite" not in err,
       "another command needs no SQLite", status, out, err)
    del os.environ["LD_LIBRARY_PATH"]


found = [compare(os.path.basename(d.rstrip("/")))
         for d in sorted(glob.glob(corpus + "/*-*/"))]
ok(sum(bool(f) for f in found) > 30, "most captures have samples",
       len(found))
questions()
refusals()
run_on()
values()
waits()
layouts()
exits()
marks()
library()
tap.done()
