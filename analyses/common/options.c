/* SPDX-License-Identifier: MIT */
#include "analyses/common/options.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyses/common/event.h"
#include "analyses/common/label.h"

static const struct by_word {
	const char *word;
	unsigned key;
	const char *column;
	enum cp_column_type type;
} by_words[] = {
	{ "symbol", CP_BY_SYMBOL, "Symbol", CP_COL_TEXT },
	{ "dso", CP_BY_DSO, "Object", CP_COL_TEXT },
	{ "line", CP_BY_LINE, "Line", CP_COL_TEXT },
	{ "srcfile", CP_BY_SRCFILE, "Source file", CP_COL_TEXT },
	{ "family", CP_BY_FAMILY, "Family", CP_COL_TEXT },
	{ "comm", CP_BY_COMM, "Command", CP_COL_TEXT },
	{ "pid", CP_BY_PID, "PID", CP_COL_TEXT },
	{ "tid", CP_BY_TID, "TID", CP_COL_TEXT },
	{ "cpu", CP_BY_CPU, "CPU", CP_COL_TEXT },
	{ "event", CP_BY_EVENT, "Event", CP_COL_TEXT },
	{ "cgroup", CP_BY_CGROUP, "Cgroup", CP_COL_TEXT },
	{ "time", CP_BY_TIME, "From", CP_COL_CLOCK },
	{ "level", CP_BY_LEVEL, "Level", CP_COL_TEXT },
	{ "addr", CP_BY_ADDR, "Address", CP_COL_ADDRESS },
	{ "parallelism", CP_BY_PARALLELISM, "Threads at once", CP_COL_TEXT },
	{ "socket", CP_BY_SOCKET, "Socket", CP_COL_TEXT },
	{ "core", CP_BY_CORE, "Core", CP_COL_TEXT },
	{ "node", CP_BY_NODE, "NUMA node", CP_COL_TEXT },
};
#define N_WORDS (sizeof(by_words) / sizeof(by_words[0]))

uint64_t
cp_parse_duration(const char *text)
{
	static const struct {
		const char *unit;
		double ns;
	} units[] = { { "ns", 1 }, { "us", 1e3 }, { "ms", 1e6 }, { "s", 1e9 },
		{ "m", 60e9 }, { "h", 3600e9 } };
	char *end;
	double v;

	errno = 0;
	v = strtod(text, &end);
	if (end == text || errno != 0 || !(v > 0))
		return 0;
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (strcmp(end, units[i].unit) == 0) {
			v *= units[i].ns;
			return v >= 1 && v < 1e18 ? (uint64_t)v : 0;
		}
	return 0;
}

bool
cp_option_within(
    struct cp_run *run, const char *option, double v, double least, double most)
{
	if (v >= least && v <= most)
		return true;
	cp_run_diag(run, CP_D_USAGE, "--%s wants a number from %g to %g",
	    option, least, most);
	return false;
}

static const struct by_word *
find_word(const char *s, size_t n)
{
	for (size_t i = 0; i < N_WORDS; i++)
		if (strlen(by_words[i].word) == n &&
		    memcmp(by_words[i].word, s, n) == 0)
			return &by_words[i];
	return NULL;
}

static bool
has_key(const struct cp_by *by, unsigned key)
{
	for (unsigned i = 0; i < by->n; i++)
		if (by->key[i] == key)
			return true;
	return false;
}

/* Adds the key of one word of n bytes, which may end with ":WIDTH". */
static bool
add_word(struct cp_by *by, struct cp_run *run, const char *s, size_t n)
{
	const char *colon = memchr(s, ':', n);
	const struct by_word *w =
	    find_word(s, colon != NULL ? (size_t)(colon - s) : n);
	char width[32];

	if (by->fields < CP_FIELD_KEYS &&
	    cp_field_key_parse(run, s, n, &by->field[by->fields])) {
		by->key[by->n++] = CP_BY_FIELD + by->fields++;
		return true;
	}
	if (w == NULL || (colon != NULL) != (w->key == CP_BY_TIME) ||
	    has_key(by, w->key) ||
	    (w->key >= CP_BY_LINE && w->key <= CP_BY_FAMILY &&
		(has_key(by, CP_BY_LINE) || has_key(by, CP_BY_SRCFILE) ||
		    has_key(by, CP_BY_FAMILY))))
		return false;
	if (colon != NULL) {
		snprintf(width, sizeof(width), "%.*s", (int)(s + n - colon - 1),
		    colon + 1);
		by->width = cp_parse_duration(width);
		if (by->width == 0)
			return false;
	}
	by->key[by->n++] = w->key;
	return true;
}

