#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# The fleet in Spark: captures are mapped where the executors are, costs are
# reduced.  reduce.py LIST OUT [MASTER]; LIST as map.py reads it, OUT gets
# Parquet.  Each executor needs coldperf, Python and pyarrow, and sees the paths.
# Captures that cannot be read are named; the exit status is then 1.
import glob
import json
import os
import subprocess
import sys
import tempfile

from pyspark.accumulators import AccumulatorParam
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

MAP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "map.py")
COSTS = ("capture string, event string, unit string, comm string, "
         "build_id string, object string, level string, function string, "
         "samples long, weight long")


def table(folder, name):
    import pyarrow.dataset
    return pyarrow.dataset.dataset(
        "%s/%s" % (folder, name), format="parquet",
        partitioning="hive").to_table().to_pandas()


def costs_of(folder):
    """What each function of a task's captures cost by itself."""
    key = ["capture", "event", "thread", "stack"]
    leaves = table(folder, "samples").groupby(key, as_index=False).agg(
        samples=("weight", "size"), weight=("weight", "sum"))
    frames = table(folder, "frames")[
        ["capture", "frame", "object", "symbol", "level"]]
    parts = [
        (table(folder, "events"), ["event"], {"name": "e_name"}),
        (table(folder, "threads"), ["thread"], {}),
        (table(folder, "stacks"), ["stack"], {}),
        (frames, ["frame"], {}),
        (table(folder, "symbols")[["capture", "symbol", "name"]],
         ["symbol"], {"name": "function"}),
        (table(folder, "objects")[["capture", "object", "name", "build_id"]],
         ["object"], {"name": "o_name"}),
    ]
    for right, on, names in parts:
        right = right.rename(columns=names)
        keep = ["capture"] + on + [c for c in right.columns if c in (
            "e_name", "unit", "comm", "frame", "object", "symbol", "level",
            "function", "o_name", "build_id") and c not in on]
        how = "left" if on == ["thread"] else "inner"
        leaves = leaves.merge(right[keep], how=how, on=["capture"] + on)
    leaves = leaves.drop(columns=["event", "object"]).rename(
        columns={"e_name": "event", "o_name": "object"})
    leaves["comm"] = leaves["comm"].fillna("")
    names = [c.split()[0] for c in COSTS.split(", ")]
    return leaves.groupby(names[:8], as_index=False)[names[8:]].sum()[names]


class Together(AccumulatorParam):
    """What tasks found; one that is repeated finds the same."""

    def zero(self, value):
        return {}

    def addInPlace(self, value1, value2):
        return {**value1, **value2}


def run_map(lines, folder):
    """Returns why captures were not read, by their paths."""
    done = subprocess.run([sys.executable, MAP, "-o", folder, "-j", "1"],
                          input=lines, universal_newlines=True,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    whys = {}
    for name in glob.glob(folder + "/failed/*.json"):
        with open(name) as f:
            row = json.load(f)
        whys[row["path"]] = row["why"]
    if done.returncode != (1 if whys else 0):
        raise RuntimeError("map.py: status %d: %s" % (
            done.returncode, done.stderr[-2000:]))
    return whys


def mapping(failed):
    def mapped(batches):
        """A task: the captures of a batch through map.py, into costs."""
        for batch in batches:
            with tempfile.TemporaryDirectory(
                    prefix="coldperf-spark.") as folder:
                failed.add(run_map("\n".join(batch["value"]) + "\n", folder))
                if os.path.exists(folder + "/samples"):
                    yield costs_of(folder)
    return mapped


def main():
    listed, out, *rest = sys.argv[1:]
    spark = (SparkSession.builder.appName("coldperf fleet")
             .master(rest[0] if rest else "local[2]")
             .config("spark.io.compression.codec", "zstd")
             .config("spark.sql.parquet.compression.codec", "zstd")
             .config("spark.sql.execution.arrow.maxRecordsPerBatch", "20")
             .config("spark.ui.enabled", "false").getOrCreate())
    with open(listed) as f:
        lines = [(line.rstrip("\n"),) for line in f if line.strip()]
    tasks = max(1, len(lines) // 20)
    captures = spark.createDataFrame(lines, "value string").repartition(tasks)
    failed = spark.sparkContext.accumulator({}, Together())
    captures.mapInPandas(mapping(failed), COSTS).write.mode("overwrite").parquet(out)
    spark.read.parquet(out).agg(
        F.count("*"), F.sum("samples"), F.sum("weight")).show()
    spark.stop()
    for path, why in sorted(failed.value.items()):
        print("not read: %s: %s" % (path, why.strip()), file=sys.stderr)
    print("%d captures, %d not read" % (len(lines), len(failed.value)))
    return 1 if failed.value else 0


sys.exit(main())
