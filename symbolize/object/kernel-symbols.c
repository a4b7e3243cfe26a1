/* SPDX-License-Identifier: MIT */
/*
 * Names of kernel and modules from kallsyms.  A file is read once and shared by
 * the kernel and its modules.
 */
#include "symbolize/object/kernel-symbols.h"

#include <sys/utsname.h>
#include <unistd.h>

#include "base/limits.h"
#include "model/info.h"
#include "symbolize/file-index/content.h"
#include "symbolize/kernel/running-kernel.h"

#define MAX_KERNEL_CODE ((uint64_t)256 << 20)

const struct cp_dso_info *
cp_object_kernel(const struct cp_symbols *s, const struct cp_object *o)
{
	const struct cp_dso *d = &o->dso->pub;

	if (d->kind == CP_DSO_KERNEL)
		return o->dso;
	if (d->kind != CP_DSO_MODULE)
		return NULL;
	if (d->level != CP_LEVEL_GUEST_KERNEL)
		return s->kernel;
	for (size_t i = 0; i < s->guests.len; i++)
		if (s->guests.data[i]->pub.pid == d->pid)
			return s->guests.data[i];
	return NULL;
}

bool
cp_object_read_kallsyms(struct cp_symbols *s, const char *path,
    const struct cp_indexed *f, struct cp_content *out)
{
	bool running = false, ok;
	int fd;

	if (f != NULL)
		return cp_symindex_read(&s->index, f, CP_MAX_KALLSYMS, out);
	fd = cp_running_open(path);
	running = fd >= 0;
	if (!running)
		fd = cp_objfile_open(path);
	if (fd < 0)
		return false;
	ok = !running && cp_objfile_map(fd, out);
	if (ok && out->size > CP_MAX_KALLSYMS) {
		cp_content_free(out);
		ok = false;
	} else if (!ok) {
		ok = cp_objfile_read(fd, CP_MAX_KALLSYMS, out);
	}
	close(fd);
	return ok;
}

static struct cp_shared_kallsyms *
shared_locked(
    struct cp_symbols *s, const char *path, const struct cp_indexed *f)
{
	struct cp_shared_kallsyms *k;
	struct cp_content text;

	for (size_t i = 0; i < s->kallsyms.len; i++)
		if (strcmp(s->kallsyms.data[i]->path, path) == 0)
			return s->kallsyms.data[i];
	k = cp_arena_alloc(&s->arena, sizeof(*k));
	k->path = cp_arena_strndup(&s->arena, path, strlen(path));
	k->usable = cp_object_read_kallsyms(s, path, f, &text) &&
		    cp_kallsyms_init(&k->k, text);
	*cp_vec_push(&s->kallsyms) = k;
	return k;
}

/* The difference between two boots of the same kernel. */
static uint64_t
slide_of(const struct cp_symbols *s, const struct cp_kallsyms *k,
    const struct cp_dso_info *kernel)
{
	const char *ref;

	if (kernel == NULL || kernel->ref_addr == 0)
		return 0;
	ref = cp_strings_get(s->strings, kernel->ref_name);
	return cp_kallsyms_slide(k, ref, kernel->ref_addr);
}

/* "/lib/.../snd-hda.ko.xz" and "[snd_hda]" become "snd_hda". */
bool
cp_module_name(const char *name, char *out, size_t size)
{
	const char *slash = strrchr(name, '/'), *end;
	size_t n;

	if (slash != NULL)
		name = slash + 1;
	name += name[0] == '[';
	end = strstr(name, ".ko");
	n = end != NULL ? (size_t)(end - name) : strcspn(name, "]");
	if (n == 0 || n >= size)
		return false;
	for (size_t i = 0; i < n; i++)
		out[i] = name[i] == '-' ? '_' : name[i];
	out[n] = '\0';
	return true;
}

/* True if the text's code ends elsewhere: it is another kernel's. */
static bool
other_kernel(const struct cp_symbols *s, const struct cp_kallsyms *k,
    const struct cp_dso_info *kernel)
{
	uint64_t end = k->text_end;

	/* Old recorders did not store the end. */
	if (kernel == NULL || end == 0 || kernel->text_end <= kernel->start ||
	    kernel->text_end - kernel->start > MAX_KERNEL_CODE)
		return false;
	return end + slide_of(s, k, kernel) != kernel->text_end;
}

/*
 * True for a text that the user did not name and that does not identify its
 * kernel.
 */
static bool
is_stray(const struct cp_symbols *s, struct cp_object *o,
    const struct cp_kallsyms *k, const struct cp_indexed *f)
{
	const struct cp_dso_info *kernel = cp_object_kernel(s, o);

	if (f == NULL || f->given || f->build_id_size != 0 ||
	    o->dso->pub.level == CP_LEVEL_GUEST_KERNEL)
		return false;
	return kernel == NULL || k->text_end == 0 ||
	       kernel->text_end <= kernel->start ||
	       kernel->text_end - kernel->start > MAX_KERNEL_CODE;
}

/*
 * True if the text fits the object.  Modules move with each boot; a kernel
 * slides.
 */
