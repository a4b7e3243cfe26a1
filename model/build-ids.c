/* SPDX-License-Identifier: MIT */
/*
 * build-ids: build IDs by name, from the capture's table.
 *
 * The table knows files by their paths, as they are when the recording ends.
 * Its ID is in doubt for all files of a path if there were several.
 */
#include "model/session-state.h"

#include "base/bytes.h"
#include "base/limits.h"

/* In s->build_ids: the table has other IDs for that name, too. */
#define SEVERAL_IDS ((uint32_t)1 << 31)

static void
build_id_put(struct cp_session *s, cp_string_id name)
{
	const struct cp_build_id *all = s->rec->info.build_ids.data;
	uint32_t *place = cp_map64_put(&s->build_ids, name);
	const struct cp_build_id *b = &all[s->build_ids_seen];
	uint32_t old = *place & ~SEVERAL_IDS;

	if (old != 0 && !cp_build_id_equal(
			    all[old - 1].id, all[old - 1].size, b->id, b->size))
		*place |= SEVERAL_IDS;
	*place = (*place & SEVERAL_IDS) | ((uint32_t)s->build_ids_seen + 1);
}

/* Adds the build IDs that arrived since the last call. */
static void
build_ids_index(struct cp_session *s)
{
	const struct cp_info *info = &s->rec->info;

	for (; s->build_ids_seen < info->build_ids.len; s->build_ids_seen++) {
		const struct cp_build_id *b =
		    &info->build_ids.data[s->build_ids_seen];
		cp_string_id name;

		if (b->filename == NULL || cp_is_zero(b->id, b->size) ||
		    b->cpumode == CP_LEVEL_GUEST_USER)
			continue;
		name = cp_strings_add(&s->strings, b->filename);
		if (name != 0)
			build_id_put(s, name);
	}
}

bool
cp_session_id_of_name(struct cp_session *s, struct cp_dso_key *k)
{
	const struct cp_build_id *b;
	uint32_t i;

	build_ids_index(s);
	i = cp_map64_get(&s->build_ids, k->name);
	if (k->build_id_size != 0 || i == 0)
		return false;
	b = &s->rec->info.build_ids.data[(i & ~SEVERAL_IDS) - 1];
	k->build_id_size = CP_MIN(b->size, (uint8_t)20);
	memcpy(k->build_id, b->id, 20);
	return (i & SEVERAL_IDS) != 0;
}

void
cp_session_build_id(struct cp_session *s, const struct cp_ev_build_id *e)
{
	struct cp_info *info = &s->rec->info;
	struct cp_build_id *b;

	if (info->build_ids.len >= CP_MAX_DSOS)
		return;
	b = cp_vec_push(&info->build_ids);
	*b = (struct cp_build_id){
		.pid = e->pid, .size = e->size, .size_known = e->size < 20
	};
	memcpy(b->id, e->id, 20);
	b->filename = cp_info_text(info, e->filename, strlen(e->filename));
}

/* Not all records have a generation. */
static bool
other_file(const struct cp_dso_info *d, const struct cp_dso_key *k)
{
	return d->file.ino != k->ino || d->file.maj != k->maj ||
	       d->file.min != k->min ||
	       (d->file.gen != k->gen && d->file.gen != 0 && k->gen != 0);
}

void
cp_dso_note_file(struct cp_dso_info *d, const struct cp_dso_key *k)
{
	if (k->ino == 0)
		return;
	if (d->file.ino == 0)
		d->file = *k;
	d->several |= other_file(d, k);
}
