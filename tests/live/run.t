#!/bin/sh
# SPDX-License-Identifier: MIT
# run: a server with a regression of 40 % goes through the examples for GitHub
# and GitLab as they stand: the gate fails, Markdown, JUnit and the trend say so.
# shellcheck source=tests/lib.sh
. "$top_srcdir/tests/lib.sh"
command -v perf >/dev/null || skip_all "perf is not installed"
perf record -q -e cpu-clock -o "$tmp/probe" true >/dev/null 2>&1 ||
	skip_all "perf cannot record here"
ci=$(cd "$top_srcdir/contrib/ci" && pwd)
PATH=$(cd "$(dirname "$COLDPERF")" && pwd):$PATH
export PATH
cat >"$tmp/server.c" <<'END'
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
static volatile unsigned sum;
__attribute__((noinline)) static void parse(unsigned n)
{
	while (n--)
		sum += n;
}
__attribute__((noinline)) static void handle(unsigned n)
{
	while (n--)
		sum ^= n;
}
/* A client asks, the server answers. */
int main(void)
{
	int s[2], n = 1200;
	char c = 0;

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, s) != 0)
		return 1;
	if (fork() == 0) {
		close(s[0]);
		while (n-- && write(s[1], "x", 1) == 1 && read(s[1], &c, 1) == 1)
			;
		_exit(0);
	}
	close(s[1]);
	while (read(s[0], &c, 1) == 1) {
		parse(100000);
		handle(WORK);
		if (write(s[0], &c, 1) != 1)
			break;
	}
	wait(NULL);
	return 0;
}
END
cd "$tmp" || exit 99
# The whole is 40 % dearer by handle alone.
for work in 100000 180000; do
	gcc -O1 -g -fno-omit-frame-pointer -DWORK=$work -o "server-$work" server.c ||
		skip_all "no gcc"
done

# The lines of an example, as its runner takes them.
sed -n '/run: |/,/^      - uses/p' "$ci/github.yml" |
	sed '1d;$d;s/^          //' >github.sh
sed -n '/^  script:/,/^  artifacts:/p' "$ci/gitlab.yml" |
	sed '1d;$d;s/^    - //;s/^"\(.*\)"$/\1/' >gitlab.sh
git init -q . >/dev/null 2>&1
COMMAND=./bench LIMIT=10% RUNS=2
export COMMAND LIMIT RUNS

# push NAME SCRIPT WORK: what a runner does with a commit
push() {
	cp "server-$3" bench
	git add bench github.sh >/dev/null 2>&1
	git -c user.name=a -c user.email=a@b commit -qm "$1" >/dev/null 2>&1
	bash -e "./$2" >"said.$1" 2>&1
}
push first github.sh 100000
is $? 0 "a baseline" || diag "$(tail -n 5 said.first)"
push second github.sh 180000
is $? 1 "GitHub's example: the gate fails" || diag "$(tail -n 5 said.second)"
grep -q '^| failed |' speed.md && grep -q 'handle' speed.md
ok $? "Markdown says why" || diag "$(cat speed.md)"
python3 - <<'END'
import sys
import xml.etree.ElementTree as tree
root = tree.parse("speed.junit.xml").getroot()
failure = root.find("testsuite/testcase/failure")
sys.exit(root.get("failures") != "1" or "%" not in failure.get("message"))
END
ok $? "JUnit has a failure" || diag "$(cat speed.junit.xml)"
coldperf run diff --fail-over 10% >again.txt 2>/dev/null
is $? 1 "twice the same verdict"
coldperf run trend handle >trend
is "$(grep -c '<- changed' trend)" 1 "the trend has one change" ||
	diag "$(cat trend)"
is "$(sed -n '4p' trend | grep -c changed)" 1 "... at the first run of it" ||
	diag "$(cat trend)"
