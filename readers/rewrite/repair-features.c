/* SPDX-License-Identifier: MIT */
/*
 * repair-features: the features of the repaired file.
 *
 * perf refuses a file whose features it cannot parse, so only features that our
 * own reader finds sound are taken.
 */
#include "readers/rewrite/repaired.h"

#include "base/limits.h"
#include "readers/header/features.h"
#include "readers/header/section.h"
#include "readers/header/tracing.h"

enum { HOSTNAME = 3, CPU_TOPOLOGY = 13, AUXTRACE = 18, COMPRESSED = 27 };

/*
 * The new file is one file, and not compressed.  An index of AUX data would
 * have other offsets; perf finds the data without it.
 */
static bool
is_outdated(uint32_t bit)
{
	return bit == CP_FEATURE_DIR_FORMAT || bit == COMPRESSED ||
	       bit == AUXTRACE;
}

/* Is the feature sound? info holds the features before it. */
static bool
is_sound(struct cp_info *info, uint32_t bit, struct cp_bytes payload)
{
	struct cp_diags *diags = cp_xcalloc(1, sizeof(*diags));
	struct cp_tracepoints tracepoints = { 0 };
	bool sound;

	cp_diags_init(diags);
	if (bit == CP_FEATURE_TRACING_DATA)
		cp_tracing_read(&tracepoints, payload, diags);
	cp_feature_read(info, bit, payload, diags);
	sound = cp_diags_worst(diags) < CP_DIAG_WARNING;
	cp_tracepoints_free(&tracepoints);
	free(diags);
	return sound;
}

static bool
sound_alone(uint32_t bit, struct cp_bytes payload)
{
	struct cp_info info;
	bool sound;

	cp_info_init(&info);
	sound = is_sound(&info, bit, payload);
	cp_info_free(&info);
	return sound;
}

static bool
has_feature(const struct cp_repair *r, uint32_t bit)
{
	for (size_t i = 0; i < r->features.len; i++)
		if (r->features.data[i].bit == bit)
			return true;
	return false;
}

static struct cp_repair_feature *
feature_at(struct cp_repair *r, uint32_t bit)
{
	for (size_t i = 0; i < r->features.len; i++)
		if (r->features.data[i].bit == bit)
			return &r->features.data[i];
	*cp_vec_push(&r->features) = (struct cp_repair_feature){ .bit = bit };
	return &r->features.data[r->features.len - 1];
}

void
cp_repair_append(
    struct cp_repair *r, uint32_t bit, const uint8_t *data, size_t size)
{
	struct cp_repair_feature *f = feature_at(r, bit);

	if (size > CP_MAX_FEATURE - CP_MIN(f->size, (size_t)CP_MAX_FEATURE))
		return;
	f->data = cp_xrealloc(f->data, f->size + size, 1);
	memcpy(f->data + f->size, data, size);
	f->size += size;
}

void
cp_repair_replace(
    struct cp_repair *r, uint32_t bit, const uint8_t *data, size_t size)
{
	struct cp_repair_feature *f = feature_at(r, bit);

	free(f->data);
	f->data = cp_xmalloc(size + 1);
	memcpy(f->data, data, size);
	f->size = size;
}

void
cp_repair_feature(struct cp_repair *r, uint32_t bit, const uint8_t *data,
    size_t size, bool swap)
{
	if (is_outdated(bit))
		return;
	if (!sound_alone(bit, cp_bytes_of(data, size, swap))) {
		*cp_vec_push(&r->damaged) = bit;
		return;
	}
	cp_repair_replace(r, bit, data, size);
}

/* Takes a section.  Damage in it was reported when the file was opened. */
static void
take_section(struct cp_repair *r, struct cp_capture *src, uint32_t bit,
    struct cp_file_span at)
{
	size_t limit =
	    bit == CP_FEATURE_TRACING_DATA ? CP_MAX_TRACING : CP_MAX_FEATURE;
	CP_CLEANUP(cp_cleanup_free) uint8_t *p = NULL;

	if (at.offset <= src->in.size && at.size <= src->in.size - at.offset &&
	    at.size <= limit) {
		p = cp_xmalloc((size_t)at.size + 1);
		if (cp_input_read(&src->in, p, (size_t)at.size, at.offset) ==
		    (ssize_t)at.size) {
			cp_repair_feature(
			    r, bit, p, (size_t)at.size, src->header->swap);
			return;
		}
	}
	*cp_vec_push(&r->damaged) = bit;
}

void
cp_repair_features(struct cp_repair *r, struct cp_capture *src)
{
	const struct cp_file_header *h = src->header;
	uint64_t table = h->data.offset + h->data.size;

	for (uint32_t bit = 0; bit < 256; bit++) {
		uint8_t p[16];

		if ((h->features[bit / 64] >> (bit % 64) & 1) == 0)
			continue;
		if (cp_input_read(&src->in, p, sizeof(p), table) !=
		    (ssize_t)sizeof(p))
			*cp_vec_push(&r->damaged) = bit;
		else
			take_section(r, src, bit,
			    (struct cp_file_span){ cp_load64(p, h->swap),
				cp_load64(p + 8, h->swap) });
		table += sizeof(p);
	}
}

void
cp_repair_remove(struct cp_repair *r, uint32_t bit)
{
	for (size_t i = 0; i < r->features.len; i++) {
		struct cp_repair_feature *f = &r->features.data[i];

		if (f->bit != bit)
			continue;
		free(f->data);
		*f = r->features.data[--r->features.len];
		return;
	}
}

/*
 * In a file of the other byte order perf needs a host's name: without one it
 * ignores all features except build IDs.
 */
void
cp_repair_hostname(struct cp_repair *r, bool swap)
{
	const uint32_t size = __builtin_bswap32(64); /* of text and padding */
	uint8_t none[4 + 64] = { 0 };

	if (!swap || has_feature(r, HOSTNAME))
		return;
	memcpy(none, &size, sizeof(size));
	cp_repair_replace(r, HOSTNAME, none, sizeof(none));
}

/*
 * perf crashes at a sample whose CPU is not in the topology; without a topology
 * it reads the sample.
 */
void
cp_repair_topology(struct cp_repair *r, uint32_t cpus)
{
	size_t before = r->features.len;

	if (r->cpus <= cpus)
		return;
	cp_repair_remove(r, CPU_TOPOLOGY);
	if (r->features.len != before)
		*cp_vec_push(&r->damaged) = CPU_TOPOLOGY;
}

static int
feature_order(const void *a, const void *b)
{
	const struct cp_repair_feature *x = a, *y = b;

	return (x->bit > y->bit) - (x->bit < y->bit);
}

/*
 * A feature can contradict an earlier one: the CPUs' topology must have as many
 * entries as the number of CPUs.
 */
void
cp_repair_judge(struct cp_repair *r, bool swap)
{
	struct cp_repair_feature *f = r->features.data;
	struct cp_info info;
	size_t kept = 0;

	if (r->features.len == 0)
		return;
	qsort(f, r->features.len, sizeof(*f), feature_order);
	cp_info_init(&info);
	for (size_t i = 0; i < r->features.len; i++) {
		if (is_sound(&info, f[i].bit,
			cp_bytes_of(f[i].data, f[i].size, swap))) {
			f[kept++] = f[i];
			continue;
		}
		*cp_vec_push(&r->damaged) = f[i].bit;
		free(f[i].data);
	}
	r->features.len = kept;
	cp_info_free(&info);
}
