/* SPDX-License-Identifier: MIT */
#include "run/merge/merge.h"

#include "base/buf.h"
#include "base/snapshot-columns.h"
#include "run/merge/part.h"

void
cp_merge_init(struct cp_merger *m, const struct cp_run_options *options,
    struct cp_diags *diags)
{
	struct cp_run *all = &m->all;

	cp_mem_give_back();
	*m = (struct cp_merger){ .gather = cp_gather_analysis };
	*all = (struct cp_run){ .options = options,
		.diags = diags,
		.merged = &m->merged,
		.capture = { .in = { .path = "several captures", .fd = -1 } },
		.rec = { .container = "several captures" } };
	cp_info_init(&all->rec.info);
	cp_session_init(&all->session, &all->rec, &all->quality, diags);
	m->merged.first = options->capture;
	*cp_vec_push(&m->merged.function) = NULL;
	*cp_vec_push(&m->merged.vaddr) = UINT64_MAX;
}

/* What the union is no longer asked for when all captures are in it. */
static void
forget(struct cp_merger *m)
{
	cp_contents_free(&m->objects);
	cp_contents_free(&m->symbols);
	cp_contents_free(&m->frames);
	cp_contents_free(&m->places);
	cp_vec_free(&m->symbol);
	cp_vec_free(&m->samples.all);
}

void
cp_merge_free(struct cp_merger *m)
{
	cp_run_close(&m->all);
	forget(m);
	cp_vec_free(&m->merged.function);
	cp_vec_free(&m->merged.vaddr);
	cp_vec_free(&m->merged.object);
	cp_vec_free(&m->merged.release);
	cp_vec_free(&m->disagree);
}

static bool
copies_stacks(const struct cp_run *part)
{
	for (uint32_t i = 0; i < cp_run_evsel_count(part); i++)
		if ((cp_run_evsel(part, i)->sample_type &
			CP_SAMPLE_STACK_USER) != 0)
			return true;
	return false;
}

/* Has the capture's names looked up as the analyses of the union want them. */
int
cp_merge_watch(struct cp_merger *m, struct cp_run *part)
{
	uint32_t wants = 0, all = CP_WANT_NO_STACK;
	struct cp_gather_state *state;

	for (size_t i = 0; i < m->all.tasks.len; i++) {
		wants |= m->all.tasks.data[i].wants;
		all &= m->all.tasks.data[i].wants;
	}
	/* The account tells how many were unwound, as of one capture. */
	if (copies_stacks(part))
		wants |= CP_WANT_STACKS;
	m->gather.wants =
	    (wants & (CP_WANT_STACKS | CP_WANT_SPOTS)) | CP_WANT_NAMES | all;
	if (cp_run_add(part, &m->gather) != CP_OK)
		return CP_FAIL;
	state = part->tasks.data[part->tasks.len - 1].state;
	state->to = &m->samples;
	return CP_OK;
}

/* --------------------------------------------------------------- the account
 */

static void
add_quality(struct cp_quality *to, const struct cp_quality *from)
{
#define ADD(name, kind, field, about) to->name = cp_sum(to->name, from->name);
	CP_SNAPSHOT_COUNTS(ADD)
#undef ADD
}

/* Are two of the captures one recording: a bundle or copy of the other? */
static bool
same_recording(
    const struct cp_report_origin *a, const struct cp_report_origin *b)
{
	const struct cp_quality *p = &a->quality, *q = &b->quality;

	return p->first_time != CP_NO_TIME && p->samples != 0 &&
	       p->first_time == q->first_time && p->last_time == q->last_time &&
	       p->samples == q->samples && strcmp(a->host, b->host) == 0 &&
	       strcmp(a->command, b->command) == 0 &&
	       (strcmp(a->filter, b->filter) != 0 ||
		   p->weight_kept == q->weight_kept);
}