coldperf run trend -f svg handle >trend.svg && python3 -c '
import xml.etree.ElementTree as t
assert len(t.parse("trend.svg").findall(".//{*}circle")) == 4'
ok $? "and as a picture"
RUNS=1
push third gitlab.sh 180000
is $? 1 "GitLab's example: the gate fails" || diag "$(tail -n 5 said.third)"
grep -q 'failures="1"' speed.junit.xml
ok $? "... with JUnit"

last=$(ls -d runs/[0-9]*/ | tail -n 1)
ls "$last" | tr '\n' ' ' >files
is "$(cat files)" "capture.tar.zst diff.json diff.junit.xml diff.md diff.txt \
flame.svg functions.csv page.html report.json report.txt run.txt \
stacks.folded " "a run is plain files"
coldperf run add runs/*/capture.tar.zst --label x=y >/dev/null 2>&1
is $? 2 "add takes one"
coldperf run add "${last}capture.tar.zst" >/dev/null 2>&1
is $? 0 "a bundle is added"
coldperf run list | tail -n 1 | grep -q capture.tar.zst
ok $? "... and listed"
coldperf run show LAST | grep -q '^command: capture.tar.zst'
ok $? "... and shown"
coldperf run prune --keep 1 && coldperf run list >list
is "$(wc -l <list | tr -d ' ')" 3 "prune keeps the last and the baseline" ||
	diag "$(cat list)"
coldperf run diff LAST nothing >/dev/null 2>said
is $? 2 "a run that is not there"

coldperf run capture --output none -- sh -c nosuchcommand >said 2>&1
is "$? $(echo none/2*)" "2 none/2*" "what did not start is no run" ||
	diag "$(cat said)"

# What is no run of ours stays: links, others' files, all if the baseline is bad.
make_run() {
	mkdir -p "p/$1"
	printf 'time: t\ncapture: capture.data\n' >"p/$1/run.txt"
	: >"p/$1/capture.data"
}
for id in 20200101-000000 20200102-000000 20200103-000000; do
	make_run $id
done
mv p/20200101-000000 outside && ln -s ../outside p/20200101-000000
: >p/20200102-000000/mine.c
make_run notes
for second in 0 1 2 3 4 5 6 7 8 9; do
	id=$(date -u -d "+$second seconds" +%Y%m%d-%H%M%S 2>/dev/null)
	make_run "../next/${id:-20200101-000000}c"
done
coldperf run add --output next "$top_srcdir/corpus/good-fp/perf.data" >said 2>&1
case $(tail -n 1 said) in
next/*d) is d d "an ID is not used twice" ;;
*) [ -z "$id" ]
	ok $? "an ID is not used twice" || diag "$(cat said)" ;;
esac
mkdir p/20200101-000009 && head -c 999 /dev/urandom >p/20200101-000009/run.txt
echo ../../outside >p/baseline
coldperf run prune --output p --keep 1 >/dev/null 2>&1
is "$? $(ls p/20200102-000000 | wc -l | tr -d ' ')" "2 3" "a bad baseline"
printf '\n 20200103-000000 \n\n' >p/baseline
coldperf run prune --output p --keep 1 2>said
is "$? $(ls p/20200102-000000)" "5 mine.c" "others' files stay"
grep -q "20200102-000000: files that" said
ok $? "... and prune says so"
is "$(cat outside/* p/notes/run.txt | grep -c '^capture')" 2 "links are no runs"
is "$(wc -l <p/index.tsv | tr -d ' ')" 2 "bytes are no run"
: >file
coldperf run list --output file >/dev/null 2>&1
is $? 5 "a file is no folder of runs"
last=$(ls -d runs/[0-9]*/ | tail -n 1)
echo victim >victim && rm -f "${last}diff.md" && ln -s ../../victim "${last}diff.md"
coldperf run diff >/dev/null 2>&1
is "$(cat victim)" victim "diff writes through no link"
test -f "${last}diff.md" && ! test -L "${last}diff.md" &&
	! ls -d "${last}".new-* >/dev/null 2>&1
ok $? "... and takes its place"
done_testing
