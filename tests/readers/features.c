/* SPDX-License-Identifier: MIT */
/*
 * Header features: what perf cannot write here (other byte order, old and
 * new layouts, BPF, simpleperf) and what damage costs.
 */
#include "readers/header/features.h"
#include "tests/readers/make.h"
#include "tests/tap.h"

static struct cp_info info;
static struct cp_diags diags;

/* Reads the payload into a fresh info, and gives it back to the heap. */
static void
feed_more(struct make *m, uint32_t bit)
{
	/* A copy of exactly the size: a sanitizer sees the first byte over. */
	uint8_t *p = cp_xmalloc(m->b.len);

	if (m->b.len != 0)
		memcpy(p, m->b.data, m->b.len);
	cp_feature_read(&info, bit, cp_bytes_of(p, m->b.len, m->swap), &diags);
	free(p);
	cp_buf_free(&m->b);
}

static void
feed(struct make *m, uint32_t bit)
{
	cp_info_free(&info);
	cp_diags_init(&diags);
	feed_more(m, bit);
}

static uint64_t
bad(void)
{
	return diags.count[CP_D_BAD_FEATURE];
}

static const char *
fact(const char *key)
{
	for (size_t i = 0; i < info.facts.len; i++)
		if (strcmp(info.facts.data[i].key, key) == 0)
			return info.facts.data[i].value;
	return NULL;
}

static void
test_texts(bool swap)
{
	struct make m = make_new(swap);

	put_text(&m, "a-host");
	feed(&m, CP_FEATURE_HOSTNAME);
	is_str(info.hostname, "a-host", "hostname, swap %d", swap);
	is_str(fact("hostname"), "a-host", "... is a fact");

	m = make_new(swap);
	put_text(&m, "");
	feed_more(&m, 9);
	is_str(fact("cpuid"), "", "an empty text is not a missing one");

	m = make_new(swap);
	put32(&m, 64);
	put_z(&m, "cut");
	feed_more(&m, 4);
	is_str(info.os_release, NULL, "a text that is cut is not given");
	is_u64(bad(), 1, "... and is damage");

	m = make_new(swap);
	put_text(&m, "hiperf record -s fp");
	feed(&m, 11);
	is_str(info.cmdline_text, "hiperf record -s fp",
	    "a command line that is a text, swap %d", swap);
	is_u64(bad(), 0, "... is no damage");

	m = make_new(swap);
	put32(&m, 0);
	put32(&m, 4);
	feed(&m, 7);
	is_u64(info.nr_cpus_avail, 4, "CPUs online alone, swap %d", swap);
	is_u64(bad(), 0, "... are no damage");
}

static void
test_numbers(bool swap)
{
	struct make m = make_new(swap);

	put32(&m, 8);
	put32(&m, 6);
	feed(&m, 7);
	is_u64(info.nr_cpus_avail, 8, "CPUs available, swap %d", swap);
	is_str(fact("cpus-online"), "6", "CPUs online");

	m = make_new(swap);
	put64(&m, 16299868);
	feed_more(&m, 10);
	is_str(fact("memory"), "16299868 kB", "memory in kB");

	m = make_new(swap);
	put32(&m, 4);
	put32(&m, 5);
	feed(&m, 7);
	is_u64(bad(), 1, "more CPUs online than there are: damage");
	is_u64(info.nr_cpus_avail, 0, "... none of it is believed");
}

static void
test_cmdline(void)
{
	static const char *const argv[] = { "/usr/bin/perf", "record", "--",
		"sh", "-c", "echo \"a  b\" 'c'", "" };
	struct make m = make_new(false);

	put32(&m, CP_ARRAY_LEN(argv));
	for (size_t i = 0; i < CP_ARRAY_LEN(argv); i++)
		put_text(&m, argv[i]);
	feed(&m, 11);
	is_u64(info.cmdline.n, CP_ARRAY_LEN(argv), "arguments are counted");
	is_str(info.cmdline.item[5], argv[5], "... and kept as they are");
	is_str(info.cmdline_text,
	    "/usr/bin/perf record -- sh -c "
	    "'echo \"a  b\" '\\''c'\\''' ''",
	    "quoted for a shell");

	m = make_new(false);
	put32(&m, 0xffffffff);
	put_text(&m, "perf");
	put_text(&m, "record");
	feed(&m, 11);
	is_u64(info.cmdline.n, 2, "a count too large: what is there is read");
	is_u64(bad(), 1, "... and is damage");
}

