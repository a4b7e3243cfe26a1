/* SPDX-License-Identifier: MIT */
/*
 * Threads, exec, fork, reused pids, and that an answer about an address
 * changes when, and only when, a mapping changed it.
 */
#include "model/session.h"

#include "tests/tap.h"

static struct cp_recording rec;
static struct cp_quality quality;
static struct cp_diags diags;
static struct cp_session session;

static void
begin(void)
{
	struct cp_attr a = { .sample_type = CP_SAMPLE_IP | CP_SAMPLE_TID };

	cp_diags_init(&diags);
	cp_info_init(&rec.info);
	memset(&quality, 0, sizeof(quality));
	cp_evsels_add(&rec.evsels, &a, &diags);
	cp_session_init(&session, &rec, &quality, &diags);
}

static void
end(void)
{
	cp_session_free(&session);
	cp_recording_free(&rec);
}

static void
apply(struct cp_event *ev)
{
	struct cp_queued q = {
		.type16 = (uint16_t)ev->type, .misc = ev->misc, .event = ev
	};
	struct cp_sample s;
	uint32_t cursor = 0;

	if (cp_session_apply(&session, &q, &cursor, &s) != 0)
		printf("# a sample of none\n");
}

static void
do_mmap(
    uint32_t pid, uint64_t addr, uint64_t len, uint64_t pgoff, const char *name)
{
	struct cp_event ev = { .type = CP_RECORD_MMAP2,
		.misc = CP_LEVEL_USER,
		.u.mmap = { .pid = pid,
		    .tid = pid,
		    .addr = addr,
		    .len = len,
		    .pgoff = pgoff,
		    .prot = 5,
		    .v2 = true,
		    .filename = name } };

	if (pid == CP_NO_ID)
		ev.misc = CP_LEVEL_KERNEL;
	apply(&ev);
}

static void
do_comm(uint32_t pid, uint32_t tid, const char *name, bool exec)
{
	struct cp_event ev = { .type = CP_RECORD_COMM,
		.misc = exec ? CP_MISC_EXEC : 0,
		.u.comm = { pid, tid, name } };

	apply(&ev);
}

static void
do_fork(
    uint32_t pid, uint32_t tid, uint32_t ppid, uint32_t ptid, bool synthesized)
{
	struct cp_event ev = { .type = CP_RECORD_FORK,
		.misc = synthesized ? CP_MISC_SYNTH_FORK : 0,
		.u.task = {
		    .pid = pid, .ppid = ppid, .tid = tid, .ptid = ptid } };

	apply(&ev);
}

static struct cp_sample last;

/* "object+address" of a sample's innermost frame; "none" without object. */
static const char *
where_level(uint32_t pid, uint32_t tid, uint64_t ip, enum cp_level level)
{
	static char text[128];
	struct cp_queued q = { .type16 = CP_RECORD_SAMPLE,
		.misc = (uint16_t)level,
		.pid = pid,
		.tid = tid,
		.ip = ip,
		.time = CP_NO_TIME };
	const struct cp_frame *f;
	const struct cp_dso_info *d;
	uint32_t cursor = 0;

	q.chain = cp_chains_single(&session.chains, level, ip);
	if (cp_session_apply(&session, &q, &cursor, &last) != 1)
		return "no sample";
	f = &session.stacks.frames
		 .data[session.stacks.nodes.data[last.stack].frame];
	d = cp_dsos_at(&session.dsos, f->dso);
	if (d == NULL)
		return "none";
	snprintf(text, sizeof(text), "%s+%" PRIx64,
	    cp_strings_get(&session.strings, d->pub.name), f->addr);
	return text;
}

static const char *
where(uint32_t pid, uint64_t ip)
{
	return where_level(pid, pid, ip, CP_LEVEL_USER);
}

static const char *
comm(void)
{
	return cp_strings_get(&session.strings, last.comm);
}

static void
test_answers(void)
{
	cp_stack_id before;

	begin();
	is_str(where(7, 0x1234), "none", "nothing is mapped");
	do_mmap(7, 0x1000, 0x1000, 0x400, "/a");
	is_str(where(7, 0x1234), "/a+634", "mapped since");
	before = last.stack;
	do_mmap(7, 0x5000, 0x1000, 0, "/b");
	is_str(where(7, 0x1234), "/a+634", "a neighbour changes nothing");
	is_u64(last.stack, before, "the stack is the same");
	is_str(where(7, 0x5010), "/b+10", "the neighbour");
	do_mmap(7, 0x1000, 0x1000, 0x400, "/c");
	is_str(where(7, 0x1234), "/c+634", "mapped over");
	is_str(where(8, 0x1234), "none", "in this process only");
	do_mmap(7, 0x1200, 0x100, 0, "/d");
	is_str(where(7, 0x1234), "/d+34", "partly mapped over");
	is_str(where(7, 0x1334), "/c+734", "the rest stays");
	is_str(where(7, 0x2000), "none", "the end is outside");
	do_mmap(7, UINT64_MAX - 0xfff, 0x2000, 0, "/wrap");
	is_str(where(7, UINT64_MAX - 1), "none", "no mapping wraps around");
	end();
}

