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
#include <sys/stat.h>
#include <time.h>

#include "base/limits.h"
#include "base/port.h"
#include "base/strings.h"
#include "model/info.h"
#include "symbolize/object/text-files.h"
#include "symbolize/symbolizers/symbolizers.h"
#include "symbolize/object/jit-files.h"
#include "symbolize/symbolizers/perfmap-text.h"

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
	const char *from;         /* a parent's, for what it lacks; or NULL */
	struct cp_content text;
	struct cp_mapspan span;
};

static bool
use(struct cp_object *o, struct choice *c)
{
	const char *path = c->path;
	struct cp_maptext m;

	cp_maptext_read(&m, &c->text, &o->tab);
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
		cp_content_free(&c->text);
		return false;
	}
	o->text = c->text;
	o->path = cp_arena_strndup(&o->arena, path, strlen(path));
	if (c->from != NULL)
		o->path_below =
		    cp_arena_strndup(&o->arena, c->from, strlen(c->from));
	o->trust = CP_TRUST_ABSENT;
	return true;
}

/* SLACK: seconds by which clocks and times of files may differ */
enum { NANO = 1000000000, SLACK = 60 };

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

/*
 * The process that wrote the map, by its name: another one whose code is where
 * the map's lines are.  Its names are not those of this process, even if they
 * fit: forks have code of their own at the same addresses.
 */
