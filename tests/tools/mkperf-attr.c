/* SPDX-License-Identifier: MIT */
/*
 * mkperf: events (perf_event_attr) and their ids.
 */
#include "mkperf.h"

static const char *const sample_type_names[] = {
	[ST_IP] = "IP",
	[ST_TID] = "TID",
	[ST_TIME] = "TIME",
	[ST_ADDR] = "ADDR",
	[ST_READ] = "READ",
	[ST_CALLCHAIN] = "CALLCHAIN",
	[ST_ID] = "ID",
	[ST_CPU] = "CPU",
	[ST_PERIOD] = "PERIOD",
	[ST_STREAM_ID] = "STREAM_ID",
	[ST_RAW] = "RAW",
	[ST_BRANCH_STACK] = "BRANCH_STACK",
	[ST_REGS_USER] = "REGS_USER",
	[ST_STACK_USER] = "STACK_USER",
	[ST_WEIGHT] = "WEIGHT",
	[ST_DATA_SRC] = "DATA_SRC",
	[ST_IDENTIFIER] = "IDENTIFIER",
	[ST_TRANSACTION] = "TRANSACTION",
	[ST_REGS_INTR] = "REGS_INTR",
	[ST_PHYS_ADDR] = "PHYS_ADDR",
	[ST_AUX] = "AUX",
	[ST_CGROUP] = "CGROUP",
	[ST_DATA_PAGE_SIZE] = "DATA_PAGE_SIZE",
	[ST_CODE_PAGE_SIZE] = "CODE_PAGE_SIZE",
	[ST_WEIGHT_STRUCT] = "WEIGHT_STRUCT",
};

static const char *const read_names[] = { "TOTAL_TIME_ENABLED",
	"TOTAL_TIME_RUNNING", "ID", "GROUP", "LOST" };

static const char *const branch_names[] = { "USER", "KERNEL", "HV", "ANY",
	"ANY_CALL", "ANY_RETURN", "IND_CALL", "ABORT_TX", "IN_TX", "NO_TX",
	"COND", "CALL_STACK", "IND_JUMP", "CALL", "NO_FLAGS", "NO_CYCLES",
	"TYPE_SAVE", "HW_INDEX", "PRIV_SAVE", "COUNTERS" };

static const char *const flag_names[] = { "disabled", "inherit", "pinned",
	"exclusive", "exclude_user", "exclude_kernel", "exclude_hv",
	"exclude_idle", "mmap", "comm", "freq", "inherit_stat",
	"enable_on_exec", "task", "watermark", "precise_ip_1", "precise_ip_2",
	"mmap_data", "sample_id_all", "exclude_host", "exclude_guest",
	"exclude_callchain_kernel", "exclude_callchain_user", "mmap2",
	"comm_exec", "use_clockid", "context_switch", "write_backward",
	"namespaces", "ksymbol", "bpf_event", "aux_output", "cgroup",
	"text_poke", "build_id", "inherit_thread", "remove_on_exec", "sigtrap",
	"defer_callchain", "defer_output" };

static uint64_t
reversed(uint64_t v)
{
	uint64_t r = 0;

	for (unsigned i = 0; i < 64; i++)
		r |= (v >> i & 1) << (63 - i);
	return r;
}

struct mk_event *
mk_event(struct mk *mk, const char *name)
{
	if (mk->events.len == 0)
		mk_die(mk, "no event before this");
	if (name == NULL)
		return &mk->events.data[0];
	for (size_t i = 0; i < mk->events.len; i++)
		if (strcmp(mk->events.data[i].name, name) == 0)
			return &mk->events.data[i];
	mk_die(mk, "unknown event %s", name);
}

static uint64_t
bits_key(struct mk *mk, const char *key, const char *const *names, size_t n)
{
	const char *v = mk_key(mk, key);

	return v != NULL ? mk_bits(mk, v, names, n) : 0;
}

