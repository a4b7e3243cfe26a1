/* SPDX-License-Identifier: MIT */
/*
 * redact: with --redact the capture is read three times: for the users and the
 * host that it names, to write it without what the policy removes, to a file
 * without a name, and then from there.
 * What comes from elsewhere, symbols and paths of this machine, is treated
 * where it enters the run.
 */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/redact/names.h"
#include "base/redact/paths.h"
#include "readers/list.h"
#include "readers/redact/redact.h"
#include "run/tables-rows.h"
#include "symbolize/demangle/demangle.h"

/* State of the first reading. */
struct first {
	struct cp_capture capture;
	struct cp_recording rec;
	struct cp_quality quality;
	struct cp_redaction x;
};

/* A pipe can be read only once. */
static bool
is_lasting(const char *path)
{
	struct stat st;
	bool known = strcmp(path, "-") == 0 ? fstat(STDIN_FILENO, &st) == 0
					    : stat(path, &st) == 0;

	return known && (S_ISREG(st.st_mode) || S_ISDIR(st.st_mode));
}

static struct cp_redact_reading *
reading_of(const struct cp_redact *r, const char *path)
{
	for (size_t i = 0; i < r->learned.len; i++)
		if (strcmp(cp_strings_get(&r->texts, r->learned.data[i].path),
			path) == 0)
			return &r->learned.data[i];
	return NULL;
}

/*
 * The tables of a snapshot have names that its records lack.  Returns NULL, or
 * why not all were seen.
 */
static const char *
learn_tables(struct cp_redact *r, int snapshot)
{
	struct cp_snapshot_members m;
	bool whole;

	cp_snapshot_members_read(&m, snapshot, CP_SNAPSHOT_SAMPLES);
	cp_snapshot_members_check(&m);
	whole = m.whole;
	for (unsigned i = 0; i < m.tables; i++)
		whole &= !m.gone[i];
	cp_tables_learn(r, &m);
	cp_snapshot_members_free(&m);
	return whole ? NULL : "its tables cannot be read";
}

static const char *
learn(struct cp_redact *r, struct cp_capture *c)
{
	const char *why = NULL;

	if (c->snapshot > 0)
		why = learn_tables(r, c->snapshot);
	if (!c->only_tables && why == NULL)
		why = cp_redact_learn(r, c);
	return why;
}

/* Reads the capture, if that can be done more than once. */
static void
first_reading(const struct cp_run_options *options, struct first *f,
    struct cp_diags *diags, struct cp_redact_reading *reading)
{
	struct cp_redact *r = options->redact;
	const char *path = cp_strings_get(&r->texts, reading->path);
	const char *why = "it cannot be opened";

	if (!is_lasting(path))
		why = "it can be read only once: save it to a file";
	else if (cp_capture_open_any(&f->capture, path, !options->no_cache,
		     options->tables, &f->rec, &f->quality, diags) == CP_OK)
		why = learn(r, &f->capture);
	if (why != NULL)
		reading->why = cp_strings_add(&r->texts, why);
	reading->bytes = f->quality.bytes_total;
	reading->parsed = f->quality.bytes_parsed;
}

/* What is wrong with the capture is said when it is read again. */
void
cp_run_learn(const struct cp_run_options *options, const char *path)
{
	struct cp_redact *r = options->redact;
	struct cp_redact_reading reading = { 0 };
	struct first *f;
	struct cp_diags *diags;

	if (r == NULL || reading_of(r, path) != NULL)
		return;
	/* Chains have pieces of stacks, too. */
	if (r->policy->how[CP_REDACT_STACK] != CP_REDACT_KEEP)
		reading.code = cp_xcalloc(1, sizeof(*reading.code));
	r->code = reading.code;
	reading.path = cp_strings_add(&r->texts, path);
	f = cp_xcalloc(1, sizeof(*f));
	diags = cp_xcalloc(1, sizeof(*diags));
	f->capture.in.fd = -1;
	cp_info_init(&f->rec.info);
	cp_diags_init(diags);
	first_reading(options, f, diags, &reading);
	*cp_vec_push(&r->learned) = reading;
	cp_capture_close(&f->capture);
	cp_recording_free(&f->rec);
	free(diags);
	free(f);
}

/*
 * Names that the first reading has not seen would stay.  Returns why that may
 * be, or NULL.
 */
static const char *
unseen(const struct cp_redact *r, const struct first *f,
    const struct cp_redact_reading *first)
{
	if (first->why != 0)
		return cp_strings_get(&r->texts, first->why);
	if (f->x.file.fd >= 0 && (f->quality.bytes_total != first->bytes ||
				     f->quality.bytes_parsed != first->parsed))
		return "the second reading differs from the first";
	return NULL;
}

