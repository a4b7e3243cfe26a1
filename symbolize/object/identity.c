/* SPDX-License-Identifier: MIT */
/*
 * Judges a file for an object.
 *
 * A build ID is of a link: tools that edit a linked file keep it, so the
 * mapping must fit the file's segments, too.  If patchelf or LIEF moved the
 * code, the mapping tells where it went: the addresses of an ET_EXEC file are
 * absolute; in another file the mapping is that of its only segment of code if
 * it is as long.
 */
#include "symbolize/object/identity.h"

#include "base/elf.h"
#include "base/strings.h"
#include "symbolize/object/kernel-symbols.h"

#define FROM(n, page) ((n) & -(uint64_t)(page))
#define UPTO(n, page) FROM((n) + (page)-1, page)

static const uint64_t pages[] = { 4096, 16384, 65536 };

enum fit {
	FIT_SAME,
	FIT_MORE, /* mapped with what lies around the code */
	FIT_PART, /* a part of the code was mapped */
	FIT_MOVED,
	FIT_NOT,
	FIT_UNKNOWN, /* nothing was mapped, or the file has no segments */
};

/* The required ID: the recorded one, else the first file's. */
static const uint8_t *
wanted_id(const struct cp_object *o, size_t *size)
{
	const struct cp_dso *d = &o->dso->pub;

	*size = d->build_id_size;
	if (*size != 0)
		return d->build_id;
	for (size_t i = 0; i < o->files.len; i++) {
		const struct cp_elf *elf = &o->files.data[i]->elf;

		*size = elf->build_id_size;
		if (*size != 0)
			return elf->build_id;
	}
	return NULL;
}

/* ------------------------------------------------------------- the mapping */

/*
 * How does the mapping [from, to) fit [low, high) of the file?  Only the
 * beginning of it does not, unless the rest was mapped in other pieces.
 */
static enum fit
range_fits(uint64_t low, uint64_t high, uint64_t from, uint64_t to, bool parts)
{
	enum fit best = FIT_NOT;

	for (size_t i = 0; i < CP_ARRAY_LEN(pages); i++) {
		uint64_t first = FROM(low, pages[i]);
		uint64_t last = UPTO(high, pages[i]);

		if (((from | to) & (pages[i] - 1)) != 0)
			continue;
		if (from == first && to == last)
			return FIT_SAME;
		if (from <= first && to >= last)
			best = CP_MIN(best, FIT_MORE);
		else if (from >= first && to <= last &&
			 (parts || from != first))
			best = CP_MIN(best, FIT_PART);
	}
	return best;
}

static enum fit
offsets_fit(const struct cp_elf *elf, const struct cp_dso_info *d)
{
	uint64_t from = d->map_offset, to = from + d->map_size;
	enum fit best = FIT_UNKNOWN;

	for (size_t i = 0; i < elf->loads.len; i++) {
		const struct cp_elf_segment *l = &elf->loads.data[i];
		uint64_t size = l->hollow ? l->size : l->file_size;

		if (l->exec)
			best =
			    CP_MIN(best, range_fits(l->offset, l->offset + size,
					     from, to, d->map_parts));
	}
	return best;
}

/*
 * True if the mapping is as long as the image.  The loader first maps a file's
 * whole extent with its first segment, then maps the others over it.
 */
static bool
is_whole(const struct cp_elf *elf, const struct cp_dso_info *d)
{
	const struct cp_elf_segment *first = &elf->loads.data[0];
	uint64_t low, high = 0;

	for (size_t i = 0; i < elf->loads.len; i++)
		high = CP_MAX(
		    high, elf->loads.data[i].vaddr + elf->loads.data[i].size);
	low = FROM(first->vaddr, pages[0]);
	for (size_t i = 0; first->exec && i < CP_ARRAY_LEN(pages); i++)
		if (d->map_offset == FROM(first->offset, pages[0]) &&
		    d->map_size == UPTO(high - low, pages[i]))
			return true;
	return false;
}

/* The segment of code that has the mapped addresses. */
static struct cp_elf_segment *
at_address(struct cp_elf *elf, const struct cp_dso_info *d)
{
	for (size_t i = 0; i < elf->loads.len; i++) {
		struct cp_elf_segment *l = &elf->loads.data[i];

		if (l->exec &&
		    range_fits(l->vaddr, l->vaddr + l->size, d->map_addr,
			d->map_addr + d->map_size, d->map_parts) != FIT_NOT)
			return l;
	}
	return NULL;
}

