/* SPDX-License-Identifier: MIT */
/* command: the command line that gives the numbers of a view. */
#include <inttypes.h>
#include <string.h>

#include "browse/browser.h"

/* Adds a word as a shell reads it. */
static void
quote(struct cp_buf *to, const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
				    "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_-./:=,+@%";

	cp_buf_char(to, ' ');
	if (*word != '\0' && word[strspn(word, plain)] == '\0') {
		cp_buf_str(to, word);
		return;
	}
	cp_buf_char(to, '\'');
	for (; *word != '\0'; word++)
		if (*word == '\'')
			cp_buf_str(to, "'\\''");
		else if ((unsigned char)*word < 0x20 || *word == 0x7f)
			cp_buf_char(to, '?');
		else
			cp_buf_char(to, *word);
	cp_buf_char(to, '\'');
}

static void
add_seconds(struct cp_buf *to, uint64_t ns)
{
	cp_buf_printf(
	    to, "%" PRIu64 ".%09" PRIu64, ns / 1000000000, ns % 1000000000);
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
add_window(struct cp_buf *to, const struct cp_browser *b)
{
	const struct cp_browse_selection *s = &b->model.selection;
	uint64_t start =
	    b->model.compares ? cp_profile_start(b->model.profile) : 0;

	if (start == CP_NO_TIME || start > s->from)
		start = 0;
	for (int i = 0; i < (b->model.compares ? 2 : 1); i++) {
		cp_buf_str(to, b->model.compares ? " --time +" : " --time ");
		add_seconds(to, s->from - start);
		cp_buf_str(to, b->model.compares ? ",+" : ",");
		add_seconds(to, s->to - start);
	}
}

/* A process or thread; of two captures all that are taken for it. */
static void
add_ids(struct cp_buf *to, const struct cp_browse_model *m, const char *option,
    uint32_t id, bool process)
{
	const struct cp_profile *p = m->profile;
	struct cp_map64 seen = { 0 };

	if (id == CP_NO_ID)
		return;
	cp_buf_printf(to, "%s%" PRIu32, option, id);
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
			cp_buf_printf(to, ",%" PRIu32, own);
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

static void
add_filters(struct cp_buf *to, const struct cp_browser *b)
{
	const struct cp_browse_selection *s = &b->model.selection;
	const struct cp_profile *p = b->model.profile;

	if (several_events(&b->model)) {
		cp_buf_str(to, " -e");
		quote(to, p->events.data[s->event].name);
	}
	add_ids(to, &b->model, " --pid ", s->pid, true);
	add_ids(to, &b->model, " --tid ", s->tid, false);
	if (s->cpu != CP_NO_ID)
		cp_buf_printf(to, " --cpu %" PRIu32, s->cpu);
	if (s->object != CP_NO_ID && object_of(&b->model, s->object) != NULL) {
		cp_buf_str(to, " --dso");
		quote(to, object_of(&b->model, s->object));
	}
	if (s->from != 0 || s->to != UINT64_MAX)
		add_window(to, b);
}

/* Adds the options of the user, but for what the selection says instead. */
static void
add_words(struct cp_buf *to, const struct cp_browser *b)
{
	const struct cp_browse_selection *s = &b->model.selection;
	const char *name, *value;

	for (size_t i = 0; (name = b->in->word(b->in->ctx, i, &value)) != NULL;
	     i++) {
		if ((strcmp(name, "event") == 0 && several_events(&b->model)) ||
		    (strcmp(name, "time") == 0 && s->to != UINT64_MAX) ||
		    (strcmp(name, "pid") == 0 && s->pid != CP_NO_ID) ||
		    (strcmp(name, "tid") == 0 && s->tid != CP_NO_ID) ||
		    (strcmp(name, "cpu") == 0 && s->cpu != CP_NO_ID) ||
		    (strcmp(name, "dso") == 0 && s->object != CP_NO_ID))
			continue;
		cp_buf_printf(to, " --%s", name);
		if (value != NULL)
			quote(to, value);
	}
}

void
cp_browser_add_inputs(struct cp_buf *to, const struct cp_browser *b)
{
	add_words(to, b);
	if (!cp_view_is_text(b->view))
		add_filters(to, b);
	for (size_t i = 0; i < b->in->capture_count; i++)
		quote(to, b->in->captures[i]);
}

void
cp_browser_command(const struct cp_browser *b, struct cp_buf *to)
{
	const struct cp_browse_function *f =
	    b->view == CP_VIEW_AROUND ? &b->model.functions.data[b->function]
				      : NULL;

	if (b->model.compares) {
		cp_buf_str(to, cp_view_is_text(b->view)
				   ? "coldperf diff"
				   : "coldperf diff --per 1,1 --top 0");
		cp_browser_add_inputs(to, b);
		return;
	}
	switch (b->view) {
	case CP_VIEW_FUNCTIONS:
		cp_buf_str(to, "coldperf hotspots --children --by dso,symbol "
			       "--top 0");
		break;
	case CP_VIEW_THREADS:
		cp_buf_str(to, "coldperf hotspots --by pid,tid");
		break;
	case CP_VIEW_OBJECTS:
		cp_buf_str(to, "coldperf hotspots --by dso");
		break;
	case CP_VIEW_AROUND:
		cp_buf_str(to, "coldperf hotspots --callers");
		quote(to, f->name);
		cp_buf_str(to, " --callees");
		quote(to, f->name);
		break;
	case CP_VIEW_CALLERS:
		cp_buf_str(to, "coldperf flame -f text --no-comm --reverse");
		break;
	case CP_VIEW_CALLS:
	case CP_VIEW_FLAME:
		cp_buf_str(to, "coldperf flame -f text --no-comm");
		break;
	case CP_VIEW_CODE: cp_buf_str(to, "coldperf annotate"); break;
	case CP_VIEW_WAITS: cp_buf_str(to, "coldperf wall"); break;
	case CP_VIEW_PAIRS: cp_buf_str(to, "coldperf pair"); break;
	default: cp_buf_str(to, "coldperf report"); break;
	}
	cp_browser_add_inputs(to, b);
}
