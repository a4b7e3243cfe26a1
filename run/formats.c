/* SPDX-License-Identifier: MIT */
/*
 * formats: layouts of tracepoints for a capture that lacks its tracing data.
 *
 * The capture is read once before the run, up to some payloads of each such
 * event.  A layout is used if the payloads fit it.  So analyses know the
 * events' names from the first sample on.
 */
#include "run/api.h"

#include <sys/stat.h>

#include "readers/formats/formats.h"
#include "readers/list.h"

enum {
	ENOUGH = 64,       /* payloads of an event */
	RECORDS = 1 << 20, /* that are searched for payloads */
	DAMAGED = 16,      /* one payload of 16 may be damaged */
};

struct candidate {
	uint32_t fits;
};

/* An event without a layout, and its candidates. */
struct lacking {
	struct cp_evsel_info *evsel;
	uint32_t seen;
	struct candidate *of; /* one for each candidate */
};

struct search {
	struct cp_run *run;
	struct cp_tracepoints from;
	size_t given; /* the first of them are the user's, not built in */
	CP_VEC(struct lacking) lacking;
	size_t wanting; /* number of those that need more payloads */
};

static bool
lacks(const struct cp_evsel_info *e)
{
	return e->pub.tracepoint && e->tp == NULL &&
	       (e->pub.sample_type & CP_SAMPLE_RAW) != 0;
}

/* Compares the name, if the event has one, without its modifiers. */
static bool
named(const struct cp_evsel_info *e, const struct cp_tp_event *tp)
{
	const char *name = e->pub.name;
	size_t n = strlen(tp->system), m = strlen(tp->name);

	return strncmp(name, tp->system, n) == 0 && name[n] == ':' &&
	       strncmp(name + n + 1, tp->name, m) == 0 &&
	       (name[n + 1 + m] == '\0' || name[n + 1 + m] == ':');
}

static bool
nameless(const struct cp_evsel_info *e)
{
	return strcmp(e->pub.name, "unknown tracepoint") == 0;
}

static bool
may_be(const struct search *s, const struct cp_evsel_info *e, size_t i)
{
	const struct cp_tp_event *tp = &s->from.events.data[i];

	if (i < s->given)
		return tp->id == e->pub.config && (nameless(e) || named(e, tp));
	return nameless(e) ? cp_format_telling(tp) : named(e, tp);
}

static void
look(struct search *s, struct lacking *l, const struct cp_event *ev)
{
	const struct cp_payload p = { .raw = ev->u.sample.raw,
		.size = ev->u.sample.raw_size,
		.id = l->evsel->pub.config,
		.tid = ev->tid,
		.swap = s->run->rec.swap };

	if (p.raw == NULL || l->seen >= ENOUGH)
		return;
	for (size_t i = 0; i < s->from.events.len; i++)
		if (may_be(s, l->evsel, i))
			l->of[i].fits +=
			    i < s->given
				? cp_format_fits(&s->from.events.data[i], &p)
				: cp_format_surely(&s->from.events.data[i], &p);
	if (++l->seen == ENOUGH)
		s->wanting--;
}

/* Reads the capture separately, because the run must begin at its start. */
static void
read_payloads(struct search *s, const char *path)
{
	struct cp_recording rec = { 0 };
	struct cp_quality quality = { 0 };
	struct cp_diags *diags = cp_xcalloc(1, sizeof(*diags));
	struct cp_capture c;
	struct cp_event ev;

	cp_diags_init(diags);
	cp_info_init(&rec.info);
	if (cp_capture_open(&c, path, false, &rec, &quality, diags) == CP_OK)
		for (int i = 0;
		     i < RECORDS && s->wanting != 0 && cp_capture_next(&c, &ev);
		     i++)
			for (size_t k = 0; k < s->lacking.len; k++)
				if (ev.type == CP_RECORD_SAMPLE &&
				    s->lacking.data[k].evsel->pub.index ==
					ev.evsel)
					look(s, &s->lacking.data[k], &ev);
	cp_capture_close(&c);
	cp_recording_free(&rec);
	free(diags);
}

