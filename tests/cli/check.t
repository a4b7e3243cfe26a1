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

check -f csv --section check --sample 5 --symbols "$fp/symbols" \
	"$fp/perf.data"
asked=$(sed -n 's/^names,\([0-9]*\),.*/\1/p' "$tmp/out")
[ "${asked:-0}" -ge 1 ] && [ "$asked" -le 5 ]
ok $? "--sample asks for fewer: $asked"
check -f json --all --symbols "$fp/symbols" "$fp/perf.data"
status=$?
python3 -c 'import json, sys; json.load(open(sys.argv[1]))' "$tmp/out"
ok $? "json, status $status"
done_testing