static bool
is_of_another(const struct cp_symbols *s, const struct cp_object *o,
    const char *path, const struct cp_mapspan *span)
{
	const struct cp_info *info = s->opt.info;
	uint32_t pid =
	    (uint32_t)strtoul(cp_basename(path) + strlen("perf-"), NULL, 10);
	uint32_t i = info != NULL ? cp_map64_get(&info->code_of, pid) : 0;
	const struct cp_dso_info *d = i != 0 ? info->code.data[i - 1] : NULL;

	return d != NULL && strncmp(path, "/proc/", 6) != 0 &&
	       pid != o->dso->pub.pid && d->pid_ns != CP_NS_OTHER &&
	       o->dso->pid_ns != CP_NS_OTHER && span->low < d->end &&
	       d->start < span->high;
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
	if (next.fit != FIT_NONE && is_of_another(s, o, path, &next.span)) {
		if (next.fit == FIT_GIVEN)
			cp_object_note(o, CP_D_OTHER_JIT, "%s", path);
		next.fit = FIT_NONE;
	}
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

/*
 * The time when a process began, in seconds since 1970, or earlier: by the
 * capture's clock, or by its end, which is when it was last written.  A copy
 * was written later; then the time since this machine's boot may tell.  0: not
 * known.
 */
static int64_t
began(const struct cp_symbols *s, uint64_t born)
{
	const struct cp_info *in = s->opt.info;
	struct timespec real, boot;
	uint64_t wall;
	int64_t at, up;

	if (born == 0 || in == NULL || s->capture_time == 0)
		return 0;
	if (cp_info_wall_clock(in, born, &wall))
		return (int64_t)(wall / NANO);
	if (in->last_time == CP_NO_TIME || born > in->last_time)
		return 0;
	at = s->capture_time - (int64_t)((in->last_time - born) / NANO);
	clock_gettime(CLOCK_REALTIME, &real);
	clock_gettime(CLOCK_BOOTTIME, &boot);
	up = boot.tv_sec - (int64_t)(born / NANO);
	return up >= 0 ? CP_MIN(at, real.tv_sec - up) : at;
}

/*
 * Did a process write the map that is gone, and had the number before?  Copies
 * do not keep their time, so this holds for maps that nobody moved.
 */
static bool
is_stale(
    struct cp_symbols *s, struct cp_object *o, uint64_t born, const char *path)
{
	int64_t since = began(s, born);
	struct stat st;

	if (since == 0 || stat(path, &st) != 0 || st.st_mtime + SLACK >= since)
		return false;
	cp_object_note(o, CP_D_OTHER_JIT,
	    "%s was last written before its process began; --symbols %s uses "
	    "it",
	    path, path);
	return true;
}

/* Adds the maps whose name has this pid. */
static void
named_maps(
    struct cp_symbols *s, struct cp_object *o, uint32_t pid, cp_paths *out)
{
	uint32_t i =
	    s->opt.info != NULL ? cp_map64_get(&s->opt.info->code_of, pid) : 0;
	uint64_t born = i != 0 ? s->opt.info->code.data[i - 1]->born : 0;
	char *path = cp_arena_alloc(&o->arena, 64);
	const char *name = path + strlen("/tmp/");

	snprintf(path, 64, "/tmp/perf-%" PRId32 ".map", (int32_t)pid);
	cp_jitfiles_named(&s->opt, name, &o->arena, out);
	cp_text_file_perf_maps(s, name, out);
	if (s->opt.recorded_paths && !cp_paths_have(out, path) &&
	    !is_stale(s, o, born, path))
		*cp_vec_push(out) = path;
}

static void
container_map(uint32_t pid, struct cp_object *o, cp_paths *out)
{
	const char *path = cp_jitfiles_container(pid, &o->arena);

	if (path != NULL)
		*cp_vec_push(out) = path;
}

/* The second text counts where both have a name. */
static struct cp_content
joined(const struct cp_content *below, const struct cp_content *above)
{
	size_t n = below->size;
	uint8_t *text;

	while (n > 0 && below->data[n - 1] != '\n')
		n--;
	text = cp_xmalloc(n + above->size + 1);
	memcpy(text, below->data, n);
	if (above->size != 0)
		memcpy(text + n, above->data, above->size);
	return (struct cp_content){ .data = text, .size = n + above->size };
}

/*
 * Adds the map of a process that this one was forked from, if it has code that
 * was sampled here and that no map considered before has.
 */
static void
add_inherited(struct cp_symbols *s, struct cp_object *o, const char *path,
    struct choice *best)
{
	struct choice both = { .path = best->path != NULL ? best->path : path,
		.by_pid = true };
	struct cp_content from;

	if (!read_map(s, o, path, &from))
		return;
	if (cp_maptext_covers(&from, o->asked_for.data, o->asked_for.len) ==
	    0) {
		cp_content_free(&from);
		return;
	}
	both.text = joined(&from, &best->text);
	cp_content_free(&from);
	judge(s, o, &both);
	if (best->path == NULL || both.covered > best->covered) {
		both.from = best->path != NULL ? path : NULL;
		cp_content_free(&best->text);
		*best = both;
	} else {
		cp_content_free(&both.text);
	}
}

/*
 * A forked process runs its parent's code, too, and workers may write into the
 * map that their parent opened.
 */
static void
consider_parents(struct cp_symbols *s, struct cp_object *o, cp_paths *own,
    struct choice *best)
{
	for (size_t i = 0; i < CP_DSO_PARENTS && o->dso->from[i] != 0; i++) {
		size_t at = own->len;

		named_maps(s, o, o->dso->from[i], own);
		for (; at < own->len && !is_certain(best, o); at++)
			add_inherited(s, o, own->data[at], best);
	}
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
		named_maps(s, o, d->pub.pid, &paths);
	if (s->opt.recorded_paths)
		container_map(d->pub.pid, o, &paths);
	for (size_t i = 0; i < paths.len; i++)
		(void)consider(s, o, paths.data[i], name, &best, &span);
	if (name != NULL)
		consider_parents(s, o, &paths, &best);
	consider_others(s, o, &paths, name,
	    d->pid_ns != CP_NS_INITIAL && !is_certain(&best, o), &best);
	cp_vec_free(&paths);
	if (best.other != NULL)
		cp_object_note(
		    o, CP_D_OTHER_JIT, "%s or %s", best.path, best.other);
	if (best.other == NULL && best.path != NULL)
		return use(o, &best);
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
