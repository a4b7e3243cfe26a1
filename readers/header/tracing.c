/* SPDX-License-Identifier: MIT */
/*
 * readers/header/tracing.c: the tracing data blob.
 *
 * The blob contains text files of the recorded kernel's tracefs, each after its
 * size, so damage to one format loses that event only.  Integers are in the
 * blob's own byte order.  Texts are copied once and then cut in place: names
 * and types point into the copy.  Kernel symbols are skipped.
 */
#include "readers/header/tracing.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/limits.h"
#include "readers/header/tracing-field.h"

struct tracing {
	struct cp_tracepoints *tp;
	struct cp_diags *diags;
	struct cp_bytes b;
	/* Fields of the current format; the memory is reused. */
	CP_VEC(struct cp_tp_field) fields;
};

/* ------------------------------------------------------------ one format */

static void
bad_format(
    struct tracing *t, const char *system, const char *name, const char *reason)
{
	cp_diag(t->diags, CP_D_BAD_TRACING, "%s:%s: %s", system,
	    name != NULL && *name != '\0' ? name : "?", reason);
}

/* Cuts the text at its first newline.  Returns the text after it, or NULL. */
static char *
next_line(char *line)
{
	char *nl = strchr(line, '\n');

	if (nl == NULL)
		return NULL;
	*nl = '\0';
	return nl + 1;
}

/*
 * Reads a line of the format.  Returns NULL, or the reason why it is damaged.
 */
static const char *
format_line(struct tracing *t, struct cp_tp_event *e, char *line, bool *id)
{
	struct cp_tp_field f;
	char *s = line + strspn(line, " \t");

	if (cp_tracing_prefix(s, "name:")) {
		s += strlen("name:");
		e->name = s + strspn(s, " \t");
	} else if (cp_tracing_prefix(s, "ID:")) {
		*id = cp_tracing_number(s, "ID:", &e->id);
	} else if (cp_tracing_prefix(s, "field:")) {
		if (!cp_tracing_field(s + strlen("field:"), &f))
			return "a field is damaged";
		if (t->fields.len >= CP_MAX_TP_FIELDS)
			return "too many fields";
		*cp_vec_push(&t->fields) = f;
	} else if (*s != '\0' && !cp_tracing_prefix(s, "format:")) {
		return "a line is damaged";
	}
	return NULL;
}

/*
 * Stops at the print format, which is the last part and may have several lines.
 */
static const char *
parse_format(struct tracing *t, struct cp_tp_event *e, char *text)
{
	static const char print[] = "print fmt:";
	const char *bad = NULL, *first_bad = NULL;
	bool id = false;

	for (char *line = text, *next; line != NULL; line = next) {
		if (cp_tracing_prefix(line, print)) {
			line += strlen(print);
			cp_tracing_trim(line, line + strlen(line));
			e->print_fmt = line + strspn(line, " \t");
			break;
		}
		next = next_line(line);
		bad = format_line(t, e, line, &id);
		if (first_bad == NULL)
			first_bad = bad;
	}
	if (*e->name == '\0')
		return "it has no name";
	if (!id)
		return "it has no ID";
	return first_bad;
}

static bool
same_event(const struct cp_tp_event *a, const struct cp_tp_event *b)
{
	return strcmp(a->system, b->system) == 0 &&
	       strcmp(a->name, b->name) == 0;
}

/* Of an event that has its layout twice, or a built-in one, the first stays. */
static const char *
keep_event(struct tracing *t, struct cp_tp_event *e)
{
	size_t n = t->fields.len * sizeof(*t->fields.data);
	uint32_t *slot;

	if (t->tp->events.len >= CP_MAX_TRACEPOINTS)
		return "too many events";
	slot = cp_map64_put(&t->tp->by_id, e->id);
	if (*slot != 0 && same_event(&t->tp->events.data[*slot - 1], e))
		return NULL;
	if (*slot != 0)
		return "its ID is another event's";
	if (n != 0)
		e->fields =
		    memcpy(cp_arena_alloc(&t->tp->arena, n), t->fields.data, n);
	e->n_fields = (uint32_t)t->fields.len;
	*cp_vec_push(&t->tp->events) = *e;
	*slot = (uint32_t)t->tp->events.len;
	return NULL;
}

