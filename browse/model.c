/* SPDX-License-Identifier: MIT */
#include "browse/model.h"

#include <string.h>

#include "base/strings.h"
#include "report/report.h"

/* Functions by (text of the name, object), nodes by (parent, function). */
struct making {
	struct cp_browse_model *m;
	struct cp_strings texts; /* names and objects as numbers */
	struct cp_map64 functions, nodes;
	struct cp_map64 objects; /* of a comparison, by text: the first + 1 */
	uint32_t *of_frame, *of_spot; /* function + 1; 0: not known yet */
};

static uint32_t
function_of(struct making *k, const struct cp_browse_function *f)
{
	uint32_t name = cp_strings_add(&k->texts, f->name);
	uint32_t object = cp_strings_add(&k->texts, f->object);
	uint64_t key = ((uint64_t)name << 32 | object) << 1 | f->inlined;
	uint32_t *at = cp_map64_put(&k->functions, key);

	if (*at == 0) {
		*cp_vec_push(&k->m->functions) = *f;
		*at = (uint32_t)k->m->functions.len;
	}
	return *at - 1;
}

/* The function of a symbol at a frame. */
static uint32_t
at_frame(struct making *k, const struct cp_profile_frame *frame,
    uint32_t symbol, bool inlined)
{
	const struct cp_profile *p = k->m->profile;
	const struct cp_profile_object *o = &p->objects.data[frame->object];
	const struct cp_profile_symbol *s = &p->symbols.data[symbol];
	struct cp_browse_function f = {
		.in = frame->object, .level = frame->level, .inlined = inlined
	};

	f.object = o->nickname != NULL ? o->nickname : o->name;
	if (frame->object == 0 || f.object == NULL)
		f.object = "[unknown]";
	f.name = "[addresses]";
	if (symbol != 0 && s->name != NULL) {
		f.symbol = symbol;
		f.name = s->label != NULL ? s->label : s->name;
	}
	if (k->m->compares) {
		uint32_t *first = cp_map64_put(&k->objects,
		    (uint64_t)cp_strings_add(&k->texts, f.object) + 1);

		if (*first == 0)
			*first = f.in + 1;
		f.in = *first - 1;
	}
	return function_of(k, &f);
}

/* The function of the j-th spot of a frame, or of a frame without spots. */
static uint32_t
part_of(struct making *k, uint32_t frame, uint32_t j)
{
	const struct cp_profile *p = k->m->profile;
	const struct cp_profile_frame *f = &p->frames.data[frame];
	bool spot = f->spots != 0;
	uint32_t *known =
	    spot ? &k->of_spot[f->first_spot + j] : &k->of_frame[frame];

	if (*known == 0)
		*known = 1 + at_frame(k, f,
				 spot ? p->spots.data[f->first_spot + j].symbol
				      : f->symbol,
				 j != 0);
	return *known - 1;
}

static uint32_t
child_of(struct making *k, uint32_t parent, uint32_t function)
{
	struct cp_browse_model *m = k->m;
	uint32_t *at =
	    cp_map64_put(&k->nodes, (uint64_t)parent << 32 | function);

	if (*at != 0)
		return *at;
	*at = (uint32_t)m->nodes.len;
	*cp_vec_push(&m->nodes) = (struct cp_browse_node){ .parent = parent,
		.function = function,
		.next = m->nodes.data[parent].child };
	m->nodes.data[parent].child = *at;
	return *at;
}

/* Finds the node of each stack; a parent comes before its children. */
static void
make_nodes(struct making *k)
{
	struct cp_browse_model *m = k->m;
	const struct cp_profile *p = m->profile;

	*cp_vec_push(&m->nodes) = (struct cp_browse_node){ 0 };
	m->leaf = cp_xcalloc(p->stacks.len + 1, sizeof(*m->leaf));
	for (size_t i = 1; i < p->stacks.len; i++) {
		const struct cp_profile_stack *s = &p->stacks.data[i];
		const struct cp_profile_frame *f = &p->frames.data[s->frame];
		uint32_t node = m->leaf[s->parent];

		for (uint32_t j = 0; j < CP_MAX(f->spots, 1); j++)
			node = child_of(k, node, part_of(k, s->frame, j));
		m->leaf[i] = node;
	}
}

/*
 * Marks the nodes whose function is on the path to them already, in one walk
 * down and up: a chain may be as deep as a capture wants.
 */