/* The words after perf's own options. */
static void
test_workload(void)
{
	static const struct {
		const char *line, *workload;
	} rows[] = {
		{ "perf record -eall -F 99 -g -o x /opt/app run", "app run" },
		{ "/lib/perf_6.1 sched record --synth=no -k 1 a -e", "a -e" },
		{ "perf record -gF99 -Iax -S -z --freq 9 --cou 4 --bpf -- -x",
		    "-x" },
		{ "perf record -gF 99 --switch-events --pfm-events a app",
		    "app" },
		{ "perf record -a -F 99", NULL },
		{ "perf record -gaF 99 -- sleep 10", NULL },
		{ "perf record -p", NULL },
		{ "perf record --pid=8 sleep 10", NULL },
		{ "perf record --", NULL },
		{ "perf script app", NULL },
		{ "simpleperf record app", NULL },
	};

	for (size_t i = 0; i < CP_ARRAY_LEN(rows); i++) {
		struct make m = make_new(false);
		char line[100], *rest = line, *word;
		uint32_t n = 1;

		snprintf(line, sizeof(line), "%s", rows[i].line);
		for (const char *c = line; *c != '\0'; c++)
			n += *c == ' ';
		put32(&m, n);
		while ((word = strsep(&rest, " ")) != NULL)
			put_text(&m, word);
		feed(&m, 11);
		is_str(info.workload != NULL ? info.workload : "none",
		    rows[i].workload != NULL ? rows[i].workload : "none", "%s",
		    rows[i].line);
	}
}

static void
put_event(struct make *m, const char *name, uint32_t n_ids)
{
	put32(m, 2); /* type, the rest of 72 bytes does not matter */
	for (unsigned i = 4; i < 72; i += 4)
		put32(m, i);
	put32(m, n_ids);
	put_text(m, name);
	for (uint32_t i = 0; i < n_ids; i++)
		put64(m, 100 + i);
}

static void
test_event_desc(bool swap)
{
	struct make m = make_new(swap);

	put32(&m, 2);
	put32(&m, 72);
	put_event(&m, "cycles:u", 3);
	put_event(&m, "dummy:HG", 0);
	feed(&m, CP_FEATURE_EVENT_DESC);
	is_u64(bad(), 0, "event descriptions, swap %d", swap);
	if (!is_u64(info.events.len, 2, "two events"))
		return;
	is_str(info.events.data[0].name, "cycles:u", "its name");
	is_u64(info.events.data[0].n_ids, 3, "its ids");
	is_u64(info.events.data[0].ids[2], 102, "the last id");
	is_u64(info.events.data[0].attr_size, 72, "size of the attribute");
	is_u64(cp_load32(info.events.data[0].attr, swap), 2,
	    "the attribute is as the writer wrote it");
	ok(info.events.data[0].swap == swap, "... and says in which order");
	is_u64(info.events.data[1].n_ids, 0, "no ids is legal");
}

static void
test_event_desc_damage(void)
{
	struct make m = make_new(false);

	put32(&m, 2);
	put32(&m, 72);
	put_event(&m, "cycles", 1);
	put_event(&m, "instructions", 2);
	m.b.len -= 8;
	feed(&m, CP_FEATURE_EVENT_DESC);
	is_u64(info.events.len, 2, "ids cut: the event is kept");
	is_u64(info.events.data[1].n_ids, 1, "... with the ids there are");
	is_u64(bad(), 1, "... and is damage");

	m = make_new(false);
	put32(&m, 1);
	put32(&m, 1 << 20);
	feed(&m, CP_FEATURE_EVENT_DESC);
	is_u64(info.events.len, 0, "an attribute of 1 MiB is not believed");
	is_u64(bad(), 1, "... and is damage");
}

static void
put_build_id(struct make *m, uint16_t misc, bool pid, unsigned bytes,
    uint8_t size, const char *name)
{
	put32(m, 0);
	put16(m, misc);
	put16(m, (uint16_t)((pid ? 36 : 32) + strlen(name) + 1));
	if (pid)
		put32(m, 0xffffffff);
	for (unsigned i = 0; i < 20; i++)
		put8(m, i < bytes ? (uint8_t)(0xa0 + i) : 0);
	put8(m, size);
	put8(m, 0);
	put16(m, 0);
	put_z(m, name);
}

