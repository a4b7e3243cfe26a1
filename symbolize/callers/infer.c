/* SPDX-License-Identifier: MIT */
/*
 * infer: the only function that can be a lost caller.
 *
 * The frame above is a return address, so the call before it tells which
 * function has the frame that the chain followed.  That function is the caller
 * if its code calls the sampled one and nothing else that could come between:
 * functions that make calls without a frame of their own, calls of pointers,
 * and jumps into other functions.  x86-64 only.
 */
#include "symbolize/callers/infer.h"

#include <string.h>

#include "base/elf.h"
#include "symbolize/callers/frameless.h"
#include "symbolize/elf/symbols.h"
#include "symbolize/insn/x86-length.h"

enum { PARTS = 8, LONGEST = 1 << 16 };
#define ALL_CODE (UINT64_C(64) << 20)

void
cp_inference_init(struct cp_inference *x, struct cp_unwinder *u)
{
	*x = (struct cp_inference){ .unwinder = u, .left = ALL_CODE };
}

void
cp_inference_free(struct cp_inference *x)
{
	for (size_t i = 0; i < x->plts.len; i++)
		if (x->plts.data[i] != NULL) {
			cp_symtab_free(x->plts.data[i]);
			free(x->plts.data[i]);
		}
	cp_vec_free(&x->plts);
	cp_map64_free(&x->quiet);
}

/* ------------------------------------------------------------ instructions */

enum kind { OTHER, CALL, CALL_ANY, JUMP, JUMP_ANY, BAD };
struct insn {
	enum kind kind;
	uint64_t to; /* CALL and JUMP */
	unsigned size;
};

static bool
is_prefix(uint8_t c)
{
	return c == 0x66 || c == 0x67 || c == 0xf2 || c == 0xf3 || c == 0x2e ||
	       c == 0x3e || c == 0x64 || c == 0x65 || (c & 0xf0) == 0x40;
}

static struct insn
decode(const uint8_t *p, size_t n, uint64_t at)
{
	struct insn in = { .size = cp_x86_length(p, n) };
	unsigned i = 0, reg;
	int64_t by = 0;

	if (in.size == 0)
		return (struct insn){ .kind = BAD };
	while (i + 1 < in.size && is_prefix(p[i]))
		i++;
	reg = i + 1 < in.size ? p[i + 1] >> 3 & 7 : 0;
	if (p[i] == 0xe8 || p[i] == 0xe9 ||
	    (p[i] == 0x0f && (p[i + 1] & 0xf0) == 0x80))
		by = (int32_t)cp_load32(p + in.size - 4, false);
	else if ((p[i] & 0xf0) == 0x70 || p[i] == 0xeb || (p[i] & 0xfc) == 0xe0)
		by = (int8_t)p[in.size - 1];
	else if (p[i] == 0xff && (reg == 2 || reg == 3))
		in.kind = CALL_ANY;
	else if (p[i] == 0xff && (reg == 4 || reg == 5))
		in.kind = JUMP_ANY;
	else
		return in;
	if (in.kind == OTHER)
		in.kind = p[i] == 0xe8 ? CALL : JUMP;
	in.to = at + in.size + (uint64_t)by;
	return in;
}

/* --------------------------------------------------------------- functions */

/* An address of an object. */
struct place {
	uint32_t dso;
	const struct cp_elf *elf;
	uint64_t at; /* in the image */
};

static bool
row_of(struct cp_inference *x, struct place p, struct cp_unwind_row *row)
{
	uint64_t offset;

	return cp_elf_offset(p.elf, p.at, &offset) &&
	       cp_unwinder_row(x->unwinder, p.dso, offset, row);
}

/* The stubs of an object, by offset in its file. */
static struct cp_symtab *
plt_of(struct cp_inference *x, struct place p)
{
	struct cp_symtab **plt;

	while (x->plts.len <= p.dso)
		*cp_vec_push(&x->plts) = NULL;
	plt = &x->plts.data[p.dso];
	if (*plt == NULL) {
		*plt = cp_xcalloc(1, sizeof(**plt));
		cp_elf_add_plt(*plt, &(struct cp_elf_view){ .runtime = p.elf,
					 .terms = CP_TERMS_OFFSET });
		cp_symtab_index(*plt);
	}
	return *plt;
}

/* The name of the stub at the address; NULL: there is none. */
static const char *
stub_at(struct cp_inference *x, struct place p)
{
	struct cp_symtab *plt = plt_of(x, p);
	uint64_t offset;
	size_t hint = 0;
	uint32_t i;

	if (!cp_elf_offset(p.elf, p.at, &offset))
		return NULL;
	i = cp_symtab_find(plt, offset, &hint);
	return i != CP_NO_ENTRY ? cp_symtab_name(plt, i) : NULL;
}

