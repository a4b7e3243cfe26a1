/* SPDX-License-Identifier: MIT */
/*
 * Kernel and module names from kallsyms: a file is read once and shared by
 * the kernel and its modules.  The running kernel's own is used only if it is
 * the kernel that was recorded, boot for boot.
 */
#include <fcntl.h>
#include <unistd.h>

#include "base/limits.h"
#include "symbolize/chain.h"

const struct cp_dso_info *
cp_object_kernel(const struct cp_symbols *s, const struct cp_object *o)
{
	switch (o->dso->pub.kind) {
	case CP_DSO_KERNEL: return o->dso;
	case CP_DSO_MODULE: return s->kernel;
	default: return NULL;
	}
}

static void
read_shared(struct cp_shared_kallsyms *k)
{
	bool running = strcmp(k->path, "/proc/kallsyms") == 0;
	struct cp_content text;
	int fd = running ? open(k->path, O_RDONLY | O_CLOEXEC)
			 : cp_objfile_open(k->path);

	if (fd < 0)
		return;
	k->usable = cp_objfile_read(fd, CP_MAX_KALLSYMS, &text) &&
		    cp_kallsyms_init(&k->k, text);
	close(fd);
}

static struct cp_shared_kallsyms *
shared_locked(struct cp_symbols *s, const char *path)
{
	struct cp_shared_kallsyms *k;

	for (size_t i = 0; i < s->kallsyms.len; i++)
		if (strcmp(s->kallsyms.data[i]->path, path) == 0)
			return s->kallsyms.data[i];
	k = cp_arena_alloc(&s->arena, sizeof(*k));
	k->path = cp_arena_strndup(&s->arena, path, strlen(path));
	read_shared(k);
	*cp_vec_push(&s->kallsyms) = k;
	return k;
}

/* What must be added if the text is of another boot of the same kernel. */
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

/* "/lib/.../snd-hda.ko.xz" and "[snd_hda]" -> "snd_hda". */
static bool
module_name(const char *name, char *out, size_t size)
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

bool
cp_object_load_kallsyms(
    struct cp_object *o, struct cp_symbols *s, const char *path)
{
	bool module = o->dso->pub.kind == CP_DSO_MODULE;
	struct cp_shared_kallsyms *k;
	char name[64];

	pthread_mutex_lock(&s->lock);
	k = shared_locked(s, path);
	pthread_mutex_unlock(&s->lock);
	if (!k->usable)
		return false;
	if (module && module_name(cp_object_name(s, o), name, sizeof(name)))
		cp_kallsyms_select(&k->k, &o->tab, name, o->dso->start);
	if (!module)
		cp_kallsyms_select(
		    &k->k, &o->tab, NULL, -slide_of(s, &k->k, o->dso));
	if (o->tab.all.len == 0)
		return false;
	o->path = cp_arena_strndup(&o->arena, path, strlen(path));
	return true;
}

static bool
is_running(const struct cp_dso *d)
{
	struct cp_content notes;
	uint8_t id[20], size;
	int fd = open("/sys/kernel/notes", O_RDONLY | O_CLOEXEC);
	bool got;

	if (fd < 0)
		return false;
	got = cp_objfile_read(fd, CP_MAX_NOTE, &notes);
	close(fd);
	if (!got)
		return false;
	size = cp_notes_build_id(
	    cp_bytes_of(notes.data, notes.size, false), 4, id);
	cp_content_free(&notes);
	return cp_build_id_equal(id, size, d->build_id, d->build_id_size);
}

static bool
kernel_open(struct cp_symbols *s, struct cp_object *o)
{
	const struct cp_dso_info *k = cp_object_kernel(s, o);

	if (!s->opt.running_kernel || k == NULL || !is_running(&k->pub) ||
	    !cp_object_load_kallsyms(o, s, "/proc/kallsyms"))
		return false;
	o->trust = CP_TRUST_VERIFIED;
	return true;
}

const struct cp_symbolizer cp_symbolizer_kernel = {
	.name = "kernel",
	.source = CP_SOURCE_KALLSYMS,
	.open = kernel_open,
};
