/* SPDX-License-Identifier: MIT */
/*
 * Symbols of ELF files: every class and byte order, the terms of addresses,
 * damage; and whole libraries of this machine against nm and readelf.
 */
#define _GNU_SOURCE /* popen */
#include <elf.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/elf.h" /* its numbers are those of <elf.h>, or this fails */
#include "symbolize/elf/symbols.h"
#include "tests/symbolize/makeelf.h"
#include "tests/symbolize/symbol-at.h"
#include "tests/tap.h"

#define FUNC ELF64_ST_INFO(STB_GLOBAL, STT_FUNC)
#define DATA ELF64_ST_INFO(STB_GLOBAL, STT_OBJECT)
#define LABEL ELF64_ST_INFO(STB_LOCAL, STT_NOTYPE)

static const struct make_symbol symbols[] = {
	{ "first", LOAD_ADDR + 0x100, 0x20, FUNC, MAKE_TEXT },
	{ "label", LOAD_ADDR + 0x180, 0, LABEL, MAKE_TEXT },
	{ "table", LOAD_ADDR + 0x200, 0x10, DATA, MAKE_TEXT },
	{ "absolute", LOAD_ADDR + 0x210, 0x10, FUNC, SHN_ABS },
	{ "undefined", LOAD_ADDR + 0x220, 0x10, FUNC, SHN_UNDEF },
	{ "not_loaded", LOAD_ADDR + 0x230, 0x10, FUNC, MAKE_STRTAB },
	{ "no_section", LOAD_ADDR + 0x240, 0x10, FUNC, 999 },
	{ "$x", LOAD_ADDR + 0x104, 0, LABEL, MAKE_TEXT },
};

static bool
load(struct cp_symtab *t, struct cp_elf *elf, const struct make_elf *m,
    enum cp_elf_terms terms)
{
	struct cp_elf_view v = { .runtime = elf, .terms = terms };
	uint8_t *copy = cp_xmalloc(m->size);

	memcpy(copy, m->data, m->size);
	*t = (struct cp_symtab){ 0 };
	if (!cp_elf_init(
		elf, (struct cp_content){ .data = copy, .size = m->size }))
		return false;
	cp_elf_add_table(t, elf, &v, SHT_SYMTAB);
	cp_elf_add_plt(t, &v);
	cp_symtab_index(t);
	return true;
}

static void
test_kinds(bool wide, bool big)
{
	struct make_elf m = { .wide = wide,
		.big = big,
		.type = ET_EXEC,
		.machine = big ? EM_AARCH64 : EM_ARM,
		.symbols = symbols,
		.n = CP_ARRAY_LEN(symbols) };
	const char *what = wide  ? big ? "ELF64 big" : "ELF64 little"
			   : big ? "ELF32 big"
				 : "ELF32 little";
	struct cp_symtab t;
	struct cp_elf elf;

	make_elf(&m);
	if (!ok(load(&t, &elf, &m, CP_TERMS_OFFSET), "%s: opened", what))
		return;
	is_u64(t.all.len, 3, "%s: symbols that count", what);
	is_str(at(&t, LOAD_OFFSET + 0x11f), "first", "%s: function", what);
	is_str(at(&t, LOAD_OFFSET + 0x120), NULL, "%s: its end", what);
	is_str(at(&t, LOAD_OFFSET + 0x1ff), "label", "%s: label", what);
	is_str(at(&t, LOAD_OFFSET + 0x20f), "table", "%s: object", what);
	is_u64(elf.build_id_size, 8, "%s: size of the build ID", what);
	ok(memcmp(elf.build_id, "\1\2\3\4\5\6\7\10", 8) == 0,
	    "%s: the build ID", what);
	cp_symtab_free(&t);
	cp_elf_free(&elf);
	free(m.data);
}

/* Puts the counts that 16 bits may not hold where their escapes send readers.
 */
static void
move_counts(struct make_elf *m, uint64_t sections)
{
	size_t end = m->size, w = m->wide ? 8 : 4, head = m->wide ? 56 : 44;

	m->size = head;
	make_put(m, PN_XNUM, 2);
	make_put(m, m->wide ? 64 : 40, 2);
	make_put(m, 0, 2);
	make_put(m, SHN_XINDEX, 2);
	m->size = end - (size_t)MAKE_SECTIONS * (m->wide ? 64 : 40) + 8 + 3 * w;
	make_word(m, sections);
	make_put(m, MAKE_STRTAB, 4); /* of their names */
	make_put(m, 1, 4);           /* segments */
	m->size = end;
}

