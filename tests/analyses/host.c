/* SPDX-License-Identifier: MIT */
#include "tests/analyses/host.h"

#include "analyses/list.h"
#include "base/match/pattern.h"

struct cp_run *
host_new(void)
{
	struct cp_run *run = cp_xcalloc(1, sizeof(*run));

	*cp_vec_push(&run->dsos) = (struct cp_dso){ 0 };
	*cp_vec_push(&run->frames) = (struct cp_frame){ 0 };
	*cp_vec_push(&run->frame_text) = 0;
	*cp_vec_push(&run->symbols) = NULL;
	*cp_vec_push(&run->asked) = false;
	*cp_vec_push(&run->parent) = 0;
	*cp_vec_push(&run->frame) = 0;
	run->quality.first_time = run->quality.last_time = CP_NO_TIME;
	return run;
}

void
host_free(struct cp_run *run)
{
	for (size_t i = 0; i < run->tallies.len; i++) {
		cp_tally_free(run->tallies.data[i]);
		free(run->tallies.data[i]);
	}
	for (size_t i = 0; i < run->spills.len; i++) {
		cp_spill_free(run->spills.data[i]);
		free(run->spills.data[i]);
	}
	cp_taskstate_free(run->spans);
	cp_vec_free(&run->spills);
	cp_vec_free(&run->tallies);
	cp_vec_free(&run->evsels);
	cp_vec_free(&run->dsos);
	cp_vec_free(&run->frames);
	cp_vec_free(&run->frame_text);
	cp_vec_free(&run->symbols);
	cp_vec_free(&run->asked);
	cp_vec_free(&run->parent);
	cp_vec_free(&run->frame);
	cp_vec_free(&run->samples);
	cp_strings_free(&run->strings);
	cp_arena_free(&run->arena);
	free(run);
}

uint32_t
host_event(struct cp_run *run, const char *name)
{
	uint32_t index = (uint32_t)run->evsels.len;

	*cp_vec_push(&run->evsels) = (struct cp_evsel){ .index = index,
		.name = cp_arena_strndup(&run->arena, name, strlen(name)),
		.sample_period = 1 };
	return index;
}

static uint32_t
host_dso(struct cp_run *run, const char *name)
{
	cp_string_id text = cp_strings_add(&run->strings, name);
	const char *slash = strrchr(name, '/');
	cp_string_id last =
	    cp_strings_add(&run->strings, slash != NULL ? slash + 1 : name);
	uint32_t id = (uint32_t)run->dsos.len;
	bool kernel = name[0] == '[';

	for (uint32_t i = 1; i < id; i++)
		if (run->dsos.data[i].name == text)
			return i;
	*cp_vec_push(&run->dsos) = (struct cp_dso){ .id = id,
		.name = text,
		.short_name = last,
		.level = kernel ? CP_LEVEL_KERNEL : CP_LEVEL_USER,
		.kind = kernel ? CP_DSO_KERNEL : CP_DSO_FILE };
	return id;
}

static struct cp_symbol *
host_symbol(struct cp_run *run, uint32_t dso, const char *name, size_t frame)
{
	struct cp_symbol *s = cp_arena_alloc(&run->arena, sizeof(*s));

	s->name = s->raw = cp_arena_strndup(&run->arena, name, strlen(name));
	s->start = frame * 16;
	s->end = s->start + 16;
	s->id = (uint32_t)frame;
	s->dso = dso;
	s->source = CP_SOURCE_CACHE;
	s->trust = CP_TRUST_VERIFIED;
	return s;
}

