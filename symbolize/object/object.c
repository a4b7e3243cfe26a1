/* SPDX-License-Identifier: MIT */
#include "symbolize/object/object.h"

#include "symbolize/elf/symbols.h"
#include "symbolize/golang/pclntab.h"

void
cp_object_note(struct cp_object *o, enum cp_diag_id id, const char *fmt, ...)
{
	struct cp_note *n = cp_vec_push(&o->notes);
	va_list ap;

	n->id = id;
	va_start(ap, fmt);
	vsnprintf(n->text, sizeof(n->text), fmt, ap);
	va_end(ap);
}

void
cp_object_damaged(struct cp_object *o, const char *path, const char *why)
{
	struct cp_note n;

	o->damaged = true;
	snprintf(n.text, sizeof(n.text), "%s%s%s", path,
	    why != NULL ? ": " : "", why != NULL ? why : "");
	/* Symbols may be loaded several times. */
	for (size_t i = 0; i < o->notes.len; i++)
		if (strcmp(o->notes.data[i].text, n.text) == 0)
			return;
	cp_object_note(o, CP_D_BAD_ELF, "%s", n.text);
}

/* What reading the files came upon. */
static void
note_files(struct cp_object *o)
{
	for (size_t i = 0; i < o->files.len; i++) {
		struct cp_file *f = o->files.data[i];
		const char *limit = cp_elf_limit(&f->elf);

		if (limit != NULL && !f->over)
			cp_object_note(o, CP_D_LIMIT, "%s: %s", limit, f->path);
		f->over |= limit != NULL;
		if (f->shrank || cp_content_is_whole(&f->elf.content))
			continue;
		f->shrank = true;
		cp_object_damaged(
		    o, f->path, "it became shorter while it was read");
	}
}

void
cp_object_give_notes(struct cp_symbols *s, struct cp_object *o)
{
	note_files(o);
	for (size_t i = 0; i < o->notes.len; i++)
		cp_diag_at(s->diags, o->notes.data[i].id, CP_NO_OFFSET, "%s",
		    o->notes.data[i].text);
	cp_vec_free(&o->notes);
}

const char *
cp_object_name(const struct cp_symbols *s, const struct cp_object *o)
{
	const char *name = cp_strings_get(s->strings, o->dso->pub.name);

	return s->opt.recorded != NULL
		   ? s->opt.recorded(s->opt.recorded_ctx, name)
		   : name;
}

/* The kernel adds " (deleted)" to the name of a file that has none any more. */
static void
take_name(struct cp_object *o, const char *name)
{
	static const char mark[] = " (deleted)";
	size_t n = strlen(name), cut = sizeof(mark) - 1;

	o->deleted = n > cut && strcmp(name + n - cut, mark) == 0;
	o->name = cp_arena_strndup(&o->arena, name, o->deleted ? n - cut : n);
}

struct cp_object *
cp_object_new(const struct cp_symbols *s, const struct cp_dso_info *d)
{
	struct cp_object *o = cp_xcalloc(1, sizeof(*o));

	o->allow_mismatch = s->opt.allow_mismatch;
	o->dso = d;
	take_name(o, cp_object_name(s, o));
	pthread_mutex_init(&o->lock, NULL);
	return o;
}

static void
file_free(struct cp_file *f)
{
	if (f != NULL)
		cp_elf_free(&f->elf);
	free(f);
}

void
cp_object_free(struct cp_object *o)
{
	if (o->go != NULL)
		cp_gotab_free(o->go);
	free(o->go);
	for (size_t i = 0; i < o->files.len; i++)
		file_free(o->files.data[i]);
	file_free(o->wrong_code);
	file_free(o->wrong_debug);
	file_free(o->elsewhere);
	cp_vec_free(&o->files);
	cp_vec_free(&o->notes);
	cp_vec_free(&o->asked_for);
	cp_content_free(&o->text);
	cp_symtab_free(&o->tab);
	cp_map64_free(&o->recorded);
	cp_map64_free(&o->overloads);
	cp_vec_free(&o->recorded_symbols);
	cp_arena_free(&o->arena);
	pthread_mutex_destroy(&o->lock);
	free(o->interned);
	free(o->shown);
	free(o);
}

struct cp_object *
cp_object_of(struct cp_symbols *s, const struct cp_dso_info *d)
{
	size_t at = d->pub.id - 1;
	struct cp_object *o;

	pthread_mutex_lock(&s->lock);
	while (s->objects.len <= at)
		*cp_vec_push(&s->objects) = NULL;
	if (s->objects.data[at] == NULL)
		s->objects.data[at] = cp_object_new(s, d);
	o = s->objects.data[at];
	pthread_mutex_unlock(&s->lock);
	return o;
}

uint64_t
cp_object_slide(const struct cp_symbols *s, const struct cp_object *o,
    const struct cp_elf *elf)
{
	const struct cp_dso_info *d = o->dso;
	const char *ref = cp_strings_get(s->strings, d->ref_name);
	uint64_t at;

	/* Without that symbol it is taken to run at its link address. */
	if (d->ref_addr == 0 || ref[0] == '\0' ||
	    !cp_elf_symbol_value(elf, ref, &at))
		return 0;
	return d->ref_addr - at;
}

void
cp_object_keep_shown(struct cp_object *o, struct cp_symtab *old)
{
	const struct cp_symbol **interned = o->interned;
	const char **shown = o->shown;

	o->interned = cp_xcalloc(o->tab.all.len, sizeof(*o->interned));
	o->shown = cp_xcalloc(o->tab.all.len, sizeof(*o->shown));
	for (size_t i = 0; i < old->all.len; i++) {
		uint32_t now = cp_symtab_at(&o->tab, old->all.data[i].start);

		if (now == CP_NO_ENTRY)
			continue;
		o->interned[now] = interned[i];
		o->shown[now] = shown[i];
	}
	free(interned);
	free(shown);
	cp_symtab_free(old);
}
