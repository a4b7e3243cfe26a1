/* SPDX-License-Identifier: MIT */
/*
 * Names of JIT code from the perf map of its process.
 *
 * The map's name has the pid in the process's own PID namespace, which in a
 * container is not the recorded pid.  So all available maps are compared with
 * the addresses that were sampled, and the one that covers the most is used.
 * Its lines alone tell less: a map also lists code that has no samples, and
 * code that the recording has no mapping of.  With thousands of processes, each
 * with its map, most maps are read once: where their code is tells that they
 * are not of another process.
 */
#include <errno.h>

#include "base/limits.h"
#include "base/strings.h"
#include "model/info.h"
#include "symbolize/object/text-files.h"
#include "symbolize/symbolizers/symbolizers.h"
#include "symbolize/object/jit-files.h"
#include "symbolize/symbolizers/perfmap-text.h"

static bool
use(struct cp_object *o, const char *path, struct cp_content *text)
{
	struct cp_maptext m;

	cp_maptext_read(&m, text, &o->tab);
	if (m.bad != 0)
		cp_object_note(o, CP_D_BAD_JIT, "%zu of %zu lines: %s", m.bad,
		    m.lines + m.bad, path);
	if (m.full)
		cp_object_note(o, CP_D_LIMIT, "CP_MAX_SYMBOLS: %s", path);
	if (m.again != 0)
		cp_object_note(o, CP_D_JIT_REUSED, "%zu of %zu symbols: %s",
		    m.again, m.lines, path);
	if (o->tab.all.len == 0) {
		cp_symtab_free(&o->tab);
		cp_content_free(text);
		return false;
	}
	o->text = *text;
	o->path = cp_arena_strndup(&o->arena, path, strlen(path));
	o->trust = CP_TRUST_ABSENT;
	return true;
}

/* Notes why a map that exists must not be used. */
static bool
read_map(struct cp_symbols *s, struct cp_object *o, const char *path,
    struct cp_content *text)
{
	const char *why;

	if (cp_text_file_read(s, path, CP_MAX_PERF_MAP, text))
		return true;
	why = cp_text_file_why(errno);
	if (why != NULL)
		cp_object_note(o, CP_D_NOT_OPENED, "%s: %s", path, why);
	return false;
}

/*
 * How well a map fits, the best last.  A map of the recorded pid needs no more
 * than one address of the process; another one needs most of what was sampled,
 * or some of it and most of its own lines.  Where it is not known what was
 * sampled, the lines suffice.
 */
enum fit {
	FIT_NONE,
	FIT_LINES, /* most of its lines are in the process's code */
	FIT_PID,   /* the recorded pid's, and some line is there */
	FIT_MOST,  /* it covers most of the sampled addresses */
	FIT_GIVEN, /* --symbols names the file itself, and it covers some */
};

struct choice {
	enum fit fit;
	size_t covered; /* of the sampled addresses */
	bool by_pid;
	const char *path, *other; /* other: one that fits as well */
	struct cp_content text;
	struct cp_mapspan span;
};

static bool
is_given(const struct cp_symbols *s, const char *path)
{
	for (size_t i = 0; i < s->opt.n_paths; i++)
		if (strcmp(s->opt.paths[i], path) == 0)
			return true;
	return false;
}

static void
judge(const struct cp_symbols *s, const struct cp_object *o, struct choice *c)
{
	size_t inside, all, n = o->asked_for.len;

	c->span = cp_maptext_span(&c->text, o->dso->start, o->dso->end);
	inside = c->span.inside;
	all = c->span.all;
	c->covered = cp_maptext_covers(&c->text, o->asked_for.data, n);
	if (is_given(s, c->path) && (c->covered != 0 || inside != 0))
		c->fit = FIT_GIVEN;
	else if (c->covered != 0 && c->covered >= n - c->covered)
		c->fit = FIT_MOST;
	else if (c->by_pid && (c->covered != 0 || inside != 0 || all == 0))
		c->fit = FIT_PID;
	else if (!c->by_pid && inside != 0 && inside >= all - inside &&
		 (n == 0 || c->covered != 0))
		c->fit = FIT_LINES;
}

