/* SPDX-License-Identifier: MIT */
/*
 * pack-objects: the members of a bundle that name addresses.
 *
 * Files of objects are laid out as in perf's build-id cache; other files are
 * below coldperf/, and the manifest lists those that were not found.
 */
#include "cli/command/pack-objects.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/limits.h"
#include "base/strings.h"
#include "symbolize/elf/strip.h"
#include "symbolize/object/files.h"
#include "symbolize/object/text-files.h"
#include "symbolize/symbolize.h"

#define MAX_FOUND 8
#define MAX_RANGES 512

const char *
cp_packing_text(struct cp_packing *p, const char *fmt, ...)
{
	struct cp_buf b;
	const char *kept;
	va_list ap;

	cp_buf_init(&b, 64u << 10);
	va_start(ap, fmt);
	cp_buf_vprintf(&b, fmt, ap);
	va_end(ap);
	kept = cp_arena_strndup(&p->list.arena, cp_buf_text(&b), b.len);
	cp_buf_free(&b);
	return kept;
}

static const char *
hex(struct cp_packing *p, const uint8_t *id, size_t size)
{
	char out[41] = "-";

	if (size != 0)
		cp_hex_of(out, id, CP_MIN(size, 20));
	return cp_packing_text(p, "%s", out);
}

/* Returns a relative path without "..". */
static const char *
harmless(struct cp_packing *p, const char *name)
{
	struct cp_buf b;
	const char *kept;

	cp_buf_init(&b, 8192);
	while (*name != '\0') {
		size_t n = strcspn(name, "/");
		bool dots = (n == 1 && name[0] == '.') ||
			    (n == 2 && name[0] == '.' && name[1] == '.');

		if (n != 0 && b.len != 0)
			cp_buf_char(&b, '/');
		if (dots)
			cp_buf_str(&b, "_");
		else
			cp_buf_add(&b, name, n);
		name += n + (name[n] == '/');
	}
	kept = cp_packing_text(p, "%s", b.len != 0 ? cp_buf_text(&b) : "_");
	cp_buf_free(&b);
	return kept;
}

static const char *
object_name(struct cp_packing *p, const struct cp_dso_info *d)
{
	return cp_strings_get(&p->run->session.strings, d->pub.name);
}

static void
miss(struct cp_packing *p, const struct cp_dso_info *d, const char *role)
{
	*cp_vec_push(&p->list.missing) = (struct cp_pack_missing){ role,
		hex(p, d->pub.build_id, d->pub.build_id_size),
		object_name(p, d), d->pub.id };
}

/* ----------------------------------------------------------- object files */

static void
slim_down(
    struct cp_packing *p, struct cp_pack_item *it, const struct cp_elf *elf)
{
	struct cp_extent r[MAX_RANGES];
	size_t n = cp_elf_slim(elf, r, CP_ARRAY_LEN(r));
	struct cp_extent *kept;

	if (n == 0)
		return;
	kept = cp_arena_alloc(&p->list.arena, n * sizeof(*kept));
	memcpy(kept, r, n * sizeof(*kept));
	it->kept = kept;
	it->n_kept = n;
}

/* Adds the link from the build ID to the folder of the object. */
static void
add_link(struct cp_packing *p, const char *folder, const char *id)
{
	struct cp_pack_item *it;

	if (strlen(id) < 3)
		return;
	it = cp_packlist_add(
	    &p->list, cp_packing_text(p, ".build-id/%.2s/%s", id, id + 2));
	if (it != NULL)
		it->target = cp_packing_text(p, "../../%s", folder);
}

/*
 * A file that no reader of the bundle would take is not packed.  One with holes
 * may be of any size on a small disk, and to read its zeros takes hours.
 */
static bool
too_large(struct cp_packing *p, const struct cp_dso_info *d, const char *role,
    uint64_t size)
{
	if (size <= CP_MAX_SPOOL)
		return false;
	cp_diag(p->run->diags, CP_D_LIMIT,
	    "CP_MAX_SPOOL: %s is too large to be packed", object_name(p, d));
	miss(p, d, role);
	return true;
}

