/* SPDX-License-Identifier: MIT */
/*
 * Tracing data: formats as kernels write them, both byte orders, damage, and
 * the formats of the running kernel where they can be read.
 */
#include "readers/header/tracing.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include "tests/readers/make.h"
#include "tests/tap.h"

#define COMMON                                                                 \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n" \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"

static const char switch_format[] =
    "name: sched_switch\nID: 372\nformat:\n" COMMON
    "\tfield:char prev_comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
    "\tfield:pid_t prev_pid;\toffset:24;\tsize:4;\tsigned:1;\n"
    "\tfield:long prev_state;\toffset:32;\tsize:8;\tsigned:1;\n"
    "\nprint fmt: \"pid=%d\nstate=%s\", REC->prev_pid\n";

static const char odd_format[] =
    "name: odd\nID: 65536\nformat:\n" COMMON
    "\tfield:__data_loc char[] name;\toffset:8;\tsize:4;\tsigned:0;\n"
    "\tfield:__rel_loc char[] rel;\toffset:12;\tsize:4;\tsigned:0;\n"
    "\tfield:const char *path;\toffset:16;\tsize:8;\tsigned:0;\n"
    "\tfield:void (*func)(int, int);\toffset:24;\tsize:8;\tsigned:0;\n"
    "\tfield:u8 grid[2][(4 + 4)];\toffset:32;\tsize:16;\tsigned:0;\n"
    "\tfield:struct timespec when;\toffset:48;\tsize:16;\tsigned:0;\n"
    "\tfield:unsigned long args[];\toffset:64;\tsize:0;\tsigned:0;\n"
    "\tfield:u8 tiny;\toffset:64;\tsize:1;\n";

static struct cp_tracepoints tp;
static struct cp_diags diags;

static bool
is_event(const struct cp_tp_event *e, const char *system, const char *name)
{
	return e != NULL && strcmp(e->system, system) == 0 &&
	       strcmp(e->name, name) == 0;
}

static void
put_sized(struct make *m, const char *s)
{
	put64(m, strlen(s));
	cp_buf_str(&m->b, s);
}

static bool
host_is_big(void)
{
	const uint16_t one = 1;

	return *(const uint8_t *)&one == 0;
}

static void
put_start(struct make *m, const char *version)
{
	cp_buf_add(&m->b, "\x17\x08\x44tracing", 10);
	put_z(m, version);
	put8(m, host_is_big() != m->swap);
	put8(m, 8);
	put32(m, 4096);
	put_z(m, "header_page");
	put_sized(m, "\tfield: u64 timestamp;\toffset:0;\tsize:8;\n");
	put_z(m, "header_event");
	put_sized(m, "# compressed entry header\n");
	put32(m, 1);
	put_sized(m, "name: function\nID: 1\n");
}

static void
put_end(struct make *m, bool comms)
{
	put32(m, 0);
	put32(m, 12);
	cp_buf_str(&m->b, "0x1 : \"a\"\n\n\n");
	if (comms)
		put_sized(m, "1 systemd\n77 a b: c\nodd\n4294967296 big\n");
}

static void
feed(struct make *m)
{
	uint8_t *p = cp_xmalloc(m->b.len);

	memcpy(p, m->b.data, m->b.len);
	cp_tracepoints_free(&tp);
	cp_diags_init(&diags);
	cp_tracing_read(&tp, cp_bytes_of(p, m->b.len, false), &diags);
	free(p);
	cp_buf_free(&m->b);
}

static uint64_t
bad(void)
{
	return diags.count[CP_D_BAD_TRACING];
}

static void
put_two_systems(struct make *m)
{
	put32(m, 2);
	put_z(m, "sched");
	put32(m, 1);
	put_sized(m, switch_format);
	put_z(m, "test");
	put32(m, 1);
	put_sized(m, odd_format);
}

static void
test_blob(bool swap)
{
	struct make m = make_new(swap);
	const struct cp_tp_event *e;

	put_start(&m, "0.6");
	put_two_systems(&m);
	put_end(&m, true);
	put64(&m, 0);
	feed(&m);
	is_u64(bad(), 0, "a whole blob, swap %d", swap);
	is_str(tp.version, "0.6", "version");
	ok(tp.big_endian == (host_is_big() != swap), "byte order");
	is_u64(tp.long_size, 8, "size of long");
	is_u64(tp.page_size, 4096, "size of a page");
	is_u64(tp.n_ftrace, 1, "formats of ftrace");
	is_u64(tp.n_printk, 3, "printk formats");
	is_u64(tp.comms.len, 2, "saved names, without the lines that are none");
	is_u64(tp.comms.data[1].pid, 77, "pid");
	is_str(tp.comms.data[1].comm, "a b: c", "name with spaces");
	is_u64(tp.events.len, 2, "two events");
	e = cp_tp_find(&tp, 372);
	ok(is_event(e, "sched", "sched_switch"), "found by id");
	ok(cp_tp_find(&tp, 1) == NULL, "an id that is not there");
	is_str(e->print_fmt, "\"pid=%d\nstate=%s\", REC->prev_pid",
	    "a print format over two lines");
}