static bool
same_text(const struct cp_content *a, const struct cp_content *b)
{
	return a->size == b->size && memcmp(a->data, b->data, a->size) == 0;
}

static int
compare_fits(const struct choice *a, const struct choice *b)
{
	if (a->fit != b->fit)
		return a->fit < b->fit ? -1 : 1;
	if (a->covered != b->covered)
		return a->covered < b->covered ? -1 : 1;
	return (a->by_pid > b->by_pid) - (a->by_pid < b->by_pid);
}

/*
 * Keeps the better one.  Of equal ones the first is used if its name has the
 * pid, and none if not, unless their texts are the same.
 */
static void
choose(struct choice *best, struct choice *next)
{
	int c = compare_fits(best, next);

	if (next->fit != FIT_NONE && c < 0) {
		if (best->path != NULL)
			cp_content_free(&best->text);
		*best = *next;
		return;
	}
	if (next->fit != FIT_NONE && c == 0 && !next->by_pid &&
	    best->other == NULL && !same_text(&best->text, &next->text))
		best->other = next->path;
	cp_content_free(&next->text);
}

/* Returns false if the map was not read. */
static bool
consider(struct cp_symbols *s, struct cp_object *o, const char *path,
    const char *name, struct choice *best, struct cp_mapspan *span)
{
	struct choice next = { .path = path,
		.by_pid =
		    name != NULL && strcmp(cp_basename(path), name) == 0 };

	if (!read_map(s, o, path, &next.text))
		return false;
	judge(s, o, &next);
	if (next.by_pid && next.fit == FIT_NONE)
		cp_object_note(o, CP_D_OTHER_JIT, "%s", path);
	*span = next.span;
	choose(best, &next);
	return true;
}

/*
 * Can the map fit?  It has to have code at a sampled address; one that was
 * given, or where it is not known what was sampled, in the process's mappings.
 */
static bool
may_fit(const struct cp_object *o, const struct cp_jit_map *m)
{
	const uint64_t *addr = o->asked_for.data;
	size_t n = o->asked_for.len;

	if (!m->known)
		return true;
	return cp_maptext_below(addr, n, m->low) !=
		   cp_maptext_below(addr, n, m->high) ||
	       ((m->given || n == 0) && m->low < o->dso->end &&
		   o->dso->start < m->high);
}

/* Considers all maps, or only those that --symbols names, but not `own'. */
static void
consider_others(struct cp_symbols *s, struct cp_object *o, const cp_paths *own,
    const char *name, bool all, struct choice *best)
{
	size_t n = cp_jitfiles_maps(s);

	for (size_t i = 0; i < n; i++) {
		struct cp_jit_map m = cp_jitfiles_map(s, i);
		struct cp_mapspan span;

		if ((!all && !m.given) || !may_fit(o, &m) ||
		    cp_paths_have(own, m.path))
			continue;
		if (consider(s, o, m.path, name, best, &span))
			cp_jitfiles_learn(s, i, span.low, span.high);
	}
}

/*
 * True if the map of the recorded pid covers all sampled addresses.  Only a map
 * whose own path was given with --symbols is better, so those of other
 * processes are not compared: with thousands of processes that takes minutes.
 */
static bool
is_certain(const struct choice *c, const struct cp_object *o)
{
	return c->by_pid && c->fit >= FIT_MOST &&
	       c->covered == o->asked_for.len;
}

/* Adds the maps whose name has the recorded pid. */
static void
named_maps(
    struct cp_symbols *s, struct cp_object *o, const char *name, cp_paths *out)
{
	cp_jitfiles_named(&s->opt, name, &o->arena, out);
	cp_text_file_perf_maps(s, name, out);
	if (s->opt.recorded_paths) {
		char *p = cp_arena_alloc(&o->arena, 64);

		snprintf(p, 64, "/tmp/%s", name);
		*cp_vec_push(out) = p;
	}
}

static void
container_map(uint32_t pid, struct cp_object *o, cp_paths *out)
{
	const char *path = cp_jitfiles_container(pid, &o->arena);

	if (path != NULL)
		*cp_vec_push(out) = path;
}

