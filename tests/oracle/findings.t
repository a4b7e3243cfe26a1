#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Each number in the sentences of `report' is counted again from what perf
# script and perf report --stats print.  The other sentences are counted by
# tests/analyses/overview.t, with captures whose numbers are known.
import collections
import os
import re
import sys
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
sys.path.insert(0, os.environ["top_srcdir"] + "/tests/oracle")
import oracle
import tap

SHARE = r"([\d.]+) %"
PART = SHARE + r" of (?P<event>.+) \(([\d.]+)–([\d.]+) %\)"
HEAD = re.compile(r"^\s*(?P<comm>\S.*?)\s+(?P<pid>-?\d+)/(?P<tid>-?\d+)\s+"
                  r"(?P<misc>\S+)\s+(?P<period>\d+)\s+(?P<event>\S+?):\s+"
                  r"(?P<ip>[0-9a-f]+)(?: (?P<sym>.*))?$")
BUSY = """
attr cycles type=0 period=1000 flags=sample_id_all|comm \
    sample_type=IP|TID|TIME|ID|CPU|PERIOD ids=1
comm 20 20 perf
comm 10 10 app
repeat 400 as i {
sample ip=0x1000 pid=10 time=i*1000000+1000 cpu=i%2 period=1000
}
repeat 300 as i {
sample ip=0x2000 pid=20 time=i*1000000+2000 cpu=i%2 period=2000+i
}
repeat 900 as i {
sample ip=0xffffffff81000000 misc=1 pid=10 tid=11 time=i*1000000+3000 cpu=1 \
    period=1500
}
repeat 7 as i {
sample ip=0xffffffff81000000 misc=1 pid=0 time=i*1000000+4000 cpu=0 period=900
}
lost id=1 lost=200 time=1000000000
lost id=1 lost=100 time=1000000001
lost_samples lost=100 time=1000000002
repeat 40 as i {
throttle time=i*1000000+5000 id=1
}
"""
ONE = """
attr cycles type=0 period=1000 flags=sample_id_all|comm \
    sample_type=IP|TID|TIME|ID|CPU|PERIOD ids=1
comm 10 10 one
repeat 2000 as i {
sample ip=0x1000 pid=10 time=i*1000000+1000 cpu=i%2 period=1000
}
repeat 60 as i {
sample ip=0x1000 pid=10 tid=11 time=i*1000000+2000 cpu=1 period=1000
}
lost_samples lost=1000 time=1000000000
"""
HOT = """
attr cycles type=0 period=1000 sample_type=IP|TID|TIME|PERIOD \
    flags=sample_id_all|comm|ksymbol|bpf_event
mmap pid=-1 tid=0 addr=0xffffffff81000000 len=0x1000000 \
    pgoff=0xffffffff81000000 misc=1 name="[kernel.kallsyms]_text"
comm 10 10 app
ksymbol addr=0xffffffffc0001000 len=0x200 name="bpf_prog_aa_hot" time=100
repeat 500 as i {
sample ip=0xffffffffc0001010+i%64 misc=1 pid=10 time=i*1000000+1000 \
    period=1000+i
sample ip=0x1000 pid=10 time=i*1000000+2000 period=700
}
"""


def made():
    for name, text in ("busy", BUSY), ("one-thread", ONE), \
            ("hot", HOT):
        yield "made " + name, oracle.made(name, text)


def samples(path, event):
    """The samples of the event, and whether all lines were understood."""
    out = oracle.run(["perf", "script", "-G", "-F",
                      "comm,pid,tid,misc,event,period,ip,sym", "-i", path])[1]
    found = [HEAD.match(line) for line in out.splitlines() if line.strip()]
    return [m for m in found if m and m["event"] == event], all(found)


def part_of(about, sentence):
    """Whether a sample counts, for shares of an event."""
    if about == "hot function" and " of it in " not in sentence:
        name = sentence[:sentence.index(" took ")]
        return lambda m: re.sub(r"\+0x[0-9a-f]+$", "", m["sym"] or "") == name
    if about == "recorder":
        return lambda m: m["comm"] == "perf"
    if about == "kernel":
        return lambda m: m["misc"] == "K" and m["pid"] not in ("0", "-1")
    return None


