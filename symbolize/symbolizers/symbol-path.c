/* SPDX-License-Identifier: MIT */
/*
 * Files in the index: by build ID; by the recorded path below a folder or
 * bundle as root; a single file by its name; a module by its name.
 */
#include "base/strings.h"
#include "symbolize/file-index/index.h"
#include "symbolize/file-index/content.h"
#include "symbolize/file-index/lookup.h"
#include "symbolize/object/kernel-symbols.h"
#include "symbolize/object/verify.h"
#include "symbolize/symbolizers/symbolizers.h"

static bool
offer(struct cp_symbols *s, struct cp_object *o, const struct cp_indexed *f)
{
	struct cp_content c;

	return cp_symindex_content(&s->index, f, &c) &&
	       cp_object_offer_image(o, &cp_symbolizer_symbol_path, c, f->path);
}

static void
symdirs_offer_id(
    struct cp_symbols *s, struct cp_object *o, const uint8_t *id, size_t size)
{
	const struct cp_indexed *f = cp_symindex_id(&s->index, id, size);

	for (; f != NULL; f = cp_symindex_id_next(&s->index, f, id, size))
		if (cp_indexed_is_elf(f))
			offer(s, o, f);
}

/* The last member of a name counts, as in tar. */
static bool
below_root(struct cp_symbols *s, struct cp_object *o)
{
	const char *name = o->name;

	if (name[0] != '/')
		return false;
	for (size_t i = 0; i < s->index.roots.len; i++) {
		int fd = cp_objfile_open_under(s->index.roots.data[i], name);

		if (cp_object_offer(o, &cp_symbolizer_symbol_path, fd, name))
			return true;
	}
	for (size_t i = s->index.files.len; i-- > 0;) {
		const struct cp_indexed *f = &s->index.files.data[i];

		if (f->bundle != 0 && cp_indexed_is_elf(f) &&
		    strcmp(f->name, name + 1) == 0 && offer(s, o, f))
			return true;
	}
	return false;
}

static bool
same_module(const char *a, const char *b)
{
	char x[64], y[64];

	return cp_module_name(a, x, sizeof(x)) &&
	       cp_module_name(b, y, sizeof(y)) && strcmp(x, y) == 0;
}

/* The kernel's file is vmlinux, whatever the capture calls the kernel. */
static bool
is_its_file(const struct cp_object *o, const char *name, const char *file)
{
	switch (o->dso->pub.kind) {
	case CP_DSO_KERNEL: return strncmp(file, "vmlinux", 7) == 0;
	case CP_DSO_MODULE:
		if (strstr(file, ".ko") != NULL && same_module(file, name))
			return true;
		break;
	default: break;
	}
	return strcmp(file, name) == 0;
}

/* A program in memory: the file that was copied there may have any name. */
static bool
is_in_memory(const struct cp_object *o, const char *name)
{
	return o->dso->pub.kind == CP_DSO_FILE &&
	       o->dso->pub.build_id_size == 0 &&
	       strncmp(name, "memfd:", 6) == 0;
}

/* It is the only file that was given, if its code fits. */
static void
only_given(struct cp_symbols *s, struct cp_object *o)
{
	const struct cp_indexed *only = NULL;
	size_t n = 0;

	for (size_t i = 0; i < s->index.files.len; i++) {
		const struct cp_indexed *f = &s->index.files.data[i];

		if (!f->given || !cp_indexed_is_elf(f))
			continue;
		only = f;
		n++;
	}
	if (n == 1)
		offer(s, o, only);
}

/* How many last components of the paths are the same. */
static size_t
same_end(const char *a, const char *b)
{
	size_t n = strlen(a), m = strlen(b), same = 0;

	while (n > 0 && m > 0 && a[n - 1] == b[m - 1]) {
		n--;
		m--;
		same += a[n] == '/';
	}
	return same +
	       ((n == 0 || m == 0) && (n == m || a[n] == '/' || b[m] == '/'));
}

/*
 * A debug file has more after the name: prog.debug.  Whatever it is, the user
 * may have named that file.
 */
static bool
is_named_after(const char *file, const char *name, bool given)
{
	size_t n = strlen(name);

	return n != 0 && strncmp(file, name, n) == 0 && file[n] == '.' &&
	       (given || strcmp(file + n, ".debug") == 0 ||
		   strcmp(file + n, ".dbg") == 0);
}

static bool
may_be(const struct cp_symbols *s, const struct cp_object *o,
    const struct cp_indexed *f, const char *name)
{
	const char *file = cp_basename(f->name);
	bool id = o->dso->pub.build_id_size != 0;

	if (!cp_indexed_is_elf(f))
		return false;
	/* By name alone, of a folder, if there is no build ID to know it by. */
	if (!f->given && id && o->dso->pub.kind != CP_DSO_MODULE &&
	    !s->opt.allow_mismatch)
		return false;
	if (is_in_memory(o, name))
		name += strlen("memfd:");
	return is_its_file(o, name, file) ||
	       (!id && is_named_after(file, name, f->given));
}