/* Counts the sampled addresses that have another name in this text. */
static size_t
others_in(struct cp_object *o, const struct cp_content *text)
{
	struct cp_symtab t = { 0 };
	struct cp_maptext m;
	size_t n = 0, at = 0, hint = 0;

	cp_maptext_read(&m, text, &t);
	for (size_t i = 0; i < o->asked_for.len; i++) {
		uint64_t addr = o->asked_for.data[i];
		uint32_t its = cp_symtab_find(&t, addr, &at);
		uint32_t ours = cp_symtab_find(&o->tab, addr, &hint);

		n += its != CP_NO_ENTRY &&
		     (ours == CP_NO_ENTRY ||
			 strcmp(cp_symtab_name(&t, its),
			     cp_symtab_name(&o->tab, ours)) != 0);
	}
	cp_symtab_free(&t);
	return n;
}

/*
 * A forked process has its parent's code, and what it makes later may be at
 * addresses where the parent makes something else.  Both are one object here:
 * says where names differ from those that are used.
 */
static void
say_forked(struct cp_symbols *s, struct cp_object *o, uint32_t pid)
{
	cp_paths paths = { 0 };
	struct cp_content text;
	char name[40];
	size_t n = 0;

	snprintf(name, sizeof(name), "perf-%" PRId32 ".map", (int32_t)pid);
	named_maps(s, o, name, &paths);
	for (size_t i = 0; i < paths.len && n == 0; i++) {
		if (strcmp(paths.data[i], o->path) == 0 ||
		    !read_map(s, o, paths.data[i], &text))
			continue;
		n = others_in(o, &text);
		cp_content_free(&text);
		if (n != 0)
			cp_object_note(o, CP_D_OTHER_JIT,
			    "names of %s are used; of a fork's code %zu "
			    "address%s others in %s",
			    cp_basename(o->path), n,
			    n != 1 ? "es have" : " has",
			    cp_basename(paths.data[i]));
	}
	cp_vec_free(&paths);
}

static void
say_forks(struct cp_symbols *s, struct cp_object *o)
{
	const struct cp_info *info = s->opt.info;
	uint32_t pid = o->dso->pub.pid;
	unsigned said = 0;

	for (size_t i = 0; info != NULL && i < info->forks.len; i++)
		if (info->forks.data[i].of == pid &&
		    said++ < CP_MAX_FORKED_MAPS)
			say_forked(s, o, info->forks.data[i].pid);
	if (said != 0)
		say_forked(s, o, pid);
}

static bool
perfmap_open(struct cp_symbols *s, struct cp_object *o)
{
	const struct cp_dso_info *d = o->dso;
	struct choice best = { 0 };
	struct cp_mapspan span;
	cp_paths paths = { 0 };
	char text[40];
	const char *name = d->pid_ns != CP_NS_OTHER ? text : NULL;

	if (d->pub.kind != CP_DSO_ANON || d->end <= d->start)
		return false;
	snprintf(
	    text, sizeof(text), "perf-%" PRId32 ".map", (int32_t)d->pub.pid);
	if (name != NULL)
		named_maps(s, o, name, &paths);
	if (s->opt.recorded_paths)
		container_map(d->pub.pid, o, &paths);
	for (size_t i = 0; i < paths.len; i++)
		(void)consider(s, o, paths.data[i], name, &best, &span);
	consider_others(s, o, &paths, name,
	    d->pid_ns != CP_NS_INITIAL && !is_certain(&best, o), &best);
	cp_vec_free(&paths);
	if (best.other != NULL)
		cp_object_note(
		    o, CP_D_OTHER_JIT, "%s or %s", best.path, best.other);
	if (best.other == NULL && best.path != NULL) {
		bool used = use(o, best.path, &best.text);

		if (used && name != NULL)
			say_forks(s, o);
		return used;
	}
	if (best.path != NULL)
		cp_content_free(&best.text);
	return false;
}

const struct cp_symbolizer cp_symbolizer_perfmap = {
	.name = "perf-map",
	.source = CP_SOURCE_PERF_MAP,
	.plain = true,
	.open = perfmap_open,
};