cp_frame_id
host_frame(struct cp_run *run, const char *text)
{
	cp_string_id id = cp_strings_add(&run->strings, text);
	size_t n = run->frames.len;
	const char *name =
	    strchr(text, '!') != NULL ? strchr(text, '!') + 1 : text;
	bool kernel = strncmp(text, "k:", 2) == 0;
	struct cp_frame f = { .addr = n * 16,
		.level = kernel ? CP_LEVEL_KERNEL : CP_LEVEL_USER };
	char object[64] = "/bin/app";

	for (uint32_t i = 1; i < n; i++)
		if (run->frame_text.data[i] == id)
			return i;
	if (name != text)
		snprintf(object, sizeof(object), "/lib/%.*s",
		    (int)(name - text - 1), text);
	f.dso = host_dso(run, kernel ? "[kernel.kallsyms]" : object);
	if (kernel)
		name += 2;
	if (strncmp(name, "0x", 2) == 0)
		f.addr = strtoull(name, NULL, 16);
	*cp_vec_push(&run->frames) = f;
	*cp_vec_push(&run->frame_text) = id;
	*cp_vec_push(&run->asked) = false;
	*cp_vec_push(&run->symbols) = strncmp(name, "0x", 2) == 0
					  ? NULL
					  : host_symbol(run, f.dso, name, n);
	return (cp_frame_id)n;
}

cp_stack_id
host_push(struct cp_run *run, cp_stack_id parent, cp_frame_id frame)
{
	*cp_vec_push(&run->parent) = parent;
	*cp_vec_push(&run->frame) = frame;
	return (cp_stack_id)(run->parent.len - 1);
}

cp_stack_id
host_stack(struct cp_run *run, const char *text)
{
	cp_stack_id at = 0;
	char name[64];

	while (*text != '\0') {
		size_t n = strcspn(text, ";"), i;
		cp_frame_id frame;

		snprintf(name, sizeof(name), "%.*s", (int)n, text);
		frame = host_frame(run, name);
		for (i = 1; i < run->parent.len; i++)
			if (run->parent.data[i] == at &&
			    run->frame.data[i] == frame)
				break;
		at = i < run->parent.len ? (cp_stack_id)i
					 : host_push(run, at, frame);
		text += n + (text[n] == ';');
	}
	return at;
}

struct cp_sample *
host_sample(
    struct cp_run *run, const char *comm, cp_stack_id stack, uint64_t weight)
{
	struct cp_sample *s = cp_vec_push(&run->samples);

	*s = (struct cp_sample){ .time = run->samples.len * 1000000,
		.period = weight,
		.weight = weight,
		.pid = 7,
		.tid = 8,
		.cpu = 0,
		.comm = cp_strings_add(&run->strings, comm),
		.stack = stack,
		.level = CP_LEVEL_USER,
		.kept = true,
		.chosen = true };
	return s;
}

int
host_run(struct cp_run *run, const char *analysis, const char *const *options,
    struct cp_report *rep)
{
	const struct cp_analysis *a = cp_analysis_find(analysis);
	struct cp_quality *q = &run->quality;
	void *state = cp_arena_alloc(&run->arena, a->state_size);

	run->analysis = a;
	run->options = options;
	run->wants = a->wants;
	q->samples = q->samples_kept = run->samples.len;
	cp_report_init(rep, analysis);
	if (a->begin(run, state) != CP_OK)
		return CP_FAIL;
	for (size_t i = 0; i < run->samples.len; i++) {
		struct cp_sample *s = &run->samples.data[i];

		run->evsels.data[s->evsel].samples++;
		s->event = s->evsel;
		if (run->leaves != NULL)
			cp_tally_add(run->leaves, s->event,
			    cp_stack_frame(run, s->stack), s->weight);
		if (run->spans != NULL)
			cp_taskstate_sample(run->spans, s);
		if (a->sample(run, state, s) != CP_OK)
			return CP_FAIL;
	}
	if (run->spans != NULL)
		cp_taskstate_finish(run->spans);
	if (a->finish(run, state, rep) != CP_OK)
		return CP_FAIL;
	cp_report_finish(rep);
	return CP_OK;
}

static void
value_text(struct cp_buf *b, enum cp_column_type type, const struct cp_value *v)
{
	if (type == CP_COL_TEXT)
		cp_buf_str(b, v->text != NULL ? v->text : "(null)");
	else if (type == CP_COL_SHARE || type == CP_COL_RATE)
		cp_buf_printf(b, "%.4f", v->value);
	else
		cp_buf_u64(b, v->u64);
}

