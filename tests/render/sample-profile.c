/* SPDX-License-Identifier: MIT */
/* A profile made by hand whose names are all hostile. */
#include "report/profile.h"
#include "tests/render/sample.h"

enum { START = 5000000 };

static void
add_code(struct cp_profile *p, const char *name, uint32_t i)
{
	uint32_t object =
	    cp_profile_object(p, &(struct cp_profile_object){ .name = name,
				     .level = CP_LEVEL_USER,
				     .build_id_size = 20,
				     .build_id = { (uint8_t)i, 2, 3 } });
	uint32_t symbol = cp_profile_symbol(
	    p, &(struct cp_profile_symbol){
		   .name = name, .raw = name, .object = object });
	uint32_t spot = cp_profile_spot(
	    p, &(struct cp_profile_spot){
		   .symbol = symbol, .file = name, .line = i + 1 });
	uint32_t frame =
	    cp_profile_frame(p, &(struct cp_profile_frame){ .addr = 0x1000 + i,
				    .vaddr = 0x401000 + i,
				    .object = object,
				    .symbol = symbol,
				    .first_spot = spot,
				    .spots = 1,
				    .level = CP_LEVEL_USER });

	cp_profile_stack(p, i, frame);
	cp_profile_thread(p, &(struct cp_profile_thread){ .pid = 7,
				 .tid = 7 + i,
				 .name = name,
				 .process = name,
				 .start = CP_NO_TIME,
				 .end = CP_NO_TIME });
}

/* Thread 0 runs, waits, and runs again; thread 1 runs meanwhile. */
static void
add_states(struct cp_profile *p)
{
	const struct cp_profile_state states[] = {
		{ START, START + 100, 0, 0, CP_TONE_RUN, 0, CP_NO_ID, NULL },
		{ START + 100, START + 300, 1, 0, CP_TONE_RUN, 0, CP_NO_ID,
		    NULL },
		{ START + 100, START + 400, 0, CP_NO_ID, CP_TONE_BLOCK, 1, 1,
		    "fu\"tex\033" },
		{ START + 400, START + 500, 0, 0, CP_TONE_RUN, 0, CP_NO_ID,
		    NULL },
	};

	for (size_t i = 0; i < CP_ARRAY_LEN(states); i++)
		cp_profile_state(p, &states[i]);
	cp_profile_mark(p, &(struct cp_profile_mark){ .time = START + 250,
			       .thread = CP_NO_ID,
			       .cpu = 3,
			       .kind = CP_SIDE_LOST,
			       .count = 42 });
}

void
sample_profile(struct cp_report *r)
{
	struct cp_profile *p;
	uint32_t n = 0;

	cp_report_init(r, "profile");
	r->title = sample_hostile_names[4];
	r->event = sample_hostile_names[0];
	r->weight = "period";
	r->start = START;
	p = cp_report_profile(r, "profile", "Samples");
	while (sample_hostile_names[n] != NULL)
		n++;
	for (uint32_t i = 0; i < n; i++)
		add_code(p, sample_hostile_names[i], i);
	for (uint32_t i = 0; i < 2; i++)
		cp_profile_event(p,
		    &(struct cp_profile_event){ .name = sample_hostile_names[i],
			.unit = "events",
			.period = 1,
			.samples = i == 0 ? n : 1,
			.weight = i == 0 ? (1u << n) - 1 : 1000,
			.lost = 42 });
	for (uint32_t i = 0; i < n; i++)
		cp_profile_sample(
		    p, &(struct cp_profile_sample){ .time = START + i,
			   .weight = 1u << i,
			   .stack = i + 1,
			   .thread = i,
			   .event = 0,
			   .cpu = 0 });
	cp_profile_sample(p, &(struct cp_profile_sample){
				 CP_NO_TIME, 1000, 0, 0, 1, CP_NO_ID, 0 });
	add_states(p);
	cp_report_finish(r);
}

void
sample_waits(struct cp_report *r)
{
	struct cp_tree *t;
	uint32_t node = 0;

	cp_report_init(r, "offcpu");
	r->title = sample_hostile_names[4];
	r->weight = "period";
	t = cp_report_tree(r, "waits", "Waits");
	cp_tree_unit(t, "time", CP_COL_TIME, "waits");
	for (uint32_t i = 0; sample_hostile_names[i] != NULL; i++) {
		const char *name = sample_hostile_names[i];

		node = cp_tree_node(t, i % 4 == 0 ? 0 : node, name, name,
		    *name != '\0' ? CP_KIND_USER : CP_KIND_UNKNOWN);
		cp_tree_add(t, node, 1000 << i, i + 1);
	}
	cp_report_finish(r);
}
