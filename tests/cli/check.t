#!/bin/sh
# SPDX-License-Identifier: MIT
# coldperf check: elfutils gives frames of a capture the names that we give
# them, and where it has no file to read that is said, with status 4.
. "$top_srcdir/tests/lib.sh"

fp=$top_srcdir/corpus/good-fp
check() {
	"$COLDPERF" check --no-local --no-cache --cache /nonexistent "$@" \
		>"$tmp/out" 2>"$tmp/err"
}

check "$fp/perf.data"
status=$?
[ $status -eq 4 ] && grep -q '(not-asked)' "$tmp/err"
ok $? "nothing could be asked: status $status"
! grep -q 'libdw is not installed' "$tmp/err" || skip_rest=1
if [ -n "${skip_rest:-}" ]; then
	skip "libdw is not installed"
	done_testing
	exit 0
fi

# 13 frames lie in the one object whose file is there: nm counts its functions.
check -f csv --section check --symbols "$fp/symbols" "$fp/perf.data"
status=$?
grep -q '^names,13,13,0,0,0,0$' "$tmp/out" && [ $status -eq 0 ]
ok $? "13 names are equal, status $status" || sed 's/^/# /' "$tmp/out"

check -f csv --section check --symbols "$fp/symbols" \
	"$top_srcdir/corpus/good-dwarf/perf.data"
grep -q '^stacks,60,60,0,0,0,0$' "$tmp/out"
ok $? "60 stacks are equal" || sed 's/^/# /' "$tmp/out"

check -f csv --section check --sample 5 --symbols "$fp/symbols" \
	"$fp/perf.data"
asked=$(sed -n 's/^names,\([0-9]*\),.*/\1/p' "$tmp/out")
[ "${asked:-0}" -ge 1 ] && [ "$asked" -le 5 ]
ok $? "--sample asks for fewer: $asked"
check -f json --all --symbols "$fp/symbols" "$fp/perf.data"
status=$?
python3 -c 'import json, sys; json.load(open(sys.argv[1]))' "$tmp/out"
ok $? "json, status $status"

# The same of a bundle, whose objects are in it; one that was changed is wrong.
"$COLDPERF" pack --no-local --no-cache --cache /nonexistent -o "$tmp/b.tar" \
	--symbols "$fp/symbols" "$fp/perf.data" 2>/dev/null
verify() {
	"$COLDPERF" verify --no-local --no-cache --cache /nonexistent "$@" \
		>"$tmp/out" 2>"$tmp/err"
}
verify --names "$tmp/b.tar"
status=$?
grep -q ' checked against the manifest, 0 wrong$' "$tmp/out" &&
	grep -q '^  names  *13  *13 ' "$tmp/out" && [ $status -eq 0 ]
ok $? "verify --names: 13 names are equal, status $status" ||
	sed 's/^/# /' "$tmp/out" "$tmp/err"
verify "$tmp/b.tar" && ! grep -q '^  names ' "$tmp/out"
ok $? "verify alone asks for no names"
verify --names -o "$tmp/o" "$tmp/b.tar"
status=$?
[ $status -eq 2 ] && [ ! -e "$tmp/o" ]
ok $? "verify --names -o is refused, status $status"
mkdir "$tmp/u" && tar -C "$tmp/u" -xf "$tmp/b.tar" &&
	printf x >>"$tmp/u/perf.data"
tar -tf "$tmp/b.tar" >"$tmp/members"
tar -C "$tmp/u" -cf "$tmp/w.tar" -T "$tmp/members"
verify --names "$tmp/w.tar"
status=$?
[ $status -eq 1 ] && ! grep -q '^  names ' "$tmp/out"
ok $? "a bundle that was changed: status $status, no names" ||
	sed 's/^/# /' "$tmp/out" "$tmp/err"

# A capture of 200 addresses, 4 bytes apart, of an object that is made here.
cat >"$tmp/t.mkperf" <<'EOF'
attr cpu-clock type=1 config=0 period=1 sample_type=IP|TID|TIME|PERIOD \
	flags=sample_id_all|comm|task|mmap
build_id 1234567812345678000000000000000000000000 /nowhere/t.so misc=2
comm 10 10 t
mmap pid=10 addr=0x400000 len=0x10000 pgoff=0 name=/nowhere/t.so
repeat 200 as i {
sample ip=0x401000+i*4 pid=10 time=100+i misc=2
}
EOF
"$top_builddir/tests/tools/mkperf" "$tmp/t.mkperf" "$tmp/t.data"
answers() { # answers SECTION: what check says of t.so, as CSV
	check --all -f csv --section "$1" --symbols "$tmp/t.so" "$tmp/t.data"
}

# Two versions of a name at one address; and a local function in a global one,
# which libdwfl prefers: a difference that no rule explains.
cat >"$tmp/t.s" <<'EOF'
	.text
	.globl	outer
	.type	outer,%function
outer:	.fill	64,1,0x90
	.type	inner,%function