static void
test_build_ids(bool swap)
{
	struct make m = make_new(swap);

	put_build_id(&m, 0x8001, true, 20, 20, "[kernel.kallsyms]");
	put_build_id(&m, 0x8002, true, 8, 8, "/bin/go");
	put_build_id(&m, 0x0002, true, 16, 0, "/bin/md5");
	put_build_id(&m, 0x0002, true, 0, 0, "/bin/none");
	put_build_id(&m, 0x8002, true, 20, 21, "/bin/lie");
	put_build_id(&m, 0x8002, true, 20, 20, "/bin/last");
	feed(&m, CP_FEATURE_BUILD_ID);
	is_u64(bad(), 1, "a size over 20 is damage, swap %d", swap);
	if (!is_u64(info.build_ids.len, 5, "the other five entries are read"))
		return;
	is_u64(info.build_ids.data[0].pid, CP_NO_ID, "pid of the host");
	is_u64(info.build_ids.data[0].cpumode, 1, "kernel");
	is_u64(info.build_ids.data[0].id[19], 0xb3, "the last byte");
	is_u64(info.build_ids.data[1].size, 8, "a short ID says its size");
	is_u64(info.build_ids.data[2].size, 16, "zeros at the end are cut");
	ok(!info.build_ids.data[2].size_known, "... but are not known to be");
	is_u64(info.build_ids.data[3].size, 0, "no ID at all");
	is_str(
	    info.build_ids.data[4].filename, "/bin/last", "... after it, too");
	is_str(info.build_ids.data[2].filename, "/bin/md5", "file name");
}

static void
test_build_ids_odd(void)
{
	struct make m = make_new(false);

	/* No pid: 20 bytes at 8, 4 bytes of padding, name at 32. */
	put_build_id(&m, 1, false, 20, 0, "[kernel.kallsyms]");
	put_build_id(&m, 2, false, 20, 0, "/lib/libc.so");
	feed(&m, CP_FEATURE_BUILD_ID);
	is_u64(info.build_ids.len, 2, "the form of 2.6.33 without pid");
	is_u64(info.build_ids.data[1].id[0], 0xa0, "... ID at its place");
	is_str(info.build_ids.data[1].filename, "/lib/libc.so", "... name too");

	m = make_new(false);
	put_build_id(&m, 0x8002, true, 20, 20, "/bin/a");
	put_build_id(&m, 0x8002, true, 20, 20, "/bin/b");
	m.b.data[36 + 7 + 6] = 3; /* size of the second */
	m.b.data[36 + 7 + 7] = 0;
	feed(&m, CP_FEATURE_BUILD_ID);
	is_u64(info.build_ids.len, 1, "a damaged entry ends the table");
	is_u64(bad(), 1, "... and is damage");
}

static void
test_clock(void)
{
	struct make m = make_new(true);
	uint64_t ns = 0;

	cp_info_free(&info);
	ok(!cp_info_wall_clock(&info, 5, &ns), "no clock, no wall clock");
	put32(&m, 1);
	put32(&m, 1);
	put64(&m, UINT64_C(1700000000000000000));
	put64(&m, 5000);
	feed(&m, 29);
	ok(cp_info_wall_clock(&info, 5001, &ns), "wall clock");
	is_u64(ns, UINT64_C(1700000000000000001), "... after the reference");
	ok(cp_info_wall_clock(&info, 4000, &ns), "... and before it");
	is_u64(ns, UINT64_C(1699999999999999000), "... by as much");
	is_str(fact("wall-clock-reference"), "2023-11-14T22:13:20.000000000Z",
	    "as text");
	info.clock.tod_ns = UINT64_MAX;
	ok(!cp_info_wall_clock(&info, 6000, &ns), "no overflow");
}

