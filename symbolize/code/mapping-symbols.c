/* SPDX-License-Identifier: MIT */
/*
 * Mapping symbols: where ARM, Thumb and data change within code.
 *
 * ARM compilers put constants between instructions and may mix instruction sets
 * in a file; mapping symbols in .symtab mark the changes.  A stripped file only
 * tells which functions are Thumb: their addresses are odd.
 */

#include "symbolize/object/object.h"
#include "base/elf.h"
#include "symbolize/code/code.h"
#include "symbolize/elf/symbols.h"

struct search {
	uint64_t from, to;
	/* last mark before the range; kind 0: none */
	struct cp_code_mark before;
	bool thumb;
	cp_code_marks *out;
};

/* Returns the kind of "$d" or "$x.12"; 0: no mapping symbol. */
static char
kind_of(const char *name)
{
	if (name[0] != '$' || name[1] == '\0' ||
	    strchr("atxd", name[1]) == NULL ||
	    (name[2] != '\0' && name[2] != '.'))
		return '\0';
	return name[1];
}

static void
look_at(struct search *q, const struct cp_elf_raw_symbol *y, const char *name)
{
	struct cp_code_mark m = { y->value, kind_of(name) };

	if (ELF32_ST_TYPE(y->info) == STT_FUNC && y->value == (q->from | 1))
		q->thumb = true;
	if (m.kind == '\0' || y->shndx == SHN_UNDEF || y->value >= q->to)
		return;
	if (y->value > q->from)
		*cp_vec_push(q->out) = m;
	else if (q->before.kind == '\0' || y->value >= q->before.shown)
		q->before = m;
}

static void
look_through(struct search *q, const struct cp_elf *elf, uint32_t type)
{
	struct cp_elf_symbols t;

	if (!cp_elf_symbols(&t, elf, cp_elf_section_of_type(elf, type)))
		return;
	for (size_t i = 0; i < t.count; i++) {
		struct cp_elf_raw_symbol y = cp_elf_symbol_at(&t, i);

		if (y.name < cp_bytes_left(&t.names))
			look_at(q, &y, (const char *)t.names.at + y.name);
	}
}

static int
by_address(const void *a, const void *b)
{
	const struct cp_code_mark *x = a, *y = b;

	if (x->shown != y->shown)
		return x->shown < y->shown ? -1 : 1;
	return (x->kind > y->kind) - (x->kind < y->kind);
}

void
cp_code_marks_of(struct cp_symbols *s, const struct cp_dso_info *d,
    const struct cp_code_bytes *c, cp_code_marks *out)
{
	struct cp_object *o = cp_object_of(s, d);
	struct search q = {
		.from = c->shown, .to = c->shown + c->size, .out = out
	};

	if (c->elf == NULL || c->relocatable ||
	    (c->machine.machine != EM_ARM && c->machine.machine != EM_AARCH64))
		return;
	pthread_mutex_lock(&o->lock);
	look_through(&q, c->elf, SHT_DYNSYM);
	look_through(
	    &q, o->symbols != NULL ? &o->symbols->elf : c->elf, SHT_SYMTAB);
	pthread_mutex_unlock(&o->lock);
	/*
	 * A mark of an earlier function does not count if this function has its
	 * own.
	 */
	if (q.before.kind == '\0' || q.before.shown < q.from)
		q.before = (struct cp_code_mark){ q.from,
			q.before.kind == 't' || q.thumb ? 't' : 'a' };
	*cp_vec_push(out) = q.before;
	qsort(out->data, out->len, sizeof(*out->data), by_address);
}