static void
tell_doubles(struct cp_run *all, size_t had)
{
	for (size_t i = had; i < all->origins.len; i++)
		for (size_t k = 0; k < i; k++) {
			const struct cp_report_origin *o = all->origins.data;

			if (same_recording(&o[k], &o[i])) {
				cp_diag(all->diags, CP_D_TWICE,
				    "%.200s is the recording of %.200s",
				    o[i].name, o[k].name);
				break;
			}
		}
}

static void
add_input(struct cp_merger *m, struct cp_run *part)
{
	struct cp_run *all = &m->all;
	size_t had = all->origins.len;

	m->inputs++;
	cp_run_origins_move(all, part, m->end - part->quality.first_time);
	tell_doubles(all, had);
	all->filter.any |= part->filter.any;
	add_quality(&all->quality, &part->quality);
	m->missed += part->missed;
}

/* ----------------------------------------------------------------- samples */

/* Names the stacks that samples have.  Returns which these are. */
static bool *
name_stacks(struct cp_merger *m, struct cp_run *part)
{
	size_t count = cp_stack_count(part), n = 0;
	bool *used = cp_xcalloc(count, sizeof(*used));
	cp_stack_id *stacks = cp_xcalloc(count, sizeof(*stacks));

	for (size_t i = 0; i < m->samples.all.len; i++)
		used[m->samples.all.data[i].stack] = true;
	for (size_t i = 1; i < count; i++)
		if (used[i])
			stacks[n++] = (cp_stack_id)i;
	part->current = &part->tasks.data[part->tasks.len - 1];
	cp_run_name(part, stacks, n);
	free(stacks);
	return used;
}

/*
 * Control groups are known by their paths: each machine has its numbers.  One
 * without a path keeps its number as a name.
 */
static uint64_t
cgroup_of(struct cp_merge_part *p, uint64_t id)
{
	const char *path = id != 0 ? cp_run_cgroup(p->run, id) : NULL;
	cp_string_id name;
	char number[24];

	if (id == 0)
		return 0;
	snprintf(number, sizeof(number), "%" PRIu64, id);
	name = cp_merge_part_text(p, path != NULL ? path : number);
	return CP_CGROUP_OF_PATH | name;
}

/* Sums that perf wrote after all else have a time of no clock. */
static uint64_t
time_of(const struct cp_merge_part *p, uint64_t time)
{
	const struct cp_quality *q = &p->run->quality;

	if (time == CP_NO_TIME || time < q->first_time || time > q->last_time)
		return CP_NO_TIME;
	return time - q->first_time + p->m->end;
}

static int
give(
    struct cp_merge_part *p, const uint32_t *event, const struct cp_gathered *g)
{
	struct cp_run *all = &p->m->all;
	struct cp_sample s = {
		.time = time_of(p, g->time),
		.period = g->weight,
		.weight = g->weight,
		.cgroup = cgroup_of(p, g->cgroup),
		.pid = g->pid,
		.tid = g->tid,
		.cpu = g->cpu,
		.evsel = event[g->evsel],
		.comm = cp_merge_part_text(p, cp_run_string(p->run, g->comm)),
		.stack = p->stack[g->stack],
		.level = g->level,
		.unwound = g->unwound,
		.unwound_dso = cp_merge_part_object(p, g->unwound_dso),
	};

	cp_run_starts(all, s.time);
	return cp_run_give(all, &s);
}

static int
give_all(struct cp_merge_part *p)
{
	struct cp_merger *m = p->m;
	const struct cp_gather *g = &m->samples;
	uint32_t *event =
	    cp_xcalloc(cp_run_evsel_count(p->run), sizeof(*event));
	int status = CP_OK;

	for (uint32_t i = 0; i < cp_run_evsel_count(p->run); i++)
		event[i] = cp_merge_event(m, p->run, i)->pub.index;
	for (size_t i = 0; i < g->all.len && status == CP_OK; i++)
		status = give(p, event, &g->all.data[i]);
	free(event);
	return status;
}

