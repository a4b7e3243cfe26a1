/* SPDX-License-Identifier: MIT */
/*
 * repair-tracing: tracing data for a file whose own are damaged or missing.
 *
 * perf refuses a file that has tracepoints but lacks their formats.  A killed
 * recorder has written none.  The known layouts (from the readable part of the
 * capture, from --formats, or built in) are written as texts again.  For an
 * event without a layout, the text has the fields that all events share.
 */
#include "readers/rewrite/repaired.h"

#include <ctype.h>

#include "base/buf.h"
#include "base/limits.h"
#include "readers/header/features.h"
#include "readers/header/tracing.h"
#include "readers/rewrite/put.h"

#define TYPE_TRACEPOINT 2

struct blob {
	struct cp_buf b;
	bool swap;
};

static void
put_named(struct blob *o, const char *name, const char *text)
{
	cp_buf_add(&o->b, name, strlen(name) + 1);
	cp_put64(&o->b, strlen(text), o->swap);
	cp_buf_str(&o->b, text);
}

static void
put_start(struct blob *o, const struct cp_tracepoints *tp)
{
	static const char magic[] = "\x17\x08\x44tracing0.6";
	bool known = (tp->long_size == 4 || tp->long_size == 8) &&
		     tp->page_size != 0 && tp->page_size % 4096 == 0;
	/* perf requires a page header, though its samples do not use it. */
	static const char page[] =
	    "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
	    "\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
	    "\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
	    "\tfield: char data;\toffset:16;\tsize:4080;\tsigned:1;\n";
	const uint16_t one = 1;
	bool big = (*(const uint8_t *)&one == 0) != o->swap;

	cp_buf_add(&o->b, magic, sizeof(magic));
	cp_buf_char(&o->b, big ? 1 : 0);
	cp_buf_char(&o->b, known ? (char)tp->long_size : 8);
	cp_put32(&o->b, known ? tp->page_size : 4096, o->swap);
	put_named(o, "header_page", page);
	put_named(o, "header_event", "# compressed entry header\n");
	cp_put32(&o->b, 0, o->swap); /* formats of ftrace's own events */
}

/* A blank line stands between the fields that all events share and others. */
static void
fields_text(struct cp_buf *t, const struct cp_tp_event *e)
{
	static const struct cp_tp_field common[] = {
		{ "common_type", "unsigned short", 0, 2, false, 0 },
		{ "common_flags", "unsigned char", 2, 1, false, 0 },
		{ "common_preempt_count", "unsigned char", 3, 1, false, 0 },
		{ "common_pid", "int", 4, 4, true, 0 },
	};
	bool made = e->n_fields == 0, shared = true;
	size_t n = made ? CP_ARRAY_LEN(common) : e->n_fields;

	for (size_t i = 0; i < n; i++) {
		const struct cp_tp_field *f = made ? &common[i] : &e->fields[i];

		if (shared && strncmp(f->name, "common_", 7) != 0) {
			cp_buf_char(t, '\n');
			shared = false;
		}
		cp_buf_printf(t, "\tfield:%s %s", f->type, f->name);
		if (f->kind == CP_TP_CHARS || f->kind == CP_TP_ARRAY)
			cp_buf_printf(t, "[%" PRIu32 "]", f->size);
		cp_buf_printf(t,
		    ";\toffset:%" PRIu32 ";\tsize:%" PRIu32 ";\tsigned:%d;\n",
		    f->offset, f->size, f->is_signed);
	}
	if (shared)
		cp_buf_char(t, '\n');
}

/* libtraceevent refuses other names, and perf crashes then. */
static bool
is_word(const char *s)
{
	size_t n = 0;

	while (isalnum((unsigned char)s[n]) || s[n] == '_')
		n++;
	return n != 0 && s[n] == '\0';
}

/* How a field is printed; NULL: not at all. */
static const char *
conversion(const struct cp_tp_field *f)
{
	bool text =
	    f->kind == CP_TP_CHARS ||
	    (f->kind == CP_TP_DATA_LOC && strstr(f->type, "char") != NULL);

	if (strncmp(f->name, "common_", 7) == 0 || !is_word(f->name))
		return NULL;
	if (f->kind == CP_TP_SCALAR && f->size <= 4)
		return f->is_signed ? "%d" : "%u";
	if (f->kind == CP_TP_SCALAR)
		return f->is_signed ? "%lld" : "%llu";
	return text ? "%s" : NULL;
}

/* A text that prints the fields, where the kernel's is damaged or not known. */
static void
print_text(struct cp_buf *t, const struct cp_tp_event *e)
{
	const char *space = "";

	cp_buf_char(t, '"');
	for (uint32_t i = 0; i < e->n_fields; i++) {
		const char *how = conversion(&e->fields[i]);

		if (how != NULL)
			cp_buf_printf(
			    t, "%s%s=%s", space, e->fields[i].name, how);
		space = how != NULL ? " " : space;
	}
	cp_buf_char(t, '"');
	for (uint32_t i = 0; i < e->n_fields; i++)
		if (conversion(&e->fields[i]) != NULL)
			cp_buf_printf(t,
			    e->fields[i].kind == CP_TP_DATA_LOC
				? ", __get_str(%s)"
				: ", REC->%s",
			    e->fields[i].name);
}

