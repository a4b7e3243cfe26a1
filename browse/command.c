/* SPDX-License-Identifier: MIT */
/* command: the command line that gives the numbers of a view. */
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "base/shell-word.h"
#include "browse/browser.h"

static void CP_PRINTF(3, 4)
    add(struct cp_browse_words *w, const char *name, const char *fmt, ...)
{
	struct cp_buf b;
	va_list ap;

	cp_buf_init(&b, 1 << 16);
	va_start(ap, fmt);
	cp_buf_vprintf(&b, fmt, ap);
	va_end(ap);
	*cp_vec_push(&w->all) = (struct cp_browse_word){ name,
		cp_arena_strndup(&w->texts, cp_buf_text(&b), b.len) };
	cp_buf_free(&b);
}

static bool
several_events(const struct cp_browse_model *m)
{
	uint32_t names = 0;

	for (uint32_t i = 0; i < m->profile->events.len; i++)
		names += m->same[i] == i;
	return names > 1;
}

/* A window; of two captures from the start of each. */
static void
add_window(struct cp_browse_words *w, const struct cp_browse_model *m)
{
	const struct cp_browse_selection *s = &m->selection;
	uint64_t start = m->compares ? cp_profile_start(m->profile) : 0, from,
		 to;
	const char *plus = m->compares ? "+" : "";

	if (start == CP_NO_TIME || start > s->from)
		start = 0;
	from = s->from - start;
	to = s->to - start;
	for (int i = 0; i < (m->compares ? 2 : 1); i++)
		add(w, "time",
		    "%s%" PRIu64 ".%09" PRIu64 ",%s%" PRIu64 ".%09" PRIu64,
		    plus, from / 1000000000, from % 1000000000, plus,
		    to / 1000000000, to % 1000000000);
}

/* A process or thread; of two captures all that are taken for it. */
static void
add_ids(struct cp_browse_words *w, const struct cp_browse_model *m,
    const char *name, uint32_t id)
{
	const struct cp_profile *p = m->profile;
	bool process = strcmp(name, "pid") == 0;
	struct cp_map64 seen = { 0 };

	if (id == CP_NO_ID)
		return;
	add(w, name, "%" PRIu32, id);
	*cp_map64_put(&seen, id) = 1;
	for (uint32_t i = 0; i < p->threads.len; i++) {
		const struct cp_profile_thread
		    *t = &p->threads.data[i],
		    *as = &p->threads.data[cp_browse_thread(m, i)];
		uint32_t own = process ? t->pid : t->tid, *at;

		if ((process ? as->pid : as->tid) != id || own == CP_NO_ID)
			continue;
		at = cp_map64_put(&seen, own);
		if (*at == 0)
			add(w, name, "%" PRIu32, own);
		*at = 1;
	}
	cp_map64_free(&seen);
}

/* The name of an object; of two captures without the folder. */
static const char *
object_of(const struct cp_browse_model *m, uint32_t object)
{
	const char *name = m->profile->objects.data[object].name;
	const char *last = name != NULL ? strrchr(name, '/') : NULL;

	return m->compares && last != NULL ? last + 1 : name;
}

bool
cp_view_is_of_all(const struct cp_browser *b)
{
	return b->view == CP_VIEW_LOG || b->view == CP_VIEW_HELP ||
	       (cp_view_is_text(b->view) &&
		   strcmp(b->in->captures[0], "-") == 0);
}

/* Most texts are of all events; annotate shows the main one. */
static bool
names_event(const struct cp_browser *b)
{
	const struct cp_browse_model *m = &b->model;
	struct cp_browse_selection all;

	if (b->view != CP_VIEW_CODE || m->compares)
		return !cp_view_is_text(b->view) && several_events(m);
	cp_browse_select_all(&all, m);
	return all.event != m->selection.event;
}

void
cp_browser_filters(const struct cp_browser *b, struct cp_browse_words *w)
{
	const struct cp_browse_model *m = &b->model;
	const struct cp_browse_selection *s = &m->selection;

	*w = (struct cp_browse_words){ 0 };
	if (cp_view_is_of_all(b))
		return;
	if (names_event(b))
		add(w, "event", "%s", m->profile->events.data[s->event].name);
	add_ids(w, m, "pid", s->pid);
	add_ids(w, m, "tid", s->tid);
	if (s->cpu != CP_NO_ID)
		add(w, "cpu", "%" PRIu32, s->cpu);
	if (s->object != CP_NO_ID && object_of(m, s->object) != NULL)
		add(w, "dso", "%s", object_of(m, s->object));
	if (s->from != 0 || s->to != UINT64_MAX)
		add_window(w, m);
}