static void
mark_again(struct cp_browse_model *m)
{
	uint32_t *on_path = cp_xcalloc(m->functions.len + 1, sizeof(*on_path));
	uint32_t at = m->nodes.data[0].child;

	while (at != 0) {
		struct cp_browse_node *n = &m->nodes.data[at];

		n->again = on_path[n->function]++ != 0;
		if (n->child != 0) {
			at = n->child;
			continue;
		}
		for (; at != 0; at = n->parent) {
			n = &m->nodes.data[at];
			on_path[n->function]--;
			if (n->next != 0)
				break;
		}
		at = at != 0 ? n->next : 0;
	}
	free(on_path);
}

/* Threads of two captures are the same if they have the same names. */
static void
pair_threads(struct cp_browse_model *m)
{
	const struct cp_profile *p = m->profile;
	struct cp_strings texts = { 0 };
	struct cp_map64 first = { 0 };

	m->same_thread =
	    cp_xcalloc(p->threads.len + 1, sizeof(*m->same_thread));
	for (uint32_t i = 0; i < p->threads.len; i++) {
		const struct cp_profile_thread *t = &p->threads.data[i];
		const char *name = t->name != NULL ? t->name : "";
		const char *of = t->process != NULL ? t->process : name;
		uint64_t key = (uint64_t)cp_strings_add(&texts, of) << 32 |
			       cp_strings_add(&texts, name);
		uint32_t *at = cp_map64_put(&first, key + 1);

		if (*at == 0)
			*at = i + 1;
		m->same_thread[i] = *at - 1;
	}
	cp_map64_free(&first);
	cp_strings_free(&texts);
}

void
cp_browse_model_init(
    struct cp_browse_model *m, const struct cp_profile *profile)
{
	struct making k = { .m = m };

	*m = (struct cp_browse_model){ .profile = profile,
		.first = CP_NO_TIME,
		.last = CP_NO_TIME,
		.compares = profile->captures.len == 2 };
	k.of_frame = cp_xcalloc(profile->frames.len, sizeof(*k.of_frame));
	k.of_spot = cp_xcalloc(profile->spots.len + 1, sizeof(*k.of_spot));
	make_nodes(&k);
	mark_again(m);
	free(k.of_frame);
	free(k.of_spot);
	cp_strings_free(&k.texts);
	cp_map64_free(&k.functions);
	cp_map64_free(&k.objects);
	cp_map64_free(&k.nodes);
	for (size_t i = 0; i < profile->time.len; i++) {
		uint64_t t = profile->time.data[i];

		if (t == CP_NO_TIME)
			continue;
		if (m->first == CP_NO_TIME || t < m->first)
			m->first = t;
		if (m->last == CP_NO_TIME || t > m->last)
			m->last = t;
	}
	m->same = cp_xcalloc(profile->events.len + 1, sizeof(*m->same));
	for (uint32_t i = 0; i < profile->events.len; i++)
		for (m->same[i] = 0; m->same[i] < i; m->same[i]++)
			if (profile->events.data[i].capture !=
				profile->events.data[m->same[i]].capture &&
			    strcmp(profile->events.data[i].name,
				profile->events.data[m->same[i]].name) == 0)
				break;
	if (m->compares) {
		pair_threads(m);
		m->before.self = cp_xcalloc(m->nodes.len, sizeof(uint64_t));
		m->before.total = cp_xcalloc(m->nodes.len, sizeof(uint64_t));
		m->before.own =
		    cp_xcalloc(m->functions.len + 1, sizeof(uint64_t));
		m->before.inclusive =
		    cp_xcalloc(m->functions.len + 1, sizeof(uint64_t));
	}
	m->self = cp_xcalloc(m->nodes.len, sizeof(*m->self));
	m->total = cp_xcalloc(m->nodes.len, sizeof(*m->total));
	m->own = cp_xcalloc(m->functions.len + 1, sizeof(*m->own));
	m->inclusive = cp_xcalloc(m->functions.len + 1, sizeof(*m->inclusive));
	m->samples = cp_xcalloc(m->functions.len + 1, sizeof(*m->samples));
	cp_browse_select_all(&m->selection, m);
	cp_browse_count(m);
}

void
cp_browse_model_free(struct cp_browse_model *m)
{
	cp_vec_free(&m->functions);
	cp_vec_free(&m->nodes);
	free(m->leaf);
	free(m->self);
	free(m->total);
	free(m->own);
	free(m->inclusive);
	free(m->samples);
	free(m->same);
	free(m->same_thread);
	free(m->before.self);
	free(m->before.total);
	free(m->before.own);
	free(m->before.inclusive);
}

void
cp_browse_select_all(
    struct cp_browse_selection *s, const struct cp_browse_model *m)
{
	const struct cp_profile *p = m->profile;
	const char *main_event = p->report->main_event;
	uint32_t most = 0;

