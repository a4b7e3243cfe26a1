/* SPDX-License-Identifier: MIT */
/*
 * features: header features, by number.
 *
 * The table at the end says which function reads which feature.  This file has
 * the features that are a number or a text; lists have files of their own.  It
 * does not know where payloads come from (sections of a file or HEADER_FEATURE
 * records), and does not decode event attributes.
 */
#include "readers/header/features.h"

#include <inttypes.h>
#include <time.h>

#include "base/buf.h"
#include "base/limits.h"
#include "base/strings.h"
#include "readers/header/feature-read.h"
#include "readers/rules.h"

/* --------------------------------------------------- a number or a text */

/* field: where the text is kept; NULL: only as a fact. */
static void
text_fact(struct cp_fx *x, const char **field, const char *key)
{
	const char *s = cp_fx_text(x);

	if (x->b.failed)
		return;
	if (field != NULL)
		*field = s;
	cp_fx_fact(x, key, "%s", s);
}

/* `repair' writes an empty name if perf needs one; an empty name means none. */
static void
fx_hostname(struct cp_fx *x)
{
	const char *s = cp_fx_text(x);

	if (x->b.failed || s[0] == '\0')
		return;
	x->info->hostname = s;
	cp_fx_fact(x, "hostname", "%s", s);
}

static void
fx_os_release(struct cp_fx *x)
{
	text_fact(x, &x->info->os_release, "os-release");
}

static void
fx_version(struct cp_fx *x)
{
	text_fact(x, NULL, "perf-version");
}

static void
fx_arch(struct cp_fx *x)
{
	text_fact(x, &x->info->arch, "arch");
}

static void
fx_cpu_desc(struct cp_fx *x)
{
	text_fact(x, NULL, "cpu");
}

static void
fx_cpuid(struct cp_fx *x)
{
	text_fact(x, NULL, "cpuid");
}

static void
fx_nr_cpus(struct cp_fx *x)
{
	uint32_t avail = cp_bytes_u32(&x->b);
	uint32_t online = cp_bytes_u32(&x->b);

	if (x->b.failed)
		return;
	if (avail == 0) /* hiperf writes 0 for this */
		avail = online;
	if (avail > CP_MAX_CPUS || online > avail) {
		cp_fx_bad(x, "impossible number of CPUs");
		return;
	}
	x->info->nr_cpus_avail = avail;
	cp_fx_fact(x, "cpus-available", "%" PRIu32, avail);
	cp_fx_fact(x, "cpus-online", "%" PRIu32, online);
}

static void
fx_total_mem(struct cp_fx *x)
{
	uint64_t kb = cp_bytes_u64(&x->b);

	if (x->b.failed)
		return;
	cp_fx_fact(x, "memory", "%" PRIu64 " kB", kb);
}

/* Quotes s if a shell would not read it as one word. */
static void
add_quoted(struct cp_buf *b, const char *s)
{
	static const char plain[] =
	    "abcdefghijklmnopqrstuvwxyz"
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-";

	if (*s != '\0' && s[strspn(s, plain)] == '\0') {
		cp_buf_str(b, s);
		return;
	}
	cp_buf_char(b, '\'');
	for (; *s != '\0'; s++) {
		if (*s == '\'')
			cp_buf_str(b, "'\\'");
		cp_buf_char(b, *s);
	}
	cp_buf_char(b, '\'');
}

/* Quotes the words from the first on; a program without its folder. */
static const char *
quoted(struct cp_fx *x, const struct cp_strlist *l, uint32_t first,
    struct cp_buf *b)
{
	cp_buf_reset(b);
	add_quoted(b, first == 0 ? l->item[0] : cp_basename(l->item[first]));
	for (uint32_t i = first + 1; i < l->n; i++) {
		cp_buf_char(b, ' ');
		add_quoted(b, l->item[i]);
	}
	return cp_info_text(x->info, cp_buf_text(b), b->len);
}