void
cp_browser_filters_free(struct cp_browse_words *w)
{
	cp_vec_free(&w->all);
	cp_arena_free(&w->texts);
}

/* The options of the user, but for what the selection says instead. */
void
cp_browser_add_inputs(struct cp_buf *to, const struct cp_browser *b)
{
	const char *name, *value;
	struct cp_browse_words w;

	cp_browser_filters(b, &w);
	for (size_t i = 0; (name = b->in->word(b->in->ctx, i, &value)) != NULL;
	     i++) {
		size_t j = 0;

		while (j < w.all.len && strcmp(w.all.data[j].name, name) != 0)
			j++;
		if (j < w.all.len)
			continue;
		cp_buf_printf(to, " --%s%s", name, value != NULL ? " " : "");
		if (value != NULL)
			cp_shell_word(to, value);
	}
	for (size_t i = 0; i < w.all.len; i++) {
		cp_buf_printf(to, " --%s ", w.all.data[i].name);
		cp_shell_word(to, w.all.data[i].value);
	}
	cp_browser_filters_free(&w);
	for (size_t i = 0; i < b->in->capture_count; i++) {
		cp_buf_char(to, ' ');
		cp_shell_word(to, b->in->captures[i]);
	}
}

static const char *const commands[CP_VIEWS] = {
	[CP_VIEW_REPORT] = "report",
	[CP_VIEW_FUNCTIONS] = "hotspots --children --by dso,symbol --top 0",
	[CP_VIEW_CALLS] = "flame -f text --no-comm",
	[CP_VIEW_CALLERS] = "flame -f text --no-comm --reverse",
	[CP_VIEW_THREADS] = "hotspots --by pid,tid",
	[CP_VIEW_OBJECTS] = "hotspots --by dso",
	[CP_VIEW_FLAME] = "flame -f text --no-comm",
	[CP_VIEW_CODE] = "annotate",
	[CP_VIEW_WAITS] = "wall",
	[CP_VIEW_PAIRS] = "pair",
	[CP_VIEW_LOG] = "report",
	[CP_VIEW_HELP] = "report",
};

const char *
cp_browser_analysis(const struct cp_browser *b)
{
	if (b->view == CP_VIEW_LOG)
		return NULL;
	return b->model.compares && b->view == CP_VIEW_REPORT
		   ? "diff"
		   : commands[b->view];
}

/* The function, and its object, if another one has its name. */
static void
add_function(struct cp_buf *to, const struct cp_browser *b)
{
	const struct cp_browse_model *m = &b->model;
	const struct cp_browse_function *f = &m->functions.data[b->function];
	struct cp_buf name;
	bool twice = false;

	for (size_t i = 0; i < m->functions.len; i++)
		twice |= strcmp(m->functions.data[i].name, f->name) == 0 &&
			 strcmp(m->functions.data[i].object, f->object) != 0;
	cp_buf_init(&name, SIZE_MAX / 2);
	if (twice && f->object[0] != '\0')
		cp_buf_printf(&name, "%s!", f->object);
	cp_buf_str(&name, f->name);
	cp_shell_word(to, cp_buf_text(&name));
	cp_buf_free(&name);
}

void
cp_browser_command(const struct cp_browser *b, struct cp_buf *to)
{
	/* The texts of code, waits and pairs are of one capture. */
	bool one = b->view >= CP_VIEW_CODE && b->view <= CP_VIEW_PAIRS;
	const char *name = b->view == CP_VIEW_AROUND
			       ? b->model.functions.data[b->function].name
			       : "[";

	cp_buf_str(to, "coldperf ");
	if (b->model.compares && !one) {
		cp_buf_str(to, cp_view_is_text(b->view)
				   ? "diff"
				   : "diff --per 1,1 --top 0");
	} else if (name[0] != '[') {
		cp_buf_str(to, "hotspots --callers ");
		add_function(to, b);
		cp_buf_str(to, " --callees ");
		add_function(to, b);
	} else {
		/* Code without a name has none to be asked by. */
		cp_buf_str(
		    to, commands[b->view == CP_VIEW_AROUND ? CP_VIEW_FUNCTIONS
							   : b->view]);
	}
	if (!b->model.compares || !one) {
		cp_browser_add_inputs(to, b);
		return;
	}
	cp_buf_char(to, ' ');
	cp_shell_word(to, b->in->captures[1]);
}
