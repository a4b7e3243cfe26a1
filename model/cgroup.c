/* SPDX-License-Identifier: MIT */
/*
 * cgroup: control groups of samples.
 *
 * A sample has a number, and a record tells its path.  The record comes first,
 * unless the recorder listed the groups at its end: then the capture is read
 * once more, for these records alone.
 */
#include "model/session-state.h"

#include "base/limits.h"

void
cp_cgroups_add(
    struct cp_session *s, struct cp_map64 *paths, const struct cp_ev_cgroup *e)
{
	cp_string_id path = cp_strings_add(&s->strings, e->path);

	if (path != 0 && paths->len < CP_MAX_THREADS)
		*cp_map64_put(paths, e->id) = path;
}

/* The first path that the number has; 0: not known yet. */
static cp_string_id
path_ahead(struct cp_session *s, uint64_t number)
{
	cp_string_id path;

	if (!s->cgroups_read && s->cgroups_ahead != NULL)
		s->cgroups_ahead(s->cgroups_ctx, &s->later_cgroups);
	s->cgroups_read = true;
	path = cp_map64_get(&s->later_cgroups, number);
	if (path == 0 && s->unnamed_cgroups.len < CP_MAX_THREADS)
		++*cp_map64_put(&s->unnamed_cgroups, number);
	return path;
}

/* Returns the path's id, since a number may stand for another path later. */
uint64_t
cp_session_cgroup_of(struct cp_session *s, uint64_t number)
{
	cp_string_id path = cp_map64_get(&s->cgroups, number);

	if (path == 0)
		path = path_ahead(s, number);
	return path != 0 ? CP_CGROUP_OF_PATH | path
			 : number & ~CP_CGROUP_OF_PATH;
}

void
cp_session_cgroup(struct cp_session *s, const struct cp_ev_cgroup *e)
{
	uint32_t unnamed = cp_map64_get(&s->unnamed_cgroups, e->id);

	cp_cgroups_add(s, &s->cgroups, e);
	if (unnamed == 0)
		return;
	cp_diag(s->diags, CP_D_LATE_CGROUP,
	    "%" PRIu32 " sample%s of %" PRIu64 ", which is %s", unnamed,
	    cp_s(unnamed), e->id, e->path);
	*cp_map64_put(&s->unnamed_cgroups, e->id) = 0;
}
