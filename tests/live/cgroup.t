#!/bin/sh
# SPDX-License-Identifier: MIT
# --by cgroup and --cgroup on a capture of control groups: the samples of each
# are those that perf report counts.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/live/live.sh"

live_begin
live_record "$tmp/probe" -e cpu-clock --all-cgroups true ||
	skip_all "this kernel does not record control groups"

# Two groups of our own, where we may make some.
root=$(sed -n 's/^[^ ]* \([^ ]*\) cgroup2 .*/\1/p' /proc/mounts | head -n 1)
one=$root/coldperf-test-$$-one two=$root/coldperf-test-$$-two
gone() {
	rmdir "$one" "$two" 2>/dev/null
	rm -rf "$tmp"
}
trap gone EXIT
if [ -n "$root" ] && mkdir "$one" "$two" 2>/dev/null &&
	(echo 0 >"$one/cgroup.procs") 2>/dev/null; then
	groups=2
else
	groups=0 one='' two=''
	skip "no control groups can be made here: as they are"
fi
cat >"$tmp/work" <<'EOF'
#!/bin/sh
# run GROUP SECONDS: a child that moves there and works.
run() {
	(
		[ -z "$1" ] || echo 0 >"$1/cgroup.procs"
		exec "$known" shares "$2"
	)
}
run "$1" 0.3
run "$2" 0.15
EOF
known=$tmp/known
export known
live_record "$tmp/data" -e cpu-clock:u -F 999 --all-cgroups sh "$tmp/work" \
	"$one" "$two" || skip_all "nothing could be recorded"

# plain: what has no path has no name in perf, and our word for that.
plain() {
	awk '{ n[$2 ~ "^/" ? $2 : "-"] += $1 }
		END { for (g in n) print n[g], g }' | LC_ALL=C sort
}
perf report --stdio -F sample,cgroup -i "$tmp/data" 2>/dev/null |
	awk '!/^#/ && NF == 2 { print $1, $2 }' | plain >"$tmp/theirs"
"$COLDPERF" hotspots --by cgroup -f csv "$tmp/data" 2>"$tmp/err" \
	>"$tmp/csv"
python3 - "$tmp/csv" <<'EOF' | plain >"$tmp/ours"
import csv, sys
for row in csv.DictReader(open(sys.argv[1])):
    print(row["samples"], row["cgroup"])
EOF
[ -s "$tmp/theirs" ] || skip_all "this perf does not report control groups"
same "$tmp/ours" "$tmp/theirs" "the samples of each group are as in perf report"
if [ $groups -eq 2 ]; then
	for group in "${one##*/}" "${two##*/}"; do
		grep -q "/$group\$" "$tmp/ours"
		ok $? "/$group is among them"
		want=$(sed -n "s|^\([0-9]*\) .*/$group\$|\1|p" "$tmp/theirs")
		path=$(sed -n "s|^[0-9]* \(.*/$group\)\$|\1|p" "$tmp/theirs")
		is "$("$COLDPERF" script -F comm,ip --cgroup "$path" \
			"$tmp/data" 2>/dev/null | grep -c .)" "$want" \
			"--cgroup $path keeps its samples only"
	done
fi
done_testing
