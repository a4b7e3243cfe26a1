/* SPDX-License-Identifier: MIT */
#include "analyses/common/matched.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyses/common/label.h"

/* Functions that are named, and bytes of each name and object. */
enum { NAMED = 4, LONGEST = 120, OBJECT = 60 };

void
cp_matched_init(struct cp_matched *m, struct cp_run *run)
{
	*m = (struct cp_matched){ .run = run };
}

void
cp_matched_add(struct cp_matched *m, const struct cp_symbol *y, uint64_t weight)
{
	uint32_t *row;

	cp_grow_to(m->run, m->of_symbol, &m->of_symbol_cap, y->id);
	row = &m->of_symbol[y->id];
	if (*row == 0) {
		cp_grow_to(m->run, m->rows, &m->cap, m->n);
		m->rows[m->n] = (struct cp_matched_row){ y, 0 };
		*row = ++m->n;
	}
	m->rows[*row - 1].weight += weight;
}

static int
compare_rows(const void *va, const void *vb)
{
	const struct cp_matched_row *a = va, *b = vb;

	if (a->weight != b->weight)
		return a->weight > b->weight ? -1 : 1;
	return strcmp(a->symbol->name, b->symbol->name);
}

/* Sorts; after this nothing can be added. */
static void
sort(struct cp_matched *m)
{
	if (m->n != 0)
		qsort(m->rows, m->n, sizeof(*m->rows), compare_rows);
}

/* Writes the function, with its object if another one has its name. */
static size_t
put_function(const struct cp_matched *m, uint32_t row, char *to, size_t size)
{
	const struct cp_symbol *y = m->rows[row].symbol;
	const char *object = "";

	for (uint32_t i = 0; i < m->n; i++)
		if (i != row && strcmp(m->rows[i].symbol->name, y->name) == 0 &&
		    m->rows[i].symbol->dso != y->dso)
			object = cp_word_object(m->run, y->dso);
	return (size_t)snprintf(to, size, "%.*s%s%.*s", OBJECT, object,
	    *object != '\0' ? "!" : "", LONGEST,
	    cp_run_name_short(m->run, y->name));
}

const char *
cp_matched_text(struct cp_matched *m, const char *typed)
{
	size_t size = LONGEST + 80 + NAMED * (LONGEST + OBJECT + 5), n;
	char *text = cp_run_alloc(m->run, size);

	sort(m);
	n = (size_t)snprintf(text, size, "%.*s matches %" PRIu32 " function%s",
	    LONGEST, typed, m->n, m->n == 1 ? "" : "s");
	for (uint32_t i = 0; i < m->n && i < NAMED; i++) {
		n += (size_t)snprintf(
		    text + n, size - n, "%s", i == 0 ? ": " : ", ");
		n += put_function(m, i, text + n, size - n);
	}
	if (m->n > NAMED)
		snprintf(
		    text + n, size - n, " and %" PRIu32 " more", m->n - NAMED);
	return text;
}

void
cp_matched_none(struct cp_matched *m, const char *option)
{
	const char **names = cp_run_alloc(m->run, (m->n + 1) * sizeof(*names));

	sort(m);
	for (uint32_t i = 0; i < m->n; i++)
		names[i] = m->rows[i].symbol->name;
	cp_run_no_match(m->run, option, names, m->n);
}
