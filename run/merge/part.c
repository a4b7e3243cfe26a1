/* SPDX-License-Identifier: MIT */
/* part: objects, symbols, frames and stacks of a capture, by their content. */
#include "run/merge/part.h"

/* Bytes of one key; a frame's has each function inlined there. */
enum { MAX_KEY = 1 << 24 };

void
cp_merge_part_init(
    struct cp_merge_part *p, struct cp_merger *m, struct cp_run *run)
{
	*p = (struct cp_merge_part){ .m = m, .run = run };
	p->object =
	    cp_xcalloc((size_t)cp_run_dso_count(run) + 1, sizeof(*p->object));
	p->frame =
	    cp_xcalloc(run->session.stacks.frames.len, sizeof(*p->frame));
	p->stack = cp_xcalloc(cp_stack_count(run), sizeof(*p->stack));
	cp_buf_init(&p->key, MAX_KEY);
}

void
cp_merge_part_free(struct cp_merge_part *p)
{
	free(p->object);
	free(p->frame);
	free(p->stack);
	cp_vec_free(&p->symbol);
	cp_buf_free(&p->key);
}

cp_string_id
cp_merge_part_text(struct cp_merge_part *p, const char *text)
{
	return text != NULL ? cp_run_intern(&p->m->all, text) : 0;
}

static const char *
kept_text(struct cp_merge_part *p, const char *text)
{
	return text != NULL
		   ? cp_run_string(&p->m->all, cp_merge_part_text(p, text))
		   : NULL;
}

static uint32_t *
content(struct cp_merge_part *p, struct cp_contents *of)
{
	return cp_contents_get(of, cp_buf_text(&p->key), p->key.len);
}

/* ----------------------------------------------------------------- objects */

/*
 * The file that tells of a process' code has its number in its name.  Other
 * processes run the same functions: all such code is one object.
 */
static const char *
name_of(const struct cp_run *run, const struct cp_dso *d)
{
	const char *name = cp_run_string(run, d->name);

	if (d->kind == CP_DSO_JIT ||
	    (d->kind == CP_DSO_ANON &&
		strncmp(cp_basename(name), "perf-", 5) == 0))
		return "[JIT]";
	return name;
}

static void
object_key(struct cp_merge_part *p, const struct cp_dso_info *of)
{
	const struct cp_dso *d = &of->pub;

	cp_buf_reset(&p->key);
	cp_buf_printf(&p->key, "%u %u ", d->kind, d->level);
	if (d->build_id_size != 0) {
		cp_buf_hex_of(&p->key, d->build_id, d->build_id_size);
		return;
	}
	cp_buf_str(&p->key, ": ");
	if (d->kind == CP_DSO_KERNEL) {
		/*
		 * A kernel without a build ID is known by its release, if it
		 * says where a symbol lies: another kernel has other addresses
		 * under the same name.  Any other kernel is one of its capture
		 * alone.
		 */
		const char *release = cp_run_dso_release(p->run, of->pub.id);
		const char *ref = cp_run_dso_base_name(p->run, of->pub.id);

		if (release != NULL && of->ref_addr != 0 && ref != NULL)
			cp_buf_printf(&p->key, "%s %s", release, ref);
		else
			cp_buf_printf(
			    &p->key, "%zu %" PRIu32, p->m->inputs, of->pub.id);
	}
	cp_buf_char(&p->key, ' ');
	cp_buf_str(&p->key, name_of(p->run, d));
}

/* `gen' keeps it apart from others, which are known by another key. */
static uint32_t
object_new(struct cp_merge_part *p, const struct cp_dso_info *from)
{
	struct cp_run *all = &p->m->all;
	struct cp_dso_key key = {
		.name = cp_merge_part_text(p, name_of(p->run, &from->pub)),
		.level = from->pub.level,
		.kind = from->pub.kind,
		.build_id_size = from->pub.build_id_size,
		.pid = CP_NO_ID,
		.gen = all->session.dsos.all.len + 1,
	};
	struct cp_dso_state state = cp_run_dso_state(p->run, from->pub.id);
	struct cp_dso_info *to;

	memcpy(key.build_id, from->pub.build_id, sizeof(key.build_id));
	to = cp_dsos_get(&all->session.dsos, &all->session.strings, &key);
	if (to == NULL)
		return 0;
	to->pub.runs = from->pub.runs;
	to->ref_addr = from->ref_addr;
	to->ref_name =
	    cp_merge_part_text(p, cp_run_dso_base_name(p->run, from->pub.id));
	state.path = kept_text(p, state.path);
	state.symbolizer = kept_text(p, state.symbolizer);
	state.reason = kept_text(p, state.reason);
	*cp_vec_push(&p->m->merged.object) = state;
	*cp_vec_push(&p->m->merged.release) =
	    kept_text(p, cp_run_dso_release(p->run, from->pub.id));
	*cp_vec_push(&p->m->disagree) = 0;
	return to->pub.id;
}