/* Does the code load the address?  So does what chooses among functions. */
static bool
chooses(const struct cp_unwind_row *resolver, uint64_t what)
{
	size_t n = (size_t)(resolver->end - resolver->start);
	const uint8_t *p = n <= LONGEST
			       ? cp_row_code(resolver->elf, resolver->start, n)
			       : NULL;

	for (size_t i = 0; p != NULL && i + 7 <= n; i++)
		if ((p[i] & 0xfb) == 0x48 && p[i + 1] == 0x8d &&
		    (p[i + 2] & 0xc7) == 0x05 &&
		    resolver->start + i + 7 +
			    (uint64_t)(int64_t)(int32_t)cp_load32(
				p + i + 3, false) ==
			what)
			return true;
	return false;
}

/* Is it a symbol of that name, and defined? */
static bool
defines(const struct cp_elf_symbols *all, size_t i, const char *name,
    size_t len, struct cp_elf_raw_symbol *out)
{
	size_t left = cp_bytes_left(&all->names);
	const uint8_t *at;

	if (i >= all->count)
		return false;
	*out = cp_elf_symbol_at(all, i);
	at = all->names.at + out->name;
	return out->shndx != SHN_UNDEF && out->name < left &&
	       left - out->name > len && memcmp(at, name, len) == 0 &&
	       at[len] == '\0';
}

/*
 * The dynamic symbol that a stub "name@plt" is for, found as the dynamic linker
 * does, by .gnu.hash.  False: not there.
 */
static bool
exported(struct place in, const char *stub, struct cp_elf_raw_symbol *out)
{
	struct cp_bytes b =
	    cp_elf_bytes(in.elf, cp_elf_section_of_type(in.elf, SHT_GNU_HASH));
	uint32_t buckets = cp_bytes_u32(&b), first = cp_bytes_u32(&b);
	uint64_t filter = 4 + UINT64_C(8) * cp_bytes_u32(&b);
	size_t len = strcspn(stub, "@"), i;
	const uint8_t *bucket, *chain;
	struct cp_elf_symbols all;
	uint32_t hash = 5381;

	(void)cp_bytes_take(&b, filter);
	bucket = cp_bytes_take(&b, UINT64_C(4) * buckets);
	if (bucket == NULL || buckets == 0 || !in.elf->wide || len == 0 ||
	    !cp_elf_symbols(
		&all, in.elf, cp_elf_section_of_type(in.elf, SHT_DYNSYM)))
		return false;
	for (i = 0; i < len; i++)
		hash = hash * 33 + (unsigned char)stub[i];
	/* A chain ends with an odd number. */
	i = cp_load32(bucket + hash % buckets * 4, b.swap);
	if (i < first || (i - first) * 4 > cp_bytes_left(&b))
		return false;
	(void)cp_bytes_take(&b, (i - first) * 4);
	while ((chain = cp_bytes_take(&b, 4)) != NULL) {
		uint32_t is = cp_load32(chain, b.swap);

		if ((is | 1) == (hash | 1) && defines(&all, i, stub, len, out))
			return true;
		if ((is & 1) != 0)
			break;
		i++;
	}
	return false;
}

/*
 * Where a call goes: the function itself, or what the stub's name stands for in
 * the object `in`.  resolver: it is chosen when the program starts.
 */
static bool
target_of(struct cp_inference *x, struct place to, struct place in,
    struct place *out, bool *resolver)
{
	const char *stub = stub_at(x, to);
	struct cp_elf_raw_symbol y;

	*resolver = false;
	*out = to;
	if (stub == NULL)
		return true;
	if (!exported(in, stub, &y))
		return false;
	*out = (struct place){ in.dso, in.elf, y.value };
	*resolver = (y.info & 0xf) == STT_GNU_IFUNC;
	return true;
}

/* ------------------------------------------------------------------- calls */

/*
 * True if code that is called there cannot come between: it makes no call, or
 * has its frame when it makes one, and then the chain would have it.
 */
static bool
scan_quiet(struct cp_inference *x, struct place p)
{
	struct cp_unwind_row f, row;
	const uint8_t *code;
	struct insn in;

	if (!row_of(x, p, &f) || f.end - f.start > LONGEST ||
	    f.end - f.start > x->left)
		return false;
	x->left -= f.end - f.start;
	code = cp_row_code(f.elf, f.start, (size_t)(f.end - f.start));
	for (uint64_t at = f.start; code != NULL && at < f.end; at += in.size) {
		in = decode(code + (at - f.start), (size_t)(f.end - at), at);
		if (in.kind == BAD)
			return false;
		if (in.kind == OTHER ||
		    (in.kind == JUMP && in.to >= f.start && in.to < f.end))
			continue;
		p.at = at;
		if (!row_of(x, p, &row) || cp_row_frameless(&row))
			return false;
	}
	return code != NULL;
}

static bool
is_quiet(struct cp_inference *x, struct place p)
{
	uint32_t *known = cp_map64_put(&x->quiet, cp_mix(p.at, p.dso));
	bool quiet;

	if (*known != 0)
		return *known == 2;
	quiet = scan_quiet(x, p);
	*cp_map64_put(&x->quiet, cp_mix(p.at, p.dso)) = quiet ? 2 : 1;
	return quiet;
}