static void
list_cmdline(struct cp_fx *x)
{
	struct cp_strlist l = cp_fx_list(x, CP_MAX_STRINGS);
	uint32_t first = cp_workload_of(&l, &x->info->scope);
	struct cp_buf b;

	if (l.n == 0)
		return;
	cp_buf_init(&b, CP_MAX_CMDLINE);
	x->info->cmdline = l;
	x->info->cmdline_text = quoted(x, &l, 0, &b);
	cp_fx_fact(x, "command", "%s", x->info->cmdline_text);
	if (b.full)
		cp_diag(x->diags, CP_D_LIMIT, "command line: its text is cut");
	if (first < l.n)
		x->info->workload = quoted(x, &l, first, &b);
	cp_buf_free(&b);
}

/*
 * hiperf writes a text here.  It starts with its length, where perf has a
 * count.
 */
static bool
is_text(const struct cp_fx *x)
{
	size_t left = cp_bytes_left(&x->b);

	return left > 4 && cp_load32(x->b.at, x->b.swap) == left - 4;
}

static void
fx_cmdline(struct cp_fx *x)
{
	if (is_text(x))
		text_fact(x, &x->info->cmdline_text, "command");
	else
		list_cmdline(x);
}

static void
fx_branch_stack(struct cp_fx *x)
{
	cp_fx_fact(x, "branch-stacks", "yes");
}

static void
fx_stat(struct cp_fx *x)
{
	cp_fx_fact(x, "perf-stat", "yes");
}

static void
fx_dir_format(struct cp_fx *x)
{
	uint64_t version = cp_bytes_u64(&x->b);

	if (x->b.failed)
		return;
	cp_fx_fact(x, "directory-format", "%" PRIu64, version);
}

static void
fx_e_machine(struct cp_fx *x)
{
	uint32_t machine = cp_bytes_u32(&x->b);
	uint32_t flags = cp_bytes_u32(&x->b);

	if (x->b.failed)
		return;
	if (machine > UINT16_MAX) {
		cp_fx_bad(x, "impossible ELF machine");
		return;
	}
	x->info->e_machine = (uint16_t)machine;
	cp_fx_fact(x, "elf-machine", "%" PRIu32, machine);
	cp_fx_fact(x, "elf-flags", "0x%" PRIx32, flags);
}

static void
fx_cln_size(struct cp_fx *x)
{
	uint32_t size = cp_bytes_u32(&x->b);

	if (x->b.failed)
		return;
	cp_fx_fact(x, "cache-line", "%" PRIu32, size);
}

static void
fx_tracing_data(struct cp_fx *x)
{
	cp_fx_fact(x, "tracing-data", "%zu byte%s", cp_bytes_left(&x->b),
	    cp_s(cp_bytes_left(&x->b)));
}

/* ----------------------------------------------------- times and storage */

static void
time_fact(struct cp_fx *x, const char *key, uint64_t ns)
{
	cp_fx_fact(
	    x, key, "%" PRIu64 ".%09" PRIu64, ns / 1000000000, ns % 1000000000);
}

static void
fx_sample_time(struct cp_fx *x)
{
	uint64_t first = cp_bytes_u64(&x->b);
	uint64_t last = cp_bytes_u64(&x->b);

	if (x->b.failed)
		return;
	/* perf writes two zeros if there was no sample. */
	if (first > last || last == 0)
		return;
	x->info->first_time = first;
	x->info->last_time = last;
	time_fact(x, "first-sample", first);
	time_fact(x, "last-sample", last);
}

static void
fx_clockid(struct cp_fx *x)
{
	uint64_t res = cp_bytes_u64(&x->b);

	if (x->b.failed)
		return;
	cp_fx_fact(x, "clock-resolution", "%" PRIu64 " ns", res);
}