uint32_t
cp_merge_part_object(struct cp_merge_part *p, uint32_t dso)
{
	const struct cp_dso_info *from = cp_dsos_at(&p->run->session.dsos, dso);
	uint32_t *id;

	if (from == NULL)
		return 0;
	if (p->object[dso] != 0)
		return p->object[dso];
	object_key(p, from);
	id = content(p, &p->m->objects);
	if (*id == 0)
		*id = object_new(p, from);
	return p->object[dso] = *id;
}

/* The kernel has another address after each boot (KASLR). */
static uint64_t
address_of(struct cp_merge_part *p, uint32_t dso, uint64_t addr)
{
	const struct cp_dso_info *from = cp_dsos_at(&p->run->session.dsos, dso);
	const struct cp_dso_info *to =
	    cp_dsos_at(&p->m->all.session.dsos, cp_merge_part_object(p, dso));

	if (from == NULL || to == NULL || from->pub.kind != CP_DSO_KERNEL ||
	    from->ref_addr == 0 || to->ref_addr == 0)
		return addr;
	return addr - from->ref_addr + to->ref_addr;
}

/* Addresses of code made at run time differ from run to run. */
static bool
made_at_run_time(const struct cp_run *run, uint32_t dso)
{
	const struct cp_dso *d = cp_run_dso(run, dso);

	return d != NULL && (d->kind == CP_DSO_ANON || d->kind == CP_DSO_JIT ||
				d->kind == CP_DSO_BPF);
}

/* ----------------------------------------------------------------- symbols */

static uint32_t
symbol_new(struct cp_merge_part *p, const struct cp_symbol *from)
{
	struct cp_run *all = &p->m->all;
	struct cp_symbol *to = cp_arena_alloc(&all->arena, sizeof(*to));

	*to = (struct cp_symbol){
		.name = kept_text(p, from->name),
		.raw = kept_text(p, from->raw),
		.start = address_of(p, from->dso, from->start),
		.end = address_of(p, from->dso, from->end),
		.id = (uint32_t)p->m->symbol.len + 1,
		.dso = cp_merge_part_object(p, from->dso),
		.source = from->source,
		.trust = from->trust,
		.label = kept_text(p, from->label),
	};
	*cp_vec_push(&p->m->symbol) = to;
	return to->id;
}

static uint32_t
symbol_of(struct cp_merge_part *p, const struct cp_symbol *s)
{
	uint64_t start;
	uint32_t *id, object;

	if (s == NULL)
		return 0;
	while (p->symbol.len <= s->id)
		*cp_vec_push(&p->symbol) = 0;
	if (p->symbol.data[s->id] != 0)
		return p->symbol.data[s->id];
	object = cp_merge_part_object(p, s->dso);
	start = made_at_run_time(p->run, s->dso)
		    ? 0
		    : address_of(p, s->dso, s->start);
	cp_buf_reset(&p->key);
	cp_buf_printf(&p->key, "%" PRIu32 " %" PRIx64 " %" PRIu32 " ", object,
	    start, cp_merge_part_text(p, s->raw));
	cp_buf_str(&p->key, s->name);
	id = content(p, &p->m->symbols);
	if (*id == 0)
		*id = symbol_new(p, s);
	return p->symbol.data[s->id] = *id;
}

static const struct cp_symbol *
symbol_at(const struct cp_merge_part *p, uint32_t id)
{
	return id != 0 ? p->m->symbol.data[id - 1] : NULL;
}

/* ------------------------------------------------------------------ frames */

/* A frame of the capture, and what of it is in the union. */
struct pair {
	cp_frame_id from;
	struct cp_frame to;
	uint32_t symbol, function;
	const struct cp_spot *spots;
	size_t n_spots;
};

/* A frame's key: its place, names and lines. */
static void
frame_key(struct cp_merge_part *p, const struct pair *f)
{
	CP_VEC(uint32_t) symbols = { 0 };
	uint64_t addr = f->to.addr;
	uint32_t named = f->symbol != 0 ? f->symbol : f->function;

	if (named != 0 &&
	    made_at_run_time(p->run, cp_frame_get(p->run, f->from)->dso))
		addr = cp_frame_get(p->run, f->from)->addr -
		       (f->symbol != 0 ? cp_frame_symbol(p->run, f->from)
				       : cp_frame_function(p->run, f->from))
			   ->start;
	for (size_t i = 0; i < f->n_spots; i++)
		*cp_vec_push(&symbols) = symbol_of(p, f->spots[i].symbol);
	cp_buf_reset(&p->key);
	cp_buf_printf(&p->key,
	    "%" PRIu32 " %" PRIx64 " %u %u %" PRIu32 " %" PRIu32, f->to.dso,
	    addr, f->to.level, f->to.flags, f->symbol, f->function);
	for (size_t i = 0; i < f->n_spots; i++)
		cp_buf_printf(&p->key,
		    ";%" PRIu32 " %" PRIu32 " %" PRIu32 " %" PRIu32,
		    symbols.data[i], cp_merge_part_text(p, f->spots[i].file),
		    f->spots[i].line, f->spots[i].column);
	cp_vec_free(&symbols);
}

