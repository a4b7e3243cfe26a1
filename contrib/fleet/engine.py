#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Runs the SQL files of an engine in process and writes what each function cost:
# engine.py duckdb|clickhouse FOLDER DATABASE SUMS.csv; FOLDER is map.py's.
# engine.py spark COSTS-FOLDER - SUMS.csv reads what spark/reduce.py wrote.
import csv
import os
import re
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
SUMS = "SELECT function, sum(samples) AS samples FROM %s GROUP BY function"


def statements(path):
    """The statements of a file; no text in them has a semicolon."""
    with open(path) as f:
        text = re.sub(r"^--.*\n", "", f.read(), flags=re.M)
    return [s.strip() for s in text.split(";") if s.strip()]


def run_files(names, ask):
    for name in names:
        wall, cpu = time.time(), time.process_time()
        for statement in statements(os.path.join(HERE, name)):
            ask(statement)
        print("%s: %.1f CPU s, %.1f s" % (
            name, time.process_time() - cpu, time.time() - wall))


def by_duckdb(database):
    import duckdb
    db = duckdb.connect(database)
    run_files(("duckdb/reduce.sql", "duckdb/queries.sql"),
              lambda s: db.execute(s).fetchall())
    return db.execute(SUMS % "costs").fetchall()


def by_clickhouse(database):
    import chdb.session
    session = chdb.session.Session(database)
    run_files(("clickhouse/schema.sql", "clickhouse/ingest.sql",
               "clickhouse/queries.sql"), session.query)
    answer = session.query(SUMS % "costs FINAL", "CSV")
    return list(csv.reader(str(answer).splitlines()))


def by_spark(_):
    import pyarrow.parquet
    table = pyarrow.parquet.read_table(".").select(["function", "samples"])
    sums = table.group_by("function").aggregate([("samples", "sum")])
    return [(r["function"], r["samples_sum"]) for r in sums.to_pylist()]


engine, folder, database, sums = sys.argv[1:]
database, sums = (os.path.abspath(p) for p in (database, sums))
os.chdir(folder)
rows = {"duckdb": by_duckdb, "clickhouse": by_clickhouse,
        "spark": by_spark}[engine](database)
with open(sums, "w", newline="") as f:
    csv.writer(f).writerows((name, int(n)) for name, n in rows)