static void
table_text(struct cp_buf *b, const struct cp_table *t)
{
	for (size_t r = 0; r < t->rows.len; r++) {
		const struct cp_row *row = &t->rows.data[r];

		for (uint32_t i = 0; i < row->depth; i++)
			cp_buf_char(b, '>');
		for (size_t c = 0; c < t->columns.len; c++) {
			if (c != 0)
				cp_buf_char(b, '|');
			value_text(b, t->columns.data[c].type, &row->values[c]);
		}
		cp_buf_str(
		    b, row->filled == t->columns.len ? "\n" : " SHORT\n");
	}
	if (t->rest_rows != 0)
		cp_buf_printf(b, "rest %" PRIu64 " rows %" PRIu64 "\n",
		    t->rest_rows, t->rest_weight);
}

static void
path_text(struct cp_buf *b, const struct cp_tree *t, uint32_t node)
{
	const struct cp_tree_node *n = &t->nodes.data[node];
	uint32_t up[64], depth = 0;

	for (uint32_t i = node; i != 0 && depth < 64;
	     i = t->nodes.data[i].parent)
		up[depth++] = i;
	while (depth-- > 0)
		cp_buf_printf(b, "%s%s", t->nodes.data[up[depth]].name,
		    depth != 0 ? ";" : "");
	cp_buf_printf(b, " %" PRIu64 " of %" PRIu64 "\n", n->self, n->total);
}

static void
section_text(struct cp_buf *b, const struct cp_section *s)
{
	if (s->type == CP_SECTION_TABLE) {
		cp_buf_printf(b, "%s: %s\n", s->slug, s->title);
		table_text(b, &s->table);
	}
	if (s->type == CP_SECTION_TREE)
		for (uint32_t i = 1; i < s->tree.nodes.len; i++)
			path_text(b, &s->tree, i);
	for (size_t i = 0; i < s->notes.len; i++)
		cp_buf_printf(b, "note: %s\n", s->notes.data[i]);
	for (size_t i = 0; i < s->scalars.len; i++) {
		cp_buf_printf(b, "%s: ", s->scalars.data[i].key);
		value_text(
		    b, s->scalars.data[i].type, &s->scalars.data[i].value);
		cp_buf_char(b, '\n');
	}
}

const char *
host_text(struct cp_run *run, const char *analysis, const char *const *options,
    const char *slug)
{
	struct cp_report rep;
	struct cp_buf b;
	const char *text;

	cp_buf_init(&b, 1 << 20);
	if (host_run(run, analysis, options, &rep) != CP_OK)
		cp_buf_str(&b, "failed\n");
	for (const struct cp_section *s = rep.first; s != NULL; s = s->next)
		if (slug[0] == '\0' || strcmp(s->slug, slug) == 0)
			section_text(&b, s);
	text = cp_arena_strndup(&run->arena, cp_buf_text(&b), b.len);
	cp_buf_free(&b);
	cp_report_free(&rep);
	return text;
}

/* The public contract. */

uint32_t
cp_run_evsel_count(const struct cp_run *run)
{
	return (uint32_t)run->evsels.len;
}

const struct cp_evsel *
cp_run_evsel(const struct cp_run *run, uint32_t i)
{
	return &run->evsels.data[i];
}

uint32_t
cp_run_event_of(struct cp_run *run, uint32_t evsel)
{
	return evsel;
}

const char *
cp_run_event_name(struct cp_run *run, uint32_t event)
{
	return cp_run_evsel(run, event)->name;
}

const char *
cp_run_string(const struct cp_run *run, cp_string_id id)
{
	return cp_strings_get(&run->strings, id);
}

cp_string_id
cp_run_intern(struct cp_run *run, const char *text)
{
	return cp_strings_add(&run->strings, text);
}

const struct cp_dso *
cp_run_dso(const struct cp_run *run, uint32_t id)
{
	return &run->dsos.data[id];
}

uint32_t
cp_run_dso_count(const struct cp_run *run)
{
	return (uint32_t)run->dsos.len - 1;
}

const char *
cp_run_cgroup(const struct cp_run *run, uint64_t id)
{
	return id == 5 ? "/five" : NULL;
}

void
cp_run_diag(struct cp_run *run, enum cp_diag_id id, const char *fmt, ...)
{
	run->diags[id]++;
}

void
cp_run_fail(struct cp_run *run, const char *fmt, ...)
{
	run->diags[CP_D_GATE]++;
}

