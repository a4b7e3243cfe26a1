/* SPDX-License-Identifier: MIT */
/*
 * pairing: pairs a function that only one side has with its counterpart.
 *
 * It was inlined if it and its caller together changed far less than each
 * alone. It was renamed if a function of another name took its place: under the
 * same caller, at the same address, or with a name made of the same words.
 */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "analyses/diff/diff.h"

/* The number of such functions that are examined. */
#define MAX_LONELY 1000u
#define MAX_PARTS 32u
#define MAX_PLAIN 1024u

/* A function that one side has and the other has hardly or not at all. */
struct lonely {
	/* caller: CP_NO_ID if it has several or none */
	uint32_t symbol, caller;
	bool after; /* the side that has it */
};

bool
cp_diff_in_interrupts(const struct cp_diff *d, uint32_t symbol)
{
	return d->interrupt[symbol] > d->weight[symbol] / 2;
}

/* Returns log(after / before) of the sum of two symbols; either may be 0. */
static double
log_change(const struct cp_diff *d, uint32_t a, uint32_t b)
{
	double side[2] = { d->runs.unit / 2, d->runs.unit / 2 };

	for (uint32_t r = 0; r < d->n_runs; r++) {
		bool after = r >= d->runs.before;
		double k = after ? d->runs.after : d->runs.before;

		side[after] += (d->cell[(size_t)a * d->n_runs + r].weight +
				   d->cell[(size_t)b * d->n_runs + r].weight) /
			       d->runs.norm[r] / k;
	}
	return log(side[1] / side[0]);
}

/* Returns the samples of a symbol on a side. */
static uint64_t
samples_of(const struct cp_diff *d, uint32_t symbol, bool after)
{
	uint64_t n = 0;

	for (uint32_t r = after ? d->runs.before : 0;
	     r < (after ? d->n_runs : d->runs.before); r++)
		n += d->cell[(size_t)symbol * d->n_runs + r].samples;
	return n;
}

static void
absorb(struct cp_diff *d, uint32_t symbol, uint32_t to, const char *why)
{
	for (uint32_t r = 0; r < d->n_runs; r++) {
		struct cp_diff_cell *in = &d->cell[(size_t)to * d->n_runs + r];
		struct cp_diff_cell *c =
		    &d->cell[(size_t)symbol * d->n_runs + r];

		in->weight += c->weight;
		in->weight_sq += c->weight_sq;
		in->samples += c->samples;
		in->dispersion = fmax(in->dispersion, c->dispersion);
		*c = (struct cp_diff_cell){ 0 };
	}
	d->weight[to] += d->weight[symbol];
	d->interrupt[to] += d->interrupt[symbol];
	d->profiles.symbol[symbol].same = to;
	d->profiles.symbol[symbol].inlined = true;
	d->pair[d->pairs++] = (struct cp_diff_pair){ symbol, to, why };
}

static bool
is_lonely(const struct cp_diff *d, uint32_t symbol, bool *after)
{
	uint64_t a = samples_of(d, symbol, false);
	uint64_t b = samples_of(d, symbol, true);

	*after = b > a;
	return a + b >= 10 && (*after ? a < b / 50 + 1 : b < a / 50 + 1) &&
	       d->profiles.symbol[symbol].kind != CP_KIND_UNKNOWN &&
	       !cp_diff_in_interrupts(d, symbol);
}

static size_t
find_lonely(struct cp_diff *d, struct lonely *out, double *scratch)
{
	size_t n = 0;

	for (uint32_t s = 0; s < d->n_rows && n < MAX_LONELY; s++) {
		bool after;

		if (!is_lonely(d, s, &after))
			continue;
		out[n++] = (struct lonely){ .symbol = s,
			.after = after,
			.caller = cp_diff_caller(&d->profiles, s,
			    after ? d->runs.before : 0,
			    after ? d->n_runs : d->runs.before, scratch) };
	}
	return n;
}

/* True if two functions together changed far less than each alone. */
static bool
belong(const struct cp_diff *d, uint32_t a, uint32_t b)
{
	double both = fabs(log_change(d, a, b));

	return both < 0.3 && both < fabs(log_change(d, a, d->n_rows)) / 3 &&
	       both < fabs(log_change(d, b, d->n_rows)) / 3;
}

/* ------------------------------------------------------------------- names */

struct part {
	const char *at;
	size_t n;
};

/*
 * Splits a name into words: hash_table::findNext has hash, table, find and
 * Next.
 */
static uint32_t
parts_of(const char *name, struct part *out)
{
	uint32_t n = 0;

	for (const char *s = name; *s != '\0' && n < MAX_PARTS;) {
		size_t len = 1;

		if (!isalnum((unsigned char)*s)) {
			s++;
			continue;
		}
		while (isalnum((unsigned char)s[len]) &&
		       !isupper((unsigned char)s[len]))
			len++;
		out[n++] = (struct part){ s, len };
		s += len;
	}
	return n;
}

