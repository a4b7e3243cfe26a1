/* SPDX-License-Identifier: MIT */
/* data: columns of tables that are computed from a profile. */
#include "base/base.h"
#include "sql/data.h"

static void
index_spots(struct cp_sql_data *d)
{
	const struct cp_profile *p = d->profile;

	d->frame_of_spot =
	    cp_xcalloc(p->spots.len + 1, sizeof(*d->frame_of_spot));
	for (size_t i = 1; i < p->frames.len; i++) {
		const struct cp_profile_frame *f = &p->frames.data[i];

		for (uint32_t k = 0; k < f->spots; k++)
			d->frame_of_spot[f->first_spot + k] = (uint32_t)i;
	}
}

void
cp_sql_data_init(struct cp_sql_data *d, const struct cp_report *r)
{
	*d = (struct cp_sql_data){ .report = r, .profile = cp_profile_of(r) };
	if (d->profile == NULL)
		return;
	index_spots(d);
	for (const struct cp_section *s = r->first; s != NULL; s = s->next)
		for (size_t i = 0; i < s->scalars.len; i++)
			*cp_vec_push(&d->facts) = (struct cp_sql_fact){ s->slug,
				&s->scalars.data[i] };
}

void
cp_sql_data_free(struct cp_sql_data *d)
{
	free(d->frame_of_spot);
	cp_vec_free(&d->facts);
	cp_vec_free(&d->sums);
	cp_vec_free(&d->functions);
}