/* The files of the object's name; those whose path is most like it first. */
static void
by_name(struct cp_symbols *s, struct cp_object *o)
{
	const char *name = cp_basename(o->name);
	size_t most = 0, less;

	for (size_t i = 0; i < s->index.files.len; i++)
		if (may_be(s, o, &s->index.files.data[i], name))
			most = CP_MAX(most,
			    same_end(s->index.files.data[i].name, o->name) + 1);
	for (; most != 0; most = less) {
		less = 0;
		for (size_t i = 0; i < s->index.files.len; i++) {
			const struct cp_indexed *f = &s->index.files.data[i];
			size_t same;

			if (!may_be(s, o, f, name))
				continue;
			same = same_end(f->name, o->name) + 1;
			if (same == most && offer(s, o, f))
				return;
			if (same < most)
				less = CP_MAX(less, same);
		}
	}
	if (is_in_memory(o, name))
		only_given(s, o);
}

static void
symdirs_find(struct cp_symbols *s, struct cp_object *o)
{
	uint8_t kind = o->dso->pub.kind;
	unsigned had = o->found;

	if (kind == CP_DSO_BPF || kind == CP_DSO_ANON ||
	    s->index.places.len == 0)
		return;
	cp_symindex_ready(&s->index);
	symdirs_offer_id(s, o, o->dso->pub.build_id, o->dso->pub.build_id_size);
	if (o->found == had && !below_root(s, o))
		by_name(s, o);
}

static bool
symdirs_find_id(struct cp_symbols *s, const uint8_t *id, size_t size,
    struct cp_content *out)
{
	const struct cp_indexed *f = cp_symindex_id(&s->index, id, size);

	while (f != NULL && !cp_indexed_is_elf(f))
		f = cp_symindex_id_next(&s->index, f, id, size);
	return f != NULL && cp_symindex_content(&s->index, f, out);
}

/*
 * A kallsyms text without a build ID is used if the user named it, or if it is
 * called guest.kallsyms for a guest; in a folder or bundle only if both text
 * and capture tell where the kernel's code ends.
 */
static bool
believed(const struct cp_object *o, const struct cp_dso_info *k,
    const struct cp_indexed *f)
{
	const char *file = cp_basename(f->name);
	bool guest = strncmp(file, "guest", 5) == 0;

	/*
	 * The running kernel's text counts as any other if the capture has no
	 * ID.
	 */
	if (f->build_id_size != 0 && !(f->given && k->pub.build_id_size == 0))
		return false;
	return guest == (o->dso->pub.level == CP_LEVEL_GUEST_KERNEL);
}

/* Reports a text that the user named and that is another kernel's. */
static void
say_other(struct cp_object *o, const struct cp_dso_info *k,
    const struct cp_indexed *f)
{
	char want[41], got[41];

	if (f->build_id_size == 0 || k->pub.build_id_size == 0)
		return;
	cp_hex_of(want, k->pub.build_id, CP_MIN(k->pub.build_id_size, 20));
	cp_hex_of(got, f->build_id, f->build_id_size);
	cp_object_note(o, CP_D_MISMATCH, "recorded %s, running %s: %s", want,
	    got, f->path);
	o->mismatch = true;
}

static bool
use_kallsyms(struct cp_symbols *s, struct cp_object *o, bool verified)
{
	const struct cp_dso_info *k = cp_object_kernel(s, o);

	for (size_t i = 0; i < s->index.files.len; i++) {
		const struct cp_indexed *f = &s->index.files.data[i];
		bool same = cp_build_id_equal(f->build_id, f->build_id_size,
		    k->pub.build_id, k->pub.build_id_size);

		if (f->kind == CP_INDEXED_KALLSYMS && f->given && verified &&
		    !same)
			say_other(o, k, f);
		if (f->kind != CP_INDEXED_KALLSYMS ||
		    !(verified ? same : believed(o, k, f)) ||
		    !cp_object_load_kallsyms(o, s, f->path, f))
			continue;
		o->trust = same ? CP_TRUST_VERIFIED : CP_TRUST_ABSENT;
		o->why = same       ? "build ID"
			 : f->given ? "no build ID; you gave it"
				    : "no build ID; its code ends where it did";
		return true;
	}
	return false;
}

static bool
symdirs_open(struct cp_symbols *s, struct cp_object *o)
{
	if (cp_object_kernel(s, o) == NULL || s->index.places.len == 0)
		return false;
	cp_symindex_ready(&s->index);
	return use_kallsyms(s, o, true) || use_kallsyms(s, o, false);
}

const struct cp_symbolizer cp_symbolizer_symbol_path = {
	.name = "symbols",
	.source = CP_SOURCE_BUNDLE,
	.find = symdirs_find,
	.offer_id = symdirs_offer_id,
	.find_id = symdirs_find_id,
	.open = symdirs_open,
};