/* Drops a format with a damaged field: the layout is not certain. */
static void
read_format(struct tracing *t, const char *system, const uint8_t *p, size_t n)
{
	struct cp_tp_event e = {
		.system = system, .name = "", .print_fmt = ""
	};
	char *text = cp_arena_strndup(&t->tp->arena, (const char *)p, n);
	const char *bad;

	t->fields.len = 0;
	bad = parse_format(t, &e, text);
	if (bad == NULL)
		bad = keep_event(t, &e);
	if (bad != NULL)
		bad_format(t, system, e.name, bad);
}

/* -------------------------------------------------------- parts of the blob */

static void
damaged(struct tracing *t, const char *where)
{
	cp_diag(t->diags, CP_D_BAD_TRACING, "%s", where);
}

/* Reads a u64 size and the text of that size; NULL if the blob ends before. */
static const uint8_t *
sized(struct tracing *t, size_t *n)
{
	uint64_t size = cp_bytes_u64(&t->b);

	*n = (size_t)size;
	return cp_bytes_take(&t->b, *n);
}

bool
cp_tracing_starts(const uint8_t *p)
{
	return memcmp(p, "\x17\x08\x44tracing", CP_TRACING_START) == 0;
}

static bool
read_start(struct tracing *t)
{
	const uint8_t *p = cp_bytes_take(&t->b, CP_TRACING_START);
	const char *version = cp_bytes_str(&t->b);
	const uint16_t one = 1;
	bool host_is_big = *(const uint8_t *)&one == 0;

	t->tp->big_endian = cp_bytes_u8(&t->b) != 0;
	t->b.swap = t->tp->big_endian != host_is_big;
	t->tp->long_size = cp_bytes_u8(&t->b);
	t->tp->page_size = cp_bytes_u32(&t->b);
	if (t->b.failed || !cp_tracing_starts(p))
		return false;
	t->tp->version =
	    cp_arena_strndup(&t->tp->arena, version, strlen(version));
	return true;
}

/* Skips a ring-buffer header, given its name; perf's records do not need it. */
static bool
skip_named(struct tracing *t, const char *name)
{
	const char *s = cp_bytes_str(&t->b);
	size_t n;

	return s != NULL && strcmp(s, name) == 0 && sized(t, &n) != NULL;
}

static bool
skip_ftrace(struct tracing *t)
{
	uint32_t count = cp_bytes_u32(&t->b);
	size_t n;

	for (uint32_t i = 0; i < count; i++) {
		if (sized(t, &n) == NULL)
			return false;
		t->tp->n_ftrace++;
	}
	return !t->b.failed;
}

static bool
read_system(struct tracing *t)
{
	const char *name = cp_bytes_str(&t->b);
	uint32_t count = cp_bytes_u32(&t->b);

	if (t->b.failed)
		return false;
	name = cp_arena_strndup(&t->tp->arena, name, strlen(name));
	for (uint32_t i = 0; i < count; i++) {
		size_t n;
		const uint8_t *text = sized(t, &n);

		if (text == NULL) {
			bad_format(t, name, NULL, "its format is cut");
			return false;
		}
		read_format(t, name, text, n);
	}
	return true;
}

static bool
read_systems(struct tracing *t)
{
	uint32_t count = cp_bytes_u32(&t->b);

	for (uint32_t i = 0; i < count; i++)
		if (!read_system(t))
			return false;
	return !t->b.failed;
}

static bool
skip_kallsyms(struct tracing *t)
{
	t->tp->kallsyms_size = cp_bytes_u32(&t->b);
	return cp_bytes_take(&t->b, (size_t)t->tp->kallsyms_size) != NULL;
}

