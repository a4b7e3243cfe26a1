/* SPDX-License-Identifier: MIT */
/*
 * Frames found without an unwind table: the name of the method that found them,
 * and the share of each tree node that comes from them.
 */
#include "report/section.h"

enum cp_guess
cp_frame_guess(const struct cp_frame *f)
{
	if ((f->flags & CP_FRAME_GUESSED) == 0)
		return CP_GUESS_NONE;
	if ((f->flags & CP_FRAME_LOST) != 0)
		return CP_GUESS_CALL;
	if ((f->flags & CP_FRAME_SCANNED) != 0)
		return CP_GUESS_SCAN;
	return (f->flags & CP_FRAME_EDGE) != 0 ? CP_GUESS_EDGE
					       : CP_GUESS_POINTER;
}

const char *
cp_guess_name(enum cp_guess how)
{
	static const char *const name[] = {
		[CP_GUESS_NONE] = "",
		[CP_GUESS_EDGE] = "instructions",
		[CP_GUESS_POINTER] = "frame pointer",
		[CP_GUESS_SCAN] = "stack scan",
		[CP_GUESS_CALL] = "only call",
	};

	return name[how];
}

void
cp_tree_guess(
    struct cp_tree *t, uint32_t node, enum cp_guess how, uint64_t weight)
{
	*cp_vec_push(&t->guesses) = (struct cp_guessed){ node, how, weight };
}

static int
compare_guesses(const void *va, const void *vb)
{
	const struct cp_guessed *a = va, *b = vb;

	if (a->node != b->node)
		return a->node < b->node ? -1 : 1;
	return (a->how > b->how) - (a->how < b->how);
}

void
cp_tree_guesses_finish(struct cp_tree *t)
{
	struct cp_guessed *g = t->guesses.data;
	size_t n = 0;

	if (t->guesses.len == 0)
		return;
	qsort(g, t->guesses.len, sizeof(*g), compare_guesses);
	for (size_t i = 1; i < t->guesses.len; i++) {
		if (compare_guesses(&g[n], &g[i]) == 0)
			g[n].weight += g[i].weight;
		else
			g[++n] = g[i];
	}
	t->guesses.len = n + 1;
}

const struct cp_guessed *
cp_tree_guesses(const struct cp_tree *t, uint32_t node, size_t *n)
{
	size_t lo = 0, hi = t->guesses.len, end;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (t->guesses.data[mid].node < node)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (end = lo; end < t->guesses.len; end++)
		if (t->guesses.data[end].node != node)
			break;
	*n = end - lo;
	return *n != 0 ? &t->guesses.data[lo] : NULL;
}
