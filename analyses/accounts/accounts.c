/* SPDX-License-Identifier: MIT */
/* Accounts: which of them are worth a sentence, and their order. */
#include "analyses/accounts/accounts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CAUSES 5    /* shown */
#define MOST 16384u /* kept: no capture of a real system has as many */

bool
cp_accounts_large(
    const struct cp_accounts *a, uint64_t ns, uint64_t n, uint64_t longest)
{
	double share = cp_share((double)ns, (double)a->elapsed);

	if ((double)ns < cp_threshold(CP_T_CAUSE_TIME))
		return false;
	if (n != 0 && n <= 2 &&
	    (double)longest >= cp_threshold(CP_T_CAUSE_ONCE))
		return share >= cp_threshold(CP_T_CAUSE_ONCE_SHARE);
	return share >= cp_threshold(CP_T_CAUSE_SHARE);
}

/* Thresholds are of shares, or else of times. */
static bool
passes(const struct cp_accounts *a, const struct cp_account *x)
{
	const struct cp_account_row *row = cp_account_row(x->name);
	double least = cp_threshold(row->least);

	if (row->least == CP_T_RULE)
		return true;
	if (least >= 1 ? (double)x->longest < least : x->share.lo < 100 * least)
		return false;
	return row->class != CP_ACCOUNT_CAUSE ||
	       cp_accounts_large(a, x->ns, x->n, x->longest);
}

struct cp_account *
cp_accounts_add(struct cp_accounts *a, const struct cp_account *x)
{
	struct cp_account *to;

	if (a->n >= MOST || !passes(a, x))
		return NULL;
	cp_grow_to(a->run, a->all, &a->cap, a->n);
	to = cp_run_alloc(a->run, sizeof(*to));
	*to = *x;
	to->number = a->n;
	a->all[a->n++] = to;
	cp_account_also(a, to, x);
	to->what = to->call = NULL;
	return to;
}

bool
cp_accounts_have(const struct cp_accounts *a, enum cp_account_name name)
{
	for (uint32_t i = 0; i < a->n; i++)
		if (a->all[i]->name == name)
			return true;
	return false;
}

bool
cp_accounts_tell(const struct cp_accounts *a, const char *command)
{
	for (uint32_t i = 0; i < a->n; i++)
		if (strcmp(cp_account_row(a->all[i]->name)->command, command) ==
		    0)
			return true;
	return false;
}

static int
compare(const void *va, const void *vb)
{
	const struct cp_account *const *a = va, *const *b = vb, *x = *a,
				       *y = *b;
	enum cp_account_class class = cp_account_row(x->name)->class,
			      other = cp_account_row(y->name)->class;

	if (class != other)
		return class < other ? -1 : 1;
	if (class == CP_ACCOUNT_CAUSE) {
		uint64_t xs = x->ns - x->told, ys = y->ns - y->told;

		return xs != ys ? (xs < ys ? 1 : -1) : strcmp(x->text, y->text);
	}
	if (x->name != y->name)
		return x->name < y->name ? -1 : 1;
	return (x->number > y->number) - (x->number < y->number);
}

static void
show_parts(
    const struct cp_accounts *a, const struct cp_account *x, struct cp_table *t)
{
	const struct cp_account_row *row = cp_account_row(x->name);
	uint64_t first = cp_run_quality(a->run)->first_time;
	const struct cp_percent *p = &x->share;
	bool trust = row->class != CP_ACCOUNT_CAUSE &&
		     row->class != CP_ACCOUNT_FOUND,
	     sure = p->lo == p->hi;

	cp_table_add(t, trust ? "trust" : "cause",
	    x->about != NULL ? x->about : row->about,
	    x->ns != 0 ? x->ns : CP_NO_TIME,
	    cp_cell_value(x->of == NULL ? NAN : p->share / 100,
		sure ? 1 : p->lo / 100, sure ? 0 : p->hi / 100),
	    x->of != NULL ? x->of : "", x->who != NULL ? x->who : "",
	    x->where != NULL ? x->where : "", x->by != NULL ? x->by : "",
	    x->when != CP_NO_TIME && x->when > first ? x->when - first
						     : CP_NO_TIME,
	    row->command);
}

static void
sort(struct cp_accounts *a)
{
	if (a->n != 0)
		qsort(a->all, a->n, sizeof(struct cp_account *), compare);
}

void
cp_accounts_facts(struct cp_accounts *a, struct cp_report *rep)
{
	static const struct cp_column_spec columns[] = { CP_TEXT("Command"),
		CP_PROSE("What") };
	const char *command = "";
	struct cp_table *t = NULL;
	char text[64];

	sort(a);
	for (uint32_t i = 0; i < a->n; i++) {
		const struct cp_account_row *row =
		    cp_account_row(a->all[i]->name);

		if (row->class != CP_ACCOUNT_FACT)
			continue;
		if (t == NULL) {
			t = cp_report_table(rep, "others",
			    "What other commands tell", CP_COLUMNS(columns));
		}
		(void)snprintf(text, sizeof(text), "coldperf %s", row->command);
		cp_table_add(t, strcmp(command, row->command) != 0 ? text : "",
		    a->all[i]->text);
		command = row->command;
	}
}

struct cp_accounts
cp_accounts_new(struct cp_run *run, struct cp_report *rep)
{
	static const struct cp_column_spec columns[] = { CP_TEXT("About"),
		CP_PROSE("Finding") };
	struct cp_table *t =
	    cp_report_table(rep, "findings", "Findings", CP_COLUMNS(columns));

	return (
	    struct cp_accounts){ .run = run, .took = "took", .findings = t };
}

static struct cp_table *
parts_table(struct cp_report *rep)
{
	static const struct cp_column_spec columns[] = { CP_TEXT("Kind"),
		CP_TEXT("Cause"), CP_TIME("Time"), CP_SHARE("Share"),
		CP_TEXT("Of"), CP_TEXT("Who"), CP_TEXT("Where"), CP_TEXT("By"),
		CP_TIME("When"), CP_TEXT("Command") };
	struct cp_table *t =
	    cp_report_table(rep, "accounts", "Accounts", CP_COLUMNS(columns));

	cp_table_data(t);
	return t;
}

void
cp_accounts_show(struct cp_accounts *a, struct cp_report *rep)
{
	struct cp_table *parts = NULL;
	uint32_t causes = 0;

	sort(a);
	for (uint32_t i = 0; i < a->n; i++) {
		const struct cp_account *x = a->all[i];
		const struct cp_account_row *row = cp_account_row(x->name);

		if (row->class == CP_ACCOUNT_FACT ||
		    (row->class == CP_ACCOUNT_CAUSE && ++causes > CAUSES))
			continue;
		if (parts == NULL)
			parts = parts_table(rep);
		cp_table_add(a->findings,
		    x->about != NULL ? x->about : row->about, x->text);
		show_parts(a, x, parts);
	}
}