static void
add_found(
    struct cp_packing *p, const struct cp_dso_info *d, const struct cp_found *f)
{
	const char *id = hex(p, f->elf->build_id, f->elf->build_id_size);
	const char *role = f->runtime ? "elf" : "debug", *folder, *name;
	struct cp_pack_item *it;

	if (f->runtime && d->pub.kind == CP_DSO_VDSO)
		role = "vdso";
	if (too_large(p, d, role, f->elf->content.size))
		return;
	name = harmless(p, f->alt ? f->path : object_name(p, d));
	folder = cp_packing_text(p, "%s/%s", name, id);
	/* An object recorded without an ID is found by its path. */
	if (id[0] == '-' || (d->pub.build_id_size == 0 && !f->alt))
		name = cp_packing_text(
		    p, "coldperf/files/%s%s", name, f->runtime ? "" : ".debug");
	else
		name = cp_packing_text(p, "%s/%s%s", folder, role,
		    f->symbols && !f->runtime && !f->debug ? ".symbols" : "");
	it = cp_packlist_add(&p->list, name);
	if (it == NULL)
		return;
	it->role = role;
	it->id = id;
	it->data = f->elf->content.data;
	it->size = f->elf->content.size;
	if (p->slim && !(p->lines && f->debug))
		slim_down(p, it, f->elf);
	if (strncmp(name, "coldperf/", 9) != 0)
		add_link(p, folder, id);
}

struct split {
	struct cp_packing *p;
	const struct cp_dso_info *d;
	size_t missed;
};

/*
 * Adds a .dwo at the path that the compiler recorded, or the .dwp next to the
 * object.
 */
static void
add_split(void *ctx, const char *path, const struct cp_elf *elf)
{
	struct split *s = ctx;
	struct cp_packing *p = s->p;
	const char *role = path != NULL ? "dwo" : "dwp";
	struct cp_pack_item *it;

	if (path == NULL)
		path = cp_packing_text(p, "%s.dwp", object_name(p, s->d));
	if (elf == NULL) {
		if (s->missed++ < CP_MAX_DWO_FILES)
			*cp_vec_push(&p->list.missing) =
			    (struct cp_pack_missing){ role, "-",
				    cp_packing_text(p, "%s", path),
				    s->d->pub.id };
		return;
	}
	if (too_large(p, s->d, role, elf->content.size))
		return;
	it = cp_packlist_add(&p->list,
	    cp_packing_text(p, "coldperf/files/%s", harmless(p, path)));
	if (it == NULL)
		return;
	it->role = role;
	it->data = elf->content.data;
	it->size = elf->content.size;
}

static void
add_files(struct cp_packing *p, const struct cp_dso_info *d)
{
	struct split split = { .p = p, .d = d };
	struct cp_found f[MAX_FOUND];
	size_t n = cp_symbols_found(p->symbols, d, f, MAX_FOUND);
	bool code = false, debug = false, named = false;
	bool slim = p->slim && !p->lines;

	for (size_t i = 0; i < n; i++) {
		code |= f[i].runtime;
		named |= f[i].symbols;
		debug |= f[i].debug;
		/*
		 * With --slim, skips debug information that names no function
		 * and that no source needs.
		 */
		if (slim && !f[i].runtime && !f[i].symbols)
			continue;
		if (f[i].trust != CP_TRUST_MISMATCH)
			add_found(p, d, &f[i]);
	}
	if (debug && !slim && d->pub.kind == CP_DSO_FILE)
		cp_symbols_splits(p->symbols, d, add_split, &split);
	if (d->pub.kind == CP_DSO_KERNEL || d->pub.kind == CP_DSO_MODULE)
		return;
	if (!code)
		miss(p, d, "elf");
	else if (!named)
		miss(p, d, "symbols");
	else if (!debug && !slim)
		miss(p, d, "debug");
}

