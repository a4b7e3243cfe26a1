/* SPDX-License-Identifier: MIT */
/*
 * Records written byte by byte, in both byte orders, say what was written;
 * with a wrong size they are not believed.
 */
#include "readers/record/decode.h"

#include "tests/readers/make.h"
#include "tests/tap.h"

static struct cp_evsels evsels;
static struct cp_diags diags;
static struct make m;
static struct cp_event ev;

static void
begin(bool swap)
{
	struct cp_attr a = { .sample_type = CP_SAMPLE_TID | CP_SAMPLE_TIME |
					    CP_SAMPLE_ID | CP_SAMPLE_CPU,
		.flags = 1u << CP_ATTR_SAMPLE_ID_ALL };

	cp_diags_init(&diags);
	cp_evsels_id(&evsels, cp_evsels_add(&evsels, &a, &diags), 100);
	cp_evsels_id(&evsels, cp_evsels_add(&evsels, &a, &diags), 200);
	m = make_new(swap);
}

static void
end(void)
{
	cp_evsels_free(&evsels);
	cp_buf_free(&m.b);
}

static void
record(uint32_t type, uint16_t misc)
{
	m.b.len = 0;
	put32(&m, type);
	put16(&m, misc);
	put16(&m, 0);
}

static void
trailer(void)
{
	put32(&m, 7);    /* pid */
	put32(&m, 8);    /* tid */
	put64(&m, 1234); /* time */
	put64(&m, 200);  /* id */
	put32(&m, 3);    /* cpu */
	put32(&m, 0);
}

static enum cp_decoded
decode(void)
{
	uint16_t size = (uint16_t)m.b.len;
	struct cp_record_head h;
	uint8_t *bytes = (uint8_t *)m.b.data;
	bool known;

	size = cp_load16(&size, m.swap);
	memcpy(bytes + 6, &size, sizeof(size));
	h = cp_head_read(bytes, m.swap);
	if (!ok(cp_head_plausible(&h, &known) && known, "type %u is known",
		h.type))
		return CP_DECODED_BAD;
	return cp_decode(&evsels, bytes, &h, m.swap, &ev);
}

/* A text and its padding to 8 bytes. */
static void
text(const char *s)
{
	put_z(&m, s);
	while (m.b.len % 8 != 0)
		put8(&m, 0);
}

static void
exact(const char *what)
{
	is_u64(decode(), CP_DECODED_EXACT, "%s is exact", what);
	is_u64(ev.evsel, 1, "%s: event by its id", what);
	ok(ev.pid == 7 && ev.tid == 8 && ev.cpu == 3 && ev.time == 1234,
	    "%s: trailer", what);
}

static void
test_mmap(void)
{
	record(CP_RECORD_MMAP, CP_LEVEL_USER);
	put32(&m, 1), put32(&m, 2);
	put64(&m, 0x1000), put64(&m, 0x2000), put64(&m, 0x3000);
	text("/bin/x");
	trailer();
	exact("MMAP");
	ok(ev.u.mmap.pid == 1 && ev.u.mmap.tid == 2 &&
		ev.u.mmap.addr == 0x1000 && ev.u.mmap.len == 0x2000 &&
		ev.u.mmap.pgoff == 0x3000 && !ev.u.mmap.v2,
	    "MMAP: numbers");
	is_str(ev.u.mmap.filename, "/bin/x", "MMAP: name");
	record(CP_RECORD_MMAP2, CP_LEVEL_USER);
	put32(&m, 1), put32(&m, 2);
	put64(&m, 0x1000), put64(&m, 0x2000), put64(&m, 0x3000);
	put32(&m, 8), put32(&m, 9), put64(&m, 10), put64(&m, 11);
	put32(&m, 5), put32(&m, 2);
	text("/bin/longer");
	trailer();
	exact("MMAP2");
	ok(ev.u.mmap.maj == 8 && ev.u.mmap.min == 9 && ev.u.mmap.ino == 10 &&
		ev.u.mmap.gen == 11 && ev.u.mmap.has_inode &&
		ev.u.mmap.prot == 5 && ev.u.mmap.flags == 2,
	    "MMAP2: numbers");
	record(CP_RECORD_MMAP2, CP_MISC_BUILD_ID | CP_LEVEL_USER);
	put32(&m, 1), put32(&m, 2);
	put64(&m, 0x1000), put64(&m, 0x2000), put64(&m, 0x3000);
	put8(&m, 16), put8(&m, 0), put16(&m, 0);
	for (uint8_t i = 0; i < 20; i++)
		put8(&m, i < 16 ? i + 1 : 0);
	put32(&m, 5), put32(&m, 2);
	text("/bin/id");
	trailer();
	exact("MMAP2 with build ID");
	ok(ev.u.mmap.build_id_size == 16 && ev.u.mmap.build_id[15] == 16 &&
		!ev.u.mmap.has_inode,
	    "MMAP2: build ID");
	m.b.data[40] = 21;
	exact("MMAP2 with an ID of 21 bytes");
	ok(ev.u.mmap.has_inode, "a build ID of 21 bytes is none");
}

