/* SPDX-License-Identifier: MIT */
#include "analyses/common/frame-label.h"

#include <stdio.h>
#include <string.h>

#include "analyses/common/label.h"

#define MEMO 1024u

/*
 * A cache entry: the text of a symbol, or of an object for frames without one.
 */
struct cp_frametext_memo {
	uint64_t of; /* key of the symbol or object; 0: empty */
	cp_string_id text;
};

void
cp_frametexts_init(struct cp_frametexts *t, struct cp_run *run)
{
	*t = (struct cp_frametexts){ .run = run,
		.kernel_suffix = cp_run_option_bool(run, "kernel-suffix"),
		.guess_suffix = cp_run_option_bool(run, "guess-suffix"),
		.memo = cp_run_alloc(run, MEMO * sizeof(*t->memo)) };
}

/*
 * Writes the text of a frame without symbol: its object in one pair of
 * brackets.
 */
static void
object_text(const struct cp_run *run, uint32_t dso, char *out, size_t size)
{
	const char *object = cp_word_object(run, dso);

	if (object[0] == '[')
		snprintf(out, size, "%s", object);
	else
		snprintf(out, size, "[%s]", object);
}

/* Appends a mark to a name; "(inlined)" stays at the end. */
static cp_string_id
suffixed(struct cp_frametexts *t, const char *name, const char *suffix)
{
	static const char inlined[] = " (inlined)";
	size_t n = strlen(name), m = sizeof(inlined) - 1;
	bool is = n > m && strcmp(name + n - m, inlined) == 0;
	char text[4200];

	n = is ? n - m : n;
	snprintf(text, sizeof(text), "%.*s%s%s", (int)(n < 4100 ? n : 4100),
	    name, suffix, is ? inlined : "");
	return cp_run_intern(t->run, text);
}

static cp_string_id
new_text(struct cp_frametexts *t, uint32_t dso, const struct cp_symbol *sym,
    const char *suffix)
{
	char object[4096];
	const char *name = object;

	if (sym != NULL)
		name = sym->name;
	else
		object_text(t->run, dso, object, sizeof(object));
	return *suffix != '\0' ? suffixed(t, name, suffix)
			       : cp_run_intern(t->run, name);
}

/*
 * The cache helps: many frames have the same symbol, or no symbol and the same
 * object.
 */
static cp_string_id
text_of(struct cp_frametexts *t, cp_frame_id id)
{
	static const char *const suffix[] = { "", "_[k]", "_[g]" };
	const struct cp_frame *frame = cp_frame_get(t->run, id);
	const struct cp_symbol *sym = cp_frame_symbol(t->run, id);
	bool guessed = cp_frame_guess(frame) != CP_GUESS_NONE;
	uint64_t of =
	    sym != NULL ? (uintptr_t)sym : (uint64_t)frame->dso << 1 | 1;
	struct cp_frametext_memo *m;
	unsigned which = 0;

	t->guessed |= guessed;
	if (t->kernel_suffix && frame->level == CP_LEVEL_KERNEL)
		which = 1;
	else if (t->guess_suffix && guessed)
		which = 2;
	of |= (uint64_t)which << 62;
	m = &t->memo[of * UINT64_C(0x9e3779b97f4a7c15) >> 32 & (MEMO - 1)];
	if (m->of != of)
		*m = (struct cp_frametext_memo){ of,
			new_text(t, frame->dso, sym, suffix[which]) };
	return m->text;
}

cp_string_id
cp_frametext(struct cp_frametexts *t, cp_frame_id id)
{
	cp_grow_to(t->run, t->text, &t->text_cap, id);
	if (t->text[id] == 0)
		t->text[id] = text_of(t, id);
	return t->text[id];
}

uint32_t
cp_frametext_node(struct cp_frametexts *t, struct cp_tree *tree,
    uint32_t parent, cp_frame_id id)
{
	const struct cp_frame *frame = cp_frame_get(t->run, id);

	return cp_tree_node(tree, parent,
	    cp_run_string(t->run, cp_frametext(t, id)),
	    cp_word_object(t->run, frame->dso),
	    cp_word_kind(t->run, frame, cp_frame_symbol(t->run, id)));
}