/* A function being read, with the parts of it that lie elsewhere. */
struct reading {
	struct cp_inference *x;
	struct place leaf; /* the sampled function */
	uint64_t leaf_to;  /* the sampled address */
	struct place self;
	uint64_t part[PARTS];
	unsigned n;
	unsigned sites; /* calls of the leaf */
	uint64_t site;  /* where one of them returns to */
};

static bool
is_leaf(const struct reading *r, struct place p, bool resolver)
{
	struct cp_unwind_row row;

	if (p.dso != r->leaf.dso)
		return false;
	if (!resolver)
		return p.at >= r->leaf.at && p.at <= r->leaf_to;
	return row_of(r->x, p, &row) && chooses(&row, r->leaf.at);
}

/* False: what is called may lead to the leaf on another way. */
static bool
take_call(struct reading *r, uint64_t to, uint64_t back)
{
	struct place p = { r->self.dso, r->self.elf, to }, target;
	struct cp_unwind_row row;
	bool resolver;

	if (!target_of(r->x, p, r->leaf, &target, &resolver))
		return false;
	if (!is_leaf(r, target, resolver))
		return !resolver && is_quiet(r->x, target);
	p.at = back - 1;
	if (!row_of(r->x, p, &row) || cp_row_frameless(&row))
		return false;
	r->sites++;
	r->site = back;
	return true;
}

/* A jump out of the function: into a part of it that has the frame, or not. */
static bool
take_jump(struct reading *r, uint64_t to)
{
	struct place p = { r->self.dso, r->self.elf, to }, target;
	struct cp_unwind_row row;
	bool resolver;

	if (target_of(r->x, p, r->leaf, &target, &resolver) &&
	    is_leaf(r, target, resolver))
		return true;
	if (stub_at(r->x, p) != NULL || !row_of(r->x, p, &row) ||
	    cp_row_frameless(&row))
		return false;
	for (unsigned i = 0; i < r->n; i++)
		if (r->part[i] == row.start)
			return true;
	if (r->n == PARTS)
		return false;
	r->part[r->n++] = row.start;
	return true;
}

static bool
take(struct reading *r, const struct insn *in, uint64_t at,
    const struct cp_unwind_row *f)
{
	struct cp_unwind_row row;

	switch (in->kind) {
	case CALL: return take_call(r, in->to, at + in->size);
	case JUMP:
		return (in->to >= f->start && in->to < f->end) ||
		       take_jump(r, in->to);
	case JUMP_ANY: /* a switch, or a call at the end */
		return row_of(r->x,
			   (struct place){ r->self.dso, r->self.elf, at },
			   &row) &&
		       !cp_row_frameless(&row);
	case OTHER: return true;
	case CALL_ANY:
	case BAD: break;
	}
	return false;
}

/* Reads all parts.  False: the leaf may have another caller. */
static bool
read_function(struct reading *r)
{
	for (unsigned i = 0; i < r->n; i++) {
		struct place p = { r->self.dso, r->self.elf, r->part[i] };
		struct cp_unwind_row f;
		const uint8_t *code;
		struct insn in;

		if (!row_of(r->x, p, &f) || f.end - f.start > LONGEST ||
		    f.end - f.start > r->x->left)
			return false;
		r->x->left -= f.end - f.start;
		code = cp_row_code(f.elf, f.start, (size_t)(f.end - f.start));
		if (code == NULL)
			return false;
		for (uint64_t at = f.start; at < f.end; at += in.size) {
			in = decode(
			    code + (at - f.start), (size_t)(f.end - at), at);
			if (!take(r, &in, at, &f))
				return false;
		}
	}
	return r->sites != 0;
}

bool
cp_infer_caller(struct cp_inference *x, const struct cp_frame *f,
    const struct cp_unwind_row *leaf, const struct cp_frame *above,
    const struct cp_unwind_row *up, struct cp_frame *out)
{
	const uint8_t *p = cp_row_code(up->elf, up->at - 5, 5);
	struct reading r = { .x = x,
		.leaf = { f->dso, leaf->elf, leaf->start },
		.leaf_to = leaf->at,
		.self = { above->dso, up->elf, 0 } };
	struct cp_unwind_row own;
	uint64_t offset;
	bool resolver;

	if (p == NULL || p[0] != 0xe8 || leaf->elf == NULL ||
	    leaf->arch->machine != EM_X86_64 || leaf->go || up->go)
		return false;
	r.self.at =
	    up->at + (uint64_t)(int64_t)(int32_t)cp_load32(p + 1, false);
	if (!target_of(x, r.self, r.leaf, &r.self, &resolver) || resolver ||
	    !row_of(x, r.self, &own) || own.start != r.self.at)
		return false;
	r.part[r.n++] = own.start;
	if (!read_function(&r) ||
	    !cp_elf_offset(
		r.self.elf, r.sites == 1 ? r.site : own.start, &offset))
		return false;
	*out = (struct cp_frame){ .addr = offset,
		.dso = r.self.dso,
		.level = CP_LEVEL_USER,
		.flags = (uint8_t)(CP_FRAME_LOST | CP_FRAME_GUESSED |
				   (r.sites == 1 ? CP_FRAME_CALLER : 0)) };
	return true;
}