def check_part(name, path, about, sentence, seen):
    said = re.search(PART, sentence)
    rule = part_of(about, sentence)
    if said is None or rule is None:
        return
    rows, whole = samples(path, said["event"])
    if not whole or not rows:
        tap.skip("%s, %s: perf has no lines of %s" %
                 (name, about, said["event"]))
        return
    mine = sum(int(m["period"]) for m in rows if rule(m))
    want = 100 * mine / max(1, sum(int(m["period"]) for m in rows))
    share, low, high = (float(said[i]) for i in (1, 3, 4))
    tap.ok(abs(share - want) <= 0.51 and low <= share <= high,
           "%s, %s: %g %%" % (name, about, share),
           "counted: %.2f; %s" % (want, sentence))
    seen[about] += 1


def check_thread(name, path, sentence, seen):
    said = re.search(r"of (\d+), (.*) \((\d+)\), did ([\d.]+) %", sentence)
    rows, whole = samples(path, "cycles")
    by = collections.Counter()
    for m in rows:
        by[m["tid"]] += int(m["period"])
    want = 100 * by[said[3]] / max(1, sum(by.values()))
    comms = {m["comm"] for m in rows if m["tid"] == said[3]}
    tap.ok(whole and int(said[1]) == len(by.keys() - {"0"}) and said[2] in comms and
           abs(float(said[4]) - want) <= 0.51,
           "%s, one thread: %s %%" % (name, said[4]),
           "counted: %.2f of %d; %s" % (want, len(by), sentence))
    seen["one thread"] += 1


def stats(path):
    out = oracle.run(["perf", "report", "--stats", "-i", path])[1]
    aggregated = out.split(" stats:")[1] if " stats:" in out else ""
    return {m[1]: int(m[2]) for m in
            re.finditer(r"(\w+) events:\s+(\d+)", aggregated)}


def check_lost(name, path, sentence, seen):
    said = re.match(SHARE + " of the (samples|records)", sentence)
    out = oracle.run(["perf", "report", "-D", "-i", path])[1]
    records = said[2] == "records"
    lost = sum(int(n) for n in re.findall(
        r": id:\d+: lost:(\d+)" if records else r": lost samples :(\d+)",
        out))
    there = stats(path).get("TOTAL" if records else "SAMPLE", 0)
    want = 100 * lost / max(1, lost + there)
    tap.ok(abs(float(said[1]) - want) <= 1.01,
           "%s, lost: %s %% of the %s" % (name, said[1], said[2]),
           "counted: %.2f (%d and %d); %s" % (want, lost, there, sentence))
    seen["lost"] += 1


def check_throttled(name, path, sentence, seen):
    said = int(re.search(r"([\d,]+) times", sentence)[1].replace(",", ""))
    want = stats(path).get("THROTTLE")
    # Pauses that are no longer than the samples' interval are left out.
    right = said <= want if " in all" in sentence else said == want
    tap.ok(right, "%s, throttled: %d times" % (name, said),
           "counted: %s" % want)
    seen["throttled"] += 1


def check_branches(name, path, sentence, seen):
    said = re.match(SHARE, sentence)
    out = oracle.run(["perf", "script", "-F", "brstack", "-i", path])[1]
    flags = collections.Counter(re.findall(r"0x[0-9a-f]+/([MP])/", out))
    want = 100 * flags["M"] / max(1, sum(flags.values()))
    tap.ok(abs(float(said[1]) - want) <= 0.051,
           "%s, branches: %s %%" % (name, said[1]),
           "counted: %.3f; %s" % (want, sentence))
    seen["branches"] += 1


CHECKS = {"one thread": check_thread, "lost": check_lost,
          "throttled": check_throttled, "branches": check_branches}


PARTS = ("hot function", "recorder", "kernel")


def main():
    oracle.need_perf()
    seen = collections.Counter()
    for name, path in [*made(), *oracle.all_captures()]:
        for about, sentence in oracle.findings(path)[1]:
            if about not in (*PARTS, *CHECKS):
                continue
            refused = oracle.refused(*oracle.run(
                ["perf", "script", "-F", "ip", "-i", path])[::2])
            if refused:
                tap.skip("%s, %s: %s" % (name, about, refused))
            elif about in CHECKS:
                CHECKS[about](name, path, sentence, seen)
            else:
                check_part(name, path, about, sentence, seen)
    for about in (*PARTS, *CHECKS):
        tap.ok(seen[about] > 0, "%s: was counted" % about, dict(seen))
    tap.done()


main()
