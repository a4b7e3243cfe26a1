/* SPDX-License-Identifier: MIT */
/*
 * Names addresses in batches.
 *
 * Each worker takes whole objects: it opens them, looks up addresses and
 * demangles.  Symbols are interned and notes reported afterwards, in the order
 * of the requests, so results do not depend on the number of workers.
 */
#include "symbolize/symbolize.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/limits.h"
#include "base/tuning.h"
#include "symbolize/demangle/languages.h"
#include "symbolize/list.h"
#include "symbolize/object/ask.h"
#include "symbolize/object/jit-files.h"
#include "symbolize/object/kernel-symbols.h"
#include "symbolize/object/snapshot.h"
#include "symbolize/symbolizers/debuginfod.h"

enum { MAX_TWINS = 3 }; /* other names of a function that are shown */

/* The requests for one object, as a linked list of indexes. */
struct job {
	struct cp_object *object;
	uint32_t first, last;
};

struct batch {
	struct cp_symbols *symbols;
	const struct cp_names *names;
	uint32_t **found; /* per request: symbols of its addresses */
	uint32_t *next;   /* per request: the object's next request */
	CP_VEC(struct job) jobs;
	atomic_size_t taken;
	struct timespec begin;
};

static char *
default_cache(void)
{
	const char *dir = getenv("PERF_BUILDID_DIR"), *home = getenv("HOME");
	struct cp_buf b;

	cp_buf_init(&b, 4096);
	if (dir != NULL && dir[0] != '\0')
		cp_buf_str(&b, dir);
	else if (home != NULL && home[0] == '/')
		cp_buf_printf(&b, "%s/.debug", home);
	if (b.data == NULL)
		return cp_xcalloc(1, 1);
	return b.data;
}

/* Adds the bundle that perf archive made next to the capture. */
static void
add_bundle(struct cp_symbols *s, const char *dir, size_t n, const char *name)
{
	static const char *const ends[] = { "", ".bz2", ".gz", ".xz", ".zst" };
	struct cp_buf b;

	for (size_t i = 0; i < CP_ARRAY_LEN(ends); i++) {
		cp_buf_init(&b, 4096);
		cp_buf_add(&b, dir, n);
		cp_buf_printf(&b, "%s.tar%s", name, ends[i]);
		if (!b.full && access(b.data, R_OK) == 0)
			cp_symindex_add(&s->index, b.data, false);
		cp_buf_free(&b);
	}
}

static void
add_places(struct cp_symbols *s)
{
	const char *capture = s->opt.capture, *slash;
	struct stat st;
	size_t dir;

	for (size_t i = 0; i < s->opt.n_paths; i++)
		cp_symindex_add(&s->index, s->opt.paths[i], true);
	if (s->opt.snapshot > 0)
		s->snapshot = cp_snapshot_load(s->opt.snapshot, s->diags);
	if (capture == NULL)
		return;
	if (stat(capture, &st) == 0)
		s->capture_time = st.st_mtime;
	if (s->snapshot != NULL)
		return;
	if (s->opt.bundle)
		cp_symindex_add(&s->index, capture, false);
	slash = strrchr(capture, '/');
	dir = slash != NULL ? (size_t)(slash + 1 - capture) : 0;
	add_bundle(s, capture, strlen(capture), "");
	if (strcmp(capture + dir, "perf.data") != 0)
		add_bundle(s, capture, dir, "perf.data");
}

struct cp_symbols *
cp_symbols_new(const struct cp_symbolize_options *opt,
    const struct cp_strings *strings, struct cp_diags *diags)
{
	struct cp_symbols *s = cp_xcalloc(1, sizeof(*s));

	s->opt = *opt;
	s->strings = strings;
	s->diags = diags;
	s->symbolizers = cp_symbolizers;
	s->n_symbolizers = cp_symbolizers_count;
	pthread_mutex_init(&s->lock, NULL);
	if (opt->cache_dir != NULL) {
		size_t n = strlen(opt->cache_dir);

		s->cache_dir = cp_xcalloc(n + 1, 1);
		memcpy(s->cache_dir, opt->cache_dir, n);
	} else {
		s->cache_dir = default_cache();
	}
	s->debuginfod = cp_debuginfod_new();
	cp_symindex_init(&s->index, diags);
	s->index.no_cache = opt->no_inline_cache;
	add_places(s);
	return s;
}

