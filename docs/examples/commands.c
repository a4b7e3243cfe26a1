/* SPDX-License-Identifier: MIT */
/*
 * commands: the share of each command, and what other runs of it would show.
 * An example of intervals: neighbouring samples are alike, and how much a share
 * varies by that is measured on the samples themselves.
 */
#include <coldperf/plugin.h>
#include <coldperf/precision.h>

struct commands {
	struct cp_precision precision;
	struct cp_tally *tally; /* event, command */
	struct cp_index groups; /* the same, as the numbers of groups */
};

static int
commands_begin(struct cp_run *run, void *state)
{
	struct commands *c = state;

	c->tally = cp_tally_new(run);
	cp_index_init(&c->groups, run);
	return cp_precision_init(&c->precision, run);
}

static int
commands_sample(struct cp_run *run, void *state, const struct cp_sample *s)
{
	struct commands *c = state;

	(void)run;
	cp_tally_add(c->tally, s->event, s->comm, s->weight);
	cp_precision_add(
	    &c->precision, s, cp_index_put(&c->groups, s->event, s->comm));
	return CP_OK;
}

/* Does the sample belong to the row? */
static bool
is_of(const void *group, const struct cp_seen *seen)
{
	return seen->group == *(const uint32_t *)group;
}

static int
commands_finish(struct cp_run *run, void *state, struct cp_report *rep)
{
	static const struct cp_column_spec columns[] = { CP_SHARE("Share"),
		CP_COUNT("Samples"), CP_TEXT("Event"), CP_TEXT("Command") };
	struct commands *c = state;
	struct cp_table *t = cp_report_table(
	    rep, "commands", "Share of each command", CP_COLUMNS(columns));
	const struct cp_tally_row *rows;
	size_t n = cp_tally_rows(c->tally, &rows);

	for (size_t i = 0; i < n; i++) {
		uint32_t event = (uint32_t)rows[i].a;
		uint32_t group = cp_index_get(&c->groups, event, rows[i].b);
		struct cp_whole whole =
		    cp_precision_whole(cp_precision_view(&c->precision, event),
			cp_tally_whole(run, c->tally, event), is_of, &group);

		cp_table_add(t, cp_cell_share(cp_row_mass(&rows[i]), whole),
		    rows[i].count, cp_run_event_name(run, event),
		    cp_run_string(run, (cp_string_id)rows[i].b));
	}
	cp_table_sort(t, "Event");
	cp_table_sort(t, "Share");
	cp_precision_note(&c->precision, rep);
	return CP_OK;
}

static const struct cp_option commands_options[] = {
	CP_PRECISION_OPTION,
	{ NULL, NULL, NULL, NULL },
};

CP_ANALYSIS_DEFINE(commands) = {
	.abi = CP_ABI,
	.name = "commands",
	.summary = "the share of each command, and how sure it is",
	.wants = CP_WANT_SAMPLES,
	.options = commands_options,
	.state_size = sizeof(struct commands),
	.begin = commands_begin,
	.sample = commands_sample,
	.finish = commands_finish,
};