static bool
fits(const struct cp_symbols *s, struct cp_object *o,
    const struct cp_kallsyms *k, const char *path)
{
	const struct cp_dso_info *kernel = cp_object_kernel(s, o);
	const char *what = NULL;

	if (other_kernel(s, k, kernel))
		what = "another kernel";
	else if (o->dso->pub.kind == CP_DSO_MODULE &&
		 slide_of(s, k, kernel) != 0)
		what = "another boot";
	if (what == NULL)
		return true;
	cp_object_note(o, CP_D_MISMATCH, "%s, of %s: %s", cp_object_name(s, o),
	    what, path);
	o->mismatch = true;
	return false;
}

static bool
other_release(const struct cp_symbols *s)
{
	const char *release =
	    s->opt.info != NULL ? s->opt.info->os_release : NULL;
	struct utsname here;

	return release != NULL &&
	       (uname(&here) != 0 || strcmp(here.release, release) != 0);
}

/* True if the kernel's code begins and ends where the text says. */
static bool
is_same_boot(const struct cp_symbols *s, const struct cp_kallsyms *k,
    const struct cp_dso_info *kernel)
{
	return kernel->ref_addr != 0 && k->text_end != 0 &&
	       k->text_end == kernel->text_end && slide_of(s, k, kernel) == 0;
}

enum cp_trust
cp_object_runs_here(struct cp_symbols *s, const struct cp_dso_info *kernel)
{
	const struct cp_shared_kallsyms *k;
	uint8_t id[20], size;

	if (!s->opt.running_kernel || kernel == NULL)
		return CP_TRUST_NONE;
	if (kernel->pub.build_id_size != 0) {
		size = cp_running_id(id);
		return cp_build_id_equal(id, size, kernel->pub.build_id,
			   kernel->pub.build_id_size)
			   ? CP_TRUST_VERIFIED
			   : CP_TRUST_NONE;
	}
	if (other_release(s))
		return CP_TRUST_NONE;
	pthread_mutex_lock(&s->lock);
	k = shared_locked(s, CP_RUNNING_KALLSYMS, NULL);
	pthread_mutex_unlock(&s->lock);
	return k->usable && is_same_boot(s, &k->k, kernel) ? CP_TRUST_ABSENT
							   : CP_TRUST_NONE;
}

const struct cp_dso_info *
cp_object_host_kernel(const struct cp_symbols *s)
{
	const struct cp_dsos *all = s->opt.dsos;

	for (size_t i = 0; s->kernel == NULL && all != NULL && i < all->all.len;
	     i++) {
		const struct cp_dso *d = &all->all.data[i]->pub;

		if (d->kind == CP_DSO_KERNEL && d->level == CP_LEVEL_KERNEL)
			return all->all.data[i];
	}
	return s->kernel;
}

static void
load_whole(struct cp_symbols *s, struct cp_object *o,
    struct cp_shared_kallsyms *k, const char *module, uint64_t base)
{
	pthread_mutex_lock(&s->lock);
	cp_kallsyms_whole(&k->k);
	pthread_mutex_unlock(&s->lock);
	cp_kallsyms_select(&k->k, &o->tab, module, base);
}

bool
cp_object_load_kallsyms(struct cp_object *o, struct cp_symbols *s,
    const char *path, const struct cp_indexed *f)
{
	bool module = o->dso->pub.kind == CP_DSO_MODULE;
	struct cp_shared_kallsyms *k;
	char name[64];

	pthread_mutex_lock(&s->lock);
	k = shared_locked(s, path, f);
	pthread_mutex_unlock(&s->lock);
	if (k->k.hidden)
		cp_object_note(o, CP_D_KALLSYMS_HIDDEN, "%s", path);
	if (!k->usable || is_stray(s, o, &k->k, f) || !fits(s, o, &k->k, path))
		return false;
	if (module && cp_module_name(cp_object_name(s, o), name, sizeof(name)))
		load_whole(s, o, k, name, o->dso->start);
	if (!module) {
		/* A sorted text is searched later, per address. */
		o->deferred_base = -slide_of(s, &k->k, o->dso);
		if (k->k.orderly)
			o->deferred = k;
		else
			load_whole(s, o, k, NULL, o->deferred_base);
	}
	if (o->tab.all.len == 0 && o->deferred == NULL)
		return false;
	if (k->k.damaged != 0) {
		cp_object_note(o, CP_D_BAD_ELF, "%s: %zu line%s no symbol",
		    path, k->k.damaged, k->k.damaged == 1 ? " is" : "s are");
		o->damaged = true;
	}
	o->path = cp_arena_strndup(&o->arena, path, strlen(path));
	return true;
}

void
cp_object_load_deferred(struct cp_object *o)
{
	struct cp_symtab old = o->tab;

	o->tab = (struct cp_symtab){ 0 };
	cp_kallsyms_pick(&o->deferred->k, &o->tab, o->deferred_base,
	    o->asked_for.data, o->asked_for.len, &o->arena);
	cp_symtab_index(&o->tab);
	cp_object_keep_shown(o, &old);
}

size_t
cp_object_count(struct cp_symbols *s, struct cp_object *o)
{
	struct cp_object whole = { 0 };
	size_t n;

	if (o->deferred == NULL)
		return o->tab.all.len;
	load_whole(s, &whole, o->deferred, NULL, o->deferred_base);
	n = whole.tab.all.len;
	cp_symtab_free(&whole.tab);
	return n;
}
