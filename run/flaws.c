/* SPDX-License-Identifier: MIT */
/* flaws: what a capture lacks, in words. */
#include "base/buf.h"
#include "run/api.h"

static void
deviation(struct cp_buf *b, uint64_t n, const char *noun, const char *what)
{
	if (n != 0)
		cp_buf_printf(b, "%s%" PRIu64 " %s%s %s",
		    b->len != 0 ? ", " : "", n, noun, n != 1 ? "s" : "", what);
}

/* Does the same, and adds the share of all. */
static void
deviation_of(struct cp_buf *b, uint64_t n, uint64_t others, const char *noun,
    const char *what)
{
	double percent = 100 * (double)n / ((double)n + (double)others);

	deviation(b, n, noun, what);
	if (n != 0 && percent >= 10)
		cp_buf_printf(b, " (%.0f %%)", percent);
	else if (n != 0)
		cp_buf_printf(b, " (%.2g %%)", percent);
}

/* Writes how many bytes a truncated file lacks, as its header tells. */
static void
missing_part(struct cp_buf *b, uint64_t bytes)
{
	static const char *const unit[] = { "bytes", "kB", "MB", "GB", "TB",
		"PB", "EB" };
	double v = (double)bytes;
	size_t i = 0;

	if (bytes == 0)
		return;
	for (; v >= 999.5 && i + 1 < CP_ARRAY_LEN(unit); i++)
		v /= 1000;
	cp_buf_printf(b, "the file ends %.*f %s before its header says",
	    i != 0 && v < 9.95 ? 1 : 0, v, unit[i]);
}

/* Damage that no number of the account tells. */
static const enum cp_diag_id uncounted[] = { CP_D_READ, CP_D_BAD_HEADER,
	CP_D_BAD_ATTR, CP_D_BAD_FEATURE, CP_D_MISSING_DATA, CP_D_DIR_FILE,
	CP_D_BAD_COMPRESSION, CP_D_BAD_TRACING, CP_D_PERIOD, CP_D_LIMIT };

static void
damage(const struct cp_run *run, enum cp_diag_id id, struct cp_buf *b)
{
	if (run->diags->count[id] != run->said[id])
		cp_buf_printf(
		    b, "%s%s", b->len != 0 ? ", " : "", cp_diag_table[id].text);
}

void
cp_run_flaws(const struct cp_run *run, struct cp_buf *b)
{
	const struct cp_quality *q = &run->quality;

	missing_part(b, q->bytes_missing);
	if (q->killed)
		cp_buf_str(b, "the recorder was killed before it was done");
	else if (q->cut)
		cp_buf_str(b, "the input ends in the middle of a record");
	if (b->len == 0 && q->bytes_skipped == 0)
		damage(run, CP_D_TRUNCATED, b);
	deviation(b, q->bytes_skipped, "byte", "skipped");
	deviation(b, q->bytes_undecided, "inflated byte", "undecided");
	if (q->bytes_skipped == 0)
		damage(run, CP_D_BAD_PROFILE, b);
	for (size_t i = 0; i < CP_ARRAY_LEN(uncounted); i++)
		damage(run, uncounted[i], b);
	deviation_of(b, q->lost, q->records, "record", "lost");
	deviation_of(b, q->lost_samples, q->samples, "sample", "lost");
	deviation(b, q->throttled, "time", "throttled");
	deviation(b, q->samples_unknown_id, "sample", "of no event");
	if (q->samples_unknown_id == 0)
		damage(run, CP_D_UNKNOWN_ID, b);
	deviation(b, q->out_of_order, "event", "out of order");
	deviation(b, q->unmapped_ips, "sample", "outside all mappings");
	deviation(b, q->truncated_chains, "chain", "cut short");
	deviation(b, q->unwound_part, "user stack", "unwound in part");
	deviation(b, q->aux_bytes, "byte", "of AUX data not decoded");
}

/* Writes the labels that were given to the capture: "ticket=123 · load=high".
 */
void
cp_run_labels(const struct cp_run *run, struct cp_buf *b)
{
	const struct cp_info *info = &run->rec.info;

	for (size_t i = 0; i < info->facts.len; i++) {
		const struct cp_fact *f = &info->facts.data[i];

		if (strcmp(f->group, "label") != 0)
			continue;
		cp_buf_str(b, b->len != 0 ? " · " : "");
		cp_buf_printf(b, "%s=%s", f->key, f->value);
	}
}
