/* SPDX-License-Identifier: MIT */
/*
 * readers/header/feature-simpleperf.c: features that Android's simpleperf adds.
 *
 * FILE and FILE2 hold the objects with the symbols that were hit, META_INFO
 * holds texts.  FILE2 is a sequence of protobuf messages.  Only the wire types
 * that occur are read, and messages nested one level, as in the schema.
 */
#include <errno.h>
#include <inttypes.h>

#include "base/limits.h"
#include "readers/header/feature-read.h"

/* Cuts off the number that ends a text, and the comma before it. */
static bool
cut_number(char *s, uint64_t *out)
{
	char *comma = strrchr(s, ',');
	char *end;

	if (comma == NULL || comma[1] < '0' || comma[1] > '9')
		return false;
	errno = 0;
	*out = strtoull(comma + 1, &end, 10);
	if (*end != '\0' || errno != 0)
		return false;
	*comma = '\0';
	return true;
}

/*
 * Splits "NAME,TYPE,CONFIG"; the name may contain commas, as in
 * cpu/event=0x3c,umask=0/.
 */
static void
event_line(struct cp_fx *x, char *line)
{
	struct cp_sp_event e = { .name = line };
	uint64_t type;

	if (*line == '\0')
		return;
	if (!cut_number(line, &e.config) || !cut_number(line, &type) ||
	    type > UINT32_MAX || x->info->sp_events.len >= CP_MAX_SP_EVENTS) {
		cp_fx_bad(x, "an event type is damaged");
		return;
	}
	e.type = (uint32_t)type;
	*cp_vec_push(&x->info->sp_events) = e;
}

static void
event_types(struct cp_fx *x)
{
	const char *text = cp_info_meta(x->info, "event_type_info");
	char *line, *next;

	if (text == NULL)
		return;
	line = cp_arena_strndup(&x->info->arena, text, strlen(text));
	for (; line != NULL; line = next) {
		next = strchr(line, '\n');
		if (next != NULL)
			*next++ = '\0';
		event_line(x, line);
	}
}

static void
read_meta(struct cp_fx *x)
{
	while (!x->b.failed && cp_bytes_left(&x->b) != 0) {
		const char *key = cp_bytes_str(&x->b);
		const char *value = cp_bytes_str(&x->b);
		struct cp_meta m;

		if (key == NULL || value == NULL)
			return;
		if (x->info->meta.len >= CP_MAX_ITEMS) {
			cp_fx_bad(x, "too many keys");
			return;
		}
		m.key = cp_info_text(x->info, key, strlen(key));
		m.value = cp_info_text(x->info, value, strlen(value));
		*cp_vec_push(&x->info->meta) = m;
		cp_fx_fact(x, m.key, "%s", m.value);
	}
}

void
cp_fx_sp_meta(struct cp_fx *x)
{
	x->info->simpleperf = true;
	read_meta(x);
	event_types(x);
}

static struct cp_sp_file *
new_file(struct cp_fx *x)
{
	struct cp_sp_file *f;

	if (x->info->sp_files.len >= CP_MAX_DSOS) {
		cp_fx_bad(x, "too many files");
		return NULL;
	}
	f = cp_vec_push(&x->info->sp_files);
	*f = (struct cp_sp_file){ .path = "", .type = CP_SP_UNKNOWN };
	return f;
}

static void
add_symbol(struct cp_fx *x, struct cp_sp_file *f, struct cp_sp_symbol s)
{
	if (x->info->n_sp_symbols >= CP_MAX_SP_SYMBOLS) {
		cp_diag(x->diags, CP_D_LIMIT,
		    "%s: at most %u symbols are "
		    "read",
		    x->name, CP_MAX_SP_SYMBOLS);
		cp_fx_bad(x, "too many symbols");
		return;
	}
	x->info->n_sp_symbols++;
	*cp_vec_push(&f->symbols) = s;
}

static void
file_fact(struct cp_fx *x, const struct cp_sp_file *f)
{
	static const char *const types[] = {
		[CP_SP_KERNEL] = "kernel",
		[CP_SP_MODULE] = "kernel module",
		[CP_SP_ELF] = "ELF file",
		[CP_SP_DEX] = "dex file",
		[CP_SP_SYMBOL_MAP] = "symbol map",
		[CP_SP_UNKNOWN] = "unknown",
	};

	cp_fx_fact(x, "object", "%s: %s, symbols: %zu", f->path,
	    types[CP_MIN(f->type, CP_SP_UNKNOWN)], f->symbols.len);
}

/* Reads a u32 size and returns a cursor for as many bytes. */
static struct cp_bytes
sized_part(struct cp_fx *x)
{
	uint32_t size = cp_bytes_u32(&x->b);
	const uint8_t *p = cp_bytes_take(&x->b, size);

	if (p == NULL)
		return (struct cp_bytes){ .failed = true };
	return cp_bytes_of(p, size, x->b.swap);
}

/* ------------------------------------------------------------------ FILE */

static void
file_symbol(struct cp_fx *x, struct cp_sp_file *f, struct cp_bytes *b)
{
	struct cp_sp_symbol s;
	const char *name;

	s.vaddr = cp_bytes_u64(b);
	s.len = cp_bytes_u32(b);
	name = cp_bytes_str(b);
	if (name == NULL)
		return;
	s.name = cp_info_text(x->info, name, strlen(name));
	add_symbol(x, f, s);
}

