/* SPDX-License-Identifier: MIT */
/*
 * inlining: finds the functions inlined at frames, and expands stacks so that
 * each of them is a frame of its own.
 */
#include "run/api.h"

bool
cp_run_wants_spots(const struct cp_run *run)
{
	return run->options->inlines != CP_INLINE_NO && run->current != NULL &&
	       (run->current->wants & CP_WANT_SPOTS) != 0;
}

static void
spots_reserve(struct cp_run *run)
{
	size_t n = run->session.stacks.frames.len, had = run->spots.len;

	if (n <= had)
		return;
	cp_vec_reserve(&run->spots, n);
	memset(run->spots.data + had, 0, (n - had) * sizeof(*run->spots.data));
	run->spots.len = n;
}

/* Captures of stripped objects mostly have no spots. */
void
cp_run_keep_spots(
    struct cp_run *run, cp_frame_id frame, const struct cp_spots *spots)
{
	if (spots->n == 0)
		return;
	spots_reserve(run);
	run->spots.data[frame] = *spots;
}

void
cp_run_spot(struct cp_run *run, const cp_asked_vec *asked, bool last)
{
	CP_VEC(struct cp_inlines) batch = { 0 };
	size_t n = asked->len;
	uint64_t *addr;
	struct cp_spots *out;

	if (run->merged != NULL)
		return;
	addr = cp_xcalloc(n + 1, sizeof(*addr));
	out = cp_xcalloc(n + 1, sizeof(*out));
	for (size_t i = 0; i < n; i++) {
		const struct cp_asked *a = &asked->data[i];

		addr[i] = a->addr;
		if (i == 0 || a->dso != a[-1].dso)
			*cp_vec_push(&batch) = (struct cp_inlines){
				.dso = cp_dsos_at(&run->session.dsos, a->dso),
				.addr = addr + i,
				.out = out + i
			};
		batch.data[batch.len - 1].n++;
	}
	cp_symbols_inlines(cp_run_symbols(run), batch.data, batch.len, last);
	for (size_t i = 0; i < n; i++) {
		out[i] = cp_run_shown_spots(run, asked->data[i].dso, out[i]);
		cp_run_keep_spots(run, asked->data[i].frame, &out[i]);
	}
	free(addr);
	free(out);
	cp_vec_free(&batch);
}

void
cp_run_spot_frames(
    struct cp_run *run, const cp_frame_id *frames, size_t n, bool last)
{
	cp_asked_vec asked = { 0 };

	cp_run_collect_frames(run, frames, n, CP_SPOTTED, &asked);
	cp_run_spot(run, &asked, last);
	cp_vec_free(&asked);
}

size_t
cp_frame_spots(
    const struct cp_run *run, cp_frame_id id, const struct cp_spot **out)
{
	if (id >= run->spots.len || run->spots.data[id].n == 0)
		return 0;
	*out = run->spots.data[id].at;
	return run->spots.data[id].n;
}

void
cp_run_spots_free(struct cp_run *run)
{
	cp_vec_free(&run->spots);
	cp_vec_free(&run->inlined);
	cp_map64_free(&run->placed);
	cp_vec_free(&run->entries);
	run->entries_of = 0;
}

/* --------------------------------------------------------------- stacks */

/* Makes a frame for one spot of frame `of`, with its name. */
static cp_frame_id
spot_frame(struct cp_run *run, cp_frame_id of, uint32_t number)
{
	struct cp_stacks *all = &run->session.stacks;
	const struct cp_symbol *symbol = run->symbol.data[of];
	const struct cp_spots *p = &run->spots.data[of];
	struct cp_spot spot = p->at[number], *only;
	struct cp_frame f = all->frames.data[of];
	cp_frame_id id = (cp_frame_id)all->frames.len;

	f.flags |= number == 0 ? CP_FRAME_HOST : CP_FRAME_INLINED;
	/*
	 * The frame is not entered in the hash table, because other frames have
	 * the same address.
	 */
	*cp_vec_push(&all->frames) = f;
	cp_run_reserve_names(run);
	spots_reserve(run);
	only = cp_arena_alloc(&run->arena, sizeof(*only));
	*only = spot;
	run->symbol.data[id] = number == 0 ? symbol : spot.symbol;
	run->named.data[id] = CP_NAMED | CP_SPOTTED;
	run->spots.data[id] = (struct cp_spots){ only, 1 };
	return id;
}

/*
 * Makes the frames of all spots of a frame, once, with consecutive ids.
 * Returns the first.
 */
static cp_frame_id
spot_frames(struct cp_run *run, cp_frame_id of)
{
	uint32_t *first = cp_map64_put(&run->placed, of);
	uint32_t n = run->spots.data[of].n;

	if (*first != 0)
		return *first;
	*first = (uint32_t)run->session.stacks.frames.len;
	for (uint32_t i = 0; i < n; i++)
		spot_frame(run, of, i);
	return cp_map64_get(&run->placed, of);
}

/*
 * Pushes the frame of a stack, or the frames of its spots, onto its expanded
 * parent.  Most stacks have nothing to expand and stay what they are.
 */
static cp_stack_id
push(struct cp_run *run, cp_stack_id parent, cp_stack_id stack)
{
	struct cp_stacks *all = &run->session.stacks;
	const struct cp_stack_node node = all->nodes.data[stack];
	cp_frame_id frame = node.frame, first;
	uint32_t n;

	if (frame >= run->spots.len || run->spots.data[frame].n < 2)
		return parent == node.parent
			   ? stack
			   : cp_stacks_push(all, parent, frame);
	n = run->spots.data[frame].n;
	first = spot_frames(run, frame);
	for (uint32_t i = 0; i < n; i++)
		parent = cp_stacks_push(all, parent, first + i);
	return parent;
}

cp_stack_id
cp_stack_inlined(struct cp_run *run, cp_stack_id stack)
{
	const struct cp_stacks *all = &run->session.stacks;
	CP_VEC(cp_stack_id) path = { 0 };
	cp_stack_id s = stack, to = 0;

	if (run->options->inlines == CP_INLINE_NO || run->spots.len == 0)
		return stack;
	while (run->inlined.len < all->nodes.len)
		*cp_vec_push(&run->inlined) = 0;
	for (; s != 0 && run->inlined.data[s] == 0;
	     s = all->nodes.data[s].parent)
		*cp_vec_push(&path) = s;
	to = s != 0 ? run->inlined.data[s] : 0;
	while (path.len > 0) {
		s = path.data[--path.len];
		to = push(run, to, s);
		run->inlined.data[s] = to;
	}
	cp_vec_free(&path);
	return to;
}
