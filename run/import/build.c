/* SPDX-License-Identifier: MIT */
/*
 * build: makes the rows of an imported profile.
 *
 * A frame is known by its object, address and functions.  Functions without an
 * address start at 0: names alone tell them apart, in several profiles, too.
 */
#include "run/import/build.h"

#include "base/limits.h"
#include "symbolize/demangle/demangle.h"

/* A common divisor of this size is a period, not a coincidence. */
enum { MAX_NAME = 1 << 14, MIN_PERIOD = 1000 };

static uint32_t *
key_of(struct cp_import_keys *k, const uint64_t *words, size_t n)
{
	struct cp_hash128 h = cp_hash_words128(words, n);
	uint32_t *id;

	for (;; h.a++) {
		id = cp_map64_put(&k->map, h.a);
		if (*id == 0 || k->check.data[*id - 1] == h.b)
			break;
	}
	if (*id == 0) {
		*cp_vec_push(&k->check) = h.b;
		*id = (uint32_t)k->check.len;
	}
	return id;
}

/* Returns the number of the row, from 1; *fresh: it must be made. */
static uint32_t
row_of(struct cp_import_keys *k, const uint64_t *words, size_t n, bool *fresh)
{
	size_t before = k->check.len;
	uint32_t id = *key_of(k, words, n);

	*fresh = k->check.len != before;
	return id;
}

static cp_string_id
text_id(struct cp_import *im, struct cp_text t)
{
	size_t n = CP_MIN(t.n, MAX_NAME);
	const char *nul = n != 0 ? memchr(t.s, '\0', n) : NULL;

	if (n == 0)
		return 0;
	return cp_strings_addn(&im->run->session.strings, t.s,
	    nul != NULL ? (size_t)(nul - t.s) : n);
}

static const char *
text_of(struct cp_import *im, struct cp_text t)
{
	return cp_run_string(im->run, text_id(im, t));
}

/* ----------------------------------------------------------------- objects */

/* "[kernel.kallsyms]_text", "/boot/vmlinux-6.1" */
static bool
is_whole_kernel(struct cp_text t)
{
	struct cp_text base = t;

	for (size_t i = 0; i < t.n; i++)
		if (t.s[i] == '/')
			base = (struct cp_text){ t.s + i + 1, t.n - i - 1 };
	return cp_text_begins(t, "[kernel") || cp_text_begins(base, "vmlinux");
}

bool
cp_import_is_kernel(struct cp_text t)
{
	static const char *const no[] = { "[unknown]", "[vdso]", "[heap]",
		"[stack]", "[anon", "[vsyscall]", "[uprobes]", "[JIT]", "[vvar",
		"[vectors]", "[sigpage]", "[stack:" };

	if (is_whole_kernel(t) || cp_text_begins(t, "[guest.kernel") ||
	    cp_text_ends(t, ".ko") || cp_text_ends(t, ".ko.xz") ||
	    cp_text_ends(t, ".ko.zst") || cp_text_ends(t, ".ko.gz"))
		return true;
	if (t.n < 3 || t.s[0] != '[' || t.s[t.n - 1] != ']' ||
	    memchr(t.s, '/', t.n) != NULL)
		return false;
	for (size_t i = 0; i < CP_ARRAY_LEN(no); i++)
		if (cp_text_begins(t, no[i]))
			return false;
	return !cp_text_ends(t, ".so]") && memchr(t.s, '.', t.n) == NULL;
}

static uint8_t
kind_of(struct cp_text t)
{
	if (cp_import_is_kernel(t))
		return is_whole_kernel(t) ? CP_DSO_KERNEL : CP_DSO_MODULE;
	if (cp_text_is(t, "[vdso]"))
		return CP_DSO_VDSO;
	if (cp_text_ends(t, ".map") || cp_text_begins(t, "//anon") ||
	    cp_text_begins(t, "[") || cp_text_begins(t, "anon_inode:"))
		return CP_DSO_ANON;
	return CP_DSO_FILE;
}

uint32_t
cp_import_object_id(
    struct cp_import *im, struct cp_text name, struct cp_text build_id)
{
	struct cp_run *run = im->run;
	struct cp_dso_key key = { .kind = kind_of(name), .pid = CP_NO_ID };
	bool kernel = key.kind == CP_DSO_KERNEL, fresh;
	uint64_t words[2] = {
		text_id(im, kernel ? CP_LITERAL("[kernel.kallsyms]") : name),
		text_id(im, build_id)
	};
	struct cp_dso_info *d;
	uint32_t row;

