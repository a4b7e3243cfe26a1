/* SPDX-License-Identifier: MIT */
/* footer: the last line of the screen. */
#include "browse/browser.h"
#include "render/common/escape.h"

/* Where the name of the cursor's function is from. */
static void
add_evidence(struct cp_buf *to, const struct cp_browser *b, uint32_t function)
{
	const struct cp_profile *p = b->model.profile;
	const struct cp_browse_function *f = &b->model.functions.data[function];
	const struct cp_profile_object *o = &p->objects.data[f->in];
	const struct cp_profile_symbol *s = &p->symbols.data[f->symbol];
	const char *source = cp_source_word(s->source),
		   *trust = cp_trust_word(s->trust);

	cp_escape_terminal(to, f->name);
	if (f->in != 0) {
		cp_buf_str(to, " in ");
		cp_escape_terminal(to, o->name != NULL ? o->name : "?");
	}
	if (f->symbol == 0)
		cp_buf_str(to, "; no file names these addresses");
	else if (f->in == 0)
		cp_buf_str(to, "; a note about the stack, not a function");
	else
		cp_buf_printf(to, "; name from %s, %s",
		    source != NULL ? source : "not known",
		    trust != NULL ? trust : "not known");
	if (o->reason != NULL) {
		cp_buf_str(to, ": ");
		cp_escape_terminal(to, o->reason);
	}
	if (o->file != NULL) {
		cp_buf_str(to, "; file ");
		cp_escape_terminal(to, o->file);
	}
	if (o->build_id_size != 0) {
		cp_buf_str(to, "; build ID ");
		cp_buf_hex_of(to, o->build_id, o->build_id_size);
	}
}

/* What the box of the cursor is. */
static void
add_box(struct cp_buf *to, const struct cp_browser *b)
{
	uint32_t node = b->boxes.len > b->at ? b->boxes.data[b->at].node : 0;
	const struct cp_browse_model *m = &b->model;

	if (node == 0)
		return;
	cp_escape_terminal(to, cp_browse_name(m, node));
	if (m->compares) {
		cp_buf_printf(to, "  before %.2f%%  after %.2f%%",
		    (double)m->before.total[node] /
			(double)CP_MAX(m->before.sum, 1) * 100,
		    cp_browse_share(m, m->total[node]) * 100);
		return;
	}
	cp_buf_printf(to, "  total %.2f%%  self %.2f%%",
	    cp_browse_share(m, m->total[node]) * 100,
	    cp_browse_share(m, m->self[node]) * 100);
}

void
cp_browser_draw_footer(struct cp_browser *b)
{
	uint32_t function = cp_browser_function(b);
	enum cp_style style = CP_STYLE_DIM;
	int columns = CP_MAX(b->terminal.columns, 2);
	struct cp_buf line;

	cp_buf_init(&line, 16384);
	if (b->typing) {
		cp_buf_printf(&line, "/%s_", b->find);
		style = CP_STYLE_ALERT;
	} else if (b->marking) {
		cp_buf_str(&line, b->mark_from == SIZE_MAX
				      ? "arrows, then Enter where the window "
					"begins; Escape ends it"
				      : "arrows, then Enter where it ends");
		style = CP_STYLE_ALERT;
	} else if (b->status[0] != '\0') {
		cp_buf_str(&line, b->status);
		style = CP_STYLE_ALERT;
	} else if (b->evidence && function != CP_NO_ID) {
		add_evidence(&line, b, function);
	} else if (b->view == CP_VIEW_FLAME) {
		add_box(&line, b);
	} else if (b->view != CP_VIEW_REPORT && !cp_view_is_of_all(b)) {
		cp_browser_command(b, &line);
	}
	if (line.len == 0)
		cp_buf_str(&line,
		    cp_view_is_text(b->view) &&
			    b->top + (size_t)cp_browser_body(b) < b->lines.len
			? "? lists the keys, q leaves; arrows and "
			  "Page Down show more"
			: "? lists the keys, q leaves");
	else if (b->find[0] != '\0' && !b->typing)
		cp_buf_printf(&line, "  [/%s]", b->find);
	/* What is cut says so: half a command is another one. */
	if (cp_text_columns(cp_buf_text(&line)) > (size_t)columns) {
		line.len = cp_text_fit(line.data, (size_t)columns - 1);
		cp_buf_str(&line, "…");
	}
	cp_terminal_put(&b->terminal, b->terminal.rows - 1, 0, columns, style,
	    cp_buf_text(&line));
	cp_buf_free(&line);
}