/* Counts places of an object with a build ID that have another name. */
static void
compare_names(struct cp_merge_part *p, const struct pair *f)
{
	const struct cp_dso *d = cp_run_dso(&p->m->all, f->to.dso);
	uint32_t *first;

	if (d == NULL || d->build_id_size == 0 || f->symbol == 0)
		return;
	cp_buf_reset(&p->key);
	cp_buf_printf(&p->key, "%" PRIu32 " %" PRIx64, f->to.dso, f->to.addr);
	first = content(p, &p->m->places);
	if (*first == 0)
		*first = f->symbol;
	else if (strcmp(symbol_at(p, *first)->name,
		     symbol_at(p, f->symbol)->name) != 0)
		p->m->disagree.data[f->to.dso - 1]++;
}

static void
copy_spots(struct cp_merge_part *p, const struct pair *f, cp_frame_id id)
{
	struct cp_run *all = &p->m->all;
	struct cp_spot *at;

	if (f->n_spots == 0)
		return;
	at = cp_arena_alloc(&all->arena, f->n_spots * sizeof(*at));
	for (size_t i = 0; i < f->n_spots; i++)
		at[i] = (struct cp_spot){
			.symbol =
			    symbol_at(p, symbol_of(p, f->spots[i].symbol)),
			.file = kept_text(p, f->spots[i].file),
			.line = f->spots[i].line,
			.column = f->spots[i].column,
		};
	cp_run_keep_spots(
	    all, id, &(struct cp_spots){ at, (uint32_t)f->n_spots });
}

/* Adds it even where one of that address has other names. */
static cp_frame_id
frame_new(struct cp_merge_part *p, const struct pair *f)
{
	struct cp_run *all = &p->m->all;
	struct cp_stacks *stacks = &all->session.stacks;
	cp_frame_id id = (cp_frame_id)stacks->frames.len;

	if (id > stacks->max) {
		stacks->over = true;
		return 0;
	}
	*cp_vec_push(&stacks->frames) = f->to;
	cp_run_reserve_names(all);
	all->named.data[id] = CP_NAMED | CP_SPOTTED;
	all->symbol.data[id] = symbol_at(p, f->symbol);
	*cp_vec_push(&p->m->merged.function) = symbol_at(p, f->function);
	*cp_vec_push(&p->m->merged.vaddr) = cp_frame_vaddr(p->run, f->from);
	copy_spots(p, f, id);
	return id;
}

static cp_frame_id
frame_of(struct cp_merge_part *p, cp_frame_id from)
{
	struct pair f = { .from = from, .to = *cp_frame_get(p->run, from) };
	uint32_t *id;

	if (from == 0 || p->frame[from] != 0)
		return p->frame[from];
	f.to.addr = address_of(p, f.to.dso, f.to.addr);
	f.symbol = symbol_of(p, cp_frame_symbol(p->run, from));
	f.function = symbol_of(p, cp_frame_function(p->run, from));
	f.to.dso = cp_merge_part_object(p, f.to.dso);
	f.n_spots = cp_frame_spots(p->run, from, &f.spots);
	compare_names(p, &f);
	frame_key(p, &f);
	id = content(p, &p->m->frames);
	if (*id == 0)
		*id = frame_new(p, &f);
	return p->frame[from] = *id;
}

/* ------------------------------------------------------------------ stacks */

void
cp_merge_part_stacks(struct cp_merge_part *p, const bool *used)
{
	const struct cp_stacks *from = &p->run->session.stacks;
	size_t n = from->nodes.len;
	bool *needed = cp_xcalloc(n, sizeof(*needed));

	memcpy(needed, used, n * sizeof(*needed));
	for (size_t i = n; i-- > 1;)
		if (needed[i])
			needed[from->nodes.data[i].parent] = true;
	for (size_t i = 1; i < n; i++) {
		const struct cp_stack_node *s = &from->nodes.data[i];

		if (needed[i])
			p->stack[i] = cp_stacks_push(&p->m->all.session.stacks,
			    p->stack[s->parent], frame_of(p, s->frame));
	}
	free(needed);
}
