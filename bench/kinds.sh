#!/bin/sh
# SPDX-License-Identifier: MIT
#
# bench/kinds.sh FOLDER: one capture of each kind that bench/run.sh measures.
#
# What cannot be recorded at will is text for tests/tools/mkperf, with its
# names in /tmp/perf-PID.map, where perf looks, and in FOLDER; the rest is
# recorded here, if perf may.  A capture that is there already stays.
#
#	MKPERF	the compiler of texts (default: tests/tools/mkperf)
set -eu

out=${1:?usage: kinds.sh FOLDER}
mkperf=${MKPERF:-tests/tools/mkperf}
pid=4000007 # above what most machines give to processes
mkdir -p "$out"

# Frames of a chain, outermost last: "hash(WORDS + place) % N", FROM to TO.
frames()
{
	awk -v from="$1" -v to="$2" -v word="$3" -v n="$4" 'BEGIN {
		for (i = from; i < to; i++)
			printf ",0x10000000+hash(%s*1000+%d)%%%d*64", word, i, n
	}'
}

names()
{
	awk -v n="$1" 'BEGIN { for (i = 0; i < n; i++)
		printf "%x 40 function_%d\n", 268435456 + 64 * i, i }'
}

# Begins a text of N samples, numbered by i, in rounds as perf writes them.
samples()
{
	printf 'repeat %d as r {\nrepeat 1000 as j {\nset i r*1000+j' \
		$(($1 / 1000))
}
end='}
finished_round
}'

# KIND: the rest of a text from the standard input, and a capture of it.
make()
{
	{
		cat <<-END
		attr cycles type=0 config=0 period=1 \
		flags=sample_id_all|mmap|comm sample_type=$2
		set pid $pid
		END
		cat
	} | sed "s/PID/$pid/g" >"$out/$1.mkperf"
	"$mkperf" "$out/$1.mkperf" "$out/$1.data"
	rm "$out/$1.mkperf"
}

plain='IP|TID|TIME|CPU|PERIOD|CALLCHAIN'
jit='comm pid=PID comm=program time=1
mmap pid=PID addr=0x10000000 len=0x10000000 pgoff=0 name=//anon time=2'
names 20000 >"$out/perf-$pid.map"
cp "$out/perf-$pid.map" /tmp/

[ -e "$out/few.data" ] || make few "$plain" <<EOF2
$jit
$(samples 1000000)
sample ip=0x10000000+hash(i)%800*8 pid=PID time=9+i*100 \
chain=user,0x10000000+hash(i)%800*8$(frames 1 9 'hash(i)%50' 300)
$end
EOF2

# Every chain is new: 20 frames of its own on one of 5000 paths of 80.
[ -e "$out/deep.data" ] || make deep "$plain" <<EOF2
$jit
$(samples 250000)
sample ip=0x10000000+hash(i*1000)%20000*64 pid=PID time=9+i*100 \
chain=user$(frames 0 20 i 20000)$(frames 20 100 '(hash(i)%5000)' 20000)
$end
EOF2

[ -e "$out/lbr.data" ] || make lbr "$plain|BRANCH_STACK" <<EOF2
$jit
$(samples 300000)
sample ip=0x10000000+hash(i)%20000*64 pid=PID time=9+i*100 \
chain=user,0x10000000+hash(i)%20000*64$(frames 1 8 'hash(i)%9000' 20000) \
branch=$(awk 'BEGIN { for (i = 0; i < 28; i++)
	printf "%s0x10000000+hash(i%%50000*100+%d)%%20000*64:0x10000000+" \
	    "hash(i%%50000*100+%d)%%20000*64", i ? "," : "", i, i + 50 }')
$end
EOF2

[ -e "$out/mappings.data" ] || make mappings "$plain" <<EOF2
comm pid=PID comm=program time=1
repeat 50000 as i {
mmap pid=PID addr=0x10000000+i*0x2000 len=0x1000 pgoff=0 name=//anon time=2+i
}
$(samples 200000)
sample ip=0x10000000+hash(i)%50000*0x2000 pid=PID time=60000+i*100 \
chain=user,0x10000000+hash(i)%50000*0x2000$(awk 'BEGIN {
	for (i = 1; i < 12; i++)
		printf ",0x10000000+hash(i%%20000*100+%d)%%50000*0x2000", i }')
$end
EOF2

[ -e "$out/processes.data" ] || make processes "$plain" <<EOF2
repeat 30000 as p {
fork pid=PID+p ppid=1 time=p*1000+1
comm pid=PID+p comm=program time=p*1000+2
repeat 5 as m {
mmap pid=PID+p addr=0x10000000+m*0x100000 len=0x100000 pgoff=0 name=/lib/none \
time=p*1000+3
}
repeat 10 as i {
sample ip=0x10000000+hash(i+p)%5000*64 pid=PID+p time=p*1000+100+i \
chain=user,0x10000000+hash(i+p)%5000*64$(frames 1 10 'hash(i+p)%3000' 5000)
}
exit pid=PID+p ppid=1 time=p*1000+900
finished_round
}
EOF2

# Half of the words are no code: what a walk finds without frame pointers.
[ -e "$out/stale.data" ] || make stale "$plain" <<EOF2
$jit
$(samples 600000)
sample ip=0x10000000+hash(i)%2000*64 pid=PID time=9+i*100 \
chain=user,0x10000000+hash(i)%2000*64$(frames 1 5 'hash(i)%4000' \
	2000)$(awk 'BEGIN { for (i = 0; i < 5; i++)
	printf ",0x7f0000000000+hash(i*10+%d)%%1000000*8", i }')
$end
EOF2

record()
{
	name=$out/$1.data
	shift
	[ -e "$name" ] || perf record -q -o "$name" "$@" >/dev/null 2>&1 ||
		rm -f "$name"
}

cc=${CC:-cc}
here=$(cd "$(dirname "$0")" && pwd)
$cc -O2 -g -fno-omit-frame-pointer -fno-optimize-sibling-calls -pthread \
	-o "$out/workload" "$here/workload.c"
record workload -F 20000 -e cpu-clock -g -m 2048 -- "$out/workload" 10 4 2
record dwarf -F 2000 -e cpu-clock --call-graph dwarf,8192 -m 2048 -- \
	"$out/workload" 6 2 1
# shellcheck disable=SC2016
record short -a -F 10000 -e cpu-clock -g -m 2048 -- \
	sh -c 'i=0; while [ $i -lt 1500 ]; do /bin/true; i=$((i + 1)); done'
record sched -a -m 4096 -e sched:sched_switch -e sched:sched_wakeup -- \
	perf bench sched messaging -g 4 -l 4000
