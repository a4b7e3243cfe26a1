/* SPDX-License-Identifier: MIT */
/*
 * model/tracepoint.c: reading fields of tracepoint payloads.
 *
 * Needs the layouts that readers/header/tracing.c made.  Print formats are
 * evaluated in readers/formats/.
 */
#include "model/tracepoint.h"

#include "base/bytes.h"
#include "base/limits.h"

void
cp_tracepoints_free(struct cp_tracepoints *t)
{
	cp_vec_free(&t->events);
	cp_vec_free(&t->comms);
	cp_vec_free(&t->printk);
	cp_map64_free(&t->printk_at);
	cp_map64_free(&t->by_id);
	cp_arena_free(&t->arena);
	*t = (struct cp_tracepoints){ 0 };
}

static const char *
text_copy(struct cp_tracepoints *t, const char *text)
{
	return cp_arena_strndup(&t->arena, text, strlen(text));
}

void
cp_tp_copy(struct cp_tracepoints *t, const struct cp_tp_event *e, uint64_t id)
{
	size_t n = e->n_fields * sizeof(*e->fields);
	struct cp_tp_field *fields = cp_arena_alloc(&t->arena, n);
	uint32_t *slot = cp_map64_put(&t->by_id, id);

	if (*slot != 0 || t->events.len >= CP_MAX_TRACEPOINTS)
		return;
	for (uint32_t i = 0; i < e->n_fields; i++) {
		fields[i] = e->fields[i];
		fields[i].name = text_copy(t, e->fields[i].name);
		fields[i].type = text_copy(t, e->fields[i].type);
	}
	*cp_vec_push(&t->events) = (struct cp_tp_event){ .id = id,
		.system = text_copy(t, e->system),
		.name = text_copy(t, e->name),
		.fields = fields,
		.n_fields = e->n_fields,
		.print_fmt = text_copy(t, e->print_fmt) };
	*slot = (uint32_t)t->events.len;
}

const struct cp_tp_event *
cp_tp_find(const struct cp_tracepoints *t, uint64_t id)
{
	uint32_t i = cp_map64_get(&t->by_id, id);

	return i != 0 ? &t->events.data[i - 1] : NULL;
}

const struct cp_tp_field *
cp_tp_field(const struct cp_tp_event *e, const char *name)
{
	for (uint32_t i = 0; i < e->n_fields; i++)
		if (strcmp(e->fields[i].name, name) == 0)
			return &e->fields[i];
	return NULL;
}

const char *
cp_tp_printk(const struct cp_tracepoints *t, uint64_t address)
{
	uint32_t i = cp_map64_get(&t->printk_at, address);

	return i != 0 ? t->printk.data[i - 1] : NULL;
}

static bool
inside(uint64_t offset, uint64_t len, size_t size)
{
	return offset <= size && len <= size - offset;
}

static uint64_t
extend(uint64_t v, unsigned bits)
{
	uint64_t sign = UINT64_C(1) << (bits - 1);

	return (v ^ sign) - sign;
}

bool
cp_tp_u64(const struct cp_tp_field *f, const uint8_t *raw, size_t size,
    bool swap, uint64_t *out)
{
	const uint8_t *p;
	uint64_t v;

	if (f->kind != CP_TP_SCALAR || !inside(f->offset, f->size, size))
		return false;
	p = raw + f->offset;
	switch (f->size) {
	case 1: v = *p; break;
	case 2: v = cp_load16(p, swap); break;
	case 4: v = cp_load32(p, swap); break;
	case 8: v = cp_load64(p, swap); break;
	default: return false;
	}
	*out = f->is_signed ? extend(v, 8 * f->size) : v;
	return true;
}

bool
cp_tp_bytes(const struct cp_tp_field *f, const uint8_t *raw, size_t size,
    bool swap, const char **start, size_t *len)
{
	uint64_t at = f->offset, n = f->size;

	if (f->kind == CP_TP_SCALAR || !inside(at, n, size))
		return false;
	if (f->kind == CP_TP_DATA_LOC || f->kind == CP_TP_REL_LOC) {
		uint32_t loc;

		if (n != sizeof(loc))
			return false;
		loc = cp_load32(raw + at, swap);
		at = (loc & 0xffff) + (f->kind == CP_TP_REL_LOC ? at + n : 0);
		n = loc >> 16;
	}
	if (!inside(at, n, size))
		return false;
	*start = (const char *)raw + at;
	*len = (size_t)n;
	return true;
}

bool
cp_tp_text(const struct cp_tp_field *f, const uint8_t *raw, size_t size,
    bool swap, const char **start, size_t *len)
{
	if (!cp_tp_bytes(f, raw, size, swap, start, len))
		return false;
	*len = strnlen(*start, *len);
	return true;
}