	if (name.n == 0 || cp_text_is(name, "[unknown]"))
		return 0;
	row = row_of(&im->objects, words, 2, &fresh);
	if (!fresh)
		return im->to->object.data[row];
	key.name =
	    cp_run_intern(run, cp_tables_shown(run, CP_REDACT_PATH,
				   cp_run_string(run, (cp_string_id)words[0])));
	key.level = cp_import_is_kernel(name) ? CP_LEVEL_KERNEL : CP_LEVEL_USER;
	key.gen = row;
	key.build_id_size = (uint8_t)cp_hex_read(
	    build_id.s, build_id.n, key.build_id, sizeof(key.build_id));
	d = cp_dsos_get(&run->session.dsos, &run->session.strings, &key);
	*cp_vec_push(&im->to->object) = d != NULL ? d->pub.id : 0;
	if (d == NULL)
		return 0;
	d->pub.runs = true;
	*cp_vec_push(&im->to->merged.release) = NULL;
	*cp_vec_push(&im->to->merged.object) =
	    (struct cp_dso_state){ .symbolizer = "profile",
		    .source = CP_SOURCE_PROFILE,
		    .trust = CP_TRUST_RECORDED,
		    .reason = "as the profile has it" };
	*cp_vec_push(&im->to->said) = true;
	return d->pub.id;
}

uint32_t
cp_import_object(struct cp_import *im, struct cp_text name)
{
	return cp_import_object_id(im, name, CP_LITERAL(""));
}

/* ----------------------------------------------------------------- symbols */

/* named: it is not what stands for a name, "[libc.so]". */
static const struct cp_symbol *
symbol_of(
    struct cp_import *im, uint32_t object, struct cp_text name, bool named)
{
	uint64_t words[2] = { object, text_id(im, name) };
	struct cp_symbol *s;
	const char *raw;
	char *plain;
	bool fresh;
	uint32_t row;

	if (words[1] == 0)
		return NULL;
	row = row_of(&im->symbols, words, 2, &fresh);
	if (!fresh)
		return im->to->symbol.data[row];
	raw = cp_run_string(im->run, (cp_string_id)words[1]);
	plain = cp_demangle(raw, im->run->options->demangle);
	s = cp_arena_alloc(&im->to->arena, sizeof(*s));
	*s = (struct cp_symbol){ .name = raw,
		.raw = raw,
		.id = row,
		.dso = object,
		.source = named ? CP_SOURCE_PROFILE : CP_SOURCE_NONE,
		.trust = named ? CP_TRUST_RECORDED : CP_TRUST_NONE };
	if (plain != NULL)
		s->name =
		    cp_arena_strndup(&im->to->arena, plain, strlen(plain));
	free(plain);
	*cp_vec_push(&im->to->symbol) = cp_tables_shown_symbol(im->run, s);
	return im->to->symbol.data[row];
}

/* ------------------------------------------------------------------ frames */

static void
keep_lines(struct cp_import *im, cp_frame_id id,
    const struct cp_import_frame *f, const struct cp_symbol *const *symbol)
{
	struct cp_spot *at;
	struct cp_spots spots;

	if (f->lines < 2 && f->line[0].line == 0 && f->line[0].file.n == 0)
		return;
	at = cp_arena_alloc(&im->to->arena, f->lines * sizeof(*at));
	for (size_t i = 0; i < f->lines; i++)
		at[i] = (struct cp_spot){ .symbol = symbol[i],
			.file = f->line[i].file.n != 0
				    ? text_of(im, f->line[i].file)
				    : NULL,
			.line = f->line[i].line,
			.column = f->line[i].column };
	spots = cp_run_shown_spots(
	    im->run, f->object, (struct cp_spots){ at, (uint32_t)f->lines });
	cp_run_keep_spots(im->run, id, &spots);
}

/* What is shown of code without a name and an address. */
static const struct cp_symbol *
stand_in(struct cp_import *im, uint32_t object)
{
	const struct cp_dso *d =
	    object != 0 ? cp_run_dso(im->run, object) : NULL;
	const char *path =
	    d != NULL ? cp_run_string(im->run, d->name) : "unknown";
	struct cp_buf name;
	const struct cp_symbol *s;

	cp_buf_init(&name, MAX_NAME);
	if (path[0] == '[')
		cp_buf_str(&name, path);
	else
		cp_buf_printf(&name, "[%s]", cp_basename(path));
	s = symbol_of(im, object,
	    (struct cp_text){ cp_buf_text(&name), name.len }, false);
	cp_buf_free(&name);
	return s;
}

