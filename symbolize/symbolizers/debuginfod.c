/* SPDX-License-Identifier: MIT */
/*
 * Files from debuginfod: from the local cache, which needs no network; from
 * servers only with --debuginfod=on, and for a short time.
 */
#include "symbolize/symbolizers/debuginfod.h"

#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/limits.h"
#include "symbolize/debuginfod/client.h"
#include "symbolize/debuginfod/misses.h"
#include "symbolize/object/verify.h"
#include "symbolize/symbolizers/symbolizers.h"

struct cp_debuginfod {
	char *root; /* of the cache; NULL: no cache */
	pthread_mutex_t lock;
	bool tried; /* making a fetcher was tried */
	struct cp_fetcher *fetcher;
	struct cp_fetch_client *client;
	struct cp_misses misses;
};

struct cp_debuginfod *
cp_debuginfod_new(void)
{
	struct cp_debuginfod *d = cp_xcalloc(1, sizeof(*d));

	d->root = cp_dbgcache_root();
	pthread_mutex_init(&d->lock, NULL);
	return d;
}

void
cp_debuginfod_free(struct cp_debuginfod *d)
{
	if (d == NULL)
		return;
	cp_fetch_client_free(d->client);
	if (d->fetcher != NULL)
		cp_misses_save(&d->misses);
	cp_fetcher_free(d->fetcher);
	pthread_mutex_destroy(&d->lock);
	free(d->root);
	free(d);
}

static const char *
damage_of(const char *path)
{
	const char *why = NULL;
	struct cp_elf elf;

	if (cp_elf_open(&elf, cp_objfile_open(path))) {
		why = cp_elf_damage(&elf);
		cp_elf_free(&elf);
	}
	return why;
}

/*
 * A damaged file counts as missing, so that it is fetched again: other clients
 * keep files that were cut on their way.  What users copied there, as a part of
 * a kernel's file, is not judged.
 */
static bool
is_damaged(const struct cp_symbols *s, struct cp_object *o, const char *path)
{
	const char *why =
	    o->dso->pub.kind == CP_DSO_FILE ? damage_of(path) : NULL;

	if (why != NULL && s->opt.debuginfod != CP_DEBUGINFOD_ON)
		cp_object_damaged(o, path, why);
	return why != NULL;
}

static bool
offer_cached(struct cp_symbols *s, struct cp_object *o,
    const struct cp_dbg_id *id, enum cp_dbg_kind kind)
{
	char *path = cp_dbgcache_path(s->debuginfod->root, id, kind);
	struct cp_content c;
	bool taken = false;

	if (path != NULL && !is_damaged(s, o, path) &&
	    cp_objfile_take(cp_objfile_open(path), &c))
		taken = cp_object_offer_image(
		    o, &cp_symbolizer_debuginfod, c, path);
	free(path);
	return taken;
}

/* Loads the library on first use. */
static bool
fetcher_ready(struct cp_symbols *s)
{
	const struct cp_fetch_budget budget = { CP_FETCH_BYTES, CP_FETCH_WAIT,
		CP_FETCH_WAIT_SILENCE };
	struct cp_debuginfod *d = s->debuginfod;
	const char *why = NULL;

	if (d->tried)
		return d->client != NULL;
	d->tried = true;
	d->fetcher = cp_fetcher_new(&budget, &why);
	if (d->fetcher != NULL) {
		cp_misses_load(
		    &d->misses, getenv("DEBUGINFOD_URLS"), (int64_t)time(NULL));
		d->client = cp_fetch_client_new(d->fetcher);
	}
	if (d->client == NULL)
		cp_diag(s->diags, CP_D_NOT_FETCHED, "%s",
		    why != NULL ? why : "no client");
	return d->client != NULL;
}

/* Fetches one file.  `coldperf symbols --fetch` fetches many in parallel. */
static bool
bring(struct cp_symbols *s, struct cp_object *o, const struct cp_dbg_id *id,
    enum cp_dbg_kind kind)
{
	struct cp_debuginfod *d = s->debuginfod;
	enum cp_fetched r = CP_FETCH_UNKNOWN;
	uint64_t size;

	pthread_mutex_lock(&d->lock);
	if (fetcher_ready(s) && cp_misses_find(&d->misses, id, kind) == NULL) {
		r = cp_fetch(d->client, id, kind, &size);
		if (r == CP_FETCH_UNKNOWN)
			cp_misses_add(
			    &d->misses, id, kind, (int64_t)time(NULL));
		else if (r != CP_FETCHED)
			cp_object_note(o, CP_D_NOT_FETCHED, "%s: %s %s",
			    cp_object_name(s, o), cp_dbg_kind_names[kind],
			    cp_fetched_words[r]);
	}
	pthread_mutex_unlock(&d->lock);
	return r == CP_FETCHED;
}

static bool
fetch(struct cp_symbols *s, struct cp_object *o, const struct cp_dbg_id *id,
    enum cp_dbg_kind kind)
{
	return bring(s, o, id, kind) && offer_cached(s, o, id, kind);
}

