/* SPDX-License-Identifier: MIT */
/* jitdumps made here, in both byte orders: records, moves, damage. */
#define _GNU_SOURCE /* memfd_create */
#include <sys/mman.h>
#include <unistd.h>

#include "base/limits.h"
#include "readers/jitdump.h"
#include "tests/readers/make.h"
#include "tests/tap.h"

static struct cp_strings strings;
static struct cp_dso_info dso;
static struct cp_jit jit;
static struct cp_jitdump dump;

static void
put_header(struct make *m, uint64_t flags)
{
	const uint32_t pad = 0; /* V8 has something else there */

	put32(m, 0x4a695444);
	put32(m, 1);
	put32(m, 48); /* with something of the future */
	put32(m, 62);
	put32(m, pad);
	put32(m, 321);
	put64(m, 5);
	put64(m, flags);
	put64(m, 0);
}

static void
put_load(struct make *m, uint64_t time, uint64_t addr, uint32_t size,
    uint64_t index, const char *name)
{
	put32(m, 0);
	put32(m, 56 + (uint32_t)strlen(name) + 1 + size);
	put64(m, time);
	put32(m, 321);
	put32(m, 322);
	put64(m, addr);
	put64(m, addr);
	put64(m, size);
	put64(m, index);
	put_z(m, name);
	for (uint32_t i = 0; i < size; i++)
		put8(m, 0x90);
}

static void
put_move(struct make *m, uint64_t time, uint64_t from, uint64_t to,
    uint64_t size, uint64_t index)
{
	put32(m, 1);
	put32(m, 64);
	put64(m, time);
	put64(m, 0);
	put64(m, to);
	put64(m, from);
	put64(m, to);
	put64(m, size);
	put64(m, index);
}

static void
put_other(struct make *m, uint32_t id, uint32_t size)
{
	put32(m, id);
	put32(m, size);
	put64(m, 0);
	for (uint32_t i = 16; i < size; i++)
		put8(m, 0);
}

static bool
read_all(struct make *m, size_t len)
{
	int fd = memfd_create("dump", 0);
	bool ok;

	cp_vec_free(&jit.loads);
	cp_vec_free(&dso.symbols);
	cp_vec_free(&dso.lines);
	jit.dso = &dso;
	if (fd < 0 || write(fd, m->b.data, len) != (ssize_t)len)
		perror("memfd");
	ok = cp_jitdump_read(&dump, fd, &strings, &jit);
	close(fd);
	return ok;
}

static void
check_loads(const char *order)
{
	const struct cp_jit_load *l = jit.loads.data;

	is_u64(jit.loads.len, 3, "%s: two loads and a move", order);
	is_u64(l[0].time, 10, "%s: the time", order);
	is_u64(l[0].start, 0x1000, "%s: where it starts", order);
	is_u64(l[0].end, 0x1020, "%s: where it ends", order);
	is_u64(l[0].offset, 48 + 32 + 24 + 56 + 5, "%s: where its bytes are",
	    order);
	is_u64(l[0].lines, 48, "%s: its lines are known", order);
	is_u64(l[0].unwinding, 80, "%s: its unwinding too", order);
	is_u64(l[1].lines, 0, "%s: those of one are not the next one's", order);
	is_u64(l[2].start, 0x5000, "%s: moved", order);
	is_u64(l[2].offset, l[0].offset, "%s: the same bytes", order);
	is_u64(dso.symbols.len, 2, "%s: a move is no new name", order);
	is_str(cp_strings_get(&strings, dso.symbols.data[1].name), "two words",
	    "%s: the name", order);
	is_u64(dump.machine, 62, "%s: the machine", order);
	is_u64(dump.pid, 321, "%s: the process", order);
	is_u64(dump.bad, 0, "%s: nothing is bad", order);
}

static struct make
sound(bool swap)
{
	struct make m = make_new(swap);

	put_header(&m, 0);
	put_other(&m, 2, 32);
	put_other(&m, 4, 24);
	put_load(&m, 10, 0x1000, 0x20, 7, "four");
	put_other(&m, 99, 40); /* not known: stepped over */
	put_load(&m, 20, 0x2000, 1, 8, "two words");
	put_move(&m, 30, 0x1000, 0x5000, 0x20, 7);
	return m;
}

static void
put_lines(struct make *m, uint64_t code, const char *name, size_t bytes)
{
	put32(m, 2);
	put32(m, (uint32_t)bytes);
	put64(m, 0);
	put64(m, code);
	put64(m, 3);
	put64(m, code + 8);
	put32(m, 12);
	put32(m, 0);
	put_z(m, name);
	put64(m, code);
	put32(m, 11);
	put32(m, 0);
	put_z(m, "\xff");     /* the same file */
	put64(m, code + 100); /* not in the code */
	put32(m, 99);
	put32(m, 0);
	put_z(m, "");
}