/* -------------------------------------------------------- everything else */

static struct cp_pack_item *
add_content(struct cp_packing *p, const char *name, const char *role,
    struct cp_content c)
{
	struct cp_pack_item *it = cp_packlist_add(&p->list, name);

	*cp_vec_push(&p->contents) = c;
	if (it == NULL)
		return NULL;
	it->role = role;
	it->data = c.data;
	it->size = c.size;
	return it;
}

static void
add_kallsyms(struct cp_packing *p, const struct cp_dso_info *d)
{
	const char *id = hex(p, d->pub.build_id, d->pub.build_id_size);
	const char *folder =
	    cp_packing_text(p, "%s/%s", harmless(p, object_name(p, d)), id);
	struct cp_pack_item *it;
	struct cp_content c;

	if (!cp_symbols_kallsyms(p->symbols, d, &c)) {
		miss(p, d, "kallsyms");
		return;
	}
	it = add_content(
	    p, cp_packing_text(p, "%s/kallsyms", folder), "kallsyms", c);
	if (it == NULL)
		return;
	if (d->pub.build_id_size == 0)
		return;
	it->id = id;
	add_link(p, folder, id);
}

/* Adds a perf map or jitdump, under that name. */
static void
add_jit(
    struct cp_packing *p, const char *role, const char *path, const char *name)
{
	int fd = cp_text_file_open(p->symbols, path);
	struct cp_pack_item *it = NULL;
	struct stat st;

	if (fd >= 0 && fstat(fd, &st) == 0)
		it = cp_packlist_add(
		    &p->list, cp_packing_text(p, "coldperf/jit/%s", name));
	if (fd >= 0)
		*cp_vec_push(&p->fds) = fd;
	if (it == NULL)
		return;
	it->role = role;
	it->fd = fd;
	it->size = (uint64_t)st.st_size;
}

/* Looks up the names of all frames in the object. */
static void
ask_all(struct cp_packing *p, const struct cp_dso_info *d)
{
	const struct cp_stacks *s = &p->run->session.stacks;
	CP_CLEANUP(cp_cleanup_free)
	uint64_t *addr = cp_xcalloc(s->frames.len + 1, sizeof(*addr));
	CP_CLEANUP(cp_cleanup_free)
	const struct cp_symbol **out =
	    cp_xcalloc(s->frames.len + 1, sizeof(*out));
	size_t n = 0;

	for (size_t i = 0; i < s->frames.len; i++)
		if (s->frames.data[i].dso == d->pub.id)
			addr[n++] = s->frames.data[i].addr;
	qsort(addr, n, sizeof(*addr), cp_u64_order);
	cp_symbols_names(p->symbols, d, addr, n, out);
}

static void
add_code(struct cp_packing *p, const struct cp_dso_info *d)
{
	struct cp_object_state s;

	if (d->path != NULL) {
		add_jit(
		    p, "jitdump", d->path, harmless(p, cp_basename(d->path)));
		return;
	}
	/* The sampled addresses decide which map is the right one. */
	ask_all(p, d);
	s = cp_symbols_state(p->symbols, d);
	if (s.path == NULL)
		miss(p, d, "perf-map");
	else /* in two containers, two maps may have the same name */
		add_jit(p, "perf-map", s.path,
		    cp_packing_text(p, "perf-%" PRIu32 ".map", d->pub.pid));
	if (s.path_below != NULL)
		add_jit(p, "perf-map", s.path_below, cp_basename(s.path_below));
}

static void
add_object(struct cp_packing *p, const struct cp_dso_info *d)
{
	switch (d->pub.kind) {
	case CP_DSO_BPF: break;
	case CP_DSO_ANON: add_code(p, d); break;
	case CP_DSO_KERNEL:
		add_kallsyms(p, d);
		add_files(p, d);
		break;
	default:
		if (d->path != NULL)
			add_code(p, d);
		else
			add_files(p, d);
		break;
	}
}

