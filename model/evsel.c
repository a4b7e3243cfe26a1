/* SPDX-License-Identifier: MIT */
#include "model/evsel.h"

#include <math.h>

#include "base/limits.h"

static uint32_t
trailer_size(const struct cp_attr *a)
{
	uint64_t words =
	    a->sample_type &
	    (CP_SAMPLE_TID | CP_SAMPLE_TIME | CP_SAMPLE_ID |
		CP_SAMPLE_STREAM_ID | CP_SAMPLE_CPU | CP_SAMPLE_IDENTIFIER);

	if (!cp_attr_flag(a, CP_ATTR_SAMPLE_ID_ALL))
		return 0;
	return 8 * (uint32_t)__builtin_popcountll(words);
}

enum {
	HEAD = CP_SAMPLE_IDENTIFIER | CP_SAMPLE_IP | CP_SAMPLE_TID |
	       CP_SAMPLE_TIME | CP_SAMPLE_ADDR | CP_SAMPLE_ID |
	       CP_SAMPLE_STREAM_ID | CP_SAMPLE_CPU | CP_SAMPLE_PERIOD
};

/* Index of the word with the id in a SAMPLE; -1: none. */
static int
sample_id_at(uint64_t st)
{
	if (st & CP_SAMPLE_IDENTIFIER)
		return 0;
	if (!(st & CP_SAMPLE_ID))
		return -1;
	return __builtin_popcountll(st & (CP_SAMPLE_IP | CP_SAMPLE_TID |
					     CP_SAMPLE_TIME | CP_SAMPLE_ADDR));
}

/* The fixed fields, in the kernel's order. */
static void
head_places(struct cp_evsel_info *ev)
{
	static const struct {
		uint32_t bit;
		int field; /* -1: unused by us */
	} order[] = {
		{ CP_SAMPLE_IDENTIFIER, CP_HEAD_ID },
		{ CP_SAMPLE_IP, CP_HEAD_IP },
		{ CP_SAMPLE_TID, CP_HEAD_TID },
		{ CP_SAMPLE_TIME, CP_HEAD_TIME },
		{ CP_SAMPLE_ADDR, CP_HEAD_ADDR },
		{ CP_SAMPLE_ID, CP_HEAD_ID },
		{ CP_SAMPLE_STREAM_ID, -1 },
		{ CP_SAMPLE_CPU, CP_HEAD_CPU },
		{ CP_SAMPLE_PERIOD, CP_HEAD_PERIOD },
	};

	memset(ev->at, CP_ABSENT, sizeof(ev->at));
	ev->head = 0;
	for (size_t i = 0; i < CP_ARRAY_LEN(order); i++) {
		if ((ev->attr.sample_type & order[i].bit) == 0)
			continue;
		if (order[i].field >= 0)
			ev->at[order[i].field] = (uint8_t)ev->head;
		ev->head += 8;
	}
}

static int
trailer_id_at(uint64_t st)
{
	if (st & CP_SAMPLE_IDENTIFIER)
		return 1;
	if (!(st & CP_SAMPLE_ID))
		return -1;
	return 1 +
	       __builtin_popcountll(st & (CP_SAMPLE_CPU | CP_SAMPLE_STREAM_ID));
}

static void
positions_set(
    struct cp_evsels *e, const struct cp_attr *a, struct cp_diags *diags)
{
	int at = sample_id_at(a->sample_type);

	if (e->all.len == 0) {
		e->sample_id_at = at;
		e->trailer_id_at = trailer_id_at(a->sample_type);
		e->sample_id_all = cp_attr_flag(a, CP_ATTR_SAMPLE_ID_ALL);
	} else if (at != e->sample_id_at) {
		cp_diag(diags, CP_D_MIXED_ATTRS, "event %zu", e->all.len);
	}
}

struct cp_evsel_info *
cp_evsels_add(
    struct cp_evsels *e, const struct cp_attr *a, struct cp_diags *diags)
{
	struct cp_evsel_info *ev = cp_arena_alloc(&e->arena, sizeof(*ev));
	char name[160];