static void
test_topology(void)
{
	struct make m = make_new(false);

	put32(&m, 2);
	put32(&m, 2);
	feed(&m, 7);
	m = make_new(false);
	put32(&m, 1);
	put_text(&m, "0-1");
	put32(&m, 1);
	put_text(&m, "0-1");
	for (uint32_t cpu = 0; cpu < 2; cpu++) {
		put32(&m, cpu);
		put32(&m, 7);
	}
	feed_more(&m, 13);
	is_u64(bad(), 0, "topology without dies (perf 4)");
	is_u64(info.cpus.len, 2, "places of two CPUs");
	is_u64(info.cpus.data[1].core, 1, "core");
	is_u64(info.cpus.data[1].socket, 7, "socket");
	is_u64(info.cpus.data[1].die, CP_NO_ID, "no die");
}

static void
test_new_features(void)
{
	struct make m = make_new(true);

	put32(&m, 62);
	put32(&m, 0);
	feed(&m, 33);
	is_u64(info.e_machine, 62, "ELF machine (perf 7)");
	m = make_new(false);
	put32(&m, 17);
	put32(&m, 1);
	put32(&m, 0);
	put32(&m, 1);
	put32(&m, 0);
	put_text(&m, "MC");
	put_text(&m, "3");
	put_text(&m, "0-1");
	feed_more(&m, 32);
	is_str(fact("sched-domain"), "cpu 0, domain 0 MC: cpus 0-1",
	    "scheduling domains (perf 7)");
	m = make_new(false);
	put32(&m, 1);
	put32(&m, 1);
	put_text(&m, "branches");
	put_text(&m, "32");
	put_text(&m, "cpu_core");
	feed_more(&m, 31);
	is_str(fact("pmu-capability"), "cpu_core: branches = 32",
	    "capabilities of a PMU, its name last");
	is_str(info.facts.data[0].key, "pmu-capability",
	    "facts are in the order of the features");
	is_u64(bad(), 0, "nothing is damaged");
}

static void
test_unknown(void)
{
	struct make m = make_new(false);

	put64(&m, 1);
	feed(&m, 77);
	is_u64(diags.count[CP_D_UNKNOWN_FEATURE], 1, "an unknown feature");
	m = make_new(false);
	put64(&m, 1);
	feed_more(&m, 0xfffffffe);
	is_u64(diags.count[CP_D_UNKNOWN_FEATURE], 2, "... far away");
	is_u64(bad(), 0, "... is no damage");

	m = make_new(false);
	put_text(&m, "one");
	feed(&m, CP_FEATURE_HOSTNAME);
	m = make_new(false);
	put_text(&m, "two");
	feed_more(&m, CP_FEATURE_HOSTNAME);
	is_str(info.hostname, "one", "the first of two answers holds");
	is_u64(bad(), 1, "... the second is damage");
}

/* ------------------------------------------------------------------ BPF */

static void
put_bpf(struct make *m, uint32_t n_ksyms, uint64_t ksyms_at)
{
	size_t start;

	put32(m, 200); /* of the info */
	put32(m, 8 * n_ksyms + 4 * n_ksyms);
	put64(m, 1 << 3 | 1 << 4);
	start = m->b.len;
	put32(m, 1);  /* type */
	put32(m, 42); /* id */
	for (unsigned i = 0; i < 8; i++)
		put8(m, (uint8_t)(i + 1));
	while (m->b.len < start + 64)
		put8(m, 0);
	put_z(m, "filter");
	while (m->b.len < start + 104)
		put8(m, 0);
	put32(m, n_ksyms);
	put32(m, n_ksyms);
	put64(m, ksyms_at);
	put64(m, 8 * n_ksyms);
	while (m->b.len < start + 200)
		put8(m, 0);
	for (uint32_t i = 0; i < n_ksyms; i++)
		put64(m, UINT64_C(0xffffffffc0000000) + 0x1000 * i);
	for (uint32_t i = 0; i < n_ksyms; i++)
		put32(m, 0x100 + i);
}