/* ----------------------------------------------------------- source files */

/*
 * May the text be packed?  Never if it is of another version.  A file of this
 * machine only if it has the MD5 that the compiler recorded, because the path
 * alone may lead to any file.
 */
static bool
may_go_along(const struct cp_srcfile *f)
{
	if (f->path == NULL || f->trust == CP_TRUST_MISMATCH)
		return false;
	return f->source != CP_SOURCE_LOCAL || f->trust == CP_TRUST_VERIFIED;
}

/* Adds a source file once. */
static void
add_source(struct cp_packing *p, const struct cp_dso_info *d, const char *file,
    struct cp_map64 *seen)
{
	uint32_t *at = cp_map64_put(seen, cp_hash_bytes(file, strlen(file)));
	const struct cp_srcfile *f;
	struct cp_pack_item *it;

	if (*at != 0)
		return;
	*at = 1;
	f = cp_symbols_source(p->symbols, d, file);
	if (!may_go_along(f)) {
		*cp_vec_push(&p->list.missing) =
		    (struct cp_pack_missing){ "source", "-",
			    cp_packing_text(p, "%s", file), 0 };
		return;
	}
	it = cp_packlist_add(&p->list,
	    cp_packing_text(p, "coldperf/files/%s", harmless(p, file)));
	if (it == NULL)
		return;
	it->role = "source";
	it->data = (const uint8_t *)f->text;
	it->size = f->size;
}

/* Adds the files of sampled lines and of functions inlined there. */
void
cp_packing_sources(struct cp_packing *p)
{
	size_t n = p->run->session.stacks.frames.len;
	CP_CLEANUP(cp_cleanup_free)
	cp_frame_id *frames = cp_xcalloc(n + 1, sizeof(*frames));
	struct cp_map64 seen = { 0 };

	for (size_t i = 0; i < n; i++)
		frames[i] = (cp_frame_id)i;
	/*
	 * Names are asked for again: the files to pack stay open in the
	 * symbolizer.
	 */
	cp_run_reserve_names(p->run);
	cp_run_spot_frames(p->run, frames, n, false);
	for (size_t i = 0; i < n; i++) {
		const struct cp_frame *f = cp_frame_get(p->run, frames[i]);
		const struct cp_spot *spots;
		size_t k = cp_frame_spots(p->run, frames[i], &spots);

		while (k-- > 0)
			if (spots[k].file != NULL)
				add_source(p,
				    cp_dsos_at(&p->run->session.dsos, f->dso),
				    spots[k].file, &seen);
	}
	cp_map64_free(&seen);
}

/* Every frame of every stack belongs to a sample. */
void
cp_packing_objects(struct cp_packing *p)
{
	const struct cp_session *s = &p->run->session;
	CP_CLEANUP(cp_cleanup_free)
	uint8_t *seen = cp_xcalloc(s->dsos.all.len + 1, 1);

	for (size_t i = 0; i < s->stacks.nodes.len; i++) {
		cp_frame_id f = s->stacks.nodes.data[i].frame;

		seen[s->stacks.frames.data[f].dso] = 1;
	}
	for (size_t i = 0; i < s->dsos.all.len; i++)
		if (seen[i + 1])
			cp_symbols_meet(p->symbols, s->dsos.all.data[i]);
	for (size_t i = 0; i < s->dsos.all.len; i++)
		if (seen[i + 1])
			add_object(p, s->dsos.all.data[i]);
}

void
cp_packing_free(struct cp_packing *p)
{
	for (size_t i = 0; i < p->fds.len; i++)
		if (p->fds.data[i] >= 0)
			close(p->fds.data[i]);
	for (size_t i = 0; i < p->contents.len; i++)
		cp_content_free(&p->contents.data[i]);
	cp_vec_free(&p->fds);
	cp_vec_free(&p->contents);
	cp_packlist_free(&p->list);
}
