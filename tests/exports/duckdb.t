#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# contrib/duckdb/tables.sql: DuckDB answers the questions of docs/SQL.md about a
# snapshot as the page says, and all tables hold what `coldperf sql` has.
import importlib.util
import os
import re
import subprocess
import sys
import tempfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

scratch = tempfile.TemporaryDirectory(prefix="coldperf-duckdb.")
tmp = scratch.name
CORPUS = tap.top_srcdir + "/corpus/"
CASES = {"good-fp": "good-fp", "good-events": "good-fp",
         "good-dwarf": "good-fp", "good-jit": "good-jit",
         "good-waits": None, "odd-lost": None}
VIEWS = ("samples events threads stacks frames symbols spots objects contexts "
         "marks states stack_functions stack_sums function_sums self total "
         "timeline waits").split()

if importlib.util.find_spec("duckdb") is None:
    print("1..0 # SKIP there is no duckdb for Python")
    sys.exit(0)
import duckdb


def cell(value):
    return "" if value is None else str(value)


def coldperf(*args):
    p = subprocess.run([tap.coldperf, *args], stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE)
    return p.stdout.decode()


def opened(case):
    """The case's snapshot, in DuckDB."""
    folder = "%s/%s" % (tmp, case)
    symbols = CASES[case]
    os.mkdir(folder)
    coldperf("snapshot", "--no-local", "--cache", tmp + "/none", *(
        ["--symbols", CORPUS + symbols + "/symbols"] if symbols else []),
        "-o", folder + ".cold", tap.capture(case, tmp))
    subprocess.run(["tar", "xf", folder + ".cold", "-C", folder], check=True)
    os.chdir(folder)
    db = duckdb.connect()
    with open(tap.top_srcdir + "/contrib/duckdb/tables.sql") as f:
        db.execute(f.read())
    return db


def asked(db, query):
    answer = db.execute(query)
    names = [d[0] for d in answer.description]
    return [names] + [[cell(v) for v in row] for row in answer.fetchall()]


def lines(table):
    return "".join(",".join(row) + "\n" for row in table)


def questions(db):
    with open(tap.top_srcdir + "/docs/SQL.md") as f:
        blocks = re.findall(r"```sql\n(.*?)```\n\n```text\n(.*?)```",
                            f.read(), re.S)
    for query, answer in blocks:
        got = lines(asked(db, query))
        tap.ok(got == answer, "asked DuckDB: " + query.split("\n")[0],
               "%s\n%s" % (got, answer))
    tap.ok(len(blocks) == 15, "15 questions of docs/SQL.md", str(len(blocks)))


def compare(db, case):
    wrong = []
    for view in VIEWS:
        query = "SELECT * FROM " + view
        want = coldperf("sql", "-f", "csv", "%s/%s.cold" % (tmp, case),
                        query).split("\n")[:-1]
        got = lines(asked(db, query)).split("\n")[:-1]
        if want[:1] != got[:1] or sorted(want) != sorted(got):
            wrong.append((view, sorted(set(want) ^ set(got))[:6]))
    tap.ok(not wrong, case + ": each table is that of coldperf sql",
           repr(wrong))


for name in CASES:
    base = opened(name)
    if name == "good-fp":
        questions(base)
    compare(base, name)
    os.chdir("/")
tap.done()