void
cp_run_undecided(struct cp_run *run, const char *fmt, ...)
{
	run->diags[CP_D_GATE_UNDECIDED]++;
}

uint64_t
cp_run_start(const struct cp_run *run)
{
	return run->quality.first_time;
}

bool
cp_run_wall_clock(
    const struct cp_run *run, uint64_t time, char *buf, size_t size)
{
	return false;
}

void
cp_run_wants(struct cp_run *run, uint32_t wants)
{
	run->wants = wants;
}

const struct cp_stat *
cp_run_counted(struct cp_run *run)
{
	(void)run;
	return NULL;
}

const char *
cp_run_counted_comm(const struct cp_run *run, uint32_t thread)
{
	(void)run, (void)thread;
	return "";
}

bool
cp_run_topology(
    const struct cp_run *run, uint32_t cpu, uint32_t *socket, uint32_t *core)
{
	(void)run, (void)cpu, (void)socket, (void)core;
	return false;
}

enum cp_scope
cp_run_scope(const struct cp_run *run)
{
	(void)run;
	return CP_SCOPE_SYSTEM;
}

const char *
cp_run_command(const struct cp_run *run)
{
	return run->analysis->name;
}

bool
cp_run_sample_labels(const struct cp_run *run)
{
	(void)run;
	return false;
}

double
cp_run_tree_share(const struct cp_run *run)
{
	(void)run;
	return 0;
}

double
cp_run_code_share(const struct cp_run *run)
{
	(void)run;
	return 0;
}

void *
cp_run_alloc(struct cp_run *run, size_t n)
{
	return cp_arena_alloc(&run->arena, n);
}

void
cp_run_free(struct cp_run *run, void *p, size_t n)
{
	cp_arena_drop(&run->arena, p, n);
}

const char *
cp_run_option(const struct cp_run *run, const char *name)
{
	const struct cp_option *o = run->analysis->options;
	size_t n = strlen(name);

	for (size_t i = 0; run->options != NULL && run->options[i] != NULL; i++)
		if (strncmp(run->options[i], name, n) == 0 &&
		    run->options[i][n] == '=')
			return run->options[i] + n + 1;
	for (; o != NULL && o->name != NULL; o++)
		if (strcmp(o->name, name) == 0)
			return o->fallback;
	return NULL; /* an option that the analysis does not have */
}

bool
cp_run_option_bool(const struct cp_run *run, const char *name)
{
	return cp_run_option(run, name) != NULL;
}

uint64_t
cp_run_option_u64(const struct cp_run *run, const char *name)
{
	return strtoull(cp_run_option(run, name), NULL, 10);
}

double
cp_run_option_double(const struct cp_run *run, const char *name)
{
	return strtod(cp_run_option(run, name), NULL);
}

const struct cp_pattern *
cp_run_option_pattern(struct cp_run *run, const char *name)
{
	const char *v = cp_run_option(run, name);
	struct cp_pattern *p = cp_arena_alloc(&run->arena, sizeof(*p));

	return v != NULL && cp_pattern_init(p, v) == CP_OK ? p : NULL;
}

bool
cp_symbol_fits(const struct cp_pattern *p, const struct cp_symbol *y)
{
	return cp_pattern_fits_symbol(p, y->name);
}

bool
cp_run_symbol_fits(
    struct cp_run *run, const struct cp_pattern *p, const struct cp_symbol *y)
{
	(void)run;
	return cp_symbol_fits(p, y);
}

const char *
cp_run_name_short(struct cp_run *run, const char *name)
{
	(void)run;
	return name;
}

const char *
cp_run_name_last(struct cp_run *run, const char *name)
{
	(void)run;
	return name;
}

void
cp_run_no_match(
    struct cp_run *run, const char *option, const char *const *names, size_t n)
{
	(void)option, (void)names, (void)n;
	run->diags[CP_D_NO_MATCH]++;
}

bool
cp_run_merged(const struct cp_run *run)
{
	(void)run;
	return false;
}

const char *
cp_run_weight_name(const struct cp_run *run)
{
	return "period";
}

size_t
cp_run_facts(const struct cp_run *run, const struct cp_fact **out)
{
	*out = run->facts;
	return run->n_facts;
}