static int
write_redacted(struct cp_run *run, struct first *f, const char *path)
{
	struct cp_redact *r = run->options->redact;
	const char *why;

	cp_info_init(&f->rec.info);
	if (cp_capture_open_any(&f->capture, path, !run->options->no_cache,
		run->options->tables, &f->rec, &f->quality,
		run->diags) != CP_OK)
		return CP_FAIL;
	why = unseen(r, f, reading_of(r, path));
	if (why == NULL && !f->capture.only_tables) {
		why = cp_redaction(&f->x, r, &f->capture);
		run->diags->at_record = 0;
		run->diags->at_offset = CP_NO_OFFSET;
		if (why == NULL)
			why = unseen(r, f, reading_of(r, path));
	}
	if (why == NULL)
		return CP_OK;
	cp_diag(run->diags, CP_D_OPEN, "no redaction: %s", why);
	return CP_FAIL;
}

/* Tables are redacted row by row: tables-shown.c. */
static int
take_tables(struct cp_run *run, struct first *f)
{
	run->capture = f->capture;
	run->capture.rec = &run->rec;
	run->capture.quality = &run->quality;
	f->capture = (struct cp_capture){ .in.fd = -1 };
	return CP_OK;
}

static int
take_records(struct cp_run *run, struct first *f, const char *path)
{
	int fd = fcntl(f->x.file.fd, F_DUPFD_CLOEXEC, 3);
	int status = CP_FAIL;

	if (fd >= 0)
		status = cp_capture_adopt(&run->capture, fd, path, &run->rec,
		    &run->quality, run->diags);
	/* A bundle's other members are still read. */
	if (status == CP_OK && f->rec.container != NULL &&
	    strcmp(f->rec.container, "bundle") == 0)
		run->rec.container = "bundle";
	if (status == CP_OK) {
		run->capture.snapshot = f->capture.snapshot;
		f->capture.snapshot = 0;
	}
	return status;
}

int
cp_run_open_redacted(struct cp_run *run, const char *path)
{
	struct first *f = cp_xcalloc(1, sizeof(*f));
	int status;

	cp_run_learn(run->options, path);
	run->options->redact->code =
	    reading_of(run->options->redact, path)->code;
	f->capture.in.fd = f->x.file.fd = -1;
	status = write_redacted(run, f, path);
	if (status == CP_OK)
		status = f->capture.only_tables ? take_tables(run, f)
						: take_records(run, f, path);
	cp_redaction_free(&f->x);
	cp_capture_close(&f->capture);
	cp_recording_free(&f->rec);
	free(f);
	return status;
}

/* ------------------------------------------------- what is not the capture */

static const char *
object_name(const struct cp_run *run, uint32_t dso)
{
	return cp_strings_get(&run->session.strings,
	    cp_dsos_at(&run->session.dsos, dso)->pub.name);
}

bool
cp_run_shows_code(const struct cp_run *run, uint32_t dso)
{
	const struct cp_redact *r = run->options->redact;

	return r == NULL || dso == 0 ||
	       r->policy->how[CP_REDACT_SYMBOL] == CP_REDACT_KEEP ||
	       cp_redact_known_object(r, object_name(run, dso));
}

bool
cp_run_shows_source(const struct cp_run *run)
{
	const struct cp_redact *r = run->options->redact;

	return r == NULL || r->policy->how[CP_REDACT_SOURCE] == CP_REDACT_KEEP;
}

static struct cp_symbol *
hide(struct cp_run *run, const struct cp_symbol *s)
{
	struct cp_redact *r = run->options->redact;
	struct cp_symbol *to = cp_arena_alloc(&run->arena, sizeof(*to));
	const char *name;
	char text[40];

	*to = *s;
	to->label = NULL;
	/* The capture's own symbols were already renamed in the copy. */
	if (cp_redact_made(r, CP_REDACT_SYMBOL, s->name))
		return to;
	snprintf(text, sizeof(text), "function_%" PRIx64, s->start);
	name = r->policy->how[CP_REDACT_SYMBOL] == CP_REDACT_HASH
		   ? cp_redact_name(r, CP_REDACT_SYMBOL, s->name)
		   : text;
	if (name == text)
		cp_redact_drop(r, CP_REDACT_SYMBOL, s->name);
	to->name = to->raw = cp_arena_strndup(&run->arena, name, strlen(name));
	return to;
}

