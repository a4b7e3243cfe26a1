/* SPDX-License-Identifier: MIT */
#include "analyses/common/losses.h"

#include <stdlib.h>

#include "analyses/common/call-paths.h"
#include "analyses/common/label.h"

/* Counts samples of one frame; unnamed: samples without a name, by object. */
static void
count_frame(struct cp_named *c, const struct cp_run *run, uint64_t *unnamed,
    cp_frame_id id, uint64_t samples)
{
	const struct cp_frame *f = id != 0 ? cp_frame_get(run, id) : NULL;
	const struct cp_symbol *s = id != 0 ? cp_frame_symbol(run, id) : NULL;
	uint32_t dso = f != NULL ? f->dso : 0;

	c->samples += samples;
	c->of_dso[dso] += samples;
	if (s != NULL && s->trust < CP_TRUSTS)
		c->trust[s->trust] += samples;
	if (s != NULL && s->source < CP_SOURCES)
		c->source[s->source] += samples;
	if (s != NULL) {
		c->mangled += s->mangled ? samples : 0;
		return;
	}
	c->trust[CP_TRUST_NONE] += samples;
	c->source[CP_SOURCE_NONE] += samples;
	unnamed[dso] += samples;
	if (unnamed[dso] > c->worst) {
		c->worst = unnamed[dso];
		c->worst_dso = dso;
	}
}

static uint64_t *
by_object(struct cp_run *run)
{
	return cp_run_alloc(
	    run, ((size_t)cp_run_dso_count(run) + 1) * sizeof(uint64_t));
}

struct cp_named
cp_named_count(struct cp_run *run, const struct cp_tally_row *rows, size_t n,
    cp_row_filter *passes, const void *arg)
{
	struct cp_named c = { .of_dso = by_object(run) };
	uint64_t *unnamed = by_object(run);

	for (size_t i = 0; i < n; i++)
		if (passes == NULL || passes(&rows[i], arg))
			count_frame(&c, run, unnamed,
			    cp_stack_frame(run, (cp_stack_id)rows[i].b),
			    rows[i].count);
	return c;
}

struct cp_named
cp_named_leaves(struct cp_run *run, const struct cp_tally *leaves)
{
	const struct cp_tally_row *rows;
	size_t n = cp_tally_rows(leaves, &rows);
	struct cp_named c = { .of_dso = by_object(run) };
	uint64_t *unnamed = by_object(run);

	cp_leaves_name(run, rows, n);
	for (size_t i = 0; i < n; i++)
		count_frame(
		    &c, run, unnamed, (cp_frame_id)rows[i].b, rows[i].count);
	return c;
}

struct judged {
	const struct cp_run *run;
	uint64_t samples;
	uint32_t dso;
};

static int
compare_judged(const void *va, const void *vb)
{
	const struct judged *a = va, *b = vb;

	return cp_word_compare(a->run, a->samples, a->dso, b->samples, b->dso);
}

static struct cp_table *
identity_table(struct cp_report *rep)
{
	static const struct cp_column_spec columns[] = { CP_SHARE("Share"),
		CP_COUNT("Samples"), CP_TEXT("Object"), CP_TEXT("Identity"),
		CP_TEXT("Reason") };
	struct cp_table *t = cp_report_table(rep, "identity",
	    "Is the file of the names the one that ran?", CP_COLUMNS(columns));

	return t;
}

static void
judged_row(struct cp_run *run, const struct judged *j, double all,
    struct cp_report *rep, struct cp_table **t)
{
	static const char *const classes[CP_TRUSTS] = { "", "proven",
		"plausible", "contradicted", "as recorded" };
	struct cp_dso_state s = cp_run_dso_found(run, j->dso);
	uint8_t trust =
	    s.symbolizer != NULL || !s.mismatch ? s.trust : CP_TRUST_MISMATCH;

	if (s.reason == NULL || trust >= CP_TRUSTS)
		return;
	if (*t == NULL)
		*t = identity_table(rep);
	cp_table_add(*t, cp_share((double)j->samples, all), j->samples,
	    cp_word_path(run, j->dso), classes[trust], s.reason);
}

void
cp_named_identity(
    struct cp_run *run, const struct cp_named *c, struct cp_report *rep)
{
	uint32_t objects = cp_run_dso_count(run), n = 0;
	struct judged *all =
	    cp_run_alloc(run, ((size_t)objects + 1) * sizeof(*all));
	struct cp_table *t = NULL;