static void
test_counts(bool wide, bool big)
{
	struct make_elf m = { .wide = wide,
		.big = big,
		.type = ET_EXEC,
		.machine = EM_X86_64,
		.symbols = symbols,
		.n = CP_ARRAY_LEN(symbols) };
	struct cp_symtab t;
	struct cp_elf elf;

	make_elf(&m);
	move_counts(&m, MAKE_SECTIONS);
	load(&t, &elf, &m, CP_TERMS_OFFSET);
	is_u64(
	    elf.sections.len, MAKE_SECTIONS, "sections counted in the first");
	is_u64(elf.loads.len, 1, "and segments");
	ok(strcmp(elf.sections.data[MAKE_STRTAB].name, "") != 0 && !elf.cut,
	    "and where their names are");
	cp_symtab_free(&t);
	cp_elf_free(&elf);
	move_counts(&m, MAKE_SECTIONS + 1);
	load(&t, &elf, &m, CP_TERMS_OFFSET);
	is_u64(elf.sections.len, 1, "a table that is cut counts as none");
	cp_symtab_free(&t);
	cp_elf_free(&elf);
	free(m.data);
}

static void
test_relocatable(void)
{
	static const struct make_symbol s[] = {
		{ "in_module", 0x40, 0x10, FUNC, MAKE_TEXT },
	};
	struct make_elf m = { .wide = true,
		.type = ET_REL,
		.machine = EM_X86_64,
		.symbols = s,
		.n = 1 };
	struct cp_symtab t;
	struct cp_elf elf;

	make_elf(&m);
	load(&t, &elf, &m, CP_TERMS_MODULE);
	is_str(at(&t, 0x4f), "in_module", "ET_REL: counted from .text");
	cp_symtab_free(&t);
	cp_elf_free(&elf);
	load(&t, &elf, &m, CP_TERMS_OFFSET);
	is_u64(elf.loads.len, 0, "ET_REL: no load segment");
	is_str(at(&t, LOAD_OFFSET + 0x140), "in_module",
	    "without segments the section decides");
	cp_symtab_free(&t);
	cp_elf_free(&elf);
	free(m.data);
}

/* Starts are sorted before there are entries, if 32 bits are enough. */
static void
test_far(void)
{
	static const struct make_symbol s[] = {
		{ "far", UINT64_C(0x7f0000000000), 8, FUNC, MAKE_TEXT },
		{ "near", LOAD_ADDR + 0x108, 0, FUNC, MAKE_TEXT },
		{ "first", LOAD_ADDR + 0x100, 0, FUNC, MAKE_TEXT },
	};
	struct make_elf m = { .wide = true,
		.type = ET_EXEC,
		.machine = EM_X86_64,
		.symbols = s };
	struct cp_symtab t;
	struct cp_elf elf;

	for (m.n = 3; m.n > 1; m.n--, m.symbols++) {
		make_elf(&m);
		load(&t, &elf, &m, CP_TERMS_IMAGE);
		is_str(at(&t, LOAD_ADDR + 0x107), "first", "one of %zu", m.n);
		is_str(at(&t, LOAD_ADDR + 0x108), "near", "the next");
		is_str(at(&t, UINT64_C(0x7f0000000007)),
		    m.n == 3 ? "far" : NULL, "far away");
		cp_symtab_free(&t);
		cp_elf_free(&elf);
		free(m.data);
	}
}

static void
test_strings(void)
{
	struct make_elf m = { .wide = true,
		.type = ET_EXEC,
		.no_nul = true,
		.machine = EM_X86_64,
		.symbols = symbols,
		.n = 3 };
	struct cp_symtab t;
	struct cp_elf elf;

	make_elf(&m);
	load(&t, &elf, &m, CP_TERMS_OFFSET);
	is_u64(t.all.len, 2, "a name without its NUL is left out");
	is_str(at(&t, LOAD_OFFSET + 0x100), "first", "the others stay");
	cp_symtab_free(&t);
	cp_elf_free(&elf);
	free(m.data);
}

/* Every length of the file, and every byte of its headers damaged. */
static void
test_damage(void)
{
	struct make_elf m = { .wide = true,
		.type = ET_EXEC,
		.machine = EM_X86_64,
		.symbols = symbols,
		.n = CP_ARRAY_LEN(symbols) };
	struct cp_symtab t;
	struct cp_elf elf;
	size_t full, opened = 0;

	make_elf(&m);
	full = m.size;
	for (m.size = 0; m.size < full; m.size += 1 + m.size / 64)
		if (load(&t, &elf, &m, CP_TERMS_OFFSET)) {
			opened++;
			cp_symtab_free(&t);
			cp_elf_free(&elf);
		}
	ok(opened > 0, "cut files: %zu are opened as far as they go", opened);
	m.size = full;
	for (size_t i = 0; i < full; i = i == 200 ? 0x2000 : i + 1) {
		uint8_t old = m.data[i];

		m.data[i] ^= 0xff;
		if (load(&t, &elf, &m, CP_TERMS_OFFSET)) {
			cp_symtab_free(&t);
			cp_elf_free(&elf);
		}
		m.data[i] = old;
	}
	ok(true, "every byte of headers and tables damaged");
	free(m.data);
}