static void
test_lines(bool swap)
{
	const size_t size = 32 + 3 * 16 + 4 + 2 + 1;
	struct make m = make_new(swap);
	const struct cp_capture_line *l;
	uint64_t code;

	put_header(&m, 0);
	put_lines(&m, 0x1000, "a.c", size);
	put_load(&m, 1, 0x1000, 16, 1, "f");
	ok(read_all(&m, m.b.len) && dump.bad == 0, "a dump with lines");
	l = dso.lines.data;
	code = jit.loads.data[0].offset;
	is_u64(dso.lines.len, 2, "those of the code are kept");
	is_u64(l[0].start, code, "in the order of addresses");
	is_u64(l[0].line, 11, "with their numbers");
	is_str(cp_strings_get(&strings, l[0].file), "a.c", "and the file");
	is_u64(l[1].start, code + 8, "the second one");
	is_u64(l[1].end, code + 16, "up to the end of the function");
	memcpy(
	    m.b.data + 16, swap ? "\xde\xad\xbe\xef" : "\xef\xbe\xad\xde", 4);
	ok(read_all(&m, m.b.len) && dso.lines.len == 0,
	    "V8 counts from a header on");
	cp_buf_free(&m.b);
	m = make_new(swap);
	put_header(&m, 0);
	put_lines(&m, 0x1040, "a.c", size);
	put_load(&m, 1, 0x1000, 16, 1, "f");
	memcpy(
	    m.b.data + 16, swap ? "\xde\xad\xbe\xef" : "\xef\xbe\xad\xde", 4);
	ok(read_all(&m, m.b.len) && dso.lines.len == 2, "which is taken off");
	is_u64(dso.lines.data[0].start, jit.loads.data[0].offset,
	    "the first line begins with the code");
	cp_buf_free(&m.b);
	m = make_new(swap);
	put_header(&m, 0);
	put_lines(&m, 0x1000, "a.c", size - 20); /* cuts the last one */
	put_load(&m, 1, 0x1000, 16, 1, "f");
	ok(read_all(&m, m.b.len) && dump.bad != 0 && dso.lines.len <= 2,
	    "lines that do not fit their record");
	cp_buf_free(&m.b);
}

/* As LLVM writes: all lines first, counted from after a header, no mark. */
static void
put_lines_llvm(struct make *m, uint64_t code, uint32_t line)
{
	put32(m, 2);
	put32(m, 32 + 2 * (16 + 4));
	put64(m, 0);
	put64(m, code);
	put64(m, 2);
	for (uint32_t i = 0; i < 2; i++) {
		put64(m, code + 0x40 + 8 * i);
		put32(m, line + i);
		put32(m, 5); /* no column */
		put_z(m, "l.c");
	}
}

static void
test_lines_llvm(bool swap)
{
	struct make m = make_new(swap);
	const struct cp_capture_line *l;

	put_header(&m, 0);
	put_lines_llvm(&m, 0x1000, 11);
	put_lines_llvm(&m, 0x2000, 21);
	put_load(&m, 1, 0x1000, 16, 1, "f");
	put_load(&m, 1, 0x3000, 16, 2, "without");
	put_load(&m, 1, 0x2000, 0x80, 3, "g");
	put_move(&m, 30, 0x2000, 0x5000, 0x80, 3);
	ok(read_all(&m, m.b.len) && dump.bad == 0, "lines ahead of all code");
	is_u64(dso.lines.len, 4, "each function has its lines");
	l = dso.lines.data;
	is_u64(l[0].start, jit.loads.data[0].offset, "from its start on");
	is_u64(l[0].line, 11, "the number");
	is_u64(l[0].column, 0, "of no column");
	is_u64(l[2].start, jit.loads.data[2].offset, "the other's, too");
	is_u64(l[2].line, 21, "its number");
	is_u64(l[3].end - l[3].start, 0x78, "up to its end");
	cp_buf_free(&m.b);
}

static void
test_cuts(void)
{
	struct make m = sound(false);
	size_t got = 0, kept = 0;

	for (size_t n = 0; n < m.b.len; n++)
		if (read_all(&m, n)) {
			got++;
			kept = CP_MAX(kept, jit.loads.len);
			if (jit.loads.len > 3 || dump.bad > 1)
				ok(false, "cut at %zu", n);
		}
	is_u64(got, m.b.len - 48, "a cut dump is read from its header on");
	is_u64(kept, 2, "up to the last whole record");
	cp_buf_free(&m.b);
}