/* Reads the fields after the symbols, which depend on the type of the file. */
static void
file_offset(struct cp_sp_file *f, struct cp_bytes *b)
{
	if ((f->type != CP_SP_ELF && f->type != CP_SP_MODULE) ||
	    cp_bytes_left(b) < 8)
		return;
	f->offset_of_min_vaddr = cp_bytes_u64(b);
	f->has_offset = true;
}

static void
read_file(struct cp_fx *x, struct cp_bytes *b)
{
	const char *path = cp_bytes_str(b);
	struct cp_sp_file *f = path != NULL ? new_file(x) : NULL;
	uint32_t n;

	if (f == NULL)
		return;
	f->path = cp_info_text(x->info, path, strlen(path));
	f->type = cp_bytes_u32(b);
	f->min_vaddr = cp_bytes_u64(b);
	n = cp_bytes_u32(b);
	for (; n > 0 && !b->failed && x->bad == NULL; n--)
		file_symbol(x, f, b);
	file_offset(f, b);
	file_fact(x, f);
}

void
cp_fx_sp_file(struct cp_fx *x)
{
	while (cp_fx_ok(x) && cp_bytes_left(&x->b) != 0) {
		struct cp_bytes b = sized_part(x);

		read_file(x, &b);
		if (b.failed)
			cp_fx_bad(x, "a file's entry ends too early");
	}
}

/* ----------------------------------------------------------------- FILE2 */

enum { WIRE_VARINT = 0, WIRE_64 = 1, WIRE_BYTES = 2, WIRE_32 = 5 };

struct pb {
	struct cp_bytes b;
	uint32_t field;
	uint64_t value;      /* value of the numeric wire types */
	struct cp_bytes sub; /* content of WIRE_BYTES */
};

static uint64_t
pb_varint(struct cp_bytes *b)
{
	uint64_t v = 0;

	for (unsigned shift = 0; shift < 64; shift += 7) {
		uint8_t byte = cp_bytes_u8(b);

		v |= (uint64_t)(byte & 0x7f) << shift;
		if ((byte & 0x80) == 0)
			return v;
	}
	b->failed = true;
	return 0;
}

static struct cp_bytes
pb_bytes(struct cp_bytes *b)
{
	uint64_t n = pb_varint(b);
	const uint8_t *p = cp_bytes_take(b, n);

	if (p == NULL)
		return (struct cp_bytes){ .failed = true };
	return cp_bytes_of(p, n, b->swap);
}

/*
 * Reads the next field of the message.  Returns false at its end or at damage.
 */
static bool
pb_next(struct pb *m)
{
	uint64_t tag;

	if (m->b.failed || cp_bytes_left(&m->b) == 0)
		return false;
	tag = pb_varint(&m->b);
	m->field = tag >> 3 <= UINT32_MAX ? (uint32_t)(tag >> 3) : 0;
	m->value = 0;
	m->sub = (struct cp_bytes){ .failed = true };
	switch (tag & 7) {
	case WIRE_VARINT: m->value = pb_varint(&m->b); break;
	case WIRE_64: m->value = cp_bytes_u64(&m->b); break;
	case WIRE_BYTES: m->sub = pb_bytes(&m->b); break;
	case WIRE_32: m->value = cp_bytes_u32(&m->b); break;
	default: m->b.failed = true;
	}
	return !m->b.failed;
}

static const char *
pb_text(struct cp_fx *x, const struct pb *m)
{
	if (m->sub.failed)
		return "";
	return cp_info_text(
	    x->info, (const char *)m->sub.at, cp_bytes_left(&m->sub));
}

static void
pb_symbol(struct cp_fx *x, struct cp_sp_file *f, struct cp_bytes b)
{
	struct pb m = { .b = b };
	struct cp_sp_symbol s = { .name = "" };

	while (pb_next(&m)) {
		switch (m.field) {
		case 1: s.vaddr = m.value; break;
		case 2: s.len = (uint32_t)m.value; break;
		case 3: s.name = pb_text(x, &m); break;
		}
	}
	if (m.b.failed)
		cp_fx_bad(x, "a symbol is damaged");
	else
		add_symbol(x, f, s);
}

/* Reads ElfFile and KernelModule, which hold one number each. */
static void
pb_offset(struct cp_fx *x, struct cp_sp_file *f, struct cp_bytes b)
{
	struct pb m = { .b = b };

	f->has_offset = true; /* protobuf does not write a 0 */
	while (pb_next(&m))
		if (m.field == 1)
			f->offset_of_min_vaddr = m.value;
	if (m.b.failed)
		cp_fx_bad(x, "a file offset is damaged");
}

static void
pb_file(struct cp_fx *x, struct pb *m)
{
	struct cp_sp_file *f = new_file(x);

	if (f == NULL)
		return;
	f->type = CP_SP_KERNEL; /* protobuf omits a type of 0 */
	while (x->bad == NULL && pb_next(m)) {
		switch (m->field) {
		case 1: f->path = pb_text(x, m); break;
		case 2: f->type = (uint32_t)m->value; break;
		case 3: f->min_vaddr = m->value; break;
		case 4: pb_symbol(x, f, m->sub); break;
		case 6:
		case 7: pb_offset(x, f, m->sub); break;
		}
	}
	file_fact(x, f);
}

void
cp_fx_sp_file2(struct cp_fx *x)
{
	while (cp_fx_ok(x) && cp_bytes_left(&x->b) != 0) {
		struct pb m = { .b = sized_part(x) };

		pb_file(x, &m);
		if (m.b.failed)
			cp_fx_bad(x, "a file's message is damaged");
	}
}