void
cp_symbols_free(struct cp_symbols *s)
{
	if (s == NULL)
		return;
	for (size_t i = 0; i < s->objects.len; i++) {
		if (s->objects.data[i] != NULL) {
			cp_object_inlines_free(s->objects.data[i]);
			cp_object_free(s->objects.data[i]);
		}
	}
	cp_vec_free(&s->objects);
	cp_vec_free(&s->guests);
	for (size_t i = 0; i < s->kallsyms.len; i++)
		cp_kallsyms_free(&s->kallsyms.data[i]->k);
	cp_vec_free(&s->kallsyms);
	cp_jitfiles_free(s);
	cp_symindex_free(&s->index);
	cp_snapshot_free(s->snapshot);
	cp_sources_free(s->sources);
	cp_debuginfod_free(s->debuginfod);
	cp_arena_free(&s->arena);
	pthread_mutex_destroy(&s->lock);
	free(s->cache_dir);
	free(s);
}

/* Remembers the kernel for its modules; a guest's kernel by its process. */
void
cp_symbols_meet(struct cp_symbols *s, const struct cp_dso_info *d)
{
	if (d->pub.kind != CP_DSO_KERNEL)
		return;
	if (d->pub.level != CP_LEVEL_GUEST_KERNEL) {
		if (s->kernel == NULL)
			s->kernel = d;
		return;
	}
	for (size_t i = 0; i < s->guests.len; i++)
		if (s->guests.data[i] == d)
			return;
	*cp_vec_push(&s->guests) = d;
}

/* Kernel symbols are not demangled, as in perf. */
static const char *
shown_name(const struct cp_symbols *s, struct cp_object *o, const char *raw)
{
	uint8_t kind = o->dso->pub.kind;
	const char *kept = raw;
	char *text = NULL;

	if ((o->by->plain || o->source == CP_SOURCE_PERF_MAP) &&
	    s->opt.demangle == CP_DEMANGLE_FULL)
		return raw;
	if (o->source == CP_SOURCE_PERF_MAP || o->source == CP_SOURCE_JITDUMP)
		text = s->opt.demangle == CP_DEMANGLE_SIMPLE
			   ? cp_tidy_runtime(raw)
			   : NULL;
	if (text == NULL && kind != CP_DSO_KERNEL && kind != CP_DSO_MODULE &&
	    kind != CP_DSO_BPF)
		text = cp_object_demangled(o, raw, &s->opt);
	if (text != NULL)
		kept = cp_arena_strndup(&o->arena, text, strlen(text));
	free(text);
	return kept;
}

/* The name with those of other functions of the same code, or NULL. */
static const char *
label_of(struct cp_symbols *s, struct cp_object *o, uint32_t e)
{
	const char *twins[MAX_TWINS + 1], *shown = NULL;
	size_t n = cp_symtab_twins(&o->tab, e, twins, MAX_TWINS + 1);
	struct cp_buf b;

	if (o->tab.all.data[e].labelled)
		return o->tab.others.data[o->tab.all.data[e].other].name;
	if (n == 0 || o->dso->pub.kind != CP_DSO_FILE)
		return NULL;
	cp_buf_init(&b, CP_MAX_DEMANGLED);
	cp_buf_str(&b, o->shown[e]);
	for (size_t i = 0; i < CP_MIN(n, MAX_TWINS); i++)
		cp_buf_printf(&b, "%s%s", i == 0 ? " (= " : ", ",
		    shown_name(s, o, twins[i]));
	cp_buf_str(&b, n > MAX_TWINS ? ", …)" : ")");
	if (!b.full && b.len < CP_MAX_NAMES - s->name_bytes) {
		shown = cp_arena_strndup(&o->arena, b.data, b.len);
		s->name_bytes += b.len;
	}
	cp_buf_free(&b);
	return shown;
}

static void
look_up(const struct cp_symbols *s, struct cp_object *o,
    const struct cp_names *q, uint32_t *found)
{
	size_t hint = 0;

	for (size_t i = 0; i < q->n; i++) {
		uint32_t e = o->by != NULL
				 ? cp_symtab_find(&o->tab, q->addr[i], &hint)
				 : CP_NO_ENTRY;

		found[i] = e;
		if (e != CP_NO_ENTRY && o->shown[e] == NULL)
			o->shown[e] =
			    shown_name(s, o, cp_symtab_name(&o->tab, e));
	}
}