static void
test_kernel(void)
{
	begin();
	is_str(where_level(7, 7, 0xffff0010, CP_LEVEL_KERNEL), "none",
	    "no kernel yet");
	do_mmap(
	    CP_NO_ID, 0xffff0000, 0x1000, 0xffff0000, "[kernel.kallsyms]_text");
	is_str(where_level(7, 7, 0xffff0010, CP_LEVEL_KERNEL),
	    "[kernel.kallsyms]+ffff0010", "kernel addresses stay");
	do_mmap(CP_NO_ID, 0xf0000000, 0x1000, 0, "/lib/snd-hda.ko.xz");
	is_str(where_level(7, 7, 0xf0000010, CP_LEVEL_KERNEL), "[snd_hda]+10",
	    "a module's are its own");
	is_str(where(7, 0xf0000010), "none", "and not the user's");
	is_str(where_level(7, 7, 0xf0000010, CP_LEVEL_HYPERVISOR), "none",
	    "nor the hypervisor's");
	end();
}

static void
test_exec(void)
{
	begin();
	do_comm(7, 7, "sh", false);
	do_mmap(7, 0x1000, 0x1000, 0, "/sh");
	is_str(where(7, 0x1010), "/sh+10", "the old image");
	is_str(comm(), "sh", "its name");
	do_comm(7, 7, "ls", true);
	is_str(
	    where(7, 0x1010), "/sh+10", "is there until the new one has run");
	is_str(comm(), "ls", "the name changes at once");
	do_mmap(7, 0x4000, 0x1000, 0, "/ls");
	is_str(where(7, 0x4010), "/ls+10", "the new image");
	is_str(where(7, 0x1010), "none", "the old one is gone");
	do_comm(7, 7, "renamed", false);
	is_str(where(7, 0x4010), "/ls+10", "a new name is no exec");
	end();
}

static void
test_fork(void)
{
	begin();
	do_comm(7, 7, "parent", false);
	do_mmap(7, 0x1000, 0x1000, 0, "/a");
	do_fork(8, 8, 7, 7, false);
	is_str(where(8, 0x1010), "/a+10", "a child has the parent's mappings");
	is_str(comm(), "parent", "and its name");
	do_mmap(8, 0x1000, 0x1000, 0, "/b");
	is_str(where(8, 0x1010), "/b+10", "then its own");
	is_str(where(7, 0x1010), "/a+10", "the parent keeps its");
	do_mmap(7, 0x2000, 0x1000, 0, "/c");
	is_str(where(8, 0x2010), "none", "and what it maps is its own");
	do_fork(7, 9, 7, 7, false);
	is_str(where_level(7, 9, 0x2010, CP_LEVEL_USER), "/c+10",
	    "a thread shares");
	do_fork(10, 10, 7, 7, true);
	is_str(where(10, 0x1010), "none", "a synthesized fork copies nothing");
	do_mmap(11, 0x1000, 0x1000, 0, "/e");
	do_fork(11, 11, 7, 7, true);
	is_str(where(11, 0x1010), "/e+10", "nor does it wipe");
	do_fork(13, 13, 12, 12, false);
	is_str(where(13, 0x1010), "none", "a child of one never heard of");
	is_str(comm(), ":13", "is known by its own number, not its parent's");
	end();
}

static void
test_reuse(void)
{
	begin();
	do_comm(7, 7, "seven", false);
	do_comm(8, 8, "eight", false);
	do_mmap(8, 0x1000, 0x1000, 0, "/old");
	is_str(where(8, 0x1010), "/old+10", "the first of that pid");
	do_fork(8, 8, 7, 7, false);
	is_str(where(8, 0x1010), "none", "a fork makes another of it");
	is_str(comm(), "seven", "with another name");
	is_str(where(99, 0x1010), "none", "a thread nobody announced");
	is_str(comm(), ":99", "is called by its number");
	is_str(where(0, 0x1010), "none", "the idle task");
	is_str(comm(), "swapper", "has a name");
	is_str(where(CP_NO_ID, 0x1010), "none", "a sample of nobody");
	is_str(comm(), ":-1", "is nobody's");
	end();
}

int
main(void)
{
	test_answers();
	test_kernel();
	test_exec();
	test_fork();
	test_reuse();
	return done_testing();
}