cp_frame_id
cp_import_frame(struct cp_import *im, const struct cp_import_frame *f)
{
	const struct cp_symbol *symbol[CP_IMPORT_LINES];
	uint64_t words[3 + 3 * CP_IMPORT_LINES];
	struct cp_frame made = {
		.addr = f->addr, .dso = f->object, .level = f->level
	};
	size_t n = 0;
	bool fresh;
	uint32_t row;

	words[n++] = (uint64_t)f->object << 32 | f->level;
	words[n++] = f->addr;
	for (size_t i = 0; i < f->lines; i++) {
		symbol[i] = symbol_of(im, f->object, f->line[i].name, true);
		if (symbol[i] == NULL && f->addr == 0)
			symbol[i] = stand_in(im, f->object);
		words[n++] = symbol[i] != NULL ? symbol[i]->id : 0;
		words[n++] = text_id(im, f->line[i].file);
		words[n++] =
		    (uint64_t)f->line[i].line << 32 | f->line[i].column;
	}
	row = row_of(&im->frames, words, n, &fresh);
	if (!fresh)
		return row;
	if (!cp_tables_frame(im->to, im->run, &made, symbol[0],
		f->addr != 0 ? f->addr : UINT64_MAX))
		return 0;
	keep_lines(im, row, f, symbol);
	return row;
}

cp_stack_id
cp_import_push(struct cp_import *im, cp_stack_id stack, cp_frame_id frame)
{
	return frame != 0 && frame < im->run->session.stacks.frames.len
		   ? cp_stacks_push(&im->run->session.stacks, stack, frame)
		   : stack;
}

/* ------------------------------------------------------ threads and events */

uint32_t
cp_import_thread(
    struct cp_import *im, uint32_t pid, uint32_t tid, struct cp_text comm)
{
	uint64_t words[2] = { (uint64_t)pid << 32 | tid, text_id(im, comm) };
	bool fresh;
	uint32_t row = row_of(&im->threads, words, 2, &fresh);

	if (fresh && !cp_tables_thread(im->to, im->run, pid, tid,
			 cp_run_string(im->run, (cp_string_id)words[1]))) {
		cp_diag(im->run->diags, CP_D_LIMIT, "CP_MAX_THREADS: threads");
		return 0;
	}
	return CP_MIN(row, (uint32_t)im->to->thread.len) - 1;
}

/* The event of that bare name. */
static struct cp_attr
attr_of(struct cp_text bare)
{
	static const struct {
		const char *name;
		uint32_t type, config;
	} known[] = {
		{ "cpu-clock", CP_TYPE_SOFTWARE, 0 },
		{ "task-clock", CP_TYPE_SOFTWARE, 1 },
		{ "page-faults", CP_TYPE_SOFTWARE, 2 },
		{ "faults", CP_TYPE_SOFTWARE, 2 },
		{ "context-switches", CP_TYPE_SOFTWARE, 3 },
		{ "cs", CP_TYPE_SOFTWARE, 3 },
		{ "cpu-migrations", CP_TYPE_SOFTWARE, 4 },
		{ "minor-faults", CP_TYPE_SOFTWARE, 5 },
		{ "major-faults", CP_TYPE_SOFTWARE, 6 },
		{ "cycles", 0, 0 },
		{ "cpu-cycles", 0, 0 },
		{ "instructions", 0, 1 },
		{ "cache-references", 0, 2 },
		{ "cache-misses", 0, 3 },
		{ "branches", 0, 4 },
		{ "branch-instructions", 0, 4 },
		{ "branch-misses", 0, 5 },
	};

	for (size_t i = 0; i < CP_ARRAY_LEN(known); i++)
		if (cp_text_is(bare, known[i].name))
			return (struct cp_attr){ .type = known[i].type,
				.config = known[i].config };
	/* "sched:sched_switch" */
	return (struct cp_attr){
		.type = memchr(bare.s, ':', bare.n) != NULL ? 2 : 4,
		.config = UINT64_C(0xffff0000)
	};
}

uint32_t
cp_import_event(
    struct cp_import *im, struct cp_text name, const char *unit, bool weighted)
{
	uint64_t words[1] = { text_id(im, name) };
	struct cp_text bare = name;
	struct cp_evsel_info *e;
	struct cp_attr attr;
	bool fresh;
	uint32_t row = row_of(&im->events, words, 1, &fresh);