static const char *
clock_name(uint32_t id)
{
	static const char *const names[] = {
		[0] = "CLOCK_REALTIME",
		[1] = "CLOCK_MONOTONIC",
		[2] = "CLOCK_PROCESS_CPUTIME_ID",
		[3] = "CLOCK_THREAD_CPUTIME_ID",
		[4] = "CLOCK_MONOTONIC_RAW",
		[5] = "CLOCK_REALTIME_COARSE",
		[6] = "CLOCK_MONOTONIC_COARSE",
		[7] = "CLOCK_BOOTTIME",
		[11] = "CLOCK_TAI",
	};

	return id < CP_ARRAY_LEN(names) && names[id] != NULL ? names[id]
							     : "unknown";
}

static void
fx_clock_data(struct cp_fx *x)
{
	struct cp_clock *c = &x->info->clock;
	uint32_t version = cp_bytes_u32(&x->b);
	uint32_t id = cp_bytes_u32(&x->b);
	uint64_t tod = cp_bytes_u64(&x->b);
	uint64_t clock = cp_bytes_u64(&x->b);
	time_t seconds = (time_t)(tod / 1000000000);
	char text[32] = "";
	struct tm tm;

	if (x->b.failed)
		return;
	if (version != 1) {
		cp_fx_bad(x, "version is not 1");
		return;
	}
	c->has_data = true;
	c->clockid = id;
	c->tod_ns = tod;
	c->clockid_ns = clock;
	cp_fx_fact(x, "clock", "%s (%" PRIu32 ")", clock_name(id), id);
	time_fact(x, "clock-reference", clock);
	if (gmtime_r(&seconds, &tm) != NULL)
		strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S", &tm);
	cp_fx_fact(x, "wall-clock-reference", "%s.%09" PRIu64 "Z", text,
	    tod % 1000000000);
}

static void
fx_compressed(struct cp_fx *x)
{
	uint32_t type, level, ratio;

	cp_bytes_take(&x->b, 4); /* version */
	type = cp_bytes_u32(&x->b);
	level = cp_bytes_u32(&x->b);
	ratio = cp_bytes_u32(&x->b);
	cp_bytes_take(&x->b, 4);      /* length of perf's buffer */
	if (x->b.failed || type == 0) /* perf stat writes it for nothing */
		return;
	x->info->compressed = true;
	cp_fx_fact(x, "compression",
	    "%s (%" PRIu32 "), level %" PRIu32 ", ratio %" PRIu32,
	    type == 1 ? "zstd" : "unknown", type, level, ratio);
}

static void
fx_auxtrace(struct cp_fx *x)
{
	size_t left = cp_bytes_left(&x->b);
	uint64_t n;

	/* simpleperf writes no count before the entries. */
	n = left % 16 == 0 ? left / 16 : cp_bytes_u64(&x->b);
	n = cp_fx_fit(x, n, 16, CP_MAX_ITEMS);
	for (uint64_t i = 0; i < n; i++) {
		struct cp_aux_index *a = cp_vec_push(&x->info->aux);

		a->offset = cp_bytes_u64(&x->b);
		a->size = cp_bytes_u64(&x->b);
	}
	cp_fx_fact(x, "aux-records", "%" PRIu64, n);
}

/* ------------------------------------------------------------- dispatch */

struct feature {
	const char *name;
	const char *group;
	cp_fx_read read;
};