/* The only segment of code, if it is as long as the mapping. */
static struct cp_elf_segment *
as_long(struct cp_elf *elf, const struct cp_dso_info *d, uint64_t *begin)
{
	struct cp_elf_segment *code = NULL;

	for (size_t i = 0; i < elf->loads.len; i++) {
		if (!elf->loads.data[i].exec)
			continue;
		if (code != NULL)
			return NULL;
		code = &elf->loads.data[i];
	}
	for (size_t i = 0; code != NULL && i < CP_ARRAY_LEN(pages); i++) {
		*begin = FROM(code->vaddr, pages[i]);
		if (FROM(d->map_offset, pages[i]) == d->map_offset &&
		    UPTO(code->vaddr + code->size, pages[i]) - *begin ==
			d->map_size)
			return code;
	}
	return NULL;
}

/* Tells that the code is mapped where `begin`, an address of it, is. */
static bool
place(struct cp_file *f, struct cp_elf_segment *code, uint64_t begin,
    const struct cp_dso_info *d)
{
	uint64_t mapped = d->map_offset + (code->vaddr - begin);

	if (f->layout) {
		cp_elf_place(&f->elf, mapped - code->offset);
		return mapped != code->offset;
	}
	/* The offsets of a debug file are lost; only that of the code counts.
	 */
	f->elf.loads.data[0] = *code;
	f->elf.loads.data[0].mapped = mapped;
	f->elf.loads.len = 1;
	f->layout = true;
	return false;
}

static enum fit
layout_fits(const struct cp_object *o, struct cp_file *f)
{
	const struct cp_dso_info *d = o->dso;
	struct cp_elf_segment *code;
	enum fit fit = FIT_NOT;
	uint64_t begin = d->map_addr;

	if (d->pub.kind != CP_DSO_FILE || d->map_size == 0)
		return FIT_UNKNOWN;
	if (f->layout)
		fit = offsets_fit(&f->elf, d);
	if (fit == FIT_UNKNOWN || (fit != FIT_NOT && f->elf.type != ET_EXEC))
		return fit;
	code = f->elf.type == ET_EXEC ? at_address(&f->elf, d)
				      : as_long(&f->elf, d, &begin);
	/* As a whole, with all that is around: by a loader of its own. */
	if (code == NULL)
		return fit == FIT_MORE ? fit : FIT_NOT;
	return place(f, code, begin, d) ? FIT_MOVED : CP_MIN(fit, FIT_PART);
}

/* ---------------------------------------------------------------- verdicts */

static void
say(struct cp_file *f, enum cp_trust trust, const char *why)
{
	f->trust = trust;
	f->why = why;
}

static void
contradict(struct cp_object *o, struct cp_file *f, const char *why)
{
	say(f, CP_TRUST_MISMATCH, why);
	cp_object_note(o, CP_D_MISMATCH, "%s: %s", why, f->path);
	o->mismatch = true;
}

static void
other_id(struct cp_object *o, struct cp_file *f, const uint8_t *id, size_t size)
{
	char want[41], got[41];

	say(f, CP_TRUST_MISMATCH, "another build ID");
	cp_hex_of(want, id, CP_MIN(size, 20));
	cp_hex_of(got, f->elf.build_id, CP_MIN(f->elf.build_id_size, 20));
	cp_object_note(
	    o, CP_D_MISMATCH, "recorded %s, file %s: %s", want, got, f->path);
	o->mismatch = true;
}

static void
judge_same_id(struct cp_object *o, struct cp_file *f)
{
	bool recorded = o->dso->pub.build_id_size != 0;

	say(f, recorded ? CP_TRUST_VERIFIED : CP_TRUST_ABSENT,
	    recorded ? "build ID" : "build ID of the file that fits");
	/* The mapped file tells the layout. */
	if (o->runtime != NULL) {
		if (!cp_identity_same_code(&o->runtime->elf, &f->elf))
			contradict(o, f, "same build ID, but other code");
		return;
	}
	switch (layout_fits(o, f)) {
	case FIT_NOT:
		f->elsewhere = true;
		contradict(o, f, "same build ID, but it was mapped otherwise");
		break;
	case FIT_MOVED:
		if (f->elf.type == ET_EXEC)
			f->why = "build ID, and addresses; its code was moved "
				 "within the file";
		else
			say(f, CP_TRUST_ABSENT,
			    "build ID, but its code was moved; it is as long "
			    "as what was mapped");
		break;
	default: break;
	}
}

