# SPDX-License-Identifier: MIT
"""Captures, as texts for mkperf, with a secret in each place for a text.

A secret is "Zq", two digits, "Leak", so that a part of it is found, too.
"""

class Plant:
    """Gives secrets, and notes what each is."""

    def __init__(self):
        self.places = {}

    def __call__(self, what, rule):
        n = len(self.places) + 10
        self.places["Zq%02dLeak" % n] = (what, rule)
        return "Zq%02dLeak" % n


def header(s):
    return """
feature hostname "{host}"
feature osrelease "6.1.0-{rel}"
feature version "6.1.{ver}"
feature arch "x86_64"
feature nrcpus 2
feature cpudesc "Cpu {cpu}"
feature cpuid "{cpuid}"
feature total_mem 1000
feature cmdline perf record --password={arg} -o /home/{user0}/x.data ./{prog}
feature pmu_mappings 8 {pmu}
feature group_desc {group} 0 1
feature cache 1 1 64 8 8 "{ctype}" "32K" "{cmap}"
feature mem_topology items=s:"{memtop}",n:7
feature bpf_prog_info items=s:"{bpfinfo}"
feature bpf_btf items=s:"{btf}"
feature cpu_pmu_caps {cap} {capval}
feature hybrid_topology {hyb} 0-1
feature 200 s:"{unknown}"
build_id 1122334455667788990011223344556677889900 "/home/{user1}/{bidfile}"
build_id 2122334455667788990011223344556677889900 "[kernel.kallsyms]"
""".format(
        host=s("hostname", "host"), rel=s("os release", "system"),
        ver=s("version of perf", "system"), cpu=s("cpudesc", "system"),
        cpuid=s("cpuid", "system"), arg=s("an option's value", "share"),
        user0=s("a user in the command line", "share"),
        prog=s("the program in the command line", "share"),
        pmu=s("name of a PMU", "event"), group=s("name of a group", "event"),
        ctype=s("type of a cache", "system"), cmap=s("cache map", "system"),
        memtop=s("memory topology", "system"),
        bpfinfo=s("BPF programs", "share"), btf=s("BTF", "share"),
        cap=s("capability", "system"), capval=s("its value", "system"),
        hyb=s("hybrid PMU", "system"), unknown=s("unknown feature", "share"),
        user1=s("a user in a build ID's path", "share"),
        bidfile=s("file of a build ID", "path"))


def sideband(s):
    return """
comm 20 20 "{comm}" time=1000
comm 20 21 "{thread}" time=1001
fork 22 20 22 20 time=1002
mmap pid=-1 tid=0 addr=0xffffffff81000000 len=0x1000000 pgoff=0xffffffff81000000 \\
	name="[kernel.kallsyms]_text" time=900 misc=1
mmap pid=-1 tid=0 addr=0xffffffffc0000000 len=0x10000 pgoff=0 \\
	name="/lib/modules/6.1.0-{modrel}/extra/{module}.ko" time=901 misc=1
mmap2 pid=20 addr=0x400000 len=0x10000 pgoff=0 maj=8 min=1 ino=5 \\
	name="/home/{user}/bin/{prog}" time=1003
mmap2 pid=20 addr=0x500000 len=0x10000 pgoff=0 maj=8 min=1 ino=6 \\
	name="/srv/{dir}/lib{lib}.so.1 (deleted)" time=1004
mmap2 pid=20 addr=0x600000 len=0x10000 pgoff=0 maj=8 min=1 ino=7 \\
	name="/memfd:{memfd} (deleted)" time=1005
mmap2 pid=20 addr=0x700000 len=0x10000 pgoff=0 name="//anon" time=1006
mmap2 pid=20 addr=0x720000 len=0x1000 pgoff=0 name="[anon:{anon}]" time=1006
mmap2 pid=20 addr=0x7f0000000000 len=0x1000 pgoff=0 maj=8 min=1 ino=9 \\
	name="/Users/{mac}/Library/x.dylib" time=1007
mmap2_build_id pid=20 addr=0x800000 len=0x10000 pgoff=0 \\
	id=3122334455667788990011223344556677889900 \\
	name="/home/{user}/opt/{bidlib}.so" time=1008
cgroup 77 "/machine.slice/{cgroup}" time=1009
ksymbol addr=0xffffffffc0100000 len=100 name="bpf_prog_{ksym}" time=1010
bpf_event bpf_type=1 id=7 tag={tag} time=1011
text_poke addr=0xffffffff81000100 old={poke} new={poke} time=1012
namespaces 20 20 time=1013
raw 65 0 u8:1,c64:"{evtype}"
raw 73 0 u8:1,u8:20,c16:"{tmap}"
raw 84 0 c512:"{meta}",u8:1,c64:"{metak}",c256:"{metav}"
raw 4000 0 z:"{rawrec}",a:8
raw 70 0 u4:1,u4:0,s:"{auxinfo}"
raw 72 0 u4:1,u4:1,u4:0,u4:20,u4:20,u4:0,u8:0,u8:0,c64:"{auxerr}",u4:0,u4:0
event_update_unit id=1 unit="{unit}"
""".format(
        comm=s("comm", "comm"), thread=s("name of a thread", "comm"),
        modrel=s("release in a module's path", "path"),
        module=s("module", "path"), user=s("a user in a path", "share"),
        prog=s("program", "path"), dir=s("a folder", "path"),
        lib=s("library", "path"), memfd=s("memfd", "path"),
        anon=s("named anonymous memory", "path"),
        mac=s("a user below /Users", "share"),
        bidlib=s("library with a build ID", "path"),
        cgroup=s("cgroup", "share"), ksym=s("BPF symbol", "symbol"),
        tag=s("BPF tag", "share").encode().hex(),
        poke=s("poked text", "share").encode().hex(),
        evtype=s("event type", "share"), tmap=s("thread map", "share"),
        meta=s("BPF metadata", "share"), metak=s("its key", "share"),
        metav=s("its value", "share"), rawrec=s("unknown record", "share"),
        auxinfo=s("AUXTRACE info", "share"),
        auxerr=s("AUXTRACE error", "share"), unit=s("unit", "share"))