const char *
cp_run_fact(const struct cp_run *run, const char *key)
{
	for (size_t i = 0; i < run->n_facts; i++)
		if (strcmp(run->facts[i].key, key) == 0)
			return run->facts[i].value;
	return NULL;
}

const struct cp_quality *
cp_run_quality(const struct cp_run *run)
{
	return &run->quality;
}

uint32_t
cp_stack_count(const struct cp_run *run)
{
	return (uint32_t)run->parent.len;
}

cp_stack_id
cp_stack_parent(const struct cp_run *run, cp_stack_id id)
{
	return run->parent.data[id];
}

cp_frame_id
cp_stack_frame(const struct cp_run *run, cp_stack_id id)
{
	return run->frame.data[id];
}

const struct cp_frame *
cp_frame_get(const struct cp_run *run, cp_frame_id id)
{
	return &run->frames.data[id];
}

void
cp_run_name(struct cp_run *run, const cp_stack_id *stacks, size_t n)
{
	for (size_t i = 0; i < n; i++)
		for (cp_stack_id s = stacks[i]; s != 0; s = run->parent.data[s])
			run->asked.data[run->frame.data[s]] = true;
}

const struct cp_symbol *
cp_frame_symbol(const struct cp_run *run, cp_frame_id id)
{
	return run->asked.data[id] ? run->symbols.data[id] : NULL;
}

uint64_t
cp_run_dso_base(const struct cp_run *run, uint32_t id)
{
	return 0;
}

const char *
cp_run_dso_base_name(const struct cp_run *run, uint32_t id)
{
	return NULL;
}

const char *
cp_run_dso_release(const struct cp_run *run, uint32_t id)
{
	return NULL;
}

/* There are no files. */
uint64_t
cp_frame_vaddr(struct cp_run *run, cp_frame_id id)
{
	return UINT64_MAX;
}

const struct cp_symbol *
cp_frame_function(struct cp_run *run, cp_frame_id id)
{
	return cp_frame_symbol(run, id);
}

/* Nothing is inlined here. */
cp_stack_id
cp_stack_inlined(struct cp_run *run, cp_stack_id stack)
{
	return stack;
}

size_t
cp_frame_spots(
    const struct cp_run *run, cp_frame_id id, const struct cp_spot **out)
{
	return 0;
}

struct cp_tally *
cp_tally_new(struct cp_run *run)
{
	struct cp_tally *t = cp_xcalloc(1, sizeof(*t));

	*cp_vec_push(&run->tallies) = t;
	return t;
}

const struct cp_tally *
cp_run_leaves(struct cp_run *run)
{
	if (run->leaves == NULL)
		run->leaves = cp_tally_new(run);
	return run->leaves;
}

uint32_t
cp_run_parallelism(struct cp_run *run, const struct cp_sample *s)
{
	(void)run;
	(void)s;
	return 0;
}

const struct cp_spans *
cp_run_spans(struct cp_run *run, cp_span_fn fn, void *ctx)
{
	if (run->spans == NULL)
		run->spans = cp_taskstate_new(run);
	if (fn != NULL)
		cp_taskstate_listen(
		    run->spans, (struct cp_span_listener){ fn, ctx, false });
	return &run->spans->pub;
}

const struct cp_spans *
cp_run_spans_whole(struct cp_run *run, cp_span_fn fn, void *ctx)
{
	if (run->spans == NULL)
		run->spans = cp_taskstate_new(run);
	cp_taskstate_listen(
	    run->spans, (struct cp_span_listener){ fn, ctx, true });
	return &run->spans->pub;
}

struct cp_spill *
cp_spill_new(struct cp_run *run)
{
	struct cp_spill *s = cp_xcalloc(1, sizeof(*s));

	cp_spill_init(s);
	*cp_vec_push(&run->spills) = s;
	return s;
}

struct cp_dso_state
cp_run_dso_state(struct cp_run *run, uint32_t id)
{
	return id < CP_ARRAY_LEN(run->state) ? run->state[id]
					     : (struct cp_dso_state){ 0 };
}

struct cp_dso_state
cp_run_dso_found(struct cp_run *run, uint32_t id)
{
	return cp_run_dso_state(run, id);
}