	positions_set(e, a, diags);
	e->build_ids |= cp_attr_flag(a, CP_ATTR_BUILD_ID);
	cp_attr_name(a, name, sizeof(name));
	ev->attr = *a;
	ev->trailer = trailer_size(a);
	head_places(ev);
	ev->plain = (a->sample_type & ~(uint64_t)(HEAD | CP_SAMPLE_CALLCHAIN |
						  CP_SAMPLE_RAW)) == 0;
	ev->bare = ev->plain &&
		   (a->sample_type & (CP_SAMPLE_CALLCHAIN | CP_SAMPLE_TIME |
					 CP_SAMPLE_RAW)) ==
		       (CP_SAMPLE_TIME | CP_SAMPLE_RAW);
	ev->pub.index = (uint32_t)e->all.len;
	ev->pub.name = cp_arena_strndup(&e->arena, name, strlen(name));
	ev->pub.type = a->type;
	ev->pub.config = a->config;
	ev->pub.sample_type = a->sample_type;
	ev->pub.sample_period = a->sample_period;
	if (a->sample_type & CP_SAMPLE_BRANCH_STACK)
		ev->pub.branch_type = a->branch_sample_type;
	if (a->sample_type & CP_SAMPLE_STACK_USER) {
		ev->pub.stack_user = a->stack_user;
		e->stacks = true;
	}
	ev->pub.freq = cp_attr_flag(a, CP_ATTR_FREQ);
	ev->pub.on_exec = cp_attr_flag(a, CP_ATTR_ENABLE_ON_EXEC);
	ev->pub.dummy = a->type == CP_TYPE_SOFTWARE && a->config == 9;
	ev->pub.unit = "";
	ev->pub.scale = 1;
	ev->pub.tracepoint = a->type == CP_TYPE_TRACEPOINT;
	if (e->scratch == NULL)
		e->scratch = cp_xcalloc(CP_MAX_CHAIN, sizeof(*e->scratch));
	*cp_vec_push(&e->all) = ev;
	return ev;
}

void
cp_evsels_id(struct cp_evsels *e, struct cp_evsel_info *ev, uint64_t id)
{
	uint32_t *at;

	if (ev->first_id == 0)
		ev->first_id = id;
	if (e->ids >= CP_MAX_IDS)
		return;
	e->ids++;
	if (id == 0)
		return;
	at = cp_map64_put(&e->by_id, id);
	e->doubtful |= *at != 0 && *at != ev->pub.index + 1;
	*at = ev->pub.index + 1;
	e->last[id % CP_LAST_IDS].id = id;
	e->last[id % CP_LAST_IDS].evsel = ev;
}

struct cp_evsel_info *
cp_evsels_find_(const struct cp_evsels *e, uint64_t id)
{
	uint32_t i = cp_map64_get(&e->by_id, id);

	return i != 0 ? e->all.data[i - 1] : NULL;
}

/* True for the output event of perf's off-CPU BPF program. */
static bool
is_offcpu(const struct cp_evsel_info *ev)
{
	return ev->attr.type == CP_TYPE_SOFTWARE && ev->attr.config == 10 &&
	       (ev->attr.sample_type & CP_SAMPLE_RAW) != 0 &&
	       strcmp(ev->pub.name, "offcpu-time") == 0;
}

void
cp_evsels_rename(
    struct cp_evsels *e, struct cp_evsel_info *ev, const char *name)
{
	if (name[0] != '\0' && strcmp(name, ev->pub.name) != 0)
		ev->pub.name =
		    cp_arena_strndup(&e->arena, name, strnlen(name, 4096));
	ev->offcpu = is_offcpu(ev);
	ev->plain &= !ev->offcpu;
	ev->bare &= !ev->offcpu;
}

void
cp_evsels_unit(struct cp_evsels *e, struct cp_evsel_info *ev, const char *unit)
{
	if (unit != NULL)
		ev->pub.unit = cp_arena_strndup(
		    &e->arena, unit, strnlen(unit, CP_MAX_UNIT));
}

void
cp_evsels_scale(struct cp_evsel_info *ev, uint64_t bits)
{
	double scale;

	memcpy(&scale, &bits, sizeof(scale));
	if (isfinite(scale) && scale > 0)
		ev->pub.scale = scale;
}

void
cp_evsels_free(struct cp_evsels *e)
{
	cp_vec_free(&e->all);
	cp_map64_free(&e->by_id);
	cp_arena_free(&e->arena);
	free(e->scratch);
	*e = (struct cp_evsels){ 0 };
}

/* ----------------------------------------------------------------- names */