/* Reads `0xADDRESS : "TEXT"'. */
static void
printk_line(struct tracing *t, char *line)
{
	char *start = strchr(line, '"'), *end = strrchr(line, '"');
	uint64_t address = strtoull(line, NULL, 16);
	uint32_t *slot;
	size_t n = 0;

	t->tp->n_printk++;
	if (start == end || t->tp->printk.len >= CP_MAX_TRACEPOINTS)
		return;
	start++;
	for (char *c = start; c < end; c++) {
		bool escape = c[0] == '\\' && c + 1 < end;

		c += escape;
		start[n++] = escape && *c == 'n' ? '\n' : *c;
	}
	if (n != 0 && start[n - 1] == '\n')
		n--;
	start[n] = '\0';
	slot = cp_map64_put(&t->tp->printk_at, address);
	if (*slot != 0)
		return;
	*cp_vec_push(&t->tp->printk) = start;
	*slot = (uint32_t)t->tp->printk.len;
}

static bool
read_printk(struct tracing *t)
{
	uint32_t size = cp_bytes_u32(&t->b);
	const uint8_t *p = cp_bytes_take(&t->b, size);
	char *line, *next;

	if (p == NULL)
		return false;
	line = cp_arena_strndup(&t->tp->arena, (const char *)p, size);
	for (; *line != '\0'; line = next) {
		next = line + strcspn(line, "\n");
		if (*next == '\0')
			break;
		*next++ = '\0';
		printk_line(t, line);
	}
	return true;
}

/* Reads "PID COMM". */
static void
saved_comm(struct tracing *t, const char *line)
{
	struct cp_saved_comm c;
	uint64_t pid;

	if (!cp_tracing_number(line, "", &pid) || pid > UINT32_MAX)
		return;
	c.pid = (uint32_t)pid;
	c.comm = line + strspn(line, " \t");
	c.comm += strspn(c.comm, "0123456789");
	if (*c.comm != ' ')
		return;
	c.comm++;
	*cp_vec_push(&t->tp->comms) = c;
}

static bool
read_comms(struct tracing *t)
{
	size_t n;
	const uint8_t *p = sized(t, &n);
	char *line, *next;

	if (p == NULL)
		return false;
	line = cp_arena_strndup(&t->tp->arena, (const char *)p, n);
	for (; line != NULL; line = next) {
		next = next_line(line);
		if (t->tp->comms.len >= CP_MAX_SAVED_COMMS) {
			cp_diag(t->diags, CP_D_LIMIT, "saved command names");
			break;
		}
		saved_comm(t, line);
	}
	return true;
}

/* Reads the parts in order.  Returns the name of the part that is truncated. */
static const char *
read_parts(struct tracing *t)
{
	if (!read_start(t))
		return "they do not start as tracing data";
	if (!skip_named(t, "header_page"))
		return "header_page is damaged";
	if (!skip_named(t, "header_event"))
		return "header_event is damaged";
	if (!skip_ftrace(t))
		return "the ftrace formats are cut";
	if (!read_systems(t))
		return "the event formats are cut";
	if (!skip_kallsyms(t))
		return "the kernel symbols are cut";
	if (!read_printk(t))
		return "the printk formats are cut";
	if (strcmp(t->tp->version, "0.5") != 0 && !read_comms(t))
		return "the saved command names are cut";
	return NULL;
}

void
cp_tracing_read(
    struct cp_tracepoints *tp, struct cp_bytes blob, struct cp_diags *diags)
{
	struct tracing t = { .tp = tp, .diags = diags, .b = blob };
	const char *bad;

	if (tp->version != NULL) {
		damaged(&t, "given twice, the first are used");
		return;
	}
	if (cp_bytes_left(&blob) > CP_MAX_TRACING) {
		cp_diag(diags, CP_D_LIMIT, "tracing data: %zu bytes",
		    cp_bytes_left(&blob));
		return;
	}
	bad = read_parts(&t);
	if (bad != NULL)
		damaged(&t, bad);
	cp_vec_free(&t.fields);
}

void
cp_tracing_format(struct cp_tracepoints *tp, const char *system,
    const char *text, size_t size, struct cp_diags *diags)
{
	struct tracing t = { .tp = tp, .diags = diags };

	read_format(&t, system, (const uint8_t *)text, size);
	cp_vec_free(&t.fields);
}