/* Loads the names of all requested addresses of the object. */
static void
load_names(struct batch *b, const struct job *j)
{
	struct cp_object *o = j->object;
	bool first = !o->tried, more = false;

	if (!first && o->deferred == NULL)
		return;
	for (uint32_t r = j->first; r != UINT32_MAX; r = b->next[r])
		more |= cp_object_ask(o, b->names[r].addr, b->names[r].n);
	cp_object_open(b->symbols, o);
	if (o->deferred != NULL && more)
		cp_object_load_deferred(o);
	if (o->deferred == NULL)
		cp_vec_free(&o->asked_for);
}

static bool
takes_long(const struct batch *b)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)(t.tv_sec - b->begin.tv_sec) * 1000000000 + t.tv_nsec -
		   b->begin.tv_nsec >
	       CP_NAMES_ALONE;
}

static void *
work(void *arg)
{
	struct batch *b = arg;
	size_t i;

	while ((i = atomic_fetch_add(&b->taken, 1)) < b->jobs.len) {
		const struct job *j = &b->jobs.data[i];

		if (takes_long(b))
			cp_sharing_much(&b->symbols->sharing);
		load_names(b, j);
		for (uint32_t r = j->first; r != UINT32_MAX; r = b->next[r])
			look_up(
			    b->symbols, j->object, &b->names[r], b->found[r]);
	}
	return NULL;
}

static void
say_limit(const struct cp_symbols *s, struct cp_object *o, bool *told,
    const char *limit)
{
	if (!*told)
		cp_object_note(
		    o, CP_D_LIMIT, "%s: %s", limit, cp_object_name(s, o));
	*told = true;
}

/* At the limit a symbol has no name. */
static bool
has_room(struct cp_symbols *s, struct cp_object *o, uint32_t e)
{
	const char *shown = o->shown[e], *raw = o->tab.all.data[e].name;
	size_t left = CP_MAX_NAMES - s->name_bytes;
	size_t n = strnlen(raw, CP_MIN(left, CP_MAX_DEMANGLED));

	if (shown != raw)
		n += strnlen(shown, CP_MIN(left - n, CP_MAX_DEMANGLED));
	s->name_bytes += n;
	if (n == left)
		say_limit(s, o, &o->names_over, "CP_MAX_NAMES");
	return n < left;
}

/* A name of a perf map may be the rest of the file. */
static const char *
cut_name(const struct cp_symbols *s, struct cp_object *o, const char *name)
{
	if (strnlen(name, CP_MAX_DEMANGLED + 1) <= CP_MAX_DEMANGLED)
		return name;
	say_limit(s, o, &o->name_cut, "CP_MAX_DEMANGLED");
	return cp_arena_strndup(&o->arena, name, CP_MAX_DEMANGLED);
}

/* Names that a compiler mangled: C++, Rust, Swift. */
static bool
is_mangled(const char *name)
{
	static const char *const begins[] = { "_Z", "_RN", "_RI", "$s" };

	for (size_t i = 0; i < CP_ARRAY_LEN(begins); i++)
		if (strncmp(name, begins[i], strlen(begins[i])) == 0)
			return true;
	return false;
}

static const struct cp_symbol *
intern(struct cp_symbols *s, struct cp_object *o, uint32_t e)
{
	const struct cp_entry *from;
	struct cp_symbol *y;

	if (e == CP_NO_ENTRY || o->shown[e][0] == '\0')
		return NULL;
	if (o->interned[e] != NULL)
		return o->interned[e];
	if (!has_room(s, o, e))
		return NULL;
	from = &o->tab.all.data[e];
	y = cp_arena_alloc(&s->arena, sizeof(*y));
	y->name = cut_name(s, o, o->shown[e]);
	y->raw =
	    o->shown[e] == from->name ? y->name : cut_name(s, o, from->name);
	y->start = from->start;
	y->end = from->end;
	y->id = ++s->last_id;
	y->dso = o->dso->pub.id;
	y->source = from->go ? CP_SOURCE_GOPCLNTAB : (uint8_t)o->source;
	y->trust = (uint8_t)o->trust;
	y->label = label_of(s, o, e);
	y->mangled = s->opt.demangle != CP_DEMANGLE_NO && is_mangled(y->name);
	o->interned[e] = y;
	return y;
}