def fp(s):
    return """
attr cycles type=0 config=0 period=1000 ids=1 flags=sample_id_all|mmap|comm \\
	sample_type=IP|TID|TIME|CALLCHAIN|IDENTIFIER|PERIOD|ADDR|CGROUP|REGS_INTR|RAW \\
	sample_regs_intr=0x3
attr other/name={ev}/ type=4 config=0x1c2 period=1000 ids=2 \\
	flags=sample_id_all \\
	sample_type=IP|TID|TIME|CALLCHAIN|IDENTIFIER|PERIOD|ADDR|CGROUP|REGS_INTR|RAW \\
	sample_regs_intr=0x3
""".format(ev=s("name of an event", "event")) + header(s) + sideband(s) + """
repeat 20 as i {{
sample cycles ip=0x400100+i pid=20 tid=20+i%2 time=2000+i*10 cgroup=77 \\
	chain=user,0x400100+i,0x500200,0x700010,0x800020 addr=0x700000 \\
	regs_intr=2,0x{reg},5 raw=z:"{raw}"
sample other/name={ev}/ ip=0xffffffffc0000010 pid=20 time=2005+i*10 cgroup=77 \\
	chain=kernel,0xffffffffc0000010,0xffffffff81000200,user,0x400100
}}
""".format(reg=s("a register", "share").encode()[::-1].hex(),
           raw=s("raw data of no tracepoint", "share"),
           ev=[k for k, v in s.places.items() if v[0] == "name of an event"][0])


def dwarf(s):
    return """
attr cpu-clock type=1 config=0 period=1000 ids=1 flags=sample_id_all|mmap|comm \\
	sample_type=IP|TID|TIME|CALLCHAIN|IDENTIFIER|PERIOD|REGS_USER|STACK_USER \\
	sample_regs_user=0x1c0 sample_stack_user=512
""" + header(s) + sideband(s) + """
repeat 10 as i {{
sample cpu-clock ip=0x400100+i pid=20 time=2000+i*10 chain=user,0x400100+i \\
	regs_user=2,0x7ffe00000010,0x7ffe00000000,0x{reg} \\
	stack=n:16,z:"PASSWORD={env}",z:"{word}",n:40,u8:0x500100,z:"{more}" \\
	stack_size=512 stack_dyn=256
}}
sample cpu-clock ip=0x900100 pid=99 time=3000 chain=user,0x900100 \\
	regs_user=2,1,2,3 stack=z:"{lone}" stack_size=512 stack_dyn=64
""".format(reg=s("a user's register", "share").encode()[::-1].hex(),
           env=s("environment in a stack", "share"),
           word=s("text in a stack", "share"), more=s("more of it", "share"),
           lone=s("stack that nothing unwinds", "share"))