/* Lets the next capture begin on the union's clock where this one ends. */
static void
advance(struct cp_merger *m, const struct cp_quality *q)
{
	struct cp_quality *all = &m->all.quality;

	if (q->first_time == CP_NO_TIME)
		return;
	all->first_time = 0;
	all->last_time = m->end + (q->last_time - q->first_time);
	m->end = all->last_time + 1;
}

int
cp_merge_take(struct cp_merger *m, struct cp_run *part)
{
	struct cp_merge_part p;
	uint64_t outweighed;
	bool *used;
	int status;

	if (m->samples.left_out != 0)
		cp_diag(m->all.diags, CP_D_LIMIT,
		    "CP_MAX_GATHERED: over %u samples in one of several "
		    "captures; left out: %" PRIu64,
		    CP_MAX_GATHERED, m->samples.left_out);
	if (cp_merge_events_add(m, part) != CP_OK)
		return CP_FAIL;
	used = name_stacks(m, part);
	cp_merge_part_init(&p, m, part);
	add_input(m, part);
	cp_merge_part_stacks(&p, used);
	free(used);
	cp_merge_event_losses(m, part);
	outweighed = m->all.diags->count[CP_D_PERIOD];
	status = give_all(&p);
	cp_run_origin_outweighs(&m->all, outweighed);
	advance(m, &part->quality);
	cp_merge_part_free(&p);
	m->samples.all.len = 0;
	m->samples.left_out = 0;
	return status;
}

/* ------------------------------------------------------------------ the end */

/* Names the object that captures disagree about most. */
static void
say_disagreement(struct cp_merger *m)
{
	uint32_t objects = 0, worst = 0;
	uint64_t places = 0;
	char hex[41];

	for (uint32_t i = 0; i < m->disagree.len; i++) {
		objects += m->disagree.data[i] != 0;
		places += m->disagree.data[i];
		if (m->disagree.data[i] > m->disagree.data[worst])
			worst = i;
	}
	if (objects == 0)
		return;
	cp_hex_of(hex, cp_run_dso(&m->all, worst + 1)->build_id,
	    cp_run_dso(&m->all, worst + 1)->build_id_size);
	cp_diag(m->all.diags, CP_D_DISAGREE,
	    "%" PRIu64 " addresses of %" PRIu32
	    " objects have other names under the same build ID, most of them "
	    "in %.200s (%s); each name is counted by itself",
	    places, objects,
	    cp_run_string(&m->all, cp_run_dso(&m->all, worst + 1)->name), hex);
}

void
cp_merge_over(struct cp_merger *m)
{
	char *path = cp_arena_alloc(&m->all.arena, 40);

	snprintf(path, 40, "%zu captures", m->all.origins.len);
	m->all.capture.in.path = path;
	say_disagreement(m);
	forget(m);
	cp_stacks_settle(&m->all.session.stacks);
}

void
cp_merge_show(const struct cp_merger *m, struct cp_report *rep)
{
	static const struct cp_column_spec columns[] = { CP_COUNT("Addresses"),
		CP_TEXT("Build ID"), CP_TEXT("Object") };
	struct cp_table *t = NULL;
	char hex[41];

	cp_run_origins_show(&m->all, rep);
	for (uint32_t i = 0; i < m->disagree.len; i++) {
		const struct cp_dso *d = cp_run_dso(&m->all, i + 1);

		if (m->disagree.data[i] == 0)
			continue;
		if (t == NULL) {
			t = cp_report_table(rep, "disagreements",
			    "Addresses that captures name differently", NULL,
			    0);
			cp_table_columns(t, CP_COLUMNS(columns));
		}
		cp_hex_of(hex, d->build_id, d->build_id_size);
		cp_table_add(t, m->disagree.data[i], hex,
		    cp_run_string(&m->all, d->name));
	}
}
