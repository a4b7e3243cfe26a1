/* SPDX-License-Identifier: MIT */
/*
 * readers/header/feature-events.c: features about events, PMUs and objects.
 *
 * EVENT_DESC, GROUP_DESC, PMU_MAPPINGS, BUILD_ID.  Attributes are kept as
 * bytes: readers/header/attr-decode.c decodes them.
 */
#include <inttypes.h>

#include "base/limits.h"
#include "readers/header/feature-read.h"

#define ATTR_SIZE_MIN 64u /* of the first perf_event_attr */

static const uint64_t *
read_ids(struct cp_fx *x, uint32_t n)
{
	uint64_t *ids = cp_arena_alloc(&x->info->arena, n * sizeof(*ids));

	for (uint32_t i = 0; i < n; i++)
		ids[i] = cp_bytes_u64(&x->b);
	return ids;
}

/* Returns false if the next entry cannot be found. */
static bool
event_desc(struct cp_fx *x, uint32_t attr_size, uint32_t *ids_left)
{
	struct cp_event_desc d = { .attr_size = attr_size, .swap = x->b.swap };
	const uint8_t *attr = cp_bytes_take(&x->b, attr_size);
	uint32_t n_ids = cp_bytes_u32(&x->b);

	d.name = cp_fx_text(x);
	if (x->b.failed)
		return false;
	d.n_ids = cp_fx_fit(x, n_ids, 8, *ids_left);
	if (d.n_ids != n_ids)
		cp_fx_bad(x, "not all ids of an event could be read");
	*ids_left -= d.n_ids;
	d.ids = read_ids(x, d.n_ids);
	d.attr =
	    memcpy(cp_arena_alloc(&x->info->arena, attr_size), attr, attr_size);
	*cp_vec_push(&x->info->events) = d;
	cp_fx_fact(
	    x, "event", "%s, %" PRIu32 " id%s", d.name, d.n_ids, cp_s(d.n_ids));
	return d.n_ids == n_ids;
}

void
cp_fx_event_desc(struct cp_fx *x)
{
	uint32_t n = cp_bytes_u32(&x->b);
	uint32_t attr_size = cp_bytes_u32(&x->b);
	uint32_t ids_left = CP_MAX_IDS;

	if (x->b.failed)
		return;
	if (n == 0) {
		cp_fx_bad(x, "no event in it");
		return;
	}
	if (attr_size < ATTR_SIZE_MIN || attr_size > CP_MAX_ATTR_SIZE) {
		cp_fx_bad(x, "impossible size of an attribute");
		return;
	}
	n = cp_fx_fit(x, n, attr_size + 8, CP_MAX_EVSELS);
	for (uint32_t i = 0; i < n; i++)
		if (!event_desc(x, attr_size, &ids_left))
			return;
}

void
cp_fx_group_desc(struct cp_fx *x)
{
	uint32_t n = cp_fx_count(x, 12, CP_MAX_ITEMS);

	for (uint32_t i = 0; i < n; i++) {
		struct cp_group_desc g = { .name = cp_fx_text(x) };

		g.leader = cp_bytes_u32(&x->b);
		g.members = cp_bytes_u32(&x->b);
		if (x->b.failed)
			return;
		*cp_vec_push(&x->info->groups) = g;
		cp_fx_fact(x, "group", "%s: events %" PRIu32 " to %" PRIu64,
		    g.name, g.leader, (uint64_t)g.leader + g.members - 1);
	}
}

void
cp_fx_pmu_mappings(struct cp_fx *x)
{
	uint32_t n = cp_fx_count(x, 8, CP_MAX_ITEMS);

	for (uint32_t i = 0; i < n; i++) {
		uint32_t type = cp_bytes_u32(&x->b);
		const char *name = cp_fx_text(x);

		if (x->b.failed)
			return;
		cp_fx_fact(x, "pmu", "%s = %" PRIu32, name, type);
	}
}

/* ------------------------------------------------------------ build IDs */

enum {
	BUILD_ID_PID = 8,   /* offset of the pid, absent in the oldest form */
	BUILD_ID_NAME = 36, /* offset of the name */
	BUILD_ID_OLD_NAME = 32,
	MISC_SIZE_VALID = 0x8000,
	MISC_CPUMODE = 7,
};

/*
 * perf 2.6.33 wrote no pid.  The kernel's entry shows that by the offset of its
 * name.
 */
static bool
is_old_table(const struct cp_bytes *b)
{
	static const char tail[] = "nel.kallsyms]";
	size_t n = sizeof(tail) - 1;

	return cp_bytes_left(b) >= BUILD_ID_NAME + n &&
	       memcmp(b->at + BUILD_ID_NAME, tail, n) == 0;
}

/*
 * Without a valid size byte the length of the ID is guessed: IDs have 16 or 20
 * bytes, or 8, and the rest is zeros.
 */
static uint8_t
guess_size(const uint8_t id[20])
{
	uint8_t n = 20;

	while (n >= 4 && cp_load32(id + n - 4, false) == 0)
		n = (uint8_t)(n - 4);
	return n;
}

/* False if the entry has more bytes of an ID than there is room for. */
static bool
build_id(struct cp_fx *x, bool old)
{
	size_t name = old ? BUILD_ID_OLD_NAME : BUILD_ID_NAME;
	const uint8_t *p = x->b.at;
	struct cp_build_id id = { 0 };
	uint16_t misc, size;
	const uint8_t *bytes;

	cp_bytes_u32(&x->b);
	misc = cp_bytes_u16(&x->b);
	size = cp_bytes_u16(&x->b);
	if (x->b.failed)
		return true;
	if (size <= name || cp_bytes_take(&x->b, size - 8u) == NULL) {
		cp_fx_bad(x, "impossible size of an entry");
		return true;
	}
	bytes = p + BUILD_ID_PID + (old ? 0 : 4);
	id.pid = old ? CP_NO_ID : cp_load32(p + BUILD_ID_PID, x->b.swap);
	id.cpumode = misc & MISC_CPUMODE;
	memcpy(id.id, bytes, sizeof(id.id));
	id.size_known = !old && (misc & MISC_SIZE_VALID) != 0;
	id.size = id.size_known ? bytes[20] : guess_size(id.id);
	if (id.size > sizeof(id.id))
		return false;
	id.filename =
	    cp_info_text(x->info, (const char *)p + name, size - name);
	*cp_vec_push(&x->info->build_ids) = id;
	return true;
}

void
cp_fx_build_ids(struct cp_fx *x)
{
	bool old = is_old_table(&x->b), sound = true;

	while (cp_fx_ok(x) && cp_bytes_left(&x->b) != 0) {
		if (x->info->build_ids.len >= CP_MAX_DSOS) {
			cp_diag(x->diags, CP_D_LIMIT,
			    "build-ids: at most %u "
			    "are read",
			    CP_MAX_DSOS);
			break;
		}
		sound = build_id(x, old) && sound;
	}
	if (!sound) /* the other entries are read */
		cp_fx_bad(x, "impossible size of a build ID");
	cp_fx_fact(x, "build-ids", "%zu", x->info->build_ids.len);
}
