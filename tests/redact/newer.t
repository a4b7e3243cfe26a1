#!/bin/sh
# SPDX-License-Identifier: MIT
# Samples with fields of a newer kernel, or whose description has a bit too
# many, are redacted like others: what is not known of them is left out.
. "$top_srcdir/tests/lib.sh"

for more in 'tail=s:"secret!!"' ''; do
	cat >"$tmp/in" <<END
attr cycles type=0 config=0 period=1000 sample_type=IP|TID|TIME|PERIOD|PHYS_ADDR|0x4000000 flags=sample_id_all|mmap|comm ids=1
comm 8 8 "newer"
mmap pid=8 addr=0x400000 len=0x1000 pgoff=0 name="/bin/newer"
sample cycles ip=0x400010 pid=8 time=1000 period=1000 phys_addr=0x4142434445464748 $more
sample cycles ip=0x400020 pid=8 time=2000 period=1000 phys_addr=0x4142434445464748 $more
END
	"$top_builddir/tests/tools/mkperf" "$tmp/in" "$tmp/data"
	for policy in share public; do
		"$COLDPERF" redact --redact $policy -o "$tmp/out" \
			"$tmp/data" >"$tmp/said" 2>&1
		is $? 0 "$policy: written"
		"$COLDPERF" script -F time,ip "$tmp/out" >"$tmp/script" \
			2>"$tmp/err"
		is "$(grep -c ' 4000[12]0' "$tmp/script")" 2 \
			"$policy: all samples are there"
		is "$(grep -c secret "$tmp/out")" 0 \
			"$policy: fields that are not known are not"
		"$COLDPERF" flame -f folded --weight samples --no-local \
			--redact $policy "$tmp/data" >"$tmp/folded" 2>"$tmp/err"
		is "$(awk '{ n += $NF } END { print n }' "$tmp/folded")" 2 \
			"$policy: an analysis has all samples"
	done
	is "$(grep -c HGFEDCBA "$tmp/out")" 0 "public: no data address"
done
done_testing