static bool
same_part(const struct part *a, const struct part *b)
{
	for (size_t i = 0; i < a->n && i < b->n; i++)
		if (tolower((unsigned char)a->at[i]) !=
		    tolower((unsigned char)b->at[i]))
			return false;
	return a->n == b->n;
}

/*
 * Writes a name without what is in <> and (), which tells instances of a
 * template and overloads apart; returns false if that is not what these
 * characters are, or nothing is left.
 */
static bool
plain_name(const char *name, char *out, size_t room)
{
	size_t depth = 0, n = 0;

	if (name[0] == '<' || name[0] == '(' || strstr(name, "operator"))
		return false;
	for (; *name != '\0' && n + 1 < room; name++) {
		if (*name == '<' || *name == '(')
			depth++;
		else if (depth == 0)
			out[n++] = *name;
		else if (*name == '>' || *name == ')')
			depth--;
	}
	out[n] = '\0';
	return n != 0 && *name == '\0' && depth == 0;
}

static bool
same_template(const char *x, const char *y)
{
	char a[MAX_PLAIN], b[MAX_PLAIN];

	return plain_name(x, a, sizeof(a)) && plain_name(y, b, sizeof(b)) &&
	       strcmp(a, b) == 0;
}

/* True if half of the longer name's words are in the other. */
static bool
names_agree(const char *x, const char *y)
{
	struct part a[MAX_PARTS], b[MAX_PARTS];
	uint32_t n = parts_of(x, a), m = parts_of(y, b), shared = 0;

	for (uint32_t i = 0; i < n; i++)
		for (uint32_t k = 0; k < m; k++)
			if (same_part(&a[i], &b[k])) {
				shared += a[i].n > 1;
				b[k].n = 0;
				break;
			}
	return shared != 0 && 2 * shared >= (n > m ? n : m);
}

/* ------------------------------------------------------------ counterparts */

/* Says why a function that is gone may be that new one; NULL: it is not. */
static const char *
likeness(const struct cp_diff *d, const struct lonely *gone,
    const struct lonely *new)
{
	const struct cp_diff_symbol *a = &d->profiles.symbol[gone->symbol];
	const struct cp_diff_symbol *b = &d->profiles.symbol[new->symbol];

	if (a->kind != b->kind || b->inlined)
		return NULL;
	if (gone->caller != CP_NO_ID && gone->caller == new->caller)
		return "the same caller";
	if (strcmp(a->object, b->object) != 0)
		return NULL;
	if (a->addr != 0 && a->addr == b->addr)
		return "the same address";
	return same_template(a->name, b->name) || names_agree(a->name, b->name)
		   ? "a name of the same parts"
		   : NULL;
}

/*
 * Returns its caller if it was inlined there, or the new function that replaces
 * it, or CP_NO_ID.
 */
static uint32_t
counterpart(const struct cp_diff *d, const struct lonely *l,
    const struct lonely *all, size_t n, const char **why)
{
	const struct cp_diff_symbol *symbol = d->profiles.symbol;

	*why = "inlined";
	if (l->caller != CP_NO_ID &&
	    strcmp(symbol[l->caller].object, symbol[l->symbol].object) == 0 &&
	    belong(d, l->symbol, l->caller))
		return l->caller;
	for (size_t i = 0; i < n && !l->after; i++) {
		if (!all[i].after)
			continue;
		*why = likeness(d, l, &all[i]);
		if (*why != NULL && belong(d, l->symbol, all[i].symbol))
			return all[i].symbol;
	}
	return CP_NO_ID;
}

void
cp_diff_pair_up(struct cp_diff *d)
{
	struct lonely *lonely =
	    cp_run_alloc(d->run, MAX_LONELY * sizeof(*lonely));
	double *scratch =
	    cp_run_alloc(d->run, (d->n_rows + 1) * sizeof(*scratch));
	size_t n = find_lonely(d, lonely, scratch);

	d->pair =
	    cp_run_alloc(d->run, (n * CP_DIFF_CALLERS + 1) * sizeof(*d->pair));
	for (size_t i = 0; i < n; i++) {
		struct lonely *l = &lonely[i];
		uint32_t other = CP_NO_ID;
		const char *why = NULL;
		bool after;

		/*
		 * A function that was already paired in this loop is not lonely
		 * any more.
		 */
		if (!is_lonely(d, l->symbol, &after))
			continue;
		other = counterpart(d, l, lonely, n, &why);
		if (other != CP_NO_ID)
			absorb(d, l->symbol, other, why);
		else if (l->caller == CP_NO_ID)
			cp_diff_into_callers(d, l->symbol, after, scratch);
	}
}