inner:	.fill	16,1,0x90
	.size	inner,16
	.fill	48,1,0x90
	.size	outer,128
	.symver	one,f@V1,remove
	.symver	two,f@@V2,remove
	.globl	one
	.type	one,%function
	.globl	two
	.type	two,%function
one:
two:	.fill	16,1,0x90
	.size	one,16
	.size	two,16
EOF
echo 'V1 { global: f; }; V2 { global: f; outer; } V1;' >"$tmp/t.map"
compile() {
	compiler=$1
	shift
	rm -f "$tmp/t.so"
	"$compiler" -g -O2 -w -shared -fPIC -nostdlib -Wl,-z,separate-code \
		-Wl,--build-id=0x1234567812345678 -o "$tmp/t.so" "$@" \
		2>"$tmp/err" && nm "$tmp/t.so" | grep -q '^0*1[0-9a-f]\{3\} T'
}
cc=${CC:-cc}
if compile "${cc##* }" "-Wl,--version-script=$tmp/t.map" "$tmp/t.s" &&
	nm "$tmp/t.so" | grep -q '^0*1000 T outer'; then
	answers differences
	status=$?
	cut -d, -f1,3- "$tmp/out" >"$tmp/got"
	cat >"$tmp/want" <<'EOF'
question,address,rule,coldperf,line,elfutils,its_line
names,0x1040,,inner,0,outer,0
names,0x1044,,inner,0,outer,0
names,0x1048,,inner,0,outer,0
names,0x104c,,inner,0,outer,0
names,0x1080,version,f@@V2,0,f@V1,0
names,0x1084,version,f@@V2,0,f@V1,0
names,0x1088,version,f@@V2,0,f@V1,0
names,0x108c,version,f@@V2,0,f@V1,0
EOF
	cmp -s "$tmp/got" "$tmp/want"
	ok $? "versions are explained, a local function is not" ||
		diff "$tmp/want" "$tmp/got" | sed 's/^/# /'
	[ $status -eq 1 ] && grep -q '(gate)' "$tmp/err"
	ok $? "a difference: status $status"
else
	skip "no object with versions can be made"
fi

# An inlined function without linkage name.
cat >"$tmp/t.cc" <<'EOF'
namespace room {
extern "C" inline __attribute__((always_inline)) int
work(volatile int *p)
{
	int sum = 0;
	for (int i = 0; i < 9; i++)
		sum += p[i] * 3;
	return sum;
}
}
extern "C" int
entry(volatile int *p)
{
	return room::work(p) + 1;
}
EOF
if compile g++ "$tmp/t.cc"; then
	answers differences
	status=$?
	grep -q ',scope,room::work,0,work,0$' "$tmp/out" &&
		! grep -q ',,' "$tmp/out" && [ $status -eq 0 ]
	ok $? "a scope is longer, status $status" || sed 's/^/# /' "$tmp/out"
else
	skip "no C++ compiler"
fi

# A function that is written in its namespace, as Rust does it, too.
sed -e 's/extern "C" inline.*/int __attribute__((noinline))/' "$tmp/t.cc" \
	>"$tmp/u.cc"
if compile clang++ "$tmp/u.cc"; then
	answers check
	awk -F, '$1 != "names" && $2 > 4 && $2 == $3 { n++ }
		END { exit n != 2 }' "$tmp/out"
	ok $? "elfutils answers for functions in namespaces" ||
		sed 's/^/# /' "$tmp/out"
else
	skip "no clang++"
fi

# A block beside the function that was inlined in it, as Go writes that.
cat >"$tmp/b.s" <<'EOF'
	.text
	.globl	entry
	.type	entry,%function
entry:	.fill	64,1,0x90
	.size	entry,64
	.section .debug_abbrev,"",%progbits
	.byte	1,0x11,1,0x03,0x08,0x11,0x01,0x12,0x06,0,0
	.byte	2,0x2e,0,0x03,0x08,0x20,0x0b,0,0
	.byte	3,0x2e,1,0x03,0x08,0x11,0x01,0x12,0x06,0,0
	.byte	4,0x0b,0,0x11,0x01,0x12,0x06,0,0
	.byte	5,0x1d,0,0x31,0x13,0x11,0x01,0x12,0x06,0x59,0x0b,0,0
	.byte	0
	.section .debug_info,"",%progbits
	.long	2f-1f
1:	.short	4
	.long	0
	.byte	8
	.byte	1
	.string	"b"
	.quad	entry
	.long	64
3:	.byte	2
	.string	"work"
	.byte	1
	.byte	3
	.string	"entry"
	.quad	entry
	.long	64
	.byte	4
	.quad	entry
	.long	32
	.byte	5
	.long	3b-1b+4
	.quad	entry
	.long	16
	.byte	7
	.byte	0,0
2:
EOF
if compile "${cc##* }" "$tmp/b.s"; then
	answers check
	status=$?
	grep -q '^inlines,16,16,0,0,0,' "$tmp/out" && [ $status -eq 0 ]
	ok $? "a block beside an inlined function, status $status" ||
		sed 's/^/# /' "$tmp/out"
else
	skip "no object with a block can be made"
fi
done_testing