/* Without a folder nothing is found, and nothing can be fetched. */
static bool
has_root(struct cp_symbols *s)
{
	struct cp_debuginfod *d = s->debuginfod;

	if (d->root == NULL && s->opt.debuginfod == CP_DEBUGINFOD_ON) {
		pthread_mutex_lock(&d->lock);
		(void)fetcher_ready(s);
		pthread_mutex_unlock(&d->lock);
	}
	return d->root != NULL;
}

static void
debuginfod_find(struct cp_symbols *s, struct cp_object *o)
{
	const struct cp_dso *d = &o->dso->pub;
	bool network = s->opt.debuginfod == CP_DEBUGINFOD_ON;
	struct cp_dbg_id id;

	if (s->opt.debuginfod == CP_DEBUGINFOD_OFF ||
	    (d->kind != CP_DSO_FILE && d->kind != CP_DSO_KERNEL &&
		d->kind != CP_DSO_MODULE) ||
	    !cp_dbg_id(&id, d->build_id, d->build_id_size) || !has_root(s))
		return;
	/* a kernel's debug file has 600 MB */
	network &= d->kind == CP_DSO_FILE;
	if (o->runtime == NULL && !offer_cached(s, o, &id, CP_DBG_EXECUTABLE) &&
	    network)
		fetch(s, o, &id, CP_DBG_EXECUTABLE);
	if (!offer_cached(s, o, &id, CP_DBG_DEBUGINFO) && network &&
	    o->symbols == NULL)
		fetch(s, o, &id, CP_DBG_DEBUGINFO);
}

static bool
is_cached(const struct cp_symbols *s, const struct cp_dbg_id *id,
    enum cp_dbg_kind kind)
{
	char *path = cp_dbgcache_path(s->debuginfod->root, id, kind);
	struct stat st;
	bool is = path != NULL && stat(path, &st) == 0 && st.st_size != 0 &&
		  damage_of(path) == NULL;

	free(path);
	return is;
}

static void
debuginfod_fetch_debug(struct cp_symbols *s, struct cp_object *o)
{
	const struct cp_dso *d = &o->dso->pub;
	struct cp_dbg_id id;

	if (s->opt.debuginfod == CP_DEBUGINFOD_ON &&
	    s->debuginfod->root != NULL && d->kind == CP_DSO_FILE &&
	    cp_dbg_id(&id, d->build_id, d->build_id_size) &&
	    !is_cached(s, &id, CP_DBG_DEBUGINFO))
		(void)fetch(s, o, &id, CP_DBG_DEBUGINFO);
}

static bool
debuginfod_find_id(struct cp_symbols *s, const uint8_t *id, size_t size,
    struct cp_content *out)
{
	struct cp_dbg_id d;
	char *path;
	bool found;

	if (s->opt.debuginfod == CP_DEBUGINFOD_OFF ||
	    s->debuginfod->root == NULL || !cp_dbg_id(&d, id, size))
		return false;
	path = cp_dbgcache_path(s->debuginfod->root, &d, CP_DBG_DEBUGINFO);
	found = path != NULL && cp_objfile_take(cp_objfile_open(path), out);
	free(path);
	return found;
}

static bool
debuginfod_fetch_id(struct cp_symbols *s, struct cp_object *o,
    const uint8_t *id, size_t size, struct cp_content *out)
{
	struct cp_dbg_id d;

	return s->opt.debuginfod == CP_DEBUGINFOD_ON &&
	       s->debuginfod->root != NULL && o->dso->pub.kind == CP_DSO_FILE &&
	       cp_dbg_id(&d, id, size) && bring(s, o, &d, CP_DBG_DEBUGINFO) &&
	       debuginfod_find_id(s, id, size, out);
}

char *
cp_debuginfod_source(
    struct cp_symbols *s, const struct cp_dso_info *d, const char *file)
{
	struct cp_debuginfod *x = s->debuginfod;
	enum cp_fetched r;
	struct cp_dbg_id id;
	char *path;

	if (s->opt.debuginfod == CP_DEBUGINFOD_OFF || x->root == NULL ||
	    d->pub.kind != CP_DSO_FILE ||
	    !cp_dbg_id(&id, d->pub.build_id, d->pub.build_id_size))
		return NULL;
	path = cp_dbgcache_source(x->root, &id, file);
	if (path == NULL || access(path, R_OK) == 0 ||
	    s->opt.debuginfod != CP_DEBUGINFOD_ON)
		return path;
	pthread_mutex_lock(&x->lock);
	r = fetcher_ready(s) ? cp_fetch_source(x->client, &id, file)
			     : CP_FETCH_UNKNOWN;
	pthread_mutex_unlock(&x->lock);
	if (r != CP_FETCHED && r != CP_FETCH_UNKNOWN)
		cp_diag(s->diags, CP_D_NOT_FETCHED, "%s: source %s", file,
		    cp_fetched_words[r]);
	return path;
}

const struct cp_symbolizer cp_symbolizer_debuginfod = {
	.name = "debuginfod",
	.source = CP_SOURCE_DEBUGINFOD,
	.find = debuginfod_find,
	.find_id = debuginfod_find_id,
	.fetch_id = debuginfod_fetch_id,
	.fetch_debug = debuginfod_fetch_debug,
};