COMMON = """	field:unsigned short common_type;	offset:0;	size:2;	signed:0;
	field:unsigned char common_flags;	offset:2;	size:1;	signed:0;
	field:unsigned char common_preempt_count;	offset:3;	size:1;	signed:0;
	field:int common_pid;	offset:4;	size:4;	signed:1;

"""


def tracepoints(s):
    probe = s("name of a probe", "event")
    return ("""
attr sched:sched_switch type=2 config=316 period=1 ids=1 \\
	flags=sample_id_all|mmap|comm \\
	sample_type=IP|TID|TIME|CPU|PERIOD|RAW|IDENTIFIER
attr probe_app:%s type=2 config=900 period=1 ids=2 flags=sample_id_all \\
	sample_type=IP|TID|TIME|CPU|PERIOD|RAW|IDENTIFIER
tracing cmdlines="20 {saved}\\n" kallsyms="ffffffff81000000 T {ksyms}\\n" \\
	printk="0xffffffff82000000 : \\"{printk}\\"\\n"
""" % probe).format(saved=s("saved comm", "share"),
                    ksyms=s("kallsyms in tracing data", "share"),
                    printk=s("printk format", "share")) + """
format sched <<END
name: sched_switch
ID: 316
format:
""" + COMMON + """	field:char prev_comm[16];	offset:8;	size:16;	signed:0;
	field:pid_t prev_pid;	offset:24;	size:4;	signed:1;
	field:int prev_prio;	offset:28;	size:4;	signed:1;
	field:long prev_state;	offset:32;	size:8;	signed:1;
	field:char next_comm[16];	offset:40;	size:16;	signed:0;
	field:pid_t next_pid;	offset:56;	size:4;	signed:1;
	field:int next_prio;	offset:60;	size:4;	signed:1;

print fmt: "prev_comm=%s", REC->prev_comm
END
format probe_app <<END
name: {probe}
ID: 900
format:
""".format(probe=probe) + COMMON + """\
	field:__data_loc char[] path;	offset:8;	size:4;	signed:0;
	field:u64 {field};	offset:16;	size:8;	signed:0;
	field:char fixed[16];	offset:24;	size:16;	signed:0;

print fmt: "{fmt} %s", __get_str(path)
END
format {unused} <<END
name: {unused2}
ID: 901
format:
""".format(field=s("field of a probe", "event"),
           fmt=s("print format of a probe", "event"),
           unused=s("system that no event has", "share"),
           unused2=s("event that was not recorded", "share")) + COMMON + """
print fmt: ""
END
""" + header(s) + sideband(s) + """
repeat 10 as i {{
sample sched:sched_switch ip=0xffffffff81000300 pid=20 time=2000+i*20 cpu=0 \\
	raw=u2:316,u1:0,u1:0,u4:20,c16:"{prev}",u4:20,u4:120,u8:1,c16:"{next}",u4:0,u4:120
sample sched:sched_switch ip=0xffffffff81000300 pid=0 time=2010+i*20 cpu=0 \\
	raw=u2:316,u1:0,u1:0,u4:0,c16:"{next}",u4:0,u4:120,u8:0,c16:"{prev}",u4:20,u4:120
sample probe_app:{probe} ip=0x400100 pid=20 time=2015+i*20 cpu=0 \\
	raw=u2:900,u1:0,u1:0,u4:20,u4:0x00090028,u4:0,s:"{num}",c16:"{fixed}",z:"{text}",z:"{tail}"
}}
""".format(prev=s("prev_comm", "comm"), next=s("next_comm", "comm"),
           probe=probe, num=s("number of a payload", "share"),
           fixed=s("array of a payload", "share"),
           text=s("text of a payload", "share"),
           tail=s("what follows the payload", "share"))


def jit(s):
    """Its perf map is written by the test: see leak.t."""
    return fp(s)


KINDS = {"fp": fp, "dwarf": dwarf, "tracepoints": tracepoints, "jit": jit}
