/* SPDX-License-Identifier: MIT */
/*
 * opinion: elfutils is given the same bytes, and asked the same questions.
 *
 * Files are handed over as memory, so that the file is the one whose build ID
 * was compared, also where it is a member of a bundle.  They are copied: libelf
 * writes the sizes of inflated sections into the headers.
 */
#include "symbolize/opinion/opinion.h"

#include <dwarf.h>
#include <stdlib.h>

#include "base/mem.h"
#include "symbolize/opinion/libdw.h"

/* Rooms of a unit at most; there are not as many in any program. */
#define MAX_ROOMS (1u << 20)

typedef CP_VEC(Dwarf_Die) rooms;

struct cp_opinion {
	const struct cp_libdw *dw;
	uint8_t *bytes, *alt_bytes;
	Elf *elf, *alt_elf;
	Dwfl *dwfl;
	Dwfl_Module *module;
	Dwarf *dwarf, *alt;
};

/* The lowest page of the image: libdwfl takes it for the module's start. */
static bool
image_range(const struct cp_elf *elf, uint64_t *start, uint64_t *end)
{
	*start = UINT64_MAX;
	*end = 0;
	for (size_t i = 0; i < elf->loads.len; i++) {
		const struct cp_elf_segment *l = &elf->loads.data[i];

		if (l->size > UINT64_MAX - l->vaddr)
			return false;
		*start = CP_MIN(*start, l->vaddr);
		*end = CP_MAX(*end, l->vaddr + l->size);
	}
	return *start < *end;
}

static void
open_module(struct cp_opinion *o, const struct cp_elf *elf)
{
	uint64_t start, end;

	if (!image_range(elf, &start, &end))
		return;
	o->dwfl = o->dw->dwfl_begin(&cp_libdw_callbacks);
	if (o->dwfl == NULL)
		return;
	o->dw->dwfl_report_begin(o->dwfl);
	o->module = cp_libdw_report(o->dwfl, o->elf, "file", start, end);
	o->dw->dwfl_report_end(o->dwfl, NULL, NULL);
}

static Elf *
open_copy(const struct cp_libdw *dw, const struct cp_elf *elf, uint8_t **bytes)
{
	size_t size = elf->content.size;

	*bytes = cp_xmalloc(size);
	memcpy(*bytes, elf->content.data, size);
	return dw->elf_memory((char *)*bytes, size);
}

static void
open_dwarf(struct cp_opinion *o, const struct cp_elf *alt)
{
	o->dwarf = o->dw->dwarf_begin_elf(o->elf, DWARF_C_READ, NULL);
	if (o->dwarf == NULL || alt == NULL || alt->content.size == 0)
		return;
	o->alt_elf = open_copy(o->dw, alt, &o->alt_bytes);
	o->alt = o->dw->dwarf_begin_elf(o->alt_elf, DWARF_C_READ, NULL);
	o->dw->dwarf_setalt(o->dwarf, o->alt);
}

const char *
cp_opinion_missing(void)
{
	return cp_libdw() != NULL ? NULL : "libdw is not installed";
}

struct cp_opinion *
cp_opinion_open(const struct cp_elf *elf, const struct cp_elf *alt)
{
	const struct cp_libdw *dw = cp_libdw();
	struct cp_opinion *o;

	if (dw == NULL || elf->type == ET_REL || elf->content.size == 0)
		return NULL;
	dw->elf_version(EV_CURRENT);
	o = cp_xcalloc(1, sizeof(*o));
	o->dw = dw;
	o->elf = open_copy(dw, elf, &o->bytes);
	open_module(o, elf);
	open_dwarf(o, alt);
	return o;
}

void
cp_opinion_free(struct cp_opinion *o)
{
	if (o == NULL)
		return;
	o->dw->dwarf_end(o->dwarf);
	o->dw->dwarf_end(o->alt);
	o->dw->elf_end(o->elf);
	o->dw->elf_end(o->alt_elf);
	o->dw->dwfl_end(o->dwfl);
	free(o->bytes);
	free(o->alt_bytes);
	free(o);
}

struct cp_opinion_name
cp_opinion_name(struct cp_opinion *o, uint64_t vaddr)
{
	struct cp_opinion_name n = { 0 };
	GElf_Off offset;
	GElf_Sym sym;

	if (o->module == NULL)
		return n;
	n.name = o->dw->dwfl_module_addrinfo(
	    o->module, vaddr, &offset, &sym, NULL, NULL, NULL);
	if (n.name != NULL) {
		n.start = vaddr - offset;
		n.size = sym.st_size;
	}
	return n;
}

/* -------------------------------------------------------------- inlined */

static const char *
linkage_name(const struct cp_libdw *dw, Dwarf_Die *die)
{
	Dwarf_Attribute a;

	if (dw->dwarf_attr_integrate(die, DW_AT_linkage_name, &a) == NULL &&
	    dw->dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &a) == NULL)
		return NULL;
	return dw->dwarf_formstring(&a);
}