static const struct feature table[] = {
	[1] = { "tracing-data", "file", fx_tracing_data },
	[2] = { "build-ids", "file", cp_fx_build_ids },
	[3] = { "hostname", "host", fx_hostname },
	[4] = { "os-release", "host", fx_os_release },
	[5] = { "perf-version", "recording", fx_version },
	[6] = { "arch", "host", fx_arch },
	[7] = { "cpu-count", "host", fx_nr_cpus },
	[8] = { "cpu-description", "host", fx_cpu_desc },
	[9] = { "cpuid", "host", fx_cpuid },
	[10] = { "total-memory", "host", fx_total_mem },
	[11] = { "command-line", "recording", fx_cmdline },
	[12] = { "event-descriptions", "event", cp_fx_event_desc },
	[13] = { "cpu-topology", "host", cp_fx_cpu_topology },
	[14] = { "numa-topology", "host", cp_fx_numa },
	[15] = { "branch-stack", "recording", fx_branch_stack },
	[16] = { "pmu-mappings", "host", cp_fx_pmu_mappings },
	[17] = { "group-descriptions", "event", cp_fx_group_desc },
	[18] = { "auxtrace", "file", fx_auxtrace },
	[19] = { "stat", "recording", fx_stat },
	[20] = { "caches", "host", cp_fx_cache },
	[21] = { "sample-time", "recording", fx_sample_time },
	[22] = { "memory-topology", "host", cp_fx_mem_topology },
	[23] = { "clock-id", "recording", fx_clockid },
	[24] = { "directory-format", "file", fx_dir_format },
	[25] = { "bpf-programs", "file", cp_fx_bpf_progs },
	[26] = { "bpf-btf", "file", cp_fx_bpf_btf },
	[27] = { "compressed", "file", fx_compressed },
	[28] = { "cpu-pmu-capabilities", "host", cp_fx_cpu_pmu_caps },
	[29] = { "clock-data", "recording", fx_clock_data },
	[30] = { "hybrid-topology", "host", cp_fx_hybrid },
	[31] = { "pmu-capabilities", "host", cp_fx_pmu_caps },
	[32] = { "cpu-domains", "host", cp_fx_cpu_domains },
	[33] = { "elf-machine", "host", fx_e_machine },
	[34] = { "cache-line-size", "host", fx_cln_size },
	/* simpleperf */
	[128] = { "simpleperf-file", "file", cp_fx_sp_file },
	[129] = { "simpleperf-meta-info", "simpleperf", cp_fx_sp_meta },
	[130] = { "simpleperf-debug-unwind", "file", NULL },
	[131] = { "simpleperf-debug-unwind-file", "file", NULL },
	[132] = { "simpleperf-file2", "file", cp_fx_sp_file2 },
	[133] = { "simpleperf-etm-branch-list", "file", NULL },
};

const char *
cp_feature_name(uint32_t bit)
{
	return bit < CP_ARRAY_LEN(table) ? table[bit].name : NULL;
}

/* Ignores a second payload of the same feature: the two may contradict. */
static bool
seen_before(struct cp_info *in, uint32_t bit)
{
	uint64_t mask = UINT64_C(1) << (bit % 64);
	bool before = (in->seen[bit / 64] & mask) != 0;

	in->seen[bit / 64] |= mask;
	return before;
}

void
cp_feature_read(struct cp_info *info, uint32_t bit, struct cp_bytes payload,
    struct cp_diags *diags)
{
	struct cp_fx x = {
		.info = info, .diags = diags, .b = payload, .bit = bit
	};
	size_t first = info->facts.len;

	if (cp_feature_name(bit) == NULL) {
		cp_diag(diags, CP_D_UNKNOWN_FEATURE,
		    "feature %" PRIu32 ", %zu byte%s", bit,
		    cp_bytes_left(&payload), cp_s(cp_bytes_left(&payload)));
		return;
	}
	x.name = table[bit].name;
	x.group = table[bit].group;
	if (seen_before(info, bit))
		cp_fx_bad(&x, "given twice, the first is used");
	else if (table[bit].read != NULL)
		table[bit].read(&x);
	else
		cp_fx_fact(&x, table[bit].name, "%zu byte%s",
		    cp_bytes_left(&payload), cp_s(cp_bytes_left(&payload)));
	if (x.b.failed)
		cp_fx_bad(&x, "it ends too early");
	if (x.bad != NULL)
		cp_found(diags, CP_R_FEATURE, diags->at_offset, "%s: %s",
		    table[bit].name, x.bad);
	if (info->facts.len >= CP_MAX_FACTS && first < CP_MAX_FACTS)
		cp_diag(diags, CP_D_LIMIT, "%s: at most %u facts are kept",
		    table[bit].name, CP_MAX_FACTS);
	cp_info_place_facts(info, first);
}