static void
is_field(const struct cp_tp_event *e, const char *name, const char *type,
    uint32_t offset, enum cp_tp_kind kind)
{
	const struct cp_tp_field *f = cp_tp_field(e, name);

	if (!ok(f != NULL, "field %s", name))
		return;
	is_str(f->type, type, "type of %s", name);
	is_u64(f->offset, offset, "offset of %s", name);
	is_u64(f->kind, kind, "kind of %s", name);
}

static void
test_fields(void)
{
	const struct cp_tp_event *s = cp_tp_find(&tp, 372);
	const struct cp_tp_event *o = cp_tp_find(&tp, 65536);

	is_u64(s->n_fields, 5, "fields of sched_switch");
	is_field(s, "common_pid", "int", 4, CP_TP_SCALAR);
	is_field(s, "prev_comm", "char", 8, CP_TP_CHARS);
	ok(cp_tp_field(s, "prev_state")->is_signed, "prev_state is signed");
	ok(cp_tp_field(s, "missing") == NULL, "no such field");
	is_u64(o->n_fields, 10, "fields of the odd one");
	is_field(o, "name", "__data_loc char[]", 8, CP_TP_DATA_LOC);
	is_field(o, "rel", "__rel_loc char[]", 12, CP_TP_REL_LOC);
	is_field(o, "path", "const char *", 16, CP_TP_SCALAR);
	is_field(o, "func", "void (*", 24, CP_TP_SCALAR);
	is_field(o, "grid", "u8", 32, CP_TP_ARRAY);
	is_field(o, "when", "struct timespec", 48, CP_TP_ARRAY);
	is_field(o, "args", "unsigned long", 64, CP_TP_ARRAY);
	is_field(o, "tiny", "u8", 64, CP_TP_SCALAR);
	is_str(o->print_fmt, "", "no print format");
}

static bool
get(const char *name, uint64_t id, const struct make *raw, size_t n,
    uint64_t *v)
{
	return cp_tp_u64(cp_tp_field(cp_tp_find(&tp, id), name),
	    (const uint8_t *)raw->b.data, n, raw->swap, v);
}

static void
test_scalars(bool swap)
{
	struct make raw = make_new(swap);
	const char *s;
	size_t n;
	uint64_t v = 0;

	put64(&raw, 0);
	cp_buf_add(&raw.b, "kworker/0:1\0\0\0\0\0", 16);
	put32(&raw, (uint32_t)-5);
	put32(&raw, 0);
	put64(&raw, 0x100);
	ok(get("prev_pid", 372, &raw, raw.b.len, &v), "a scalar, swap %d",
	    swap);
	is_u64(v, (uint64_t)-5, "... sign-extended");
	ok(get("prev_state", 372, &raw, raw.b.len, &v), "a long");
	is_u64(v, 0x100, "... its value");
	ok(!get("prev_state", 372, &raw, raw.b.len - 1, &v), "cut by one");
	ok(!get("prev_comm", 372, &raw, raw.b.len, &v), "a text is no number");
	ok(cp_tp_text(cp_tp_field(cp_tp_find(&tp, 372), "prev_comm"),
	       (const uint8_t *)raw.b.data, raw.b.len, swap, &s, &n),
	    "a text");
	ok(n == 11 && memcmp(s, "kworker/0:1", 11) == 0, "... its value");
	cp_buf_free(&raw.b);
}

static bool
text_is(const char *name, const struct make *raw, size_t size, const char *want)
{
	const char *s;
	size_t n;

	return cp_tp_text(cp_tp_field(cp_tp_find(&tp, 65536), name),
		   (const uint8_t *)raw->b.data, size, raw->swap, &s, &n) &&
	       n == strlen(want) && memcmp(s, want, n) == 0;
}

static void
test_locations(bool swap)
{
	struct make raw = make_new(swap);

	put64(&raw, 0);
	put32(&raw, 6 << 16 | 66);        /* "hello" */
	put32(&raw, 4 << 16 | (72 - 16)); /* "you", from the field's end */
	while (raw.b.len < 66)
		put8(&raw, 0xee);
	put_z(&raw, "hello");
	put_z(&raw, "you");
	ok(text_is("name", &raw, raw.b.len, "hello"), "data_loc, swap %d",
	    swap);
	ok(text_is("rel", &raw, raw.b.len, "you"), "rel_loc");
	ok(!text_is("rel", &raw, raw.b.len - 1, "you"), "... cut by one");
	ok(!text_is("name", &raw, 10, "hello"), "... cut in the field");
	cp_buf_free(&raw.b);
}

static void
test_old(void)
{
	struct make m = make_new(false);

	put_start(&m, "0.5");
	put_two_systems(&m);
	put_end(&m, false);
	feed(&m);
	is_u64(bad(), 0, "version 0.5 has no saved names");
	is_u64(tp.events.len, 2, "... its events are there");
}

