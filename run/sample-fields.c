/* SPDX-License-Identifier: MIT */
/*
 * sample-fields: the functions of coldperf/plugin.h about the current sample
 * beyond its plain numbers: tracepoint fields, branches, frames of other
 * addresses.
 */
#include "base/bytes.h"
#include "run/api.h"

struct cp_field {
	const struct cp_tp_field *field;
	bool swap;
};

const struct cp_field *
cp_run_field(struct cp_run *run, uint32_t evsel, const char *name)
{
	const struct cp_evsel_info *e = run->rec.evsels.all.data[evsel];
	const struct cp_tp_field *f =
	    e->tp != NULL ? cp_tp_field(e->tp, name) : NULL;
	struct cp_field *out;

	if (f == NULL)
		return NULL;
	out = cp_arena_alloc(&run->arena, sizeof(*out));
	*out = (struct cp_field){ f, run->rec.swap };
	return out;
}

bool
cp_field_u64(const struct cp_field *f, const struct cp_sample *s, uint64_t *out)
{
	return s->raw != NULL &&
	       cp_tp_u64(f->field, s->raw, s->raw_size, f->swap, out);
}

bool
cp_field_item(const struct cp_field *f, const struct cp_sample *s, uint32_t i,
    uint32_t n, uint64_t *out)
{
	struct cp_tp_field part = *f->field;

	if (s->raw == NULL || part.kind != CP_TP_ARRAY || i >= n)
		return false;
	part.kind = CP_TP_SCALAR;
	part.size /= n;
	part.offset += i * part.size;
	return cp_tp_u64(&part, s->raw, s->raw_size, f->swap, out);
}

bool
cp_field_place(const struct cp_field *f, struct cp_field_at *out)
{
	uint32_t size = f->field->size;

	*out = (struct cp_field_at){ .offset = f->field->offset,
		.size = size,
		.is_signed = f->field->is_signed,
		.swap = f->swap };
	return f->field->kind == CP_TP_SCALAR &&
	       (size == 1 || size == 2 || size == 4 || size == 8);
}

const char *
cp_field_text(const struct cp_field *f, const struct cp_sample *s, size_t *len)
{
	const char *start;

	if (s->raw == NULL ||
	    !cp_tp_text(f->field, s->raw, s->raw_size, f->swap, &start, len))
		return NULL;
	return start;
}

static uint8_t
kind_of(const struct cp_tp_field *f)
{
	if (f->kind == CP_TP_SCALAR)
		return CP_FIELD_NUMBER;
	return strstr(f->type, "char") != NULL ? CP_FIELD_TEXT : CP_FIELD_ARRAY;
}

size_t
cp_run_field_types(
    struct cp_run *run, uint32_t evsel, const struct cp_field_type **out)
{
	const struct cp_tp_event *tp = run->rec.evsels.all.data[evsel]->tp;
	struct cp_field_type *all;
	size_t n = 0;

	*out = NULL;
	if (tp == NULL)
		return 0;
	all = cp_arena_alloc(&run->arena, (tp->n_fields + 1) * sizeof(*all));
	for (uint32_t i = 0; i < tp->n_fields; i++) {
		const struct cp_tp_field *f = &tp->fields[i];

		if (strncmp(f->name, "common_", 7) != 0)
			all[n++] = (struct cp_field_type){ f->name, f->type,
				f->size, kind_of(f), f->is_signed };
	}
	*out = all;
	return n;
}

const char *
cp_run_print_format(const struct cp_run *run, uint32_t evsel)
{
	const struct cp_evsel_info *e = run->rec.evsels.all.data[evsel];

	return e->tp != NULL ? e->tp->print_fmt : "";
}

/*
 * The flags are bit-fields of the third word, which the recorded machine packs
 * in its own order.
 */
struct cp_branch
cp_sample_branch(
    const struct cp_run *run, const struct cp_sample *s, uint32_t i)
{
	const struct cp_event *ev = run->at->event;
	const uint8_t *p = ev->u.sample.branch + 24 * (size_t)i;
	struct cp_branch b = { .from = cp_load64(p, ev->swap),
		.to = cp_load64(p + 8, ev->swap) };
	uint64_t flags = cp_load64(p + 16, ev->swap);
	bool big = run->rec.swap != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);

#define BITS(at, n)                                                            \
	(flags >> (big ? 64 - (at) - (n) : (at)) & ((1u << (n)) - 1))
	b.mispredicted = BITS(0, 1);
	b.predicted = BITS(1, 1);
	b.in_tx = BITS(2, 1);
	b.abort = BITS(3, 1);
	b.cycles = (uint16_t)BITS(4, 16);
	b.type = (uint8_t)BITS(20, 4);
#undef BITS
	return b;
}

/* Finds the mapping as perf does: in the process first, then in the kernel. */
static enum cp_level
level_of(const struct cp_session *s, const struct cp_process *p, uint64_t addr)
{
	if (p != NULL && cp_aspace_find(p->aspace, addr) != NULL)
		return CP_LEVEL_USER;
	if (cp_aspace_find(s->kernel, addr) != NULL)
		return CP_LEVEL_KERNEL;
	/* On 64-bit kernels, addresses in the upper half are the kernel's. */
	return addr >> 63 != 0 ? CP_LEVEL_KERNEL : CP_LEVEL_USER;
}

cp_frame_id
cp_sample_frame(struct cp_run *run, const struct cp_sample *s, uint64_t addr,
    enum cp_level level)
{
	struct cp_thread *t = cp_session_thread(&run->session, s->pid, s->tid);

	if (level == CP_LEVEL_UNKNOWN)
		level = level_of(&run->session, t->process, addr);
	return cp_session_frame(&run->session, t->process, level, addr, 0);
}

bool
cp_run_thread_narrow(const struct cp_run *run, uint32_t tid)
{
	uint32_t i = cp_map64_get(&run->session.threads, tid);
	const struct cp_process *p =
	    i != 0 ? run->session.thread.data[i - 1].process : NULL;

	return p != NULL && p->aspace->narrow;
}

bool
cp_run_thread(
    const struct cp_run *run, uint32_t tid, uint32_t *pid, cp_string_id *comm)
{
	uint32_t i = cp_map64_get(&run->session.threads, tid);
	const struct cp_thread *t;

	if (i == 0)
		return false;
	t = &run->session.thread.data[i - 1];
	*pid = t->pid;
	*comm = t->comm;
	return true;
}