/* It has no files. */
struct cp_dso_files
cp_run_dso_files(struct cp_run *run, uint32_t id)
{
	return (struct cp_dso_files){ 0 };
}

/* Samples of this host have no payload and no branches. */

const struct cp_field *
cp_run_field(struct cp_run *run, uint32_t evsel, const char *name)
{
	return NULL;
}

bool
cp_field_u64(const struct cp_field *f, const struct cp_sample *s, uint64_t *out)
{
	return false;
}

bool
cp_field_place(const struct cp_field *f, struct cp_field_at *out)
{
	return false;
}

bool
cp_field_item(const struct cp_field *f, const struct cp_sample *s, uint32_t i,
    uint32_t n, uint64_t *out)
{
	return false;
}

const char *
cp_sample_payload(struct cp_run *run, const struct cp_sample *s, size_t *len)
{
	(void)run;
	(void)s;
	*len = 0;
	return NULL;
}

const char *
cp_field_text(const struct cp_field *f, const struct cp_sample *s, size_t *len)
{
	return NULL;
}

size_t
cp_run_field_types(
    struct cp_run *run, uint32_t evsel, const struct cp_field_type **out)
{
	return 0;
}

const char *
cp_run_print_format(const struct cp_run *run, uint32_t evsel)
{
	return "";
}

struct cp_branch
cp_sample_branch(
    const struct cp_run *run, const struct cp_sample *s, uint32_t i)
{
	return (struct cp_branch){ 0 };
}

cp_frame_id
cp_sample_frame(struct cp_run *run, const struct cp_sample *s, uint64_t addr,
    enum cp_level level)
{
	return 0;
}

void
cp_run_name_frames(struct cp_run *run, const cp_frame_id *frames, size_t n)
{
	for (size_t i = 0; i < n; i++)
		run->asked.data[frames[i]] = true;
}

bool
cp_run_thread(
    const struct cp_run *run, uint32_t tid, uint32_t *pid, cp_string_id *comm)
{
	return false;
}

bool
cp_run_thread_narrow(const struct cp_run *run, uint32_t tid)
{
	return false;
}

bool
cp_run_keeps_task(
    const struct cp_run *run, uint32_t pid, uint32_t tid, cp_string_id comm)
{
	return true;
}

bool
cp_run_keeps_event(struct cp_run *run, uint32_t evsel)
{
	return true;
}

bool
cp_run_keeps_cpu(const struct cp_run *run, uint32_t cpu)
{
	return true;
}

bool
cp_run_keeps_some(struct cp_run *run, uint64_t start, uint64_t end)
{
	return true;
}

bool
cp_run_cut(struct cp_run *run, uint64_t *start, uint64_t *end)
{
	return *start < *end;
}

uint64_t
cp_run_kept_ns(struct cp_run *run, uint64_t start, uint64_t end)
{
	return end - start;
}

bool
cp_run_keeps_time(struct cp_run *run, uint64_t time)
{
	return true;
}

void
cp_run_window(struct cp_run *run, uint64_t *from, uint64_t *to)
{
	*from = 0;
	*to = UINT64_MAX;
}

uint64_t
cp_run_lost(const struct cp_run *run)
{
	return 0;
}

uint64_t
cp_run_window_length(struct cp_run *run)
{
	return 0;
}

struct cp_report *
cp_run_report(const struct cp_run *run)
{
	return NULL;
}

uint32_t
cp_run_instructions(struct cp_run *run, cp_frame_id first, cp_frame_id last)
{
	return 0; /* it has no code */
}

/* Only the addresses that are asked for. */
struct cp_code
cp_run_code(struct cp_run *run, const struct cp_symbol *symbol, unsigned flags,
    const uint64_t *addr, size_t n)
{
	struct cp_instruction *at =
	    cp_arena_alloc(&run->arena, (n + 1) * sizeof(*at));

	for (size_t i = 0; i < n; i++)
		at[i] = (struct cp_instruction){ .addr = addr[i],
			.shown = addr[i] };
	return (struct cp_code){ .at = at, .n = n, .why = "it has no code" };
}

struct cp_listing
cp_run_listing(struct cp_run *run, uint32_t dso, const char *file)
{
	return (struct cp_listing){ .check = "it has no sources" };
}