int
cp_by_parse(struct cp_by *by, struct cp_run *run)
{
	const char *at = cp_run_option(run, "by");

	*by = (struct cp_by){ .width = 1 };
	if (at == NULL)
		at = "comm,dso,symbol";
	for (;; at++) {
		size_t n = strcspn(at, ",");

		if (!add_word(by, run, at, n)) {
			cp_run_diag(run, CP_D_USAGE,
			    "--by: '%.*s' is no key, or is there twice; keys "
			    "are symbol dso line (or srcfile, or family) comm "
			    "pid tid cpu core socket node event cgroup level "
			    "addr parallelism field:NAME arg:N time:WIDTH "
			    "(time:100ms)",
			    (int)(n < 40 ? n : 40), at);
			return CP_FAIL;
		}
		at += n;
		if (*at == '\0')
			break;
	}
	for (unsigned i = 0; i < by->n; i++)
		if (by->key[i] < CP_GROUP_KEYS)
			by->groups |= 1u << by->key[i];
	by->symbol = has_key(by, CP_BY_SYMBOL);
	by->dso = has_key(by, CP_BY_DSO);
	by->line = has_key(by, CP_BY_LINE);
	by->srcfile = has_key(by, CP_BY_SRCFILE);
	by->family = has_key(by, CP_BY_FAMILY);
	by->mixed = has_key(by, CP_BY_EVENT);
	return CP_OK;
}

void
cp_by_columns(const struct cp_by *by, struct cp_table *t, unsigned key)
{
	if (key >= CP_BY_FIELD && key < CP_GROUP_KEYS)
		cp_table_column(t, CP_TEXT(by->field[key - CP_BY_FIELD]->name));
	if (key == CP_BY_SYMBOL)
		cp_table_column(t, CP_TEXT("Level"));
	if (key == CP_BY_CGROUP)
		cp_table_column(t, CP_TEXT("Control group"));
	for (size_t i = 0; i < N_WORDS; i++)
		if (by_words[i].key == key)
			cp_table_column(
			    t, CP_COLUMN(by_words[i].column, by_words[i].type,
				   key == CP_BY_CGROUP ? CP_COLUMN_MINOR : 0,
				   NULL));
}

static struct cp_cell
cgroup_cell(const struct cp_run *run, uint64_t id)
{
	const char *path = id != 0 ? cp_run_cgroup(run, id) : "-";

	return path != NULL ? cp_cell_text(path) : cp_cell_id(id);
}

struct cp_cell
cp_by_cell(const struct cp_groups *g, unsigned key, uint32_t group)
{
	uint64_t v = g->all[group].v[key];

	switch (key) {
	case CP_BY_EVENT:
		return cp_cell_text(cp_run_evsel(g->run, (uint32_t)v)->name);
	case CP_BY_COMM:
		return cp_cell_text(cp_run_string(g->run, (cp_string_id)v));
	case CP_BY_LEVEL: return cp_cell_text(cp_word_level((enum cp_level)v));
	case CP_BY_ADDR: return cp_cell_u64(v);
	case CP_BY_PARALLELISM:
		return cp_cell_id(v != 0 ? (uint32_t)v : CP_NO_ID);
	case CP_BY_CGROUP: return cgroup_cell(g->run, v);
	case CP_BY_TIME:
		return cp_cell_u64(
		    v == CP_NO_TIME ? CP_NO_TIME : g->base + v * g->width);
	default:
		if (key < CP_BY_FIELD)
			return cp_cell_id((uint32_t)v);
		return cp_cell_text(
		    v != 0 ? cp_run_string(g->run, (cp_string_id)v) : "-");
	}
}

struct cp_table *
cp_event_table(const struct cp_groups *g, struct cp_report *rep,
    const char *slug, uint32_t event)
{
	struct cp_total total = cp_groups_total(g, event);
	const char *weight = cp_run_weight_name(g->run);
	struct cp_word a, b;
	struct cp_table *t;
	char title[512];

	if (event == CP_NO_ID)
		snprintf(title, sizeof(title),
		    "all events; shares are of each event's own %s", weight);
	else
		snprintf(title, sizeof(title), "%.300s: %s sample%s, %s %s",
		    cp_event_name(g->run, event),
		    cp_word_count(&a, total.samples), cp_word_s(total.samples),
		    strcmp(weight, "period") == 0 ? "event count (approx.)"
						  : weight,
		    cp_word_count(&b, total.weight));
	t = cp_report_table(rep, slug, title, NULL, 0);
	if (event != CP_NO_ID)
		cp_table_event(t, cp_event_name(g->run, event));
	return t;
}
