/* SPDX-License-Identifier: MIT */
/* rest: the rows that a table does not show. */
#include "render/text/rest.h"

#include "render/common/format.h"

/* Returns the sum of the weights from row `first' on. */
static uint64_t
weight_from(const struct cp_table *t, size_t first)
{
	uint64_t weight = 0;

	for (size_t c = 0; c < t->columns.len; c++)
		if (t->columns.data[c].type == CP_COL_WEIGHT)
			for (size_t r = first; r < t->rows.len; r++)
				weight += t->rows.data[r].values[c].u64;
	return weight;
}

struct cp_table
cp_text_brief(const struct cp_table *t)
{
	struct cp_table first = *t;

	if (t->brief_rows != 0 && t->brief_rows < t->rows.len) {
		first.rest_rows += t->rows.len - t->brief_rows;
		first.rest_weight += weight_from(t, t->brief_rows);
		first.rows.len = t->brief_rows;
	}
	return first;
}

/* Computes the weight of all rows from a row that has a weight and a share. */
static double
table_weight(const struct cp_table *t)
{
	for (size_t r = 0; r < t->rows.len; r++) {
		double weight = 0, share = 0;

		for (size_t i = 0; i < t->columns.len; i++) {
			const struct cp_value *v = &t->rows.data[r].values[i];

			if (t->columns.data[i].type == CP_COL_WEIGHT)
				weight = (double)v->u64;
			else if (t->columns.data[i].type == CP_COL_SHARE &&
				 share <= 0)
				share = v->value;
		}
		if (weight > 0 && share > 0)
			return weight / share;
	}
	return 0;
}

/* Rows that have times and no weights are weighed by time. */
static bool
weighs_time(const struct cp_table *t)
{
	bool time = false;

	for (size_t i = 0; i < t->columns.len; i++) {
		if (t->columns.data[i].type == CP_COL_WEIGHT)
			return false;
		time |= t->columns.data[i].type == CP_COL_TIME;
	}
	return time;
}

void
cp_text_rest(struct cp_out *out, const struct cp_table *t)
{
	double all = t->whole != 0 ? (double)t->whole : table_weight(t);
	struct cp_buf b;

	cp_buf_init(&b, 256);
	cp_buf_str(&b, "… and ");
	cp_format_count(&b, t->rest_rows);
	cp_buf_str(&b, " more");
	if (all > 0) {
		cp_buf_str(&b, " (");
		cp_format_share(&b, (double)t->rest_weight / all);
		cp_buf_char(&b, ')');
	} else if (t->rest_weight != 0 && weighs_time(t)) {
		cp_buf_str(&b, " (");
		cp_format_time(&b, t->rest_weight);
		cp_buf_char(&b, ')');
	} else if (t->rest_weight != 0) {
		cp_buf_str(&b, " (weight ");
		cp_format_count(&b, t->rest_weight);
		cp_buf_char(&b, ')');
	}
	cp_out_add(out, cp_buf_text(&b), b.len);
	cp_buf_free(&b);
}