static const char *const hardware[] = { "cycles", "instructions",
	"cache-references", "cache-misses", "branches", "branch-misses",
	"bus-cycles", "stalled-cycles-frontend", "stalled-cycles-backend",
	"ref-cycles" };
static const char *const software[] = { "cpu-clock", "task-clock",
	"page-faults", "context-switches", "cpu-migrations", "minor-faults",
	"major-faults", "alignment-faults", "emulation-faults", "dummy",
	"bpf-output", "cgroup-switches" };
static const char *const cache_id[] = { "L1-dcache", "L1-icache", "LLC", "dTLB",
	"iTLB", "branch", "node" };
static const char *const cache_op[] = { "load", "store", "prefetch" };

static void
cache_name(uint64_t config, char *buf, size_t size)
{
	uint64_t id = config & 0xff, op = config >> 8 & 0xff;
	uint64_t result = config >> 16 & 0xff;

	if (id >= CP_ARRAY_LEN(cache_id) || op >= CP_ARRAY_LEN(cache_op) ||
	    result > 1)
		snprintf(buf, size, "unknown-ext-hardware-cache-type");
	else if (result == 1)
		snprintf(buf, size, "%s-%s-misses", cache_id[id], cache_op[op]);
	else
		snprintf(buf, size, "%s-%s%s", cache_id[id], cache_op[op],
		    op == 2 ? "es" : "s");
}

static void
base_name(const struct cp_attr *a, char *buf, size_t size)
{
	uint64_t low = a->config & UINT32_MAX;

	if (a->type == CP_TYPE_HARDWARE && low < CP_ARRAY_LEN(hardware))
		snprintf(buf, size, "%s", hardware[low]);
	else if (a->type == CP_TYPE_SOFTWARE && low < CP_ARRAY_LEN(software))
		snprintf(buf, size, "%s", software[low]);
	else if (a->type == CP_TYPE_TRACEPOINT)
		snprintf(buf, size, "unknown tracepoint");
	else if (a->type == CP_TYPE_HW_CACHE)
		cache_name(a->config, buf, size);
	else if (a->type == CP_TYPE_RAW)
		snprintf(buf, size, "raw 0x%" PRIx64, a->config);
	else if (a->type == CP_TYPE_BREAKPOINT)
		snprintf(buf, size, "mem:0x%" PRIx64, a->config1);
	else
		snprintf(buf, size, "unknown attr type: %" PRIu32, a->type);
}

static void
append(char *buf, size_t size, char c)
{
	size_t n = strlen(buf);

	if (n + 1 < size) {
		buf[n] = c;
		buf[n + 1] = '\0';
	}
}

/* perf's rule: H and G are shown unless the exclusion is the default. */
static void
modifiers(const struct cp_attr *a, char out[12])
{
	bool usual = false; /* exclude_guest */
	unsigned precise = a->flags >> CP_ATTR_PRECISE & 3;
	bool xu = cp_attr_flag(a, CP_ATTR_EXCLUDE_USER);
	bool xk = cp_attr_flag(a, CP_ATTR_EXCLUDE_KERNEL);
	bool xh = cp_attr_flag(a, CP_ATTR_EXCLUDE_HV);
	bool host = !cp_attr_flag(a, CP_ATTR_EXCLUDE_HOST);
	bool guest = !cp_attr_flag(a, CP_ATTR_EXCLUDE_GUEST);

	out[0] = '\0';
	if (xu || xk || xh) {
		usual = true;
		append(out, 12, xk ? '\0' : 'k');
		append(out, 12, xu ? '\0' : 'u');
		append(out, 12, xh ? '\0' : 'h');
	}
	if (precise != 0)
		usual = true;
	while (precise-- > 0)
		append(out, 12, 'p');
	if (!host || guest != usual) {
		append(out, 12, host ? 'H' : '\0');
		append(out, 12, guest ? 'G' : '\0');
	}
}

void
cp_attr_name(const struct cp_attr *a, char *buf, size_t size)
{
	char letters[12];
	size_t n;

	base_name(a, buf, size);
	if (a->type == CP_TYPE_TRACEPOINT || a->type == CP_TYPE_BREAKPOINT)
		return;
	modifiers(a, letters);
	n = strlen(buf);
	if (letters[0] != '\0')
		snprintf(buf + n, size - n, ":%s", letters);
}
