/* SPDX-License-Identifier: MIT */
/*
 * notes: the notes of cpi: the source of the counts, missing events, and how to
 * record them.
 */
#include "analyses/cpi/cpi.h"

#include <math.h>

#include "analyses/common/event.h"
#include "analyses/common/options.h"
#include "analyses/common/record-hint.h"

static void
note_source(const struct cpi *c, struct cp_report *rep)
{
	const struct cp_counts *w = &c->whole;
	struct cp_word a, b;

	if (c->readings) {
		cp_report_note(rep,
		    "from readings of a group: each of %s sample%s brought the "
		    "counts of cycles and instructions since the one before; "
		    "functions that take turns faster than the sampling share "
		    "what both did",
		    cp_word_count(&a, w->readings[CP_RATIO_CPI]),
		    cp_word_s(w->readings[CP_RATIO_CPI]));
		return;
	}
	cp_report_note(rep,
	    "from cycles and instructions sampled each by itself (samples: %s "
	    "and %s): their periods are summed, so rows need samples of "
	    "both",
	    cp_word_count(&a, w->samples[CP_ROLE_CYCLES]),
	    cp_word_count(&b, w->samples[CP_ROLE_INSTRUCTIONS]));
}

static void
note_places(const struct cpi *c, struct cp_report *rep)
{
	for (unsigned k = 0; k < CP_RATIOS; k++) {
		const struct cp_ratio_def *d = &cp_ratio_defs[k];

		if (!c->tells[k] && c->whole.samples[d->above] != 0 &&
		    c->whole.samples[d->below] != 0)
			cp_report_note(rep,
			    "%s are not known: one of the two was not counted "
			    "in all places (user, kernel, kinds of cores) "
			    "where the other was",
			    d->name);
	}
}

static void
note_running(const struct cpi *c, struct cp_report *rep)
{
	struct cp_word a;

	if (c->running < c->enabled)
		cp_report_note(rep,
		    "the counters ran %s of the time only, in turns with "
		    "others (multiplexing): counts are scaled to all of it",
		    cp_word_percent(&a, c->running, c->enabled));
}

uint64_t
cp_cpi_missing(const struct cpi *c, enum cp_role role)
{
	uint64_t missing = 0;

	for (uint32_t i = 0; i < c->events.n; i++) {
		const struct cp_evsel *e = cp_run_evsel(c->run, i);

		if (c->events.all[i].used &&
		    c->events.all[i].what.role == role &&
		    !(c->readings && c->events.all[i].read))
			missing += e->throttled + e->lost_samples;
	}
	return missing;
}

void
cp_cpi_note_throttled(struct cpi *c, struct cp_report *rep)
{
	uint64_t cycles = cp_cpi_missing(c, CP_ROLE_CYCLES);
	uint64_t instructions = cp_cpi_missing(c, CP_ROLE_INSTRUCTIONS);
	struct cp_word a, b;

	if (cycles != 0 || instructions != 0)
		cp_report_note(rep,
		    "samples were throttled or lost: %s times of cycles, %s "
		    "of instructions; their counts are too low, and not by "
		    "the same part (readings of a group do not suffer: -e "
		    "'{cycles,instructions}:S')",
		    cp_word_count(&a, cycles), cp_word_count(&b, instructions));
}

static void
note_reading(const struct cpi *c, struct cp_ratio r, struct cp_report *rep)
{
	unsigned width = cp_machine_width(c->run);

	(void)c;
	if (isfinite(r.value))
		cp_report_note(rep,
		    "the usual reading, a rule of thumb and no verdict: CPI "
		    "below 1, the code flows; 1 to 2, ordinary; 2 to 4, it "
		    "waits often, for memory or after branches; above 4, it "
		    "does little else; all of this is at %.2f",
		    r.value);
	if (isfinite(r.value) && width != 0)
		cp_report_note(rep,
		    "this processor can finish %u instructions a cycle; %.2f "
		    "are %.0f %% of that",
		    width, 1 / r.value, 100 / r.value / width);
	cp_report_note(rep,
	    "a ratio is known from %d samples of either event on",
	    CP_RATIO_LEAST);
}

void
cp_cpi_notes(struct cpi *c, struct cp_report *rep)
{
	note_source(c, rep);
	note_places(c, rep);
	note_running(c, rep);
	cp_cpi_note_throttled(c, rep);
	note_reading(c,
	    cp_ratio_of(&c->whole, &c->whole, CP_RATIO_CPI, c->readings), rep);
}

/* Notes missing events, and how to record them. */
void
cp_cpi_note_missing(const struct cpi *c, struct cp_report *rep)
{
	for (uint32_t i = 0; i < c->events.n; i++)
		if (c->events.all[i].used &&
		    c->whole.samples[c->events.all[i].what.role] == 0) {
			cp_report_note(rep,
			    "no sample of %.200s is left, by the filters or "
			    "because there was none",
			    cp_run_evsel(c->run, i)->name);
			return;
		}
	cp_recipe_note(
	    rep, "cycles and instructions counted together", CP_ADVICE_cpi);
}
