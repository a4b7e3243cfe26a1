/* SPDX-License-Identifier: MIT */
#include "cli/command/packlist.h"

#include "base/strings.h"
#include "render/common/escape.h"
#include "render/common/format.h"

#define SHOWN 8

/* Samples by object. */
struct weight {
	uint64_t fell, met; /* innermost; anywhere in the stack */
	uint64_t last;      /* the last row that counts in met */
};

struct weights {
	struct cp_tally *tally; /* 0, stack */
};

static int
weights_begin(struct cp_run *run, void *state)
{
	struct weights *w = state;

	w->tally = cp_tally_new(run);
	return CP_OK;
}

static int
weights_sample(struct cp_run *run, void *state, const struct cp_sample *s)
{
	struct weights *w = state;

	(void)run;
	cp_tally_add(w->tally, 0, s->stack, 1);
	return CP_OK;
}

static int
weights_finish(struct cp_run *run, void *state, struct cp_report *rep)
{
	(void)run;
	(void)state;
	(void)rep;
	return CP_OK;
}

/* All samples: those that filters would leave out are packed, too. */
static const struct cp_analysis weights_analysis = {
	.abi = CP_ABI,
	.name = "pack",
	.summary = "samples by object",
	.wants = CP_WANT_SAMPLES | CP_WANT_STACKS | CP_WANT_ALL,
	.state_size = sizeof(struct weights),
	.begin = weights_begin,
	.sample = weights_sample,
	.finish = weights_finish,
};

int
cp_pack_weights_watch(struct cp_run *run)
{
	return cp_run_add(run, &weights_analysis);
}

static void
count_row(struct cp_run *run, const struct cp_tally_row *row, uint64_t number,
    struct weight *all)
{
	bool innermost = true;

	for (cp_stack_id s = (cp_stack_id)row->b; s != 0;
	     s = cp_stack_parent(run, s)) {
		struct weight *w =
		    &all[cp_frame_get(run, cp_stack_frame(run, s))->dso];

		w->fell += innermost ? row->count : 0;
		w->met += w->last != number ? row->count : 0;
		w->last = number;
		innermost = false;
	}
}

/* By object id; the caller frees it. */
static struct weight *
count(struct cp_run *run, uint64_t *samples)
{
	const struct weights *w = run->tasks.data[0].state;
	struct weight *all =
	    cp_xcalloc((size_t)cp_run_dso_count(run) + 1, sizeof(*all));
	const struct cp_tally_row *rows;
	size_t n = cp_tally_rows(w->tally, &rows);

	*samples = 0;
	for (size_t i = 0; i < n; i++) {
		*samples += rows[i].count;
		count_row(run, &rows[i], i + 1, all);
	}
	return all;
}

struct lack {
	const struct cp_pack_missing *what;
	struct weight weight;
	size_t order;
};

static int
compare_lacks(const void *va, const void *vb)
{
	const struct lack *a = va, *b = vb;

	if (a->weight.fell != b->weight.fell)
		return a->weight.fell > b->weight.fell ? -1 : 1;
	if (a->weight.met != b->weight.met)
		return a->weight.met > b->weight.met ? -1 : 1;
	return (a->order > b->order) - (a->order < b->order);
}

static const char *
word(const char *role)
{
	static const char *const words[][2] = { { "elf", "file" },
		{ "symbols", "symbols" }, { "debug", "debug information" },
		{ "perf-map", "perf map" }, { "source", "source file" } };

	for (size_t i = 0; i < CP_ARRAY_LEN(words); i++)
		if (strcmp(role, words[i][0]) == 0)
			return words[i][1];
	return role;
}

static void
say(const struct lack *l, uint64_t samples)
{
	struct cp_buf b;

	cp_buf_init(&b, 1 << 16);
	cp_buf_printf(&b, "coldperf: not found: %s of ", word(l->what->role));
	cp_escape_terminal(&b, l->what->name);
	if (l->what->dso != 0 && samples != 0) {
		cp_buf_str(&b, " (");
		cp_format_share(&b, (double)l->weight.fell / (double)samples);
		cp_buf_str(&b, " of the samples; in the stacks of ");
		cp_format_share(&b, (double)l->weight.met / (double)samples);
		cp_buf_char(&b, ')');
	}
	fprintf(stderr, "%s\n", cp_buf_text(&b));
	cp_buf_free(&b);
}

void
cp_pack_weights_say(struct cp_run *run, const struct cp_packlist *list)
{
	size_t n = list->missing.len;
	uint64_t samples;
	struct weight *all = count(run, &samples);
	struct lack *lacks = cp_xcalloc(n + 1, sizeof(*lacks));

	for (size_t i = 0; i < n; i++) {
		const struct cp_pack_missing *m = &list->missing.data[i];

		lacks[i] = (struct lack){ m, { 0 }, i };
		if (m->dso != 0)
			lacks[i].weight = all[m->dso];
	}
	qsort(lacks, n, sizeof(*lacks), compare_lacks);
	for (size_t i = 0; i < n && i < SHOWN; i++)
		say(&lacks[i], samples);
	if (n > SHOWN)
		fprintf(stderr,
		    "coldperf: not found: %zu more; coldperf/MANIFEST in the "
		    "bundle has them\n",
		    n - SHOWN);
	free(lacks);
	free(all);
}