static void
put_event(struct blob *o, const struct cp_tp_event *e)
{
	struct cp_buf t;

	cp_buf_init(&t, CP_MAX_TRACING);
	if (is_word(e->name))
		cp_buf_printf(&t, "name: %s\n", e->name);
	else
		cp_buf_printf(&t, "name: event_%" PRIu64 "\n", e->id);
	cp_buf_printf(&t, "ID: %" PRIu64 "\nformat:\n", e->id);
	fields_text(&t, e);
	cp_buf_str(&t, "\nprint fmt: ");
	if (cp_repair_print_sound(e))
		cp_buf_str(&t, e->print_fmt);
	else
		print_text(&t, e);
	cp_buf_char(&t, '\n');
	cp_buf_add(&o->b, e->system, strlen(e->system) + 1);
	cp_put32(&o->b, 1, o->swap);
	cp_put64(&o->b, t.len, o->swap);
	cp_buf_add(&o->b, t.data, t.len);
	cp_buf_free(&t);
}

/*
 * Returns the event with its layout, or one made of the name "system:name"
 * alone, whose texts are in buf.
 */
static struct cp_tp_event
event_of(const struct cp_tracepoints *tp, const struct cp_evsel *e,
    struct cp_arena *arena)
{
	const struct cp_tp_event *known = cp_tp_find(tp, e->config);
	const char *colon = strchr(e->name, ':');
	struct cp_tp_event made = { .id = e->config, .print_fmt = "" };
	char name[48];

	if (known != NULL)
		return *known;
	snprintf(name, sizeof(name), "event_%" PRIu64, e->config);
	made.system = colon != NULL ? cp_arena_strndup(arena, e->name,
					  (size_t)(colon - e->name))
				    : "unknown";
	made.name = cp_arena_strndup(arena, colon != NULL ? colon + 1 : name,
	    strcspn(colon != NULL ? colon + 1 : name, "/: \n"));
	return made;
}

/* The first event of each id. */
static bool
is_new(const struct cp_evsels *all, size_t i)
{
	const struct cp_evsel *e = &all->all.data[i]->pub;

	if (e->type != TYPE_TRACEPOINT)
		return false;
	for (size_t k = 0; k < i; k++)
		if (all->all.data[k]->pub.type == TYPE_TRACEPOINT &&
		    all->all.data[k]->pub.config == e->config)
			return false;
	return true;
}

static size_t
count_events(const struct cp_evsels *all)
{
	size_t n = 0;

	for (size_t i = 0; i < all->all.len; i++)
		n += is_new(all, i);
	return n;
}

/* Can perf's library parse its texts? */
static bool
reads_whole(struct cp_tracepoints *tp, const struct cp_repair_feature *f,
    struct cp_diags *diags)
{
	struct cp_bytes b = cp_bytes_of(f->data, f->size, false);

	cp_tracing_read(tp, b, diags);
	for (size_t i = 0; i < tp->events.len; i++)
		if (!is_word(tp->events.data[i].name) ||
		    !cp_repair_print_sound(&tp->events.data[i]))
			return false;
	return cp_repair_page_sound(b);
}

/* Does the feature have the formats of all events? */
static bool
is_complete(const struct cp_repair *r, const struct cp_evsels *all)
{
	struct cp_diags *diags = cp_xcalloc(1, sizeof(*diags));
	struct cp_tracepoints tp = { 0 };
	bool complete = true;

	cp_diags_init(diags);
	for (size_t i = 0; i < r->features.len; i++)
		if (r->features.data[i].bit == CP_FEATURE_TRACING_DATA)
			complete =
			    reads_whole(&tp, &r->features.data[i], diags);
	for (size_t i = 0; i < all->all.len && complete; i++)
		complete =
		    all->all.data[i]->pub.type != TYPE_TRACEPOINT ||
		    cp_tp_find(&tp, all->all.data[i]->pub.config) != NULL;
	cp_tracepoints_free(&tp);
	free(diags);
	return complete;
}

void
cp_repair_tracing(struct cp_repair *r, const struct cp_recording *rec)
{
	const struct cp_evsels *all = &rec->evsels;
	struct blob o = { .swap = rec->swap };
	struct cp_arena arena = { 0 };

	if (is_complete(r, all))
		return;
	cp_buf_init(&o.b, CP_MAX_TRACING);
	put_start(&o, &rec->tracepoints);
	cp_put32(&o.b, (uint32_t)count_events(all), o.swap);
	for (size_t i = 0; i < all->all.len; i++) {
		struct cp_tp_event e;

		if (!is_new(all, i))
			continue;
		e = event_of(&rec->tracepoints, &all->all.data[i]->pub, &arena);
		put_event(&o, &e);
		r->layouts++;
	}
	cp_put32(&o.b, 0, o.swap); /* kernel symbols */
	cp_put32(&o.b, 0, o.swap); /* formats of printk */
	cp_put64(&o.b, 0, o.swap); /* names of commands */
	cp_repair_replace(
	    r, CP_FEATURE_TRACING_DATA, (uint8_t *)o.b.data, o.b.len);
	cp_buf_free(&o.b);
	cp_arena_free(&arena);
}