static bool
believed(const struct lacking *l, size_t i)
{
	uint32_t fits = l->of[i].fits;

	return fits != 0 && l->seen - fits <= l->seen / DAMAGED;
}

static void
take(struct search *s, const struct lacking *l, size_t i)
{
	struct cp_run *run = s->run;
	const struct cp_tp_event *tp = &s->from.events.data[i];

	cp_tp_copy(&run->rec.tracepoints, tp, l->evsel->pub.config);
	cp_diag(run->diags, CP_D_FORMAT,
	    "%.60s:%.60s by %s, %" PRIu32 " of %" PRIu32 " payloads agree",
	    tp->system, tp->name,
	    i < s->given ? "--formats" : "the built-in layout", l->of[i].fits,
	    l->seen);
}

static void
settle(struct search *s, struct lacking *l)
{
	const struct cp_run *run = s->run;
	const struct cp_evsel *e = &l->evsel->pub;
	bool other = false;
	size_t i, n = s->from.events.len;

	for (i = 0; i < n && !believed(l, i); i++)
		other |= i < s->given && may_be(s, l->evsel, i);
	if (l->seen != 0 && other)
		cp_diag(run->diags, CP_D_OTHER_FORMAT, "%.100s (%" PRIu64 ")",
		    e->name, e->config);
	if (i < n)
		take(s, l, i);
	else if (l->seen != 0)
		cp_diag(run->diags, CP_D_NO_FORMAT,
		    "%.100s (%" PRIu64 "): --formats takes it from another "
		    "capture of the same kernel",
		    e->name, e->config);
}

static int
search_given(struct search *s)
{
	const cp_words *words = &s->run->options->formats;

	for (size_t i = 0; i < words->len; i++)
		if (cp_formats_given(&s->from, words->data[i], s->run->diags) !=
		    CP_OK)
			return CP_FAIL;
	s->given = s->from.events.len;
	return CP_OK;
}

static bool
any_lacks(const struct cp_evsels *all)
{
	for (size_t i = 0; i < all->all.len; i++)
		if (lacks(all->all.data[i]))
			return true;
	return false;
}

static void
search_lacking(struct search *s)
{
	struct cp_run *run = s->run;
	struct cp_tracepoints builtin = { 0 };
	const struct cp_evsels *all = &run->rec.evsels;

	if (!any_lacks(all))
		return;
	cp_formats_builtin(&builtin, run->diags);
	/* Ids of built-in layouts must differ from those of given ones. */
	for (size_t i = 0; i < builtin.events.len; i++)
		cp_tp_copy(
		    &s->from, &builtin.events.data[i], UINT64_MAX - 1 - i);
	cp_tracepoints_free(&builtin);
	for (size_t i = 0; i < all->all.len; i++)
		if (lacks(all->all.data[i]))
			*cp_vec_push(&s->lacking) =
			    (struct lacking){ .evsel = all->all.data[i],
				    .of = cp_arena_alloc(&s->from.arena,
					s->from.events.len *
					    sizeof(struct candidate)) };
	s->wanting = s->lacking.len;
}

static bool
readable_twice(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 &&
	       (S_ISDIR(st.st_mode) || S_ISREG(st.st_mode));
}

int
cp_run_formats(struct cp_run *run, const char *path)
{
	struct search s = { .run = run };
	int status = search_given(&s);

	if (status == CP_OK)
		search_lacking(&s);
	if (s.wanting != 0 && readable_twice(path)) {
		read_payloads(&s, path);
		for (size_t i = 0; i < s.lacking.len; i++)
			settle(&s, &s.lacking.data[i]);
		cp_recording_link(&run->rec);
	}
	cp_vec_free(&s.lacking);
	cp_tracepoints_free(&s.from);
	return status;
}
