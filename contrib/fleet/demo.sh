#!/bin/sh
# SPDX-License-Identifier: MIT
# The whole way of a fleet on one machine: CAPTURES recordings (40) under five
# host names each, the map step, and the reduce step in each engine there is.
# demo.sh FOLDER; PYTHON has duckdb, chdb, pyspark and pyarrow of PyPI.
# Captures in FOLDER/rec (*.data) are taken as they are.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
: "${COLDPERF:=coldperf}" "${PYTHON:=python3}" "${CAPTURES:=40}"
export COLDPERF
[ $# -eq 1 ] || { sed -n '3,6s/^# //p' "$0" >&2; exit 2; }
# A relative path is one of the folder that this began in.
case $COLDPERF in /*) ;; */*) COLDPERF=$PWD/$COLDPERF ;; esac
case $PYTHON in /*) ;; */*) PYTHON=$PWD/$PYTHON ;; esac
mkdir -p "$1/rec" "$1/hosts"
cd "$1"

i=0
ls rec/*.data >/dev/null 2>&1 || while [ "$((i += 1))" -le "$CAPTURES" ]; do
	perf record -q -o rec/$i.data -F 4999 -g -a -- sleep 1
done

: >list
n=0
for capture in rec/*.data; do
	n=$((n + 1))
	for host in 1:web 2:web 3:db 4:db 5:batch; do
		copy=$PWD/hosts/$n-${host%:*}.data
		"$PYTHON" "$here/rename-host.py" "$capture" \
			"host-${host%:*}" "$copy"
		printf '%s\t%s\t%d\n' "$copy" "${host#*:}" \
			$((1767225600 + n * 172800)) >>list
	done
done

rm -rf map spark fleet.duckdb fleet.clickhouse ./*.csv
"$PYTHON" "$here/map.py" -o map list
du -s --apparent-size -B1 rec map | sed 's/^/bytes: /'

has() {
	"$PYTHON" -c "import $1" 2>/dev/null ||
		{ echo "skipped: there is no $1 for $PYTHON"; return 1; }
}
if has duckdb; then
	"$PYTHON" "$here/engine.py" duckdb map fleet.duckdb duckdb.csv
fi
if has chdb; then
	"$PYTHON" "$here/engine.py" clickhouse map fleet.clickhouse clickhouse.csv
fi
if has pyspark && has pyarrow; then
	if command -v java >/dev/null; then
		SPARK_LOCAL_IP=127.0.0.1 PYSPARK_PYTHON=$PYTHON \
			"$PYTHON" "$here/spark/reduce.py" list spark \
			"${MASTER:-local-cluster[2,1,2048]}" 2>spark.log ||
			{ tail -n 20 spark.log; exit 1; }
		"$PYTHON" "$here/engine.py" spark spark - spark.csv
	else
		echo "skipped: there is no java for Spark"
	fi
fi
set -- ./*.csv
[ -e "$1" ] || set --
"$PYTHON" "$here/sums.py" list "$@"