/* An MMAP2 with a device and an inode, or what an ID of 20 bytes makes them. */
static void
leaked(uint32_t maj, uint32_t min, uint64_t ino, uint64_t gen)
{
	record(CP_RECORD_MMAP2, CP_MISC_BUILD_ID | CP_LEVEL_USER);
	put32(&m, 1), put32(&m, 2);
	put64(&m, 0x1000), put64(&m, 0x2000), put64(&m, 0x3000);
	put32(&m, maj), put32(&m, min), put64(&m, ino), put64(&m, gen);
	put32(&m, 5), put32(&m, 2);
	text("/bin/x");
	trailer();
	exact("MMAP2 with bit 14");
}

/* The kernel sets the bit in the records of sessions that did not ask. */
static void
test_leaked_bit(void)
{
	static const uint32_t devices[][2] = { { 254, 0 }, { 8, 1 }, { 259, 2 },
		{ 0, 38 }, { 0, 0 }, { 7, 0 }, { 9, 127 } };
	struct cp_attr *asks = &evsels.all.data[1]->attr;

	for (size_t i = 0; i < CP_ARRAY_LEN(devices); i++) {
		leaked(devices[i][0], devices[i][1], 1234, 7654321);
		ok(ev.u.mmap.has_inode && ev.u.mmap.build_id_size == 0 &&
			ev.u.mmap.maj == devices[i][0] &&
			ev.u.mmap.min == devices[i][1] &&
			ev.u.mmap.ino == 1234 && ev.u.mmap.gen == 7654321,
		    "bit 14, device %u:%u", devices[i][0], devices[i][1]);
	}
	leaked(8, 1, 1234, 0);
	ok(ev.u.mmap.has_inode, "... and no generation");
	asks->flags |= UINT64_C(1) << CP_ATTR_BUILD_ID;
	leaked(
	    m.swap ? 8u << 24 : 8, 1, m.swap ? UINT64_C(1234) << 32 : 1234, 0);
	ok(ev.u.mmap.build_id_size == 8, "an event that asks for IDs has one");
	leaked(254, 0, 1234, 7654321);
	ok(ev.u.mmap.has_inode, "... if the bytes can be one");
	asks->flags = 1u << CP_ATTR_SAMPLE_ID_ALL;
}

static void
test_tasks(void)
{
	record(CP_RECORD_COMM, CP_MISC_EXEC);
	put32(&m, 5), put32(&m, 6);
	text("a (b) c");
	trailer();
	exact("COMM");
	ok(ev.u.comm.pid == 5 && ev.u.comm.tid == 6, "COMM: numbers");
	is_str(ev.u.comm.comm, "a (b) c", "COMM: name");
	for (uint32_t type = CP_RECORD_EXIT; type <= CP_RECORD_FORK;
	     type += CP_RECORD_FORK - CP_RECORD_EXIT) {
		record(type, 0);
		put32(&m, 1), put32(&m, 2), put32(&m, 3), put32(&m, 4);
		put64(&m, 99);
		trailer();
		exact(cp_record_name(type));
		ok(ev.u.task.pid == 1 && ev.u.task.ppid == 2 &&
			ev.u.task.tid == 3 && ev.u.task.ptid == 4 &&
			ev.u.task.time == 99,
		    "%s: numbers", cp_record_name(type));
	}
	record(CP_RECORD_NAMESPACES, 0);
	put32(&m, 5), put32(&m, 6);
	put64(&m, 2);
	put64(&m, 1), put64(&m, 77), put64(&m, 1), put64(&m, 78);
	trailer();
	exact("NAMESPACES");
	ok(ev.u.ns.n == 2 && ev.u.ns.ino[0] == 77 && ev.u.ns.ino[1] == 78,
	    "NAMESPACES: numbers");
	record(CP_RECORD_SWITCH_CPU_WIDE, CP_MISC_SWITCH_OUT);
	put32(&m, 5), put32(&m, 6);
	trailer();
	exact("SWITCH_CPU_WIDE");
	ok(ev.u.sw.next_prev_pid == 5 && ev.u.sw.next_prev_tid == 6,
	    "SWITCH_CPU_WIDE: numbers");
	record(CP_RECORD_SWITCH, 0);
	trailer();
	exact("SWITCH");
	is_u64(ev.u.sw.next_prev_pid, CP_NO_ID, "SWITCH: nobody");
	record(CP_RECORD_CGROUP, 0);
	put64(&m, 42);
	text("/a/b");
	trailer();
	exact("CGROUP");
	is_u64(ev.u.cgroup.id, 42, "CGROUP: id");
	is_str(ev.u.cgroup.path, "/a/b", "CGROUP: path");
}