/* A damaged format costs itself only. */
static void
test_damage(void)
{
	struct make m = make_new(false);

	put_start(&m, "0.6");
	put32(&m, 1);
	put_z(&m, "sched");
	put32(&m, 7);
	put_sized(&m, "name: no_id\nformat:\n");
	put_sized(&m, "ID: 7\nformat:\n");
	put_sized(&m, "name: bad\nID: 8\n\tfield:int x;\toffset:y;\tsize:4;\n");
	put_sized(&m, "name: bad\nID: 99999999999999999999\n");
	put_sized(&m, switch_format);
	put_sized(&m, switch_format); /* twice, which is no damage */
	put_sized(&m, "name: other\nID: 372\nformat:\n" COMMON);
	put_end(&m, true);
	feed(&m);
	is_u64(bad(), 5, "five of seven formats are damaged");
	is_u64(tp.events.len, 1, "... the other one is kept");
	is_str(diags.place[CP_D_BAD_TRACING][0].tail,
	    "sched:no_id: it has no ID", "... and they are named");
	is_u64(tp.comms.len, 2, "... and what follows is read");
}

/* Cut at every byte: ends, keeps what came before. */
static void
test_cut(void)
{
	struct make m = make_new(false);
	size_t most = 0, whole;
	bool said = true;

	put_start(&m, "0.6");
	put_two_systems(&m);
	put_end(&m, true);
	whole = m.b.len;
	for (size_t n = 0; n < whole; n++) {
		struct make cut = make_new(false);

		cp_buf_add(&cut.b, m.b.data, n);
		if (n == 0)
			cp_buf_add(&cut.b, "", 1);
		feed(&cut);
		most = CP_MAX(most, tp.events.len);
		said = said && bad() != 0;
	}
	is_u64(most, 2, "cut anywhere, the events before the cut are kept");
	ok(said, "... and it is always said");
	cp_buf_free(&m.b);
}

/* ------------------------------------------------- the running kernel */

/* Fields of the text, counted in another way than the reader does. */
static uint32_t
count_fields(const char *text)
{
	uint32_t n = 0;

	for (const char *s = text; (s = strstr(s, "\n\tfield:")) != NULL; s++)
		n++;
	return n;
}

static void
one_format(const char *system, const char *name, const char *text,
    unsigned *events, unsigned *wrong)
{
	struct make m = make_new(false);
	const struct cp_tp_event *e;

	put_start(&m, "0.6");
	put32(&m, 1);
	put_z(&m, system);
	put32(&m, 1);
	put_sized(&m, text);
	put_end(&m, true);
	feed(&m);
	e = tp.events.len == 1 ? &tp.events.data[0] : NULL;
	++*events;
	if (bad() == 0 && is_event(e, system, name) &&
	    e->n_fields == count_fields(text) &&
	    strstr(text, e->print_fmt) != NULL)
		return;
	++*wrong;
	diag("%s:%s is read wrongly", system, name);
}

static void
one_system(
    const char *root, const char *system, unsigned *events, unsigned *wrong)
{
	static char text[1 << 18];
	char path[1024];
	DIR *dir;

	snprintf(path, sizeof(path), "%s/%s", root, system);
	dir = opendir(path);
	for (struct dirent *d; dir != NULL && (d = readdir(dir)) != NULL;) {
		ssize_t n = -1, got = 0;
		int fd;

		snprintf(path, sizeof(path), "%s/%s/%s/format", root, system,
		    d->d_name);
		fd =
		    d->d_name[0] != '.' ? open(path, O_RDONLY | O_CLOEXEC) : -1;
		if (fd < 0)
			continue;
		while ((n = read(fd, text + got,
			    sizeof(text) - 1 - (size_t)got)) > 0)
			got += n;
		close(fd);
		text[got] = '\0';
		one_format(system, d->d_name, text, events, wrong);
	}
	if (dir != NULL)
		closedir(dir);
}

static void
test_running_kernel(void)
{
	static const char root[] = "/sys/kernel/tracing/events";
	DIR *dir = opendir(root);
	unsigned events = 0, wrong = 0;

	for (struct dirent *d; dir != NULL && (d = readdir(dir)) != NULL;)
		if (d->d_name[0] != '.')
			one_system(root, d->d_name, &events, &wrong);
	if (dir != NULL)
		closedir(dir);
	if (events == 0)
		skip("no formats of a running kernel can be read");
	else
		is_u64(wrong, 0, "%u formats of the running kernel", events);
}

int
main(void)
{
	for (int swap = 0; swap < 2; swap++) {
		test_blob(swap != 0);
		test_fields();
		test_scalars(swap != 0);
		test_locations(swap != 0);
	}
	test_old();
	test_damage();
	test_cut();
	test_running_kernel();
	cp_tracepoints_free(&tp);
	return done_testing();
}
