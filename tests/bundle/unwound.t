#!/bin/sh
# SPDX-License-Identifier: MIT
# pack --unwound: chains instead of copies of users' stacks.  What is made of a
# synthetic capture is known to the byte; of a recorded one perf must print
# the same stacks, and nothing of the users' memory may be left.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/live/live.sh"

mkperf=$top_builddir/tests/tools/mkperf
HOME=$tmp/home
mkdir -p "$HOME"
export HOME

# packed NAME OPTIONS...: $tmp/NAME.data, packed, is $tmp/NAME.packed.
packed() {
	name=$1
	shift
	rm -rf "$tmp/u" "$tmp/u.tar.zst"
	"$COLDPERF" pack --slim --unwound "$@" -o "$tmp/u.tar.zst" \
		"$tmp/$name.data" >"$tmp/pack.out" 2>&1
	status=$?
	"$COLDPERF" unpack -o "$tmp/u" "$tmp/u.tar.zst" \
		>"$tmp/unpack.out" 2>&1 &&
		mv "$tmp/u/perf.data" "$tmp/$name.packed"
}

# One text, with and without stacks.  No object is at hand: the frame pointer
# leads from frame to frame, so they are guessed.
two=0x7ffe00000000
input() {
	container=$1 order=$2 with=$3
	if [ "$with" = stack ]; then
		type='|REGS_USER|STACK_USER'
		type2='|REGS_USER'
		masks='sample_regs_user=0x1c0 sample_stack_user=64'
		masks2='sample_regs_user=0x100'
		user="regs_user=2,$two+16,$two,0x400104 stack_size=64 stack_dyn=48
			stack=n:16,u8:$two+32,u8:0x400204,u8:0,u8:0x400305"
		user=$(echo $user)
		none='regs_user=0 stack_size=0'
		regs='regs_user=2,0x400104'
		chain=''
		both=kernel,-0x7f000000,-0x7eff0000
	else
		type='' type2='' masks='' masks2='' user='' none='' regs=''
		chain=user,user,0x400104,user,user,user,0x400203,0x400304
		both=kernel,-0x7f000000,-0x7eff0000,$chain
	fi
	head='IDENTIFIER|IP|TID|TIME|PERIOD'
	cat <<END
container $container
byte_order $order
${4:+layout $4
}attr a type=1 period=9 ids=70,71 sample_type=$head|CALLCHAIN|READ|RAW|BRANCH_STACK|WEIGHT|TRANSACTION|CGROUP$type \
	read_format=ID branch_sample_type=ANY $masks flags=sample_id_all|mmap|comm|exclude_callchain_user
attr b type=4 config=1 period=9 ids=80 sample_type=$head|RAW|DATA_SRC flags=sample_id_all
attr c type=4 config=2 period=9 ids=90 sample_type=$head$type2 $masks2 flags=sample_id_all
feature hostname "box"
feature arch "x86_64"
feature 200 g:40
comm 8 8 "stacks" time=1
mmap pid=8 addr=0x400000 len=0x10000 pgoff=0 name="/bin/none" time=2
raw 99 3 g:24
sample a ip=0x400104 pid=8 time=10 period=9 id=70 read=1,70 chain=$chain \
	raw=0102030405060708090a0b0c branch=5:6 weight=7 transaction=8 cgroup=9 $user
sample b ip=0x400105 pid=8 time=11 id=80 raw=0a0b0c0d data_src=3
sample c ip=0x400106 pid=8 time=12 id=90 $regs
sample a ip=-0x7f000000 pid=8 time=13 id=71 read=2,71 misc=1 \
	chain=$both raw=0102030405060708090a0b0c weight=7 $user
sample a ip=-0x7f000000 pid=0 time=14 id=70 read=3,70 misc=1 \
	chain=kernel,-0x7f000000,-0x7ef00000 $none
sample a ip=0x400104 pid=8 time=15 id=70 read=3,70 chain=$chain $user
exit pid=8 ppid=1 time=20
finished_round
END
}