static void
test_lost(void)
{
	record(CP_RECORD_LOST, 0);
	put64(&m, 100), put64(&m, 17);
	trailer();
	exact("LOST");
	ok(ev.u.lost.id == 100 && ev.u.lost.lost == 17, "LOST: numbers");
	record(CP_RECORD_LOST_SAMPLES, 0);
	put64(&m, 18);
	trailer();
	exact("LOST_SAMPLES");
	ok(ev.u.lost.id == 200 && ev.u.lost.lost == 18,
	    "LOST_SAMPLES: numbers");
	record(CP_RECORD_THROTTLE, 0);
	put64(&m, 1), put64(&m, 100), put64(&m, 2);
	trailer();
	exact("THROTTLE");
	is_u64(ev.u.lost.id, 100, "THROTTLE: id");
}

static void
test_kernel(void)
{
	record(CP_RECORD_KSYMBOL, 0);
	put64(&m, 0xffff), put32(&m, 0x80), put16(&m, 1), put16(&m, 1);
	text("bpf_prog_1");
	trailer();
	exact("KSYMBOL");
	ok(ev.u.ksymbol.addr == 0xffff && ev.u.ksymbol.len == 0x80 &&
		ev.u.ksymbol.kind == 1 && ev.u.ksymbol.flags == 1,
	    "KSYMBOL: numbers");
	is_str(ev.u.ksymbol.name, "bpf_prog_1", "KSYMBOL: name");
	record(CP_RECORD_BPF_EVENT, 0);
	put64(&m, 1), put64(&m, 2);
	trailer();
	exact("BPF_EVENT");
	record(CP_RECORD_AUX, 0);
	put64(&m, 1), put64(&m, 2), put64(&m, 3);
	trailer();
	exact("AUX");
	record(CP_RECORD_ITRACE_START, 0);
	put32(&m, 1), put32(&m, 2);
	trailer();
	exact("ITRACE_START");
	record(CP_RECORD_CALLCHAIN_DEFERRED, 0);
	put64(&m, 5), put64(&m, 2), put64(&m, 0x10), put64(&m, 0x20);
	trailer();
	exact("CALLCHAIN_DEFERRED");
	ok(ev.u.deferred.cookie == 5 && ev.u.deferred.nr == 2 &&
		ev.u.deferred.ips[1] == 0x20,
	    "CALLCHAIN_DEFERRED: chain");
}

static void
test_perf(void)
{
	record(CP_RECORD_FINISHED_ROUND, 0);
	is_u64(decode(), CP_DECODED_EXACT, "FINISHED_ROUND is exact");
	record(
	    CP_RECORD_HEADER_BUILD_ID, CP_MISC_BUILD_ID_SIZE | CP_LEVEL_USER);
	put32(&m, 9);
	for (uint8_t i = 0; i < 20; i++)
		put8(&m, i);
	put8(&m, 8), put8(&m, 0), put16(&m, 0);
	put_z(&m, "/bin/y");
	put8(&m, 0);
	is_u64(decode(), CP_DECODED_EXACT, "HEADER_BUILD_ID is exact");
	ok(ev.u.build_id.pid == 9 && ev.u.build_id.size == 8 &&
		ev.u.build_id.id[19] == 19,
	    "HEADER_BUILD_ID: id");
	is_str(ev.u.build_id.filename, "/bin/y", "HEADER_BUILD_ID: name");
}

/* Whatever the size says that is not true is noticed. */
static void
test_sizes(void)
{
	static const uint8_t nothing[64];
	size_t n;

	record(CP_RECORD_FORK, 0);
	put32(&m, 1), put32(&m, 2), put32(&m, 3), put32(&m, 4);
	put64(&m, 99);
	trailer();
	n = m.b.len;
	cp_buf_add(&m.b, nothing, 8);
	is_u64(decode(), CP_DECODED_SLACK, "8 bytes too many");
	m.b.len = n - 8;
	is_u64(decode(), CP_DECODED_BAD, "8 bytes too few");
	record(CP_RECORD_COMM, 0);
	put32(&m, 5), put32(&m, 6);
	put64(&m, UINT64_C(0x4141414141414141));
	trailer();
	is_u64(decode(), CP_DECODED_BAD, "a name without an end");
	record(CP_RECORD_NAMESPACES, 0);
	put32(&m, 5), put32(&m, 6);
	put64(&m, UINT64_MAX);
	trailer();
	is_u64(decode(), CP_DECODED_BAD, "2^64 - 1 name spaces");
	record(CP_RECORD_CALLCHAIN_DEFERRED, 0);
	put64(&m, 5), put64(&m, UINT64_MAX / 8 + 2), put64(&m, 1);
	trailer();
	is_u64(decode(), CP_DECODED_BAD, "a chain whose size overflows");
}

int
main(void)
{
	for (int swap = 0; swap <= 1; swap++) {
		diag("byte order: %s", swap != 0 ? "foreign" : "native");
		begin(swap != 0);
		test_mmap();
		test_leaked_bit();
		test_tasks();
		test_lost();
		test_kernel();
		test_perf();
		test_sizes();
		end();
	}
	return done_testing();
}