/*
 * True if all sections in memory are the same ones at the same addresses.  Code
 * that was changed has other sizes somewhere.
 */
static bool
same_sections(const struct cp_elf *run, const struct cp_elf *elf)
{
	size_t same = 0;

	for (size_t i = 1; i < elf->sections.len; i++) {
		const struct cp_elf_section *x = &elf->sections.data[i], *y;

		if ((x->flags & SHF_ALLOC) == 0)
			continue;
		y = cp_elf_section(run, x->name);
		if (y == NULL || x->addr != y->addr || x->size != y->size)
			return false;
		same++;
	}
	return same > 3;
}

/* For files without a build ID: requires code in the mapped range. */
static void
judge_without_id(struct cp_object *o, struct cp_file *f)
{
	enum fit fit;

	if (o->verified_only) {
		f->trust = CP_TRUST_MISMATCH;
		return;
	}
	say(f, CP_TRUST_ABSENT, "no build ID; its name is the same");
	if (f->link == CP_LINK_CRC)
		f->why = "no build ID; a debug link has its CRC";
	else if (f->link == CP_LINK_NAME &&
		 !same_sections(&o->runtime->elf, &f->elf))
		f->trust = CP_TRUST_MISMATCH; /* of another build */
	else if (f->link == CP_LINK_NAME)
		f->why = "no build ID; a debug link names it, with another "
			 "CRC, and its sections are the same";
	if (o->runtime != NULL && f->trust != CP_TRUST_MISMATCH &&
	    !cp_identity_same_code(&o->runtime->elf, &f->elf))
		contradict(o, f, "no build ID, and its code is another");
	if (o->runtime != NULL)
		return;
	fit = layout_fits(o, f);
	if ((fit == FIT_MORE && !is_whole(&f->elf, o->dso)) ||
	    fit == FIT_MOVED || fit == FIT_NOT)
		contradict(o, f, "no build ID, and it was mapped otherwise");
	else if (fit != FIT_UNKNOWN)
		f->why = "no build ID; its name and its code's place fit";
}

/* The name that a module was built with; "" if its file does not tell. */
static void
module_of(const struct cp_elf *elf, char out[64])
{
	struct cp_bytes b = cp_elf_bytes(elf, cp_elf_section(elf, ".modinfo"));
	const uint64_t at = elf->wide ? 24 : 12; /* struct module: name */

	out[0] = '\0';
	while (!b.failed && cp_bytes_left(&b) != 0) {
		const char *word = cp_bytes_str(&b);

		if (!b.failed && strncmp(word, "name=", 5) == 0) {
			snprintf(out, 64, "%.63s", word + 5);
			return;
		}
	}
	b = cp_elf_bytes(elf, cp_elf_section(elf, ".gnu.linkonce.this_module"));
	if (!b.failed && cp_bytes_left(&b) >= at + 56)
		snprintf(out, 64, "%.55s", (const char *)b.at + at);
}

/* True if the file is of another module, whatever its build ID. */
static bool
other_module(struct cp_object *o, struct cp_file *f)
{
	char built[64], want[64], has[64], why[160];

	if (o->dso->pub.kind != CP_DSO_MODULE)
		return false;
	module_of(&f->elf, built);
	if (built[0] == '\0' || !cp_module_name(built, has, sizeof(has)) ||
	    !cp_module_name(o->name, want, sizeof(want)) ||
	    strcmp(has, want) == 0)
		return false;
	snprintf(why, sizeof(why), "it is the module %s, not %s", has, want);
	contradict(o, f, why);
	f->why = "it is another module";
	return true;
}

bool
cp_identity_same_code(const struct cp_elf *run, const struct cp_elf *elf)
{
	const struct cp_elf_section *x = cp_elf_section(run, ".text");
	const struct cp_elf_section *y = cp_elf_section(elf, ".text");

	return x == NULL || y == NULL || x->size == y->size;
}

void
cp_identity_judge(struct cp_object *o, struct cp_file *f)
{
	const struct cp_elf *elf = &f->elf;
	const uint8_t *id;
	size_t size;

	id = wanted_id(o, &size);
	if (other_module(o, f))
		; /* whatever its ID */
	else if (elf->build_id_size == 0 || id == NULL)
		judge_without_id(o, f);
	else if (cp_build_id_equal(elf->build_id, elf->build_id_size, id, size))
		judge_same_id(o, f);
	else
		other_id(o, f, id, size);
	if (f->trust == CP_TRUST_MISMATCH && o->by == NULL && o->why == NULL)
		o->why = f->why;
}