	for (uint32_t i = 1; i < p->events.len; i++)
		if (p->events.data[i].samples > p->events.data[most].samples)
			most = i;
	for (uint32_t i = 0; main_event != NULL && i < p->events.len; i++)
		if (p->events.data[i].samples != 0 &&
		    strcmp(p->events.data[i].name, main_event) == 0)
			most = i;
	*s = (struct cp_browse_selection){ .event = m->same[most],
		.pid = CP_NO_ID,
		.tid = CP_NO_ID,
		.cpu = CP_NO_ID,
		.object = CP_NO_ID,
		.to = UINT64_MAX };
}

bool
cp_browse_selects(const struct cp_browse_model *m, size_t i, bool timed)
{
	const struct cp_browse_selection *s = &m->selection;
	const struct cp_profile *p = m->profile;
	const struct cp_profile_thread *t;
	uint32_t leaf;

	if (m->same[p->event.data[i]] != s->event)
		return false;
	if (s->cpu != CP_NO_ID && p->cpu.data[i] != s->cpu)
		return false;
	if (s->pid != CP_NO_ID || s->tid != CP_NO_ID) {
		t = &p->threads.data[cp_browse_thread(m, p->thread.data[i])];
		if ((s->pid != CP_NO_ID && t->pid != s->pid) ||
		    (s->tid != CP_NO_ID && t->tid != s->tid))
			return false;
	}
	if (s->object != CP_NO_ID) {
		leaf = m->leaf[p->stack.data[i]];
		if (leaf == 0 ||
		    m->functions.data[m->nodes.data[leaf].function].in !=
			s->object)
			return false;
	}
	if (!timed || (s->from == 0 && s->to == UINT64_MAX))
		return true;
	return p->time.data[i] != CP_NO_TIME && p->time.data[i] >= s->from &&
	       p->time.data[i] <= s->to;
}

/* Sums up what nodes have by themselves, to nodes and functions. */
static void
sum_up(const struct cp_browse_model *m, const uint64_t *self, uint64_t *total,
    uint64_t *own, uint64_t *inclusive)
{
	memset(total, 0, m->nodes.len * sizeof(*total));
	memset(own, 0, m->functions.len * sizeof(*own));
	memset(inclusive, 0, m->functions.len * sizeof(*inclusive));
	for (size_t i = m->nodes.len; i-- > 1;) {
		const struct cp_browse_node *n = &m->nodes.data[i];

		total[i] += self[i];
		total[n->parent] += total[i];
		own[n->function] += self[i];
		if (!n->again)
			inclusive[n->function] += total[i];
	}
	total[0] += self[0];
}

void
cp_browse_count(struct cp_browse_model *m)
{
	const struct cp_profile *p = m->profile;
	struct cp_browse_before *b = &m->before;

	memset(m->self, 0, m->nodes.len * sizeof(*m->self));
	memset(m->samples, 0, m->functions.len * sizeof(*m->samples));
	if (m->compares)
		memset(b->self, 0, m->nodes.len * sizeof(*b->self));
	m->sum = m->n = b->sum = b->n = 0;
	for (size_t i = 0; i < p->time.len; i++) {
		uint32_t leaf;

		if (!cp_browse_selects(m, i, true))
			continue;
		leaf = m->leaf[p->stack.data[i]];
		if (cp_browse_is_before(m, i)) {
			b->self[leaf] += p->weight.data[i];
			b->sum += p->weight.data[i];
			b->n++;
			continue;
		}
		m->self[leaf] += p->weight.data[i];
		m->sum += p->weight.data[i];
		m->n++;
		if (leaf != 0)
			m->samples[m->nodes.data[leaf].function]++;
	}
	sum_up(m, m->self, m->total, m->own, m->inclusive);
	if (m->compares)
		sum_up(m, b->self, b->total, b->own, b->inclusive);
}

void
cp_browse_over_time(const struct cp_browse_model *m, uint64_t *sums, size_t n)
{
	const struct cp_profile *p = m->profile;
	uint64_t span = m->last - m->first;

	memset(sums, 0, n * sizeof(*sums));
	if (m->first == CP_NO_TIME)
		return;
	for (size_t i = 0; i < p->time.len; i++) {
		uint64_t t = p->time.data[i];
		size_t at;

		if (t == CP_NO_TIME || !cp_browse_selects(m, i, false))
			continue;
		at = span == 0 ? 0
			       : (size_t)((double)(t - m->first) /
					  ((double)span + 1) * (double)n);
		sums[at < n ? at : n - 1] += p->weight.data[i];
	}
}