for what in 'file little' 'file big' 'pipe little' 'pipe big' \
	'file little no-event-desc' 'file little late-attrs' \
	'file little killed'; do
	# shellcheck disable=SC2086 # words
	set -- $what
	# What a killed recorder left is made whole.
	whole=${3-}
	[ "$whole" != killed ] || {
		whole=no-event-desc
		set -- "$1" "$2" 'no-event-desc killed'
	}
	input "$1" "$2" stack "${3-}" >"$tmp/stack.mkperf"
	input "$1" "$2" chain "$whole" >"$tmp/chain.mkperf"
	[ "$whole" = "${3-}" ] || sed -i '/^feature/d' "$tmp"/*.mkperf
	"$mkperf" "$tmp/stack.mkperf" "$tmp/stack.data" &&
		"$mkperf" "$tmp/chain.mkperf" "$tmp/want"
	packed stack
	cmp "$tmp/want" "$tmp/stack.packed" >"$tmp/cmp" 2>&1
	ok $? "to the byte: $what" ||
		diag "$(cat "$tmp/cmp" "$tmp/pack.out" "$tmp/unpack.out")"
	"$COLDPERF" flame -f folded "$tmp/stack.data" >"$tmp/want" 2>/dev/null
	"$COLDPERF" flame -f folded "$tmp/stack.packed" >"$tmp/got" 2>/dev/null
	same "$tmp/got" "$tmp/want" "and the same stacks: $what"
done
# The last sample too, which is none: its counter is where it was.
grep -q "^unwound	complete	3" "$tmp/u/coldperf/MANIFEST"
ok $? "the manifest says how they ended"
try "and is right" "$COLDPERF" verify "$tmp/u.tar.zst"

# AUX data lie between the records, and a feature says where.
for order in little big; do
	for with in stack chain; do
		input file $order $with >"$tmp/$with.mkperf"
		cat >>"$tmp/$with.mkperf" <<'END'
auxtrace_info aux_type=1 priv=5,6
auxtrace offset=0 data=g:64
auxtrace offset=64 data=g:128
exit pid=9 ppid=1 time=30
feature auxtrace
END
		"$mkperf" "$tmp/$with.mkperf" "$tmp/$with.data"
	done
	packed stack
	cmp "$tmp/chain.data" "$tmp/stack.packed" >"$tmp/cmp" 2>&1
	ok $? "to the byte: AUX data, $order" ||
		diag "$(cat "$tmp/cmp" "$tmp/pack.out" "$tmp/unpack.out")"
done

# A folder: a file, and streams of records beside it.  Counters go on counting.
for with in stack chain; do
	mkdir "$tmp/$with.folder"
	input file little $with | grep -v '^sample\|^	\|^exit' \
		>"$tmp/$with.mkperf"
	"$mkperf" "$tmp/$with.mkperf" "$tmp/$with.folder/data"
	for n in 0 3; do
		input stream little $with |
			grep -v '^feature\|^comm\|^mmap\|^raw\|^finish' |
			sed "s/ read=/&$n/" >"$tmp/$with.mkperf"
		"$mkperf" "$tmp/$with.mkperf" "$tmp/$with.folder/data.$n"
	done
done
echo left >"$tmp/stack.folder/leftover"
: >"$tmp/stack.folder/data.1"
mv "$tmp/stack.folder" "$tmp/made.data"
packed made
diff -r "$tmp/chain.folder" "$tmp/made.packed" >"$tmp/cmp" 2>&1
ok $? "to the byte: a folder" ||
	diag "$(cat "$tmp/cmp" "$tmp/pack.out" "$tmp/unpack.out")"
try "and its bundle is right" "$COLDPERF" verify "$tmp/u.tar.zst"

# ------------------------------------------------------------- recorded here

live_begin
cat >"$tmp/secret.c" <<'END'
#include <stdio.h>
#include <time.h>
static volatile unsigned long sink;
__attribute__((noinline)) static void spin(const char *own)
{
	for (int i = 0; i < 100000; i++)
		sink += (unsigned char)own[i % 32];
}
__attribute__((noinline)) static int deep(int n)
{
	char own[64];

	snprintf(own, sizeof(own), "%s-%s-%d", "PLANTED", "SECRET", n);
	if (n == 0)
		spin(own);
	else
		deep(n - 1);
	return own[3];
}
int main(void)
{
	clock_t end = clock() + CLOCKS_PER_SEC / 5;

	while (clock() < end)
		sink += (unsigned long)deep(10);
	return 0;
}
END
gcc -O1 -fomit-frame-pointer -o "$tmp/secret" "$tmp/secret.c" ||
	skip_all "the workload does not compile"

# compare NAME: the packed one against the other.
compare() {
	packed "$1" || diag "$(cat "$tmp/pack.out")"
	! grep -rq PLANTED-SECRET "$tmp/$1.packed" "$tmp/u.tar.zst"
	ok $? "$1: no byte of a stack is left"
	for file in data packed; do
		perf script --no-inline -i "$tmp/$1.$file" >"$tmp/perf.$file" \
			2>"$tmp/perf.$file.err"
		"$COLDPERF" flame -f folded "$tmp/$1.$file" \
			>"$tmp/folded.$file" 2>/dev/null
		"$COLDPERF" dump "$tmp/$1.$file" 2>/dev/null |
			grep -v ' SAMPLE ' | sed 's/^[^A-Z]*//' \
			>"$tmp/dump.$file"
	done
	same "$tmp/folded.packed" "$tmp/folded.data" "$1: the same stacks"
	deep=$(awk -F ';' 'NF > n { n = NF } END { print n + 0 }' \
		"$tmp/folded.packed")
	[ "$deep" -ge 12 ]
	ok $? "$1: $deep frames"
	grep -q 'spin' "$tmp/perf.packed"
	ok $? "$1: perf sees the function of most samples"
	same "$tmp/perf.packed" "$tmp/perf.data" "$1: perf sees the same" ||
		diag "perf: $(cat "$tmp/perf.data.err" "$tmp/perf.packed.err")"
	same "$tmp/dump.packed" "$tmp/dump.data" "$1: other records are the same"
	"$COLDPERF" script -F comm,tid,time,ip "$tmp/$1.data" >"$tmp/want" \
		2>/dev/null
	"$COLDPERF" script -F comm,tid,time,ip --no-local --cache /none \
		"$tmp/$1.packed" >"$tmp/got" 2>/dev/null
	same "$tmp/got" "$tmp/want" "$1: no object is needed to unwind"
}

record='-e cpu-clock -F 499 --call-graph dwarf,8192'
# shellcheck disable=SC2086 # words
if live_record "$tmp/file.data" $record "$tmp/secret"; then
	grep -q PLANTED-SECRET "$tmp/file.data"
	ok $? "the secret was recorded"
	compare file
	[ "$(wc -c <"$tmp/file.packed")" -lt \
		$(($(wc -c <"$tmp/file.data") / 5)) ]
	ok $? "a fifth or less: $(wc -c <"$tmp/file.packed") bytes"
else
	skip "nothing could be recorded"
fi
# shellcheck disable=SC2086 # words
if perf record -q -o - $record "$tmp/secret" >"$tmp/pipe.data" \
	2>"$tmp/record.out"; then
	compare pipe
else
	skip "no pipe could be recorded"
fi
# shellcheck disable=SC2086 # words
if live_record "$tmp/zstd.data" -z $record "$tmp/secret"; then
	compare zstd
else
	skip "nothing could be recorded compressed"
fi
# shellcheck disable=SC2086 # words
if live_record "$tmp/folder.data" --threads $record "$tmp/secret"; then
	compare folder
else
	skip "nothing could be recorded to a folder"
fi
done_testing
