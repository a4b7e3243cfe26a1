/* SPDX-License-Identifier: MIT */
#include "analyses/summary/brief-part.h"

#include <stdarg.h>
#include <stdio.h>

#include "analyses/common/record-hint.h"

#define LINE 2000

bool
cp_brief_recorded(const struct cp_run *run, const struct cp_probe *table)
{
	for (uint32_t i = 0; i < cp_run_evsel_count(run); i++)
		if (cp_probes_find(run, table, i) != CP_NO_ID &&
		    cp_event_sampled(cp_run_evsel(run, i)))
			return false;
	return cp_probes_have(run, table);
}

struct cp_percent
cp_percent_of(struct cp_mass part, struct cp_whole all)
{
	struct cp_percent p;

	p.share = 100 * cp_share((double)part.weight, (double)all.mass.weight);
	cp_interval(part, all, &p.lo, &p.hi);
	if (p.lo > p.hi)
		return (struct cp_percent){ p.share, p.share, p.share };
	p.lo *= 100;
	p.hi *= 100;
	return p;
}

struct cp_percent
cp_percent_of_counts(uint64_t part, uint64_t all)
{
	return cp_percent_of(
	    (struct cp_mass){ part, (double)part }, cp_counted(all, 1));
}

const char *
cp_percent_share(struct cp_word *w, struct cp_percent p)
{
	(void)snprintf(w->text, sizeof(w->text), "%.2f %%", p.share);
	return w->text;
}

const char *
cp_percent_interval(struct cp_word *w, struct cp_percent p)
{
	int digits = p.hi < 10 ? 2 : 1;

	(void)snprintf(w->text, sizeof(w->text), "%.*f–%.*f %%", digits, p.lo,
	    digits, p.hi);
	return w->text;
}

CP_PRINTF(3, 0)
static void
put(struct cp_table *t, const char *about, const char *fmt, va_list ap)
{
	char text[LINE];

	(void)vsnprintf(text, sizeof(text), fmt, ap);
	cp_table_row(t);
	cp_table_text(t, about);
	cp_table_text(t, text);
}

static struct cp_table *
told_table(struct cp_report *rep)
{
	struct cp_table *t =
	    cp_report_table(rep, "others", "What other commands tell");

	cp_table_column(t, "Command", CP_COL_TEXT);
	cp_table_column(t, "What", CP_COL_TEXT);
	cp_table_prose(t);
	return t;
}

void
cp_brief_line(struct cp_brief_lines *l, const char *fmt, ...)
{
	va_list ap;

	if (l->told == NULL)
		l->told = told_table(l->rep);
	va_start(ap, fmt);
	put(l->told, l->n++ == 0 ? l->command : "", fmt, ap);
	va_end(ap);
}

void
cp_brief_found(
    struct cp_brief_lines *l, const char *about, const char *fmt, ...)
{
	va_list ap;

	l->n_found++;
	va_start(ap, fmt);
	put(l->found, about, fmt, ap);
	va_end(ap);
}