/* The line from which an inlined function was called; 0: not known. */
static uint32_t
call_line(const struct cp_libdw *dw, Dwarf_Die *die)
{
	Dwarf_Attribute a;
	Dwarf_Word line;

	if (dw->dwarf_attr_integrate(die, DW_AT_call_line, &a) == NULL ||
	    dw->dwarf_formudata(&a, &line) != 0)
		return 0;
	return (uint32_t)line;
}

static uint32_t
line_at(const struct cp_libdw *dw, Dwarf_Die *unit, uint64_t vaddr)
{
	Dwarf_Line *at = dw->dwarf_getsrc_die(unit, vaddr);
	int line;

	return at != NULL && dw->dwarf_lineno(at, &line) == 0 ? (uint32_t)line
							      : 0;
}

/*
 * The scopes from the innermost function outwards, up to the function that has
 * an address of its own.  Innermost first.
 */
static size_t
walk_out(const struct cp_libdw *dw, Dwarf_Die *scopes, int n, uint32_t line,
    struct cp_opinion_spot *out, size_t max)
{
	size_t found = 0;

	for (int i = 0; i < n && found < max; i++) {
		int tag = dw->dwarf_tag(&scopes[i]);

		if (tag != DW_TAG_inlined_subroutine &&
		    tag != DW_TAG_subprogram)
			continue;
		out[found++] = (struct cp_opinion_spot){
			.linkage = linkage_name(dw, &scopes[i]),
			.name = dw->dwarf_diename(&scopes[i]),
			.line = line,
		};
		if (tag == DW_TAG_subprogram)
			return found;
		line = call_line(dw, &scopes[i]);
	}
	return 0;
}

static void
reverse(struct cp_opinion_spot *s, size_t n)
{
	for (size_t i = 0; i < n / 2; i++) {
		struct cp_opinion_spot t = s[i];

		s[i] = s[n - 1 - i];
		s[n - 1 - i] = t;
	}
}

/* Without .debug_aranges, as Rust and Go leave it, all units are tried. */
static bool
find_unit(struct cp_opinion *o, uint64_t vaddr, Dwarf_Die *unit)
{
	Dwarf_Off at = 0, next;
	size_t head;

	if (o->dw->dwarf_addrdie(o->dwarf, vaddr, unit) != NULL)
		return true;
	while (o->dw->dwarf_nextcu(
		   o->dwarf, at, &next, &head, NULL, NULL, NULL) == 0) {
		if (o->dw->dwarf_offdie(o->dwarf, at + head, unit) != NULL &&
		    o->dw->dwarf_haspc(unit, vaddr) > 0)
			return true;
		at = next;
	}
	return false;
}

/*
 * What is left only for a function in it: it has no addresses itself, or is a
 * block, which Go writes beside a function that was inlined in that block.
 */
static bool
is_room(int tag)
{
	return tag == DW_TAG_lexical_block || tag == DW_TAG_namespace ||
	       tag == DW_TAG_module || tag == DW_TAG_structure_type ||
	       tag == DW_TAG_class_type || tag == DW_TAG_union_type ||
	       tag == DW_TAG_enumeration_type;
}

/* The function that has the address; rooms are added to the list. */
static bool
child_with(struct cp_opinion *o, Dwarf_Die *parent, uint64_t vaddr,
    Dwarf_Die *out, rooms *later)
{
	Dwarf_Die die;
	int status = o->dw->dwarf_child(parent, &die);

	for (; status == 0; status = o->dw->dwarf_siblingof(&die, &die)) {
		if (is_room(o->dw->dwarf_tag(&die))) {
			if (later->len < MAX_ROOMS)
				*cp_vec_push(later) = die;
		} else if (o->dw->dwarf_haspc(&die, vaddr) > 0) {
			*out = die;
			return true;
		}
	}
	return false;
}

/*
 * The innermost scope.  dwarf_getscopes() does not look into namespaces, where
 * Rust and clang have their functions.
 */
static bool
innermost(
    struct cp_opinion *o, const Dwarf_Die *unit, uint64_t vaddr, Dwarf_Die *out)
{
	rooms later = { 0 };
	Dwarf_Die at = *unit;
	bool found = false;

	for (;;) {
		if (child_with(o, &at, vaddr, out, &later)) {
			at = *out;
			found = true;
			later.len = 0;
		} else if (later.len != 0) {
			at = later.data[--later.len];
		} else {
			break;
		}
	}
	cp_vec_free(&later);
	return found;
}

size_t
cp_opinion_spots(struct cp_opinion *o, uint64_t vaddr,
    struct cp_opinion_spot *out, size_t max)
{
	Dwarf_Die unit, inner, *outer = NULL;
	size_t found = 0;
	int n = 0;

	if (o->dwarf == NULL || !find_unit(o, vaddr, &unit))
		return 0;
	/* From within an inlined function to where it is called. */
	if (innermost(o, &unit, vaddr, &inner))
		n = o->dw->dwarf_getscopes_die(&inner, &outer);
	if (n > 0)
		found = walk_out(
		    o->dw, outer, n, line_at(o->dw, &unit, vaddr), out, max);
	free(outer);
	reverse(out, found);
	return found;
}