static void
event_keys(struct mk *mk, struct mk_event *e)
{
	e->type = mk_num(mk, "type", 1);
	e->config = mk_num(mk, "config", 0);
	e->period = mk_num(mk, "period", 1);
	e->sample_type = bits_key(mk, "sample_type", sample_type_names,
	    CP_ARRAY_LEN(sample_type_names));
	e->read_format =
	    bits_key(mk, "read_format", read_names, CP_ARRAY_LEN(read_names));
	e->branch_type = bits_key(
	    mk, "branch_sample_type", branch_names, CP_ARRAY_LEN(branch_names));
	e->flags = bits_key(mk, "flags", flag_names, CP_ARRAY_LEN(flag_names));
	e->regs_user = mk_num(mk, "sample_regs_user", 0);
	e->regs_intr = mk_num(mk, "sample_regs_intr", 0);
	e->stack_user = mk_num(mk, "sample_stack_user", 0);
	e->size = mk_num(mk, "size", 128);
	e->bytes = mk_num(mk, "bytes", e->size != 0 ? e->size : 64);
	if (e->bytes > 65536)
		mk_die(mk, "attr of %" PRIu64 " bytes", e->bytes);
}

/* The structure as the newest kernel has it; it is cut or filled up after. */
static void
event_bytes(struct mk *mk, struct mk_event *e)
{
	struct cp_buf *b = &e->attr;
	const char *extra = mk_key(mk, "extra");

	cp_buf_init(b, 1u << 20);
	mk_put(mk, b, 4, e->type);
	mk_put(mk, b, 4, e->size);
	mk_put(mk, b, 8, e->config);
	mk_put(mk, b, 8, e->period);
	mk_put(mk, b, 8, e->sample_type);
	mk_put(mk, b, 8, e->read_format);
	/* The flags are a C bit-field: the order of the bits changes too. */
	mk_put(mk, b, 8, mk->big ? reversed(e->flags) : e->flags);
	mk_put(mk, b, 4, mk_num(mk, "wakeup", 0));
	mk_put(mk, b, 4, mk_num(mk, "bp_type", 0));
	mk_put(mk, b, 8, mk_num(mk, "config1", 0));
	mk_put(mk, b, 8, mk_num(mk, "config2", 0));
	mk_put(mk, b, 8, e->branch_type);
	mk_put(mk, b, 8, e->regs_user);
	mk_put(mk, b, 4, e->stack_user);
	mk_put(mk, b, 4, mk_num(mk, "clockid", 0));
	mk_put(mk, b, 8, e->regs_intr);
	mk_put(mk, b, 4, mk_num(mk, "aux_watermark", 0));
	mk_put(mk, b, 2, mk_num(mk, "max_stack", 0));
	mk_put(mk, b, 2, 0);
	mk_put(mk, b, 4, mk_num(mk, "aux_sample_size", 0));
	mk_put(mk, b, 4, 0);
	mk_put(mk, b, 8, mk_num(mk, "sig_data", 0));
	mk_put(mk, b, 8, mk_num(mk, "config3", 0));
	mk_put(mk, b, 8, mk_num(mk, "config4", 0));
	if (extra != NULL)
		mk_items(mk, b, extra, 0);
	if (b->len > e->bytes)
		b->len = e->bytes;
	mk_zeros(b, e->bytes - b->len);
}

static void
event_ids(struct mk *mk, struct mk_event *e)
{
	const char *s = mk_key(mk, "ids");

	while (s != NULL && *s != '\0') {
		size_t n = mk_element(s);

		*cp_vec_push(&e->ids) = mk_expr(mk, s, n);
		s += n;
		s += *s == ',';
	}
}

/* In a pipe the description is a record, here and now. */
static void
emit_attr(struct mk *mk, const struct mk_event *e)
{
	struct cp_buf b;

	cp_buf_init(&b, 1u << 20);
	cp_buf_add(&b, e->attr.data, e->attr.len);
	for (size_t i = 0; i < e->ids.len; i++)
		mk_put(mk, &b, 8, e->ids.data[i]);
	mk_emit(mk, 64, 0, &b);
	cp_buf_free(&b);
}

void
mk_attr(struct mk *mk)
{
	struct mk_event e = { .name = mk_strdup(mk, mk_need(mk, "name")) };

	event_keys(mk, &e);
	event_bytes(mk, &e);
	event_ids(mk, &e);
	if (mk->container == MK_PIPE)
		emit_attr(mk, &e);
	*cp_vec_push(&mk->events) = e;
}