static void
test_bpf(bool swap)
{
	struct make m = make_new(swap);

	put32(&m, 2);
	put_bpf(&m, 2, 0);
	put_bpf(&m, 1, UINT64_C(0xfffffffffffffff8));
	feed(&m, 25);
	is_u64(bad(), 0, "BPF programs, swap %d", swap);
	if (!is_u64(info.bpf_progs.len, 2, "two programs"))
		return;
	is_u64(info.bpf_progs.data[0].id, 42, "id");
	is_str(info.bpf_progs.data[0].name, "filter", "name");
	is_u64(info.bpf_progs.data[0].tag[7], 8, "tag");
	is_u64(info.bpf_progs.data[0].n_ksyms, 2, "compiled parts");
	is_u64(info.bpf_progs.data[0].ksyms[1].addr,
	    UINT64_C(0xffffffffc0001000), "address");
	is_u64(info.bpf_progs.data[0].ksyms[1].len, 0x101, "length");
	is_u64(info.bpf_progs.data[1].n_ksyms, 0,
	    "an array outside of the data is not read");
	is_str(fact("bpf-program"), "42: filter, tag 0102030405060708, 2 parts",
	    "fact");
}

/* The struct of an older kernel ends before the arrays, or between them. */
static void
test_bpf_short(void)
{
	static const uint32_t sizes[] = { 16, 79, 80, 112, 127, 128, 184, 191 };

	for (size_t i = 0; i < CP_ARRAY_LEN(sizes); i++) {
		struct make m = make_new(false);

		put32(&m, 1);
		put32(&m, sizes[i]);
		put32(&m, 0);
		put64(&m, UINT64_MAX);
		put32(&m, 1);
		put32(&m, 42);
		for (uint32_t n = 8; n < sizes[i]; n++)
			put8(&m, 0);
		feed(&m, 25);
		is_u64(info.bpf_progs.len, 1,
		    "bpf_prog_info of %" PRIu32 " bytes", sizes[i]);
	}
}

/* ----------------------------------------------------------- simpleperf */

static void
test_meta(void)
{
	struct make m = make_new(false);

	put_z(&m, "simpleperf_version");
	put_z(&m, "1.build.1");
	put_z(&m, "event_type_info");
	put_z(&m, "cpu-clock,1,0\nraw/a=1,b=2/,4,18446744073709551615\nbad");
	put_z(&m, "odd");
	feed(&m, CP_FEATURE_SP_META_INFO);
	ok(info.simpleperf, "simpleperf is known by it");
	is_str(cp_info_meta(&info, "simpleperf_version"), "1.build.1", "value");
	is_str(cp_info_meta(&info, "odd"), NULL, "a key without a value");
	is_u64(info.sp_events.len, 2, "event types");
	is_str(info.sp_events.data[1].name, "raw/a=1,b=2/", "... with commas");
	is_u64(info.sp_events.data[1].type, 4, "... type");
	is_u64(info.sp_events.data[1].config, UINT64_MAX, "... config");
	is_u64(bad(), 1, "a line that is none is damage");
}

static void
test_file(void)
{
	struct make m = make_new(false), f = make_new(false);

	put_z(&f, "/lib/a.so");
	put32(&f, CP_SP_ELF);
	put64(&f, 0x1000);
	put32(&f, 1);
	put64(&f, 0x1234);
	put32(&f, 16);
	put_z(&f, "main");
	put64(&f, 0x2000);
	put32(&m, (uint32_t)f.b.len);
	cp_buf_add(&m.b, f.b.data, f.b.len);
	put32(&m, 1000);
	put_z(&m, "/lib/cut.so");
	feed(&m, 128);
	cp_buf_free(&f.b);
	if (!is_u64(info.sp_files.len, 1, "FILE: one object"))
		return;
	is_str(info.sp_files.data[0].path, "/lib/a.so", "path");
	is_u64(info.sp_files.data[0].min_vaddr, 0x1000, "lowest address");
	ok(info.sp_files.data[0].has_offset, "its file offset is there");
	is_u64(info.sp_files.data[0].offset_of_min_vaddr, 0x2000, "... value");
	is_str(info.sp_files.data[0].symbols.data[0].name, "main", "symbol");
	is_u64(bad(), 1, "an entry that is cut is damage");
}

