/* SPDX-License-Identifier: MIT */
/*
 * headline: what one wants to know first, in a sentence and a table: how long
 * runs took, their CPU time, and how many CPUs were busy.
 */
#include <math.h>
#include <stdio.h>

#include "analyses/common/label.h"
#include "analyses/diff/diff.h"

void
cp_diff_minor(struct cp_table *t, const char *name, enum cp_column_type type)
{
	cp_table_column(t, CP_COLUMN(name, type, CP_COLUMN_MINOR, NULL));
}

const char *
cp_diff_direction(const struct cp_diff_result *r)
{
	if (r->samples_before == 0)
		return "new";
	if (r->samples_after == 0)
		return "gone";
	return r->after > r->before ? "more" : "less";
}

struct cp_diff_change
cp_diff_change_of(const struct cp_diff_result *r)
{
	struct cp_diff_change c = { "new" };

	if (isfinite(r->change))
		snprintf(c.text, sizeof(c.text),
		    "%+.1f %% (%+.1f ... %+.1f %%)", r->change * 100,
		    r->lo * 100, r->hi * 100);
	return c;
}

const char *
cp_diff_found(const struct cp_diff *d, enum cp_diff_verdict v,
    const struct cp_diff_result *r)
{
	switch (v) {
	case CP_DIFF_CHANGED: return cp_diff_direction(r);
	case CP_DIFF_UNDECIDED: return "undecided";
	case CP_DIFF_AS_WHOLE: return "as the whole";
	case CP_DIFF_TOO_FEW:
		return d->lacks == NULL && d->nameless == NULL ? "too few" : "";
	case CP_DIFF_INTERRUPTS: return "interrupts";
	case CP_DIFF_SAME: break;
	}
	return "";
}

struct cp_text {
	char text[64];
};

/* "2.10 s", or "1.03": what a total is. */
static const char *
value_of(struct cp_text *t, const struct cp_diff_total *total, double value)
{
	static const struct {
		double least;
		const char *unit;
	} units[] = { { 1, "s" }, { 1e-3, "ms" }, { 1e-6, "us" },
		{ 1e-9, "ns" } };
	const char *unit = "";
	struct cp_word w;
	int digits;

	for (unsigned i = 0; i < 4 && total->measure == CP_DIFF_SECONDS; i++)
		if (value >= units[i].least || i == 3) {
			unit = units[i].unit;
			value /= units[i].least;
			break;
		}
	digits = value < 10 ? 2 : value < 100 ? 1 : 0;
	if (!isfinite(value))
		snprintf(t->text, sizeof(t->text), "-");
	else if (value < 10000)
		snprintf(t->text, sizeof(t->text), "%.*f%s%s", digits, value,
		    unit[0] != '\0' ? " " : "", unit);
	else
		snprintf(t->text, sizeof(t->text), "%s%s%s",
		    cp_word_count(&w, cp_diff_whole(value)),
		    unit[0] != '\0' ? " " : "", unit);
	return t->text;
}

/* "56 times faster", "+18 %". */
static const char *
change_of(struct cp_text *t, const struct cp_diff_total *total, bool length)
{
	double ratio = 1 + total->change;
	bool less = ratio < 1;

	if (length && (ratio >= 2 || ratio <= 0.5) && ratio > 0)
		snprintf(t->text, sizeof(t->text), "%.3g times %s",
		    less ? 1 / ratio : ratio, less ? "faster" : "as long");
	else
		snprintf(
		    t->text, sizeof(t->text), "%+.3g %%", total->change * 100);
	return t->text;
}

static const char *
doubt_of(const struct cp_diff_total *t)
{
	return t->verdict == CP_DIFF_UNDECIDED ? ", undecided" : "";
}

/* What one wants to know first, in a sentence. */
static void
headline(const struct cp_diff *d, char *out, size_t room)
{
	const struct cp_diff_total *length = cp_diff_total(d, "Elapsed");
	const struct cp_diff_total *cpu = cp_diff_total(d, "CPU time");
	const struct cp_diff_total *busy = cp_diff_total(d, "CPUs busy");
	struct cp_text a, b, c;
	size_t n = 0;

#define SAY(...)                                                               \
	(n += n < room ? (size_t)snprintf(out + n, room - n, __VA_ARGS__) : 0)
	if (d->lacks != NULL) {
		SAY("Nothing can be compared: %s", d->lacks);
		out[n < room ? n : room - 1] = '\0';
		return;
	}
	if (length != NULL && !isnan(length->p))
		SAY("%s → %s (%s%s); ", value_of(&a, length, length->before),
		    value_of(&b, length, length->after),
		    change_of(&c, length, true), doubt_of(length));
	if (cpu != NULL && !isnan(cpu->p))
		SAY("CPU time %s%s; ", change_of(&c, cpu, false),
		    doubt_of(cpu));
	if (busy != NULL)
		SAY("CPUs busy %s → %s; ", value_of(&a, busy, busy->before),
		    value_of(&b, busy, busy->after));
	if (d->nameless != NULL && d->per == NULL)
		SAY("Shares of samples; ");
	else if (length == NULL || isnan(length->p))
		SAY("%s: %s; ", cp_diff_unit_name(d, d->whole_unit),
		    cp_diff_change_of(&d->whole).text);
	if (d->n_rows != 0 && d->row[0].verdict == CP_DIFF_CHANGED)
		SAY("first %.150s: %s; ", d->row[0].name,
		    cp_diff_direction(&d->result[d->row[0].symbol]));
#undef SAY
	out[n < room ? n - 2 : room - 1] = '\0';
}

void
cp_diff_totals_show(const struct cp_diff *d, struct cp_report *rep)
{
	static const struct cp_column_spec columns[] = { CP_TEXT("Found"),
		CP_CHANGE("Change") };
	static const struct cp_column_spec columns_2[] = { CP_TEXT("Before"),
		CP_TEXT("After") };
	char title[1200];
	struct cp_table *t;

	headline(d, title, sizeof(title));
	t = cp_report_table(rep, "totals", title, CP_COLUMNS(columns));
	cp_diff_minor(t, "p", CP_COL_CHANCE);
	cp_table_columns(t, CP_COLUMNS(columns_2));
	cp_diff_minor(t, "Number before", CP_COL_NUMBER);
	cp_diff_minor(t, "Number after", CP_COL_NUMBER);
	cp_table_column(t, CP_TEXT("What"));
	for (uint32_t i = 0; i < d->n_totals; i++) {
		const struct cp_diff_total *row = &d->total[i];
		struct cp_text before, after;

		cp_table_add(t,
		    row->verdict == CP_DIFF_CHANGED
			? (row->change > 0 ? "more" : "less")
		    : row->verdict == CP_DIFF_UNDECIDED ? "undecided"
							: "",
		    cp_cell_value(row->change, row->lo, row->hi), row->p,
		    value_of(&before, row, row->before),
		    value_of(&after, row, row->after), row->before, row->after,
		    row->name);
	}
}