static bool
changes(struct cp_redact *r, const char *text)
{
	return strcmp(cp_redact_text(r, text), text) != 0;
}

/*
 * The name of a symbol whose raw name loses words.  A mangled name would tell
 * them in another form, so its readable form is shown; what follows the name,
 * as for inlined functions, stays.
 */
static const char *
readable_name(
    struct cp_run *run, const char *name, const char *raw, const char *readable)
{
	size_t n = strlen(raw);
	struct cp_buf b;
	const char *text;

	if (readable == NULL || strncmp(name, raw, n) != 0)
		return cp_redact_text(run->options->redact, name);
	cp_buf_init(&b, CP_REDACT_TEXT);
	cp_buf_printf(&b, "%s%s", readable, name + n);
	text = cp_redact_text(run->options->redact, cp_buf_text(&b));
	cp_buf_free(&b);
	return text;
}

/*
 * Code that is made at run time, and an object in a user's folder, may be the
 * user's own: only the user can tell whether names in it are secret.
 */
static bool
is_public(const struct cp_run *run, uint32_t dso)
{
	struct cp_path_users users = { .path = true };
	const char *user;
	uint8_t kind;

	if (dso == 0)
		return false;
	kind = cp_dsos_at(&run->session.dsos, dso)->pub.kind;
	users.text =
	    cp_redact_recorded(run->options->redact, object_name(run, dso));
	return kind != CP_DSO_ANON && kind != CP_DSO_JIT &&
	       kind != CP_DSO_BPF && cp_path_user(&users, &user) == 0;
}

/*
 * A kept name may contain a word or the path of a user's folder.  The raw name
 * is not shown where it, or what it is the mangled form of, does.
 */
static const struct cp_symbol *
clean(struct cp_run *run, const struct cp_symbol *s)
{
	struct cp_redact *r = run->options->redact;
	const char *raw = s->raw != NULL ? s->raw : s->name;
	char *readable = cp_demangle(raw, CP_DEMANGLE_FULL);
	bool dirty = changes(r, raw) || changes(r, s->name) ||
		     (readable != NULL && changes(r, readable));
	struct cp_symbol *to = NULL;
	bool public;

	/* Names that are not shown are not searched for words. */
	if (dirty || s->label != NULL) {
		to = cp_arena_alloc(&run->arena, sizeof(*to));
		*to = *s;
		to->label = NULL;
		s = to;
	}
	if (dirty) {
		to->name = readable_name(run, s->name, raw, readable);
		to->raw = to->raw != NULL ? to->name : NULL;
	}
	/* Remembers what is written of a symbol. */
	public = is_public(run, s->dso);
	cp_redact_function(run->options->redact, s->name, public);
	if (s->raw != NULL && s->raw != s->name)
		cp_redact_function(run->options->redact, s->raw, public);
	free(readable);
	return s;
}

const struct cp_symbol *
cp_run_shown(struct cp_run *run, const struct cp_symbol *s)
{
	const struct cp_symbol **at;

	if (run->options->redact == NULL || s == NULL)
		return s;
	while (run->hidden.len <= s->id)
		*cp_vec_push(&run->hidden) = NULL;
	at = &run->hidden.data[s->id];
	if (*at == NULL)
		*at = cp_run_shows_code(run, s->dso) ? clean(run, s)
						     : hide(run, s);
	return *at;
}

const char *
cp_run_shown_path(const struct cp_run *run, const char *path)
{
	if (run->options->redact == NULL || path == NULL)
		return path;
	return cp_redact_name(run->options->redact, CP_REDACT_PATH, path);
}

/* Objects on the policy's list keep the names of their sources, too. */
static bool
hides_files(const struct cp_run *run, uint32_t dso)
{
	const struct cp_redact *r = run->options->redact;

	return r != NULL && r->policy->how[CP_REDACT_PATH] > CP_REDACT_KEEP &&
	       (dso == 0 || !cp_redact_known_object(r, object_name(run, dso)));
}

struct cp_spots
cp_run_shown_spots(struct cp_run *run, uint32_t dso, struct cp_spots spots)
{
	struct cp_spot *to;

	if (!cp_run_shows_code(run, dso))
		return (struct cp_spots){ 0 };
	if (spots.n == 0 || !hides_files(run, dso))
		return spots;
	to = cp_arena_alloc(&run->arena, spots.n * sizeof(*to));
	for (uint32_t i = 0; i < spots.n; i++) {
		to[i] = spots.at[i];
		to[i].file = cp_run_shown_path(run, to[i].file);
	}
	return (struct cp_spots){ to, spots.n };
}