/* Code that replaces other code, in a record that is cut off. */
static void
test_cut_load(void)
{
	const size_t fixed = 56, name = sizeof("new"), code = 32;
	struct make m = make_new(false);
	size_t before;
	bool gone = true, named = true;

	put_header(&m, 0);
	put_load(&m, 1, 0x1000, code, 1, "old");
	before = m.b.len;
	put_load(&m, 2, 0x1000, code, 2, "new");
	for (size_t n = before + 48; n < m.b.len; n++) {
		bool whole = n >= before + fixed + name;

		ok(read_all(&m, n) && dump.bad == 1, "cut at %zu", n - before);
		gone &= jit.loads.len == 2 && jit.loads.data[1].time == 2 &&
			jit.loads.data[1].start == 0x1000 &&
			jit.loads.data[1].end == 0x1000 + code;
		named &= dso.symbols.len == (whole ? 2 : 1);
	}
	ok(gone, "a load that is cut off replaces what was there");
	ok(named, "it has a name if that is whole");
	cp_buf_free(&m.b);
}

static void
test_long_name(void)
{
	struct make m = make_new(false);
	char name[CP_MAX_JIT_NAME + 100];

	/* The last byte within the limit is the second of a character. */
	memset(name, 'x', sizeof(name));
	memcpy(&name[CP_MAX_JIT_NAME - 2], "\xc3\xbc", 2);
	name[sizeof(name) - 1] = '\0';
	put_header(&m, 0);
	put_load(&m, 1, 0x1000, 16, 1, name);
	ok(read_all(&m, m.b.len) && dump.bad == 0 && jit.loads.len == 1,
	    "a name over the limit");
	is_u64(strlen(cp_strings_get(&strings, dso.symbols.data[0].name)),
	    CP_MAX_JIT_NAME - 2, "is cut between characters");
	cp_buf_free(&m.b);
}

/* The name's last byte is that before the code. */
static void
test_cut_name(void)
{
	struct make m = make_new(false);

	put_header(&m, 0);
	put_load(&m, 1, 0x1000, 16, 1, "Interpreter:whole");
	ok(read_all(&m, m.b.len) && dump.bad == 0, "a name that is whole");
	m.b.data[48 + 56 + 4] = 0;
	ok(read_all(&m, m.b.len) && dump.bad == 1, "a zero in a name is said");
	memset(m.b.data + 48 + 56 + 4, 0, strlen("Interpreter:whole") - 4);
	ok(read_all(&m, m.b.len) && dump.bad == 0, "a name may be padded");
	cp_buf_free(&m.b);
}

static void
test_bad(void)
{
	struct make m = make_new(false);

	put_header(&m, 0);
	put_load(&m, 1, 0x1000, 16, 1, ""); /* no name */
	put_load(&m, 1, UINT64_MAX - 3, 16, 2, "over the end");
	put_move(&m, 2, 0x1000, 0x2000, 16, 77); /* of nothing */
	put_load(&m, 3, 0x3000, 16, 3, "good");
	put_move(&m, 4, 0x3000, 0x4000, 17, 3); /* more than there is */
	put_move(&m, 4, 0x3001, 0x4000, 8, 3);  /* from elsewhere */
	put_other(&m, 3, 16);                   /* the end */
	put_load(&m, 5, 0x5000, 16, 4, "behind the end");
	ok(read_all(&m, m.b.len), "a dump with bad records is read");
	is_u64(dump.bad, 5, "they are counted");
	is_u64(jit.loads.len, 2, "and not used");
	is_u64(dso.symbols.len, 1, "but code without a name takes its place");
	m.b.data[48 + 4] = 8; /* a record smaller than its head */
	ok(read_all(&m, m.b.len), "a size that cannot be ends the reading");
	is_u64(jit.loads.len, 0, "at that record");
	m.b.data[0] = 'x';
	ok(!read_all(&m, m.b.len), "another magic is no jitdump");
	cp_buf_free(&m.b);
	m = make_new(false);
	put_header(&m, 1);
	ok(read_all(&m, m.b.len) && dump.arch_time,
	    "times of the CPU's counter are told");
	cp_buf_free(&m.b);
	m = make_new(false);
	put_header(&m, 3);
	ok(read_all(&m, m.b.len) && !dump.arch_time && dump.flags == 3,
	    "with flags not known, none counts");
	cp_buf_free(&m.b);
}

int
main(void)
{
	struct make m = sound(false), other = sound(true);

	ok(read_all(&m, m.b.len), "a dump in our byte order is read");
	check_loads("ours");
	ok(read_all(&other, other.b.len), "and one in the other");
	check_loads("other");
	test_lines(false);
	test_lines(true);
	test_lines_llvm(false);
	test_lines_llvm(true);
	test_cuts();
	test_cut_load();
	test_long_name();
	test_cut_name();
	test_bad();
	cp_buf_free(&m.b);
	cp_buf_free(&other.b);
	cp_vec_free(&jit.loads);
	cp_vec_free(&dso.symbols);
	cp_vec_free(&dso.lines);
	cp_strings_free(&strings);
	return done_testing();
}
