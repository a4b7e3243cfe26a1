/* SPDX-License-Identifier: MIT */
/*
 * mkperf: compiles the text language of docs/mkperf.md to perf.data bytes.
 *
 * Usage: mkperf INPUT OUTPUT.  This file runs the statements; the other
 * mkperf-*.c files say what each of them means.
 */
#include "mkperf.h"

static void
do_container(struct mk *mk)
{
	const char *w = mk_need(mk, "file, pipe or stream");

	if (strcmp(w, "file") == 0)
		mk->container = MK_FILE;
	else if (strcmp(w, "pipe") == 0)
		mk->container = MK_PIPE;
	else if (strcmp(w, "stream") == 0)
		mk->container = MK_STREAM;
	else
		mk_die(mk, "unknown container %s", w);
}

static void
do_byte_order(struct mk *mk)
{
	const char *w = mk_need(mk, "little or big");

	mk->big = strcmp(w, "big") == 0;
	if (!mk->big && strcmp(w, "little") != 0)
		mk_die(mk, "unknown byte order %s", w);
}

static void
do_magic(struct mk *mk)
{
	const char *w = mk_need(mk, "PERFILE2 or PERFFILE");

	mk->v1 = strcmp(w, "PERFFILE") == 0;
	if (!mk->v1 && strcmp(w, "PERFILE2") != 0)
		mk_die(mk, "unknown magic %s", w);
}

static void
do_layout(struct mk *mk)
{
	const char *w;

	while ((w = mk_next(mk)) != NULL) {
		if (strcmp(w, "late-attrs") == 0)
			mk->late_attrs = true;
		else if (strcmp(w, "no-event-desc") == 0)
			mk->no_event_desc = true;
		else if (strcmp(w, "killed") == 0)
			mk->killed = true;
		else
			mk_die(mk, "unknown layout %s", w);
	}
	mk->header_length = mk_num(mk, "header_length", mk->header_length);
}

static void
do_header(struct mk *mk)
{
	*cp_vec_push(&mk->headers) = mk->pc;
	memset(mk->used, true, sizeof(mk->used));
}

static void
do_after(struct mk *mk)
{
	if (mk->loops != 0)
		mk_die(mk, "not inside of repeat");
	*cp_vec_push(&mk->after) = mk->pc;
	memset(mk->used, true, sizeof(mk->used));
}

static void
do_set(struct mk *mk)
{
	const char *name = mk_need(mk, "name");
	const char *value = mk_need(mk, "value");

	mk_set(mk, name, mk_expr(mk, value, strlen(value)), false);
}

static void
do_label(struct mk *mk)
{
	if (mk->compressing)
		mk_die(mk, "no labels in compressed records");
	mk_set(mk, mk_need(mk, "name"), mk->data.len, true);
}

static void
do_event_type(struct mk *mk)
{
	mk_layout(mk, &mk->event_types, "config:8 name:c64");
}

static void
do_build_id(struct mk *mk)
{
	mk_build_id(mk, mk->container != MK_FILE);
}

static void
do_build_id_record(struct mk *mk)
{
	mk_build_id(mk, true);
}

static void
do_tracing(struct mk *mk)
{
	mk->tracing.options = mk->now;
	memset(mk->used, true, sizeof(mk->used));
}

/* Jumps behind the } that belongs to the repeat at pc. */
static void
skip_block(struct mk *mk)
{
	unsigned open = 0;

	for (; mk->pc < mk->stmts.len; mk->pc++) {
		const struct mk_stmt *s = &mk->stmts.data[mk->pc];

		if (strcmp(s->word[0], "repeat") == 0)
			open++;
		else if (strcmp(s->word[0], "}") == 0 && --open == 0)
			return;
	}
	mk_die(mk, "repeat without }");
}

static void
do_repeat(struct mk *mk)
{
	const char *count = mk_need(mk, "count");
	const char *w = mk_need(mk, "as NAME or {");
	uint64_t n = mk_expr(mk, count, strlen(count));
	const char *name = "_";

	if (strcmp(w, "as") == 0) {
		name = mk_need(mk, "name");
		w = mk_need(mk, "{");
	}
	if (strcmp(w, "{") != 0)
		mk_die(mk, "{ is missing");
	if (mk->loops == MK_MAX_LOOPS)
		mk_die(mk, "too many nested repeats");
	if (n == 0) {
		skip_block(mk);
		return;
	}
	mk_set(mk, name, 0, false);
	mk->loop[mk->loops++] = (struct mk_loop){ .first = mk->pc,
		.count = n,
		.var = mk_var(mk, name, strlen(name)) };
}

static void
do_end(struct mk *mk)
{
	struct mk_loop *l;

	if (mk->loops == 0)
		mk_die(mk, "} without repeat");
	l = &mk->loop[mk->loops - 1];
	if (++l->at == l->count) {
		mk->loops--;
		return;
	}
	mk->vars.data[l->var].value = l->at;
	mk->pc = l->first;
}

static const struct {
	const char *name;
	void (*run)(struct mk *);
} verbs[] = {
	{ "container", do_container },
	{ "byte_order", do_byte_order },
	{ "magic", do_magic },
	{ "layout", do_layout },
	{ "header", do_header },
	{ "at", do_after },
	{ "truncate", do_after },
	{ "append", do_after },
	{ "set", do_set },
	{ "label", do_label },
	{ "event_type", do_event_type },
	{ "build_id", do_build_id },
	{ "build_id_record", do_build_id_record },
	{ "tracing", do_tracing },
	{ "format", mk_format },
	{ "tracing_data", mk_tracing_record },
	{ "attr", mk_attr },
	{ "feature", mk_feature },
	{ "sample", mk_sample },
	{ "raw", mk_raw },
	{ "compress", mk_compress },
	{ "repeat", do_repeat },
	{ "}", do_end },
};

static void
run_statement(struct mk *mk)
{
	const char *verb = mk->now->word[0];
	size_t i;

	memset(mk->used, false, sizeof(mk->used));
	mk->used[0] = true;
	for (i = 0; i < CP_ARRAY_LEN(verbs); i++)
		if (strcmp(verb, verbs[i].name) == 0)
			break;
	if (i < CP_ARRAY_LEN(verbs))
		verbs[i].run(mk);
	else if (!mk_record(mk, verb))
		mk_die(mk, "unknown statement %s", verb);
	mk_all_used(mk);
}

static void
write_out(struct mk *mk, const char *path)
{
	FILE *f = fopen(path, "wb");
	size_t n = mk->out.len;

	if (f == NULL || fwrite(cp_buf_text(&mk->out), 1, n, f) != n ||
	    fclose(f) != 0)
		mk_die(mk, "cannot write %s", path);
}

static struct mk mk;

int
main(int argc, char **argv)
{
	if (argc != 3) {
		fprintf(stderr, "usage: mkperf INPUT OUTPUT\n");
		return 2;
	}
	mk.path = argv[1];
	mk.header_length = 104;
	mk.chunk = 4096;
	mk.comp_type = 81;
	mk.data.max = mk.build_ids.max = mk.event_types.max = MK_MAX_FILE;
	mk.plain.max = mk.out.max = MK_MAX_FILE;
	mk_parse(&mk, argv[1]);
	while (mk.pc < mk.stmts.len) {
		mk.now = &mk.stmts.data[mk.pc++];
		run_statement(&mk);
	}
	mk_finish(&mk);
	write_out(&mk, argv[2]);
	return 0;
}