static void
test_file2(void)
{
	static const uint8_t message[] = {
		0x0a, 4, '/', 'k', 'o', 's', /* path */
		0x10, 2,                     /* type: ELF */
		0x18, 0x80, 0xa0, 0x01,      /* min_vaddr 0x5000 */
		0x22, 9, 0x08, 0x80, 0x20, 0x10, 7, 0x1a, 2, 'f', 'n', 0x32, 3,
		0x08, 0x80, 0x10,             /* ELF offset 0x800 */
		0xf8, 0x06, 1,                /* a field of the future */
		0x71, 1, 2, 3, 4, 5, 6, 7, 8, /* and a fixed64 one */
	};
	struct make m = make_new(false);

	put32(&m, sizeof(message));
	cp_buf_add(&m.b, message, sizeof(message));
	feed(&m, 132);
	is_u64(bad(), 0, "FILE2");
	if (!is_u64(info.sp_files.len, 1, "one object"))
		return;
	is_str(info.sp_files.data[0].path, "/kos", "path");
	is_u64(info.sp_files.data[0].type, CP_SP_ELF, "type");
	is_u64(info.sp_files.data[0].min_vaddr, 0x5000, "lowest address");
	is_u64(info.sp_files.data[0].offset_of_min_vaddr, 0x800, "offset");
	is_u64(info.n_sp_symbols, 1, "one symbol");
	is_u64(info.sp_files.data[0].symbols.data[0].vaddr, 0x1000, "address");
	is_u64(info.sp_files.data[0].symbols.data[0].len, 7, "length");
	is_str(info.sp_files.data[0].symbols.data[0].name, "fn", "name");

	m = make_new(false);
	put32(&m, 4);
	cp_buf_add(&m.b, "\x0a\xff\xff\x7f", 4);
	feed(&m, 132);
	is_u64(bad(), 1, "a length beyond the message is damage");
}

/* A small payload must not become much memory. */
static void
test_multiply(void)
{
	struct make m = make_new(false);

	put32(&m, 1);
	put32(&m, 20000);
	for (unsigned i = 0; i < 20000; i++)
		put64(&m, 0);
	put32(&m, 800000);
	for (unsigned i = 0; i < 800000; i++)
		put8(&m, 'x');
	feed(&m, 31);
	is_u64(info.facts.len, 20000, "many facts of one long name");
	ok(info.arena.used < 8 << 20, "... in %zu bytes", info.arena.used);

	m = make_new(false);
	put32(&m, 3);
	for (unsigned i = 0; i < 3; i++) {
		put32(&m, 40000);
		for (unsigned k = 0; k < 40000; k++)
			put64(&m, 0);
		put32(&m, 0);
	}
	feed(&m, 31);
	is_u64(info.facts.len, 120000, "below the limit of facts");
}

static void
test_fact_limit(void)
{
	static uint8_t zeros[4 + 3 * (4 + 8 * 90000 + 4)];
	const uint32_t pmus = 3, caps = 90000;

	memcpy(zeros, &pmus, 4);
	for (size_t i = 0; i < 3; i++)
		memcpy(zeros + 4 + i * (8 + 8 * 90000), &caps, 4);
	cp_info_free(&info);
	cp_diags_init(&diags);
	cp_feature_read(
	    &info, 31, cp_bytes_of(zeros, sizeof(zeros), false), &diags);
	is_u64(info.facts.len, CP_MAX_FACTS, "facts end at the limit");
	is_u64(diags.count[CP_D_LIMIT], 1, "... and it is said");
}

/* Every feature, cut at every byte: ends, and never reads over the end. */
static void
test_cut(void)
{
	unsigned known = 0;

	for (uint32_t bit = 0; bit < CP_FEATURES; bit++) {
		if (cp_feature_name(bit) == NULL)
			continue;
		known++;
		for (unsigned n = 0; n < 80; n++) {
			struct make m = make_new(n & 1);

			for (unsigned i = 0; i < n; i++)
				put8(&m, (uint8_t)(i % 4 == 0 ? 3 : 0));
			feed(&m, bit);
		}
	}
	is_u64(known, 40, "every feature survives short payloads");
}

int
main(void)
{
	cp_info_init(&info);
	for (int swap = 0; swap < 2; swap++) {
		test_texts(swap != 0);
		test_numbers(swap != 0);
		test_event_desc(swap != 0);
		test_build_ids(swap != 0);
		test_bpf(swap != 0);
	}
	test_bpf_short();
	test_cmdline();
	test_workload();
	test_event_desc_damage();
	test_build_ids_odd();
	test_clock();
	test_topology();
	test_new_features();
	test_unknown();
	test_meta();
	test_file();
	test_file2();
	test_multiply();
	test_fact_limit();
	test_cut();
	cp_info_free(&info);
	return done_testing();
}