	for (uint32_t i = 1; i <= objects; i++)
		if (c->of_dso[i] != 0)
			all[n++] = (struct judged){ run, c->of_dso[i], i };
	qsort(all, n, sizeof(*all), compare_judged);
	for (uint32_t i = 0; i < n; i++)
		judged_row(run, &all[i], (double)c->samples, rep, &t);
}

uint64_t
cp_named_unverified(const struct cp_named *c)
{
	return c->trust[CP_TRUST_ABSENT] + c->trust[CP_TRUST_MISMATCH];
}

static int
compare_objects(const void *va, const void *vb)
{
	const struct cp_unnamed_object *a = va, *b = vb;

	return cp_word_compare(a->run, a->samples, a->dso, b->samples, b->dso);
}

const struct cp_unnamed_object *
cp_unnamed_objects(struct cp_run *run, const struct cp_tally_row *rows,
    size_t n, size_t objects)
{
	struct cp_unnamed_object *all =
	    cp_run_alloc(run, objects * sizeof(*all));

	for (size_t i = 0; i < objects; i++)
		all[i] = (struct cp_unnamed_object){ run, 0, (uint32_t)i };
	for (size_t i = 0; i < n; i++) {
		cp_frame_id f = cp_stack_frame(run, (cp_stack_id)rows[i].b);

		if (f == 0)
			all[0].samples += rows[i].count;
		else if (cp_frame_symbol(run, f) == NULL)
			all[cp_frame_get(run, f)->dso].samples += rows[i].count;
	}
	qsort(all, objects, sizeof(*all), compare_objects);
	return all;
}

static void
note_input(const struct cp_quality *q, struct cp_report *rep)
{
	struct cp_word a, b, c, d;

	if (q->bytes_missing != 0)
		cp_report_note(rep,
		    "the file ends %s bytes before its header says: it was cut "
		    "while it was copied, or the disk was full",
		    cp_word_count(&a, q->bytes_missing));
	if (q->killed)
		cp_report_note(rep,
		    "the recorder was killed before it was done: the end "
		    "of the file is missing, which has the build IDs, the "
		    "host's name and the command");
	else if (q->cut)
		cp_report_note(rep,
		    "the input ends in the middle of a record: what followed "
		    "is not counted");
	if (q->bytes_skipped != 0)
		cp_report_note(rep,
		    "%s of the input could not be used (%s of %s bytes)",
		    cp_word_percent(
			&a, (double)q->bytes_skipped, (double)q->bytes_total),
		    cp_word_count(&b, q->bytes_skipped),
		    cp_word_count(&c, q->bytes_total));
	if (q->gaps != 0)
		cp_report_note(rep, "%s damaged span%s jumped over%s%s",
		    cp_word_count(&a, q->gaps),
		    q->gaps == 1 ? " was" : "s were",
		    q->gap_time_ns == 0
			? ""
			: "; between the samples around them lie ",
		    q->gap_time_ns == 0 ? ""
					: cp_word_time(&d, q->gap_time_ns));
	if (q->bytes_undecided != 0)
		cp_report_note(rep,
		    "%s of what compressed records hold comes after damage, "
		    "and nothing tells if it is right: it was left out (%s of "
		    "%s bytes)",
		    cp_word_percent(&a, (double)q->bytes_undecided,
			(double)q->bytes_inflated),
		    cp_word_count(&b, q->bytes_undecided),
		    cp_word_count(&c, q->bytes_inflated));
	if (q->unknown_records != 0)
		cp_report_note(rep,
		    "%s of %s records are of types not known here",
		    cp_word_count(&a, q->unknown_records),
		    cp_word_count(&b, q->records));
	if (q->samples_unknown_id != 0)
		cp_report_note(rep,
		    "%s sample%s the id of no event and %s left out",
		    cp_word_count(&a, q->samples_unknown_id),
		    q->samples_unknown_id == 1 ? " carries" : "s carry",
		    q->samples_unknown_id == 1 ? "was" : "were");
	if (q->aux_bytes != 0)
		cp_report_note(rep,
		    "%s bytes of hardware trace were not decoded",
		    cp_word_count(&a, q->aux_bytes));
}