/* ---------------------------------------- real files, other tools */

struct real {
	struct cp_elf elf;
	struct cp_symtab tab;
};

static bool
open_real(struct real *r, const char *path)
{
	struct cp_elf_view v = { .terms = CP_TERMS_OFFSET };
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	*r = (struct real){ 0 };
	if (!cp_elf_open(&r->elf, fd))
		return false;
	v.runtime = &r->elf;
	cp_elf_add_table(&r->tab, &r->elf, &v, SHT_SYMTAB);
	cp_elf_add_table(&r->tab, &r->elf, &v, SHT_DYNSYM);
	cp_elf_add_plt(&r->tab, &v);
	cp_symtab_index(&r->tab);
	return true;
}

struct segment {
	uint64_t offset, vaddr, size;
};

static size_t
read_segments(const char *path, struct segment *s, size_t max)
{
	char command[4200], line[512];
	size_t n = 0;
	FILE *f;

	snprintf(command, sizeof(command), "readelf -lW '%s' 2>&1", path);
	f = popen(command, "r");
	while (f != NULL && fgets(line, sizeof(line), f) != NULL && n < max)
		n += sscanf(line, " LOAD %" SCNx64 " %" SCNx64 " %*x %" SCNx64,
			 &s[n].offset, &s[n].vaddr, &s[n].size) == 3;
	if (f != NULL)
		pclose(f);
	return n;
}

/* That the symbol nm prints is found where readelf says it is mapped. */
static bool
agrees(struct real *r, const struct segment *s, size_t n, uint64_t addr)
{
	size_t hint = 0;

	for (size_t i = 0; i < n; i++) {
		uint64_t offset = addr - s[i].vaddr + s[i].offset;
		uint32_t e;

		if (addr < s[i].vaddr || addr - s[i].vaddr >= s[i].size)
			continue;
		e = cp_symtab_find(&r->tab, offset, &hint);
		return e != CP_NO_ENTRY && r->tab.all.data[e].start == offset;
	}
	return false;
}

static void
test_against_nm(const char *path, const char *option)
{
	char command[4200], line[4096], kind;
	struct segment s[32];
	size_t n = read_segments(path, s, CP_ARRAY_LEN(s));
	uint64_t addr, size, seen = 0, wrong = 0;
	struct real r;
	FILE *f;

	snprintf(command, sizeof(command), "nm -S --defined-only %s '%s' 2>&1",
	    option, path);
	f = popen(command, "r");
	if (f == NULL || n == 0 || !open_real(&r, path)) {
		skip("no nm or readelf, or no %s", path);
		if (f != NULL)
			pclose(f);
		return;
	}
	while (fgets(line, sizeof(line), f) != NULL) {
		if (sscanf(line, "%" SCNx64 " %" SCNx64 " %c", &addr, &size,
			&kind) != 3 ||
		    strchr("Tti", kind) == NULL)
			continue;
		seen++;
		if (!agrees(&r, s, n, addr) && wrong++ == 0)
			diag("%s", line);
	}
	pclose(f);
	if (seen == 0)
		skip("%s has no such symbols", path);
	else
		is_u64(wrong, 0, "%" PRIu64 " functions of %s as nm%s", seen,
		    path, option);
	cp_symtab_free(&r.tab);
	cp_elf_free(&r.elf);
}

/* The files that this process runs from. */
static void
test_own_files(void)
{
	FILE *f = fopen("/proc/self/maps", "re");
	char line[4600], path[4096], last[4096] = "";

	while (f != NULL && fgets(line, sizeof(line), f) != NULL) {
		if (sscanf(line, "%*s r-xp %*s %*s %*s %4095[^\n]", path) !=
			1 ||
		    path[0] != '/' || strcmp(path, last) == 0)
			continue;
		test_against_nm(path, "");
		test_against_nm(path, " -D");
		memcpy(last, path, sizeof(last));
	}
	if (f != NULL)
		fclose(f);
}

int
main(void)
{
	test_kinds(true, false);
	test_kinds(true, true);
	test_kinds(false, false);
	test_kinds(false, true);
	test_counts(true, false);
	test_counts(true, true);
	test_counts(false, false);
	test_counts(false, true);
	test_relocatable();
	test_far();
	test_strings();
	test_damage();
	test_own_files();
	return done_testing();
}
