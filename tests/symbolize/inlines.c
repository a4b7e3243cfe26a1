/* SPDX-License-Identifier: MIT */
/*
 * inlines FILE: answers addresses from standard input, one in hexadecimal a
 * line, in the form of `llvm-symbolizer --inlines`: for each address the
 * functions, innermost first, each with file:line:column, and an empty line.
 * Names are as in the file.  With -q nothing is printed; -1 asks for one
 * address after the other, -j N by so many threads; -c CACHE keeps the answers
 * in that file and takes them from there.
 */
#include <fcntl.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "symbolize/dwarf/dwarf.h"
#include "symbolize/inlines/inline-cache.h"
#include "base/safe-file.h"

struct asked {
	uint64_t addr;
	size_t line;
};

static int
by_address(const void *a, const void *b)
{
	const struct asked *x = a, *y = b;

	return (x->addr > y->addr) - (x->addr < y->addr);
}

/* ------------------------------------------------------- other files */

static const char *main_path;
static bool singly;
static unsigned threads = 1;

static bool
open_path(const char *path, struct cp_elf *out)
{
	return cp_elf_open(out, open(path, O_RDONLY | O_CLOEXEC));
}

static bool
open_dwp(void *arg, unsigned n, struct cp_elf *out)
{
	char path[4200];

	snprintf(path, sizeof(path), "%s.dwp", main_path);
	return n == 0 && open_path(path, out);
}

static bool
open_dwo(void *arg, const char *path, unsigned n, struct cp_elf *out)
{
	return n == 0 && open_path(path, out);
}

static struct cp_elf main_elf, alt_elf;

/* By the path that dwz wrote, or beside the file. */
static const struct cp_elf *
find_alt(void *arg)
{
	struct cp_bytes link = cp_elf_bytes(
	    &main_elf, cp_elf_section(&main_elf, ".gnu_debugaltlink"));
	const char *name = cp_bytes_str(&link), *slash, *last;
	char path[8400];

	if (name == NULL)
		return NULL;
	if (open_path(name, &alt_elf))
		return &alt_elf;
	slash = strrchr(main_path, '/');
	last = strrchr(name, '/');
	snprintf(path, sizeof(path), "%.*s/%s",
	    slash != NULL ? (int)(slash - main_path) : 1,
	    slash != NULL ? main_path : ".", last != NULL ? last + 1 : name);
	return open_path(path, &alt_elf) ? &alt_elf : NULL;
}

/* ------------------------------------------------------------- output */

static struct cp_strings texts;

static struct cp_buf printed; /* printf would take longer than the answers */

static void
print_frame(const struct cp_dwarf_frame *f)
{
	const char *name = cp_strings_get(&texts, f->name);
	const char *file = cp_strings_get(&texts, f->file);

	cp_buf_str(&printed, *name != '\0' ? name : "??");
	cp_buf_char(&printed, '\n');
	cp_buf_str(&printed, *file != '\0' ? file : "??");
	cp_buf_char(&printed, ':');
	cp_buf_u64(&printed, f->line);
	cp_buf_char(&printed, ':');
	cp_buf_u64(&printed, f->column);
	cp_buf_char(&printed, '\n');
}

static void
print_place(const struct cp_dwarf_result *r, const struct cp_dwarf_place *p)
{
	for (uint32_t i = p->n; i > 0; i--)
		print_frame(&r->frames.data[p->first + i - 1]);
	if (p->n == 0)
		cp_buf_str(&printed, "\?\?\n\?\?:0:0\n");
	cp_buf_char(&printed, '\n');
	if (printed.len > 1u << 16) {
		fwrite(printed.data, 1, printed.len, stdout);
		cp_buf_reset(&printed);
	}
}

/* ------------------------------------------------------------ answers */

typedef CP_VEC(struct asked) asked_vec;