static void
note_recorder(const struct cp_quality *q, struct cp_report *rep)
{
	double all = (double)q->samples + (double)q->lost_samples;
	double records = (double)q->records + (double)q->lost;
	struct cp_word a, b, c;

	if (q->lost_samples != 0)
		cp_report_note(rep,
		    "%s of the samples were lost while recording (%s of %s; "
		    "the recorder said so)",
		    cp_word_percent(&a, (double)q->lost_samples, all),
		    cp_word_count(&b, q->lost_samples),
		    cp_word_count(&c, q->samples + q->lost_samples));
	if (q->lost != 0)
		cp_report_note(rep,
		    "%s of the records were lost while recording (%s of %s): "
		    "the buffer was full (a larger one: perf record -m)",
		    cp_word_percent(&a, (double)q->lost, records),
		    cp_word_count(&b, q->lost),
		    cp_word_count(&c, q->records + q->lost));
	if (q->throttled != 0)
		cp_report_note(rep,
		    "the kernel throttled sampling %s time%s: busy spans have "
		    "fewer samples than they should",
		    cp_word_count(&a, q->throttled), cp_word_s(q->throttled));
	if (q->out_of_order != 0)
		cp_report_note(rep,
		    "%s record%s older than what had been processed; "
		    "mappings may be off for them",
		    cp_word_count(&a, q->out_of_order),
		    q->out_of_order == 1 ? " is" : "s are");
}

static void
note_samples(const struct cp_quality *q, struct cp_report *rep)
{
	double all = (double)q->samples;
	struct cp_word a, b, c, d;

	if (q->samples_kept < q->samples - q->samples_unknown_id)
		cp_report_note(rep, "the filters passed %s of %s sample%s",
		    cp_word_count(&a, q->samples_kept),
		    cp_word_count(&b, q->samples), cp_word_s(q->samples));
	if (q->truncated_chains != 0)
		cp_report_note(rep,
		    "%s of the call chains are cut at the recorder's depth "
		    "limit (%s)",
		    cp_word_percent(&a, (double)q->truncated_chains, all),
		    cp_word_count(&b, q->truncated_chains));
	if (q->lost_callers != 0)
		cp_report_note(rep,
		    "callers not recorded: %s of %s samples (%s), %s of them "
		    "inferred; functions without a frame hide their callers "
		    "from frame pointers: record --call-graph dwarf or lbr, or "
		    "use libraries with frame pointers",
		    cp_word_count(&b, q->lost_callers),
		    cp_word_count(&d, q->samples),
		    cp_word_percent(&a, (double)q->lost_callers, all),
		    cp_word_count(&c, q->inferred_callers));
	if (q->unmapped_ips != 0)
		cp_report_note(rep,
		    "%s of the samples lie in no known mapping (%s)",
		    cp_word_percent(&a, (double)q->unmapped_ips, all),
		    cp_word_count(&b, q->unmapped_ips));
	if (q->unwound_part != 0)
		cp_report_note(rep,
		    "%s of the dumped user stacks end before the outermost "
		    "frame (%s); coldperf unwind says why",
		    cp_word_percent(
			&a, (double)q->unwound_part, (double)q->unwound),
		    cp_word_count(&b, q->unwound_part));
}

void
cp_mangled_note(const struct cp_named *n, struct cp_report *rep)
{
	struct cp_word a;

	if (n->mangled != 0)
		cp_report_note(rep,
		    "%s of the samples are in functions whose names stay "
		    "mangled; those of C++20 need LLVM's libc++abi, or "
		    "libLLVM, "
		    "of version 18 or newer on the machine that reads the "
		    "capture",
		    cp_word_percent(
			&a, (double)n->mangled, (double)n->samples));
}

static void
note_names(struct cp_run *run, const struct cp_named *n, struct cp_report *rep)
{
	double all = (double)n->samples;
	struct cp_word a, b;

	if (n->trust[CP_TRUST_NONE] != 0)
		cp_report_note(rep,
		    "%s of the samples have no symbol; most of them, %s of "
		    "all, lie in %.300s",
		    cp_word_percent(&a, (double)n->trust[CP_TRUST_NONE], all),
		    cp_word_percent(&b, (double)n->worst, all),
		    cp_word_path(run, n->worst_dso));
	if (n->trust[CP_TRUST_ABSENT] != 0)
		cp_report_note(rep,
		    "%s of the samples are named from files whose build ID "
		    "could not be compared",
		    cp_word_percent(
			&a, (double)n->trust[CP_TRUST_ABSENT], all));
	if (n->trust[CP_TRUST_MISMATCH] != 0)
		cp_report_note(rep,
		    "%s of the samples are named from files of ANOTHER build, "
		    "as asked for: these names may be wrong",
		    cp_word_percent(
			&a, (double)n->trust[CP_TRUST_MISMATCH], all));
	cp_mangled_note(n, rep);
}

void
cp_account_notes(
    struct cp_run *run, const struct cp_named *n, struct cp_report *rep)
{
	const struct cp_quality *q = cp_run_quality(run);

	note_input(q, rep);
	note_recorder(q, rep);
	note_samples(q, rep);
	note_names(run, n, rep);
}
