/* SPDX-License-Identifier: MIT */
/*
 * Lines and inlined calls of a Go program, from Go 1.18 on; earlier tables do
 * not tell where the inlined calls are.
 *
 * A table gives each address the index of an inlined call in the function's
 * list.  The call has a name and an address in its caller; that address has an
 * index in turn, or none if the caller is the function itself.
 */
#include "base/limits.h"
#include "symbolize/golang/pclntab.h"

struct call {
	const char *name;
	uint64_t caller; /* an address in the caller */
};

static const char *
text_at(struct cp_bytes b, uint64_t at)
{
	return !b.failed && at < cp_bytes_left(&b) ? (const char *)b.at + at
						   : NULL;
}

/* Accepts only offsets where a name begins. */
static const char *
name_at(const struct cp_gotab *t, uint32_t at)
{
	const char *s = text_at(t->names, at);

	return s != NULL && s[0] != '\0' && (at == 0 || s[-1] == '\0') ? s
								       : NULL;
}

static const char *
file_at(
    const struct cp_gotab *t, const struct cp_go_function *f, int32_t number)
{
	uint64_t at = 4 * ((uint64_t)f->unit + (uint32_t)number);

	if (number < 0 || t->units.failed || cp_bytes_left(&t->units) < 4 ||
	    at > cp_bytes_left(&t->units) - 4)
		return NULL;
	return text_at(t->files, cp_load32(t->units.at + at, t->units.swap));
}

static bool
read_call(const struct cp_gotab *t, const struct cp_go_function *f,
    int32_t number, struct call *out)
{
	bool old = t->layout < CP_GO_20;
	size_t size = old ? 20 : 16, name = old ? 12 : 4;
	const struct cp_content *c = &t->elf->content;
	uint64_t at;
	uint32_t offset;

	if (number < 0 ||
	    !cp_elf_offset(t->elf, f->tree + size * (uint32_t)number, &at) ||
	    at > c->size || c->size - at < size)
		return false;
	out->name = name_at(t, cp_load32(c->data + at + name, t->elf->swap));
	offset = cp_load32(c->data + at + name + 4, t->elf->swap);
	out->caller = f->start + offset;
	return out->name != NULL && offset < f->end - f->start;
}

/* Index of the call that contains an address; -1: the function itself. */
static int32_t
number_at(const struct cp_gotab *t, const struct cp_go_function *f,
    uint64_t addr, uint64_t *steps)
{
	int32_t number;

	if (f->tree == 0 || f->inlined == 0 ||
	    !cp_gotab_value(t, f, f->inlined, addr, steps, &number))
		return -1;
	return number;
}

static bool
push(const struct cp_gotab *t, const struct cp_go_function *f, uint64_t addr,
    const char *name, uint64_t *steps, struct cp_strings *texts,
    struct cp_dwarf_result *r)
{
	struct cp_dwarf_frame *d;
	const char *path;
	int32_t file, line;

	if (!cp_gotab_value(t, f, f->file, addr, steps, &file) ||
	    !cp_gotab_value(t, f, f->line, addr, steps, &line) || line < 0)
		return false;
	path = file_at(t, f, file);
	d = cp_vec_push(&r->frames);
	*d = (struct cp_dwarf_frame){ .linkage = true };
	d->name = cp_strings_add(texts, name);
	if (path != NULL) {
		d->file = cp_strings_add(texts, path);
		d->line = (uint32_t)line;
	}
	return true;
}

/* Appends all frames, innermost first, or none. */
static bool
push_all(const struct cp_gotab *t, uint64_t addr, uint64_t *steps,
    struct cp_strings *texts, struct cp_dwarf_result *r)
{
	struct cp_go_function f;
	struct call c;
	int32_t number;

	if (!cp_gotab_find(t, addr, &f) || f.name[0] == '\0')
		return false;
	for (unsigned n = 0; n < CP_MAX_INLINED; n++) {
		number = number_at(t, &f, addr, steps);
		if (number < 0)
			return push(t, &f, addr, f.name, steps, texts, r);
		if (!read_call(t, &f, number, &c) ||
		    !push(t, &f, addr, c.name, steps, texts, r))
			return false;
		addr = c.caller;
	}
	return false;
}

struct cp_dwarf_place
cp_gotab_lines(const struct cp_gotab *t, uint64_t addr, uint64_t *steps,
    struct cp_strings *texts, struct cp_dwarf_result *r)
{
	size_t first = r->frames.len, last;

	if (t->layout < CP_GO_18 || t->calls == 0 ||
	    !push_all(t, addr, steps, texts, r)) {
		r->frames.len = first;
		return (struct cp_dwarf_place){ 0 };
	}
	last = r->frames.len;
	for (size_t i = first; i + 1 < last; i++, last--) {
		struct cp_dwarf_frame f = r->frames.data[i];

		r->frames.data[i] = r->frames.data[last - 1];
		r->frames.data[last - 1] = f;
	}
	return (struct cp_dwarf_place){ (uint32_t)first,
		(uint32_t)(r->frames.len - first) };
}
