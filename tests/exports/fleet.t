#!/bin/sh
# SPDX-License-Identifier: MIT
# contrib/fleet: the map step's files, and that each engine there is adds up
# what hotspots does.  Captures of the corpus; nothing is recorded.
. "$top_srcdir/tests/lib.sh"

fleet=$top_srcdir/contrib/fleet
good=$top_srcdir/corpus/good-fp/perf.data
export COLDPERF
command -v python3 >/dev/null || skip_all "there is no python3"
cd "$tmp" || exit 99

for name in one two; do
	python3 "$fleet/rename-host.py" "$good" $name $name.data
	ok $? "a copy under the name $name"
	printf '%s\tweb\t1767225600\n' "$tmp/$name.data" >>list
done
try "the map step reads them" python3 "$fleet/map.py" -o map -j 2 list
is "$(ls map/captures | wc -l) $(ls map/samples | wc -l)" "2 2" \
	"two hosts are two captures"
is "$(cat map/captures/*.json | grep -o '"host": "[a-z]*"' | sort | tr '\n' ' ')" \
	'"host": "one" "host": "two" ' "each under its name"
is "$(cat map/captures/*.json | grep -c '"week": "2026-W01"')" 2 \
	"the list says when"
find map -type f | sort | xargs cksum >before
python3 "$fleet/map.py" -o map -j 2 list >/dev/null
find map -type f | sort | xargs cksum >after
same after before "a task that is repeated writes the same"

echo "no capture" >bad.data
echo "$tmp/bad.data" | python3 "$fleet/map.py" -o badmap >out
is $? 1 "a capture that cannot be read is an error"
try "and it is told why" grep -q not-perf-data badmap/failed/*.json

mkdir -p demo/rec && cp one.data demo/rec && ln -s "$COLDPERF" coldperf
env COLDPERF=./coldperf PYTHON="$(command -v python3)" MASTER='local[1]' \
	"$fleet/demo.sh" demo >out 2>&1
is "$? $(sed -n 's/ read; .*//p' out)" "0 5 captures, 0 not" \
	"the demo takes a relative path, as docs/FLEET.md gives it"

for engine in duckdb:duckdb clickhouse:chdb; do
	if ! python3 -c "import ${engine#*:}" 2>/dev/null; then
		skip "there is no ${engine#*:} for Python"
		continue
	fi
	engine=${engine%:*}
	try "$engine runs its files" \
		python3 "$fleet/engine.py" $engine map db.$engine $engine.csv
	try "$engine adds up what hotspots does" \
		python3 "$fleet/sums.py" list $engine.csv
done
if python3 -c "import pyspark, pandas, pyarrow" 2>/dev/null &&
	command -v java >/dev/null; then
	echo "$tmp/bad.data" | cat list - >partly
	SPARK_LOCAL_IP=127.0.0.1 PYSPARK_PYTHON=python3 \
		python3 "$fleet/spark/reduce.py" partly spark 'local[1]' \
		>out 2>err
	is "$? $(tail -n 1 out)" "1 3 captures, 1 not read" \
		"Spark says that a capture was not read"
	try "and why" grep -q "not read: $tmp/bad.data: .*not-perf-data" err
	python3 "$fleet/engine.py" spark spark - spark.csv >out
	try "Spark adds up what hotspots does" \
		python3 "$fleet/sums.py" list spark.csv
else
	skip "there is no Spark"
fi
echo "main,1" >wrong.csv
python3 "$fleet/sums.py" list wrong.csv >out
is $? 1 "sums that differ are found"
done_testing