const struct cp_symbol *
cp_symbols_word(struct cp_symbols *s, const char *name)
{
	struct cp_symbol *y = cp_arena_alloc(&s->arena, sizeof(*y));

	y->name = y->raw = name;
	y->id = ++s->last_id;
	return y;
}

/* The strings of the table are zeros there. */
static void
say_nameless(struct cp_object *o, uint32_t e)
{
	if (e == CP_NO_ENTRY || o->runtime == NULL || o->nameless_told ||
	    o->shown[e][0] != '\0')
		return;
	o->nameless_told = true;
	cp_object_damaged(o, o->path, "some of its symbols have no name");
}

static void
give_results(struct batch *b, size_t n)
{
	for (size_t r = 0; r < n; r++) {
		const struct cp_names *q = &b->names[r];
		struct cp_object *o = cp_object_of(b->symbols, q->dso);

		for (size_t i = 0; i < q->n; i++) {
			q->out[i] = intern(b->symbols, o, b->found[r][i]);
			if (q->out[i] != NULL)
				continue;
			say_nameless(o, b->found[r][i]);
			/*
			 * Reported once per object that has too few symbols for
			 * its requests.
			 */
			if (o->stripped && !o->stripped_told)
				cp_object_note(o, CP_D_STRIPPED, "%s",
				    cp_object_name(b->symbols, o));
			o->stripped_told = true;
		}
		cp_object_give_notes(b->symbols, o);
	}
}

/* Makes one job per object; its requests keep their order. */
static void
make_jobs(struct batch *b, size_t n)
{
	struct cp_map64 by_object = { 0 };

	for (size_t r = 0; r < n; r++) {
		const struct cp_dso_info *d = b->names[r].dso;
		uint32_t *j = cp_map64_put(&by_object, d->pub.id);

		cp_symbols_meet(b->symbols, d);
		b->next[r] = UINT32_MAX;
		if (*j == 0) {
			*cp_vec_push(&b->jobs) = (struct job){
				.object = cp_object_of(b->symbols, d),
				.first = (uint32_t)r,
				.last = (uint32_t)r,
			};
			*j = (uint32_t)b->jobs.len;
		} else {
			struct job *job = &b->jobs.data[*j - 1];

			b->next[job->last] = (uint32_t)r;
			job->last = (uint32_t)r;
		}
	}
	cp_map64_free(&by_object);
}

/* Runs all jobs.  Other threads help from the start, or if it takes long. */
static void
run_jobs(struct batch *b)
{
	struct cp_symbols *s = b->symbols;

	s->sharing = (struct cp_sharing){
		.n = CP_MIN(s->opt.jobs, b->jobs.len), .run = work, .ctx = b
	};
	clock_gettime(CLOCK_MONOTONIC, &b->begin);
	if (s->opt.jobs_at_once)
		cp_sharing_much(&s->sharing);
	cp_sharing_do(&s->sharing);
}

void
cp_symbols_batch(struct cp_symbols *s, struct cp_names *names, size_t n)
{
	struct batch b = { .symbols = s, .names = names };
	uint32_t *found;
	size_t total = 0;

	for (size_t r = 0; r < n; r++)
		total += names[r].n;
	found = cp_xmalloc(total * sizeof(*found));
	b.found = cp_xcalloc(n, sizeof(*b.found));
	b.next = cp_xcalloc(n, sizeof(*b.next));
	total = 0;
	for (size_t r = 0; r < n; r++) {
		b.found[r] = found + total;
		total += names[r].n;
	}
	make_jobs(&b, n);
	run_jobs(&b);
	give_results(&b, n);
	cp_vec_free(&b.jobs);
	free(b.next);
	free(b.found);
	free(found);
}

void
cp_symbols_names(struct cp_symbols *s, const struct cp_dso_info *d,
    const uint64_t *addr, size_t n, const struct cp_symbol **out)
{
	struct cp_names q = { d, addr, n, out };

	cp_symbols_batch(s, &q, 1);
}
