/* SPDX-License-Identifier: MIT */
#include "cli/command/script/frames.h"

#include "cli/command/script/fields.h"
#include "cli/redact.h"
#include "render/common/escape.h"

#define HAS(s, name) CP_HAS_FIELD((s)->fields, name)

void
cp_frame_texts_init(
    struct cp_frame_texts *s, struct cp_cli *cli, uint32_t fields)
{
	*s = (struct cp_frame_texts){ .cli = cli, .fields = fields };
	cp_buf_init(&s->scratch, 16 << 20);
}

void
cp_frame_texts_free(struct cp_frame_texts *s)
{
	cp_buf_free(&s->scratch);
	cp_vec_free(&s->all);
	cp_arena_free(&s->arena);
}

static void
add_symbol(struct cp_frame_texts *s, struct cp_run *run, cp_frame_id id)
{
	const struct cp_symbol *sym = cp_run_symbol_recorded(run, id);
	struct cp_buf *b = &s->scratch;

	cp_buf_char(b, ' ');
	if (sym == NULL) {
		cp_buf_str(b, "[unknown]");
		return;
	}
	cp_escape_terminal(b, sym->name);
	if (HAS(s, symoff)) {
		cp_buf_str(b, "+0x");
		cp_buf_hex(b, cp_frame_get(run, id)->addr - sym->start);
	}
}

static void
add_dso(struct cp_frame_texts *s, const struct cp_run *run, cp_frame_id id)
{
	const struct cp_dso *d = cp_run_dso(run, cp_frame_get(run, id)->dso);
	struct cp_buf *b = &s->scratch;

	cp_buf_str(b, " (");
	if (d != NULL)
		cp_escape_terminal(b, cp_run_string(run, d->name));
	else
		cp_buf_str(b, "[unknown]");
	cp_buf_char(b, ')');
}

/* Prints names with the offset in the function that contains the code. */
static void
add_inlined(struct cp_frame_texts *s, struct cp_run *run, cp_frame_id id,
    const struct cp_spot *spot)
{
	const struct cp_symbol *sym = cp_run_symbol_recorded(run, id);
	const char *name = spot->symbol != NULL ? spot->symbol->name : NULL;
	size_t n = name != NULL ? strlen(name) - strlen(CP_INLINED) : 0;
	struct cp_buf *b = &s->scratch;

	cp_buf_char(b, ' ');
	cp_escape_terminal(b,
	    name == NULL ? "[unknown]" : cp_arena_strndup(&s->arena, name, n));
	if (HAS(s, symoff) && sym != NULL) {
		cp_buf_str(b, "+0x");
		cp_buf_hex(b, cp_frame_get(run, id)->addr - sym->start);
	}
	cp_buf_str(b, CP_INLINED);
}

/*
 * Adds the mark after the object, where scripts that parse perf's fields ignore
 * it.
 */
static void
add_guess(struct cp_frame_texts *s, const struct cp_run *run, cp_frame_id id)
{
	enum cp_guess how = cp_frame_guess(cp_frame_get(run, id));

	if (how != CP_GUESS_NONE)
		cp_buf_printf(&s->scratch, " [guess: %s]", cp_guess_name(how));
}

/* Prints the line as perf does: below the frame, without its folder. */
static void
add_line(struct cp_frame_texts *s, const struct cp_spot *spot)
{
	const char *slash;

	if (!s->cli->lines || spot->file == NULL)
		return;
	slash = strrchr(spot->file, '/');
	cp_buf_str(&s->scratch, "\n  ");
	cp_escape_terminal(&s->scratch, slash != NULL ? slash + 1 : spot->file);
	cp_buf_printf(&s->scratch, ":%" PRIu32, spot->line);
}

static struct cp_frame_text
text_made(struct cp_frame_texts *s)
{
	const char *text = cp_cli_redact_text(s->cli, cp_buf_text(&s->scratch));
	size_t n = strlen(text);

	return (struct cp_frame_text){
		.text = cp_arena_strndup(&s->arena, text, n), .len = n
	};
}

bool
cp_frame_texts_spots(const struct cp_frame_texts *s)
{
	return s->cli->run.inlines != CP_INLINE_NO || s->cli->lines;
}

static struct cp_frame_text
new_text(struct cp_frame_texts *s, struct cp_run *run, cp_frame_id id)
{
	const struct cp_spot *spots = NULL;
	size_t n =
	    cp_frame_texts_spots(s) ? cp_frame_spots(run, id, &spots) : 0;
	struct cp_frame_text t;

	cp_buf_reset(&s->scratch);
	if (HAS(s, sym))
		add_symbol(s, run, id);
	if (HAS(s, dso))
		add_dso(s, run, id);
	if (HAS(s, guess))
		add_guess(s, run, id);
	if (n != 0 && s->cli->run.inlines != CP_INLINE_NO)
		add_line(s, &spots[0]);
	else if (n != 0)
		add_line(s, &spots[n - 1]);
	t = text_made(s);
	if (n < 2 || !HAS(s, sym) || s->cli->run.inlines == CP_INLINE_NO)
		return t;
	t.n = (uint32_t)n - 1;
	t.inlined = cp_arena_alloc(&s->arena, t.n * sizeof(t));
	for (uint32_t i = 0; i < t.n; i++) {
		cp_buf_reset(&s->scratch);
		add_inlined(s, run, id, &spots[n - 1 - i]);
		add_line(s, &spots[n - 1 - i]);
		t.inlined[i] = text_made(s);
	}
	return t;
}

struct cp_frame_text
cp_frame_text(struct cp_frame_texts *s, struct cp_run *run, cp_frame_id id)
{
	while (s->all.len <= id)
		*cp_vec_push(&s->all) = (struct cp_frame_text){ 0 };
	if (s->all.data[id].text == NULL)
		s->all.data[id] = new_text(s, run, id);
	return s->all.data[id];
}