static void
read_addresses(asked_vec *asked)
{
	char line[64];

	while (fgets(line, sizeof(line), stdin) != NULL) {
		uint64_t addr = strtoull(line, NULL, 16);
		size_t n = asked->len;

		*cp_vec_push(asked) = (struct asked){ addr, n };
	}
	if (asked->len != 0)
		qsort(
		    asked->data, asked->len, sizeof(*asked->data), by_address);
}

static int
ask_dwarf(const asked_vec *asked, struct cp_dwarf_result *r,
    struct cp_dwarf_place *out)
{
	const struct cp_dwarf_files files = {
		.alt = find_alt, .dwo = open_dwo, .dwp = open_dwp
	};
	struct cp_dwarf *d;
	uint64_t *addr = cp_xcalloc(asked->len + 1, sizeof(*addr));

	if (!open_path(main_path, &main_elf) ||
	    (d = cp_dwarf_open(&main_elf, &files)) == NULL)
		return 3;
	for (size_t i = 0; i < asked->len; i++)
		addr[i] = asked->data[i].addr;
	for (size_t i = 0, n = singly ? 1 : asked->len; i < asked->len; i += n)
		cp_dwarf_lookup_by(d, threads, addr + i, n, r, out + i);
	for (size_t i = 0; i < r->frames.len; i++) {
		struct cp_dwarf_frame *f = &r->frames.data[i];

		f->name = cp_strings_add(&texts, cp_dwarf_string(d, f->name));
		f->file = cp_strings_add(&texts, cp_dwarf_string(d, f->file));
	}
	cp_dwarf_free(d);
	cp_elf_free(&main_elf);
	cp_elf_free(&alt_elf);
	free(addr);
	return 0;
}

/* All of them from the cache, or else all into it. */
static int
ask(struct cp_inlcache *c, const asked_vec *asked, struct cp_dwarf_result *r,
    struct cp_dwarf_place *out)
{
	size_t i = 0;
	int status;

	for (; c != NULL && i < asked->len; i++) {
		out[i].first = (uint32_t)r->frames.len;
		if (!cp_inlcache_get(
			c, asked->data[i].addr, &texts, r, &out[i].n))
			break;
	}
	if (c != NULL && i == asked->len)
		return 0;
	r->frames.len = 0;
	status = ask_dwarf(asked, r, out);
	for (i = 0; c != NULL && status == 0 && i < asked->len; i++)
		cp_inlcache_put(c, asked->data[i].addr, &texts,
		    r->frames.data + out[i].first, out[i].n);
	return status;
}

int
main(int argc, char **argv)
{
	asked_vec asked = { 0 };
	struct cp_dwarf_result r = { 0 };
	struct cp_dwarf_place *found, *in_order;
	struct cp_inlcache *c = NULL;
	bool quiet = false;
	int option, status;

	while ((option = getopt(argc, argv, "1qc:j:")) != -1)
		switch (option) {
		case '1': singly = true; break;
		case 'q': quiet = true; break;
		case 'c': c = cp_inlcache_open(strdup(optarg)); break;
		case 'j': threads = (unsigned)strtoul(optarg, NULL, 10); break;
		default: return 2;
		}
	if (optind + 1 != argc)
		return 2;
	main_path = argv[optind];
	cp_buf_init(&printed, 1u << 30);
	read_addresses(&asked);
	found = cp_xcalloc(asked.len + 1, sizeof(*found));
	in_order = cp_xcalloc(asked.len + 1, sizeof(*in_order));
	status = ask(c, &asked, &r, found);
	for (size_t i = 0; i < asked.len; i++)
		in_order[asked.data[i].line] = found[i];
	for (size_t i = 0; i < asked.len && !quiet && status == 0; i++)
		print_place(&r, &in_order[i]);
	if (printed.len != 0)
		fwrite(printed.data, 1, printed.len, stdout);
	cp_buf_free(&printed);
	cp_inlcache_close(c);
	cp_strings_free(&texts);
	cp_vec_free(&asked);
	cp_vec_free(&r.frames);
	free(found);
	free(in_order);
	return status;
}