	if (!fresh)
		return CP_MIN(row, (uint32_t)im->to->unit.len) - 1;
	while (bare.n > 1 && memchr("ukhHGpPSDIWebuR", bare.s[bare.n - 1], 15))
		bare.n--;
	if (bare.n == 0 || bare.s[bare.n - 1] != ':')
		bare = name;
	else
		bare.n--;
	attr = attr_of(bare);
	attr.config |= attr.type >= 2 ? row : 0;
	attr.sample_type = CP_SAMPLE_IP | CP_SAMPLE_TID | CP_SAMPLE_TIME |
			   CP_SAMPLE_CALLCHAIN | CP_SAMPLE_CPU;
	attr.sample_type |= weighted ? CP_SAMPLE_PERIOD : 0;
	attr.flags = UINT64_C(1) << CP_ATTR_FREQ; /* one that is not known */
	if (unit == NULL)
		unit = attr.type == CP_TYPE_SOFTWARE && attr.config <= 1 ? "ns"
		       : attr.type == 0 && attr.config == 0 ? "cycles"
		       : attr.type == 0 && attr.config == 1 ? "instructions"
							    : "events";
	e = cp_evsels_add(&im->run->rec.evsels, &attr, im->run->diags);
	if (e == NULL)
		return 0;
	cp_evsels_rename(&im->run->rec.evsels, e,
	    cp_run_string(im->run, (cp_string_id)words[0]));
	*cp_vec_push(&im->to->unit) = cp_tables_shown_event(im->run, e, unit);
	return row - 1;
}

/* ----------------------------------------------------------------- samples */

int
cp_import_sample(struct cp_import *im, const struct cp_tables_row *row)
{
	struct cp_tables *t = im->to;
	struct cp_evsel_info *e;

	if (row->times == 0)
		return CP_OK;
	if (t->rows.len >= CP_MAX_IMPORTED ||
	    row->times > CP_MAX_IMPORTED - im->run->quality.samples) {
		cp_diag(im->run->diags, CP_D_LIMIT,
		    "CP_MAX_IMPORTED: over %u samples", CP_MAX_IMPORTED);
		return CP_FAIL;
	}
	im->unsorted |= t->rows.len != 0 && row->time != CP_NO_TIME &&
			t->rows.data[t->rows.len - 1].time != CP_NO_TIME &&
			row->time < t->rows.data[t->rows.len - 1].time;
	*cp_vec_push(&t->rows) = *row;
	t->rows.data[t->rows.len - 1].number = (uint32_t)t->rows.len;
	im->run->quality.samples += row->times;
	e = im->run->rec.evsels.all.data[row->event];
	e->pub.samples += row->times;
	e->pub.period += row->weight * row->times;
	return CP_OK;
}

/* The greatest common divisor of the weights of an event's samples. */
static uint64_t
divisor(const struct cp_tables *t, uint32_t event)
{
	uint64_t g = 0;
	size_t n = 0;

	for (size_t i = 0; i < t->rows.len; i++) {
		uint64_t b = t->rows.data[i].weight, c;

		if (t->rows.data[i].event != event)
			continue;
		for (n++; b != 0; b = c) {
			c = g % b;
			g = b;
		}
	}
	return g >= MIN_PERIOD && n > 1 ? g : 1;
}

static void
divide(struct cp_import *im, uint32_t event, uint64_t each)
{
	struct cp_evsel_info *e = im->run->rec.evsels.all.data[event];

	for (size_t i = 0; i < im->to->rows.len; i++) {
		struct cp_tables_row *row = &im->to->rows.data[i];
		uint64_t times = row->weight / each;

		if (row->event != event)
			continue;
		e->pub.samples += times - 1;
		im->run->quality.samples += times - 1;
		row->times = (uint32_t)times;
		row->weight = each;
	}
	if (each > 1)
		cp_import_say(im,
		    "each weight is a multiple of %" PRIu64
		    ", which is taken for that of one sample",
		    each);
}

void
cp_import_divide(struct cp_import *im, bool counts)
{
	const struct cp_tables *t = im->to;

	for (uint32_t event = 0; event < t->unit.len; event++) {
		uint64_t each = divisor(t, event), n = 0;

		for (size_t i = 0; i < t->rows.len; i++)
			if (t->rows.data[i].event == event)
				n += t->rows.data[i].weight / each;
		if ((each > 1 || counts) && n <= CP_MAX_FOLDED_SAMPLES)
			divide(im, event, each);
		else if (n != 0)
			cp_import_say(im, "how many samples a weight stands "
					  "for is not known: each counts once");
	}
}

static void
keys_free(struct cp_import_keys *k)
{
	cp_map64_free(&k->map);
	cp_vec_free(&k->check);
}

void
cp_import_free(struct cp_import *im)
{
	keys_free(&im->objects);
	keys_free(&im->symbols);
	keys_free(&im->frames);
	keys_free(&im->threads);
	keys_free(&im->events);
	cp_buf_free(&im->faults);
	cp_vec_free(&im->own);
}
