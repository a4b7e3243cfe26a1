/* SPDX-License-Identifier: MIT */
/*
 * Reads the entries of .eh_frame and .debug_frame: CIE (common to many
 * functions) and FDE (one function).
 *
 * The two sections differ in how an FDE refers to its CIE and in how addresses
 * are encoded.  An entry with an unknown augmentation is unusable.
 */
#include "symbolize/cfi/fde.h"

#include "base/leb128.h"

enum {
	PE_OMIT = 0xff,
	PE_INDIRECT = 0x80,
	PE_PCREL = 0x10,
	PE_TEXTREL = 0x20,
	PE_DATAREL = 0x30,
	PE_ALIGNED = 0x50,
	PE_APPLIED = 0x70,
	PE_ABSPTR = 0,
	PE_ULEB = 1,
	PE_UDATA2 = 2,
	PE_UDATA4 = 3,
	PE_UDATA8 = 4,
	PE_SLEB = 9,
	PE_SDATA2 = 10,
	PE_SDATA4 = 11,
	PE_SDATA8 = 12,
};

static uint64_t
read_format(struct cp_bytes *b, uint8_t encoding, uint8_t address_size)
{
	switch (encoding & 0xf) {
	case PE_ABSPTR:
		return address_size == 4 ? cp_bytes_u32(b) : cp_bytes_u64(b);
	case PE_ULEB: return cp_bytes_uleb(b);
	case PE_UDATA2: return cp_bytes_u16(b);
	case PE_UDATA4: return cp_bytes_u32(b);
	case PE_UDATA8:
	case PE_SDATA8: return cp_bytes_u64(b);
	case PE_SLEB: return (uint64_t)cp_bytes_sleb(b);
	case PE_SDATA2: return (uint64_t)(int64_t)(int16_t)cp_bytes_u16(b);
	case PE_SDATA4: return (uint64_t)(int64_t)(int32_t)cp_bytes_u32(b);
	default: b->failed = true; return 0;
	}
}

uint64_t
cp_cfi_pointer(const struct cp_cfi_section *s, struct cp_bytes *b,
    uint8_t encoding, uint8_t address_size)
{
	uint64_t here = s->addr + (uint64_t)(b->at - s->bytes.at), v;

	if (encoding == PE_OMIT)
		return 0;
	if (encoding == PE_ALIGNED)
		cp_bytes_take(b, (size_t)(-here & (address_size - 1u)));
	v = read_format(b, encoding, address_size);
	switch (encoding & PE_APPLIED) {
	case PE_PCREL: v += here; break;
	case PE_TEXTREL: v += s->text; break;
	case PE_DATAREL: v += s->data; break;
	default: break;
	}
	return address_size == 4 ? (uint32_t)v : v;
}

/* Reads an entry's length.  False at the end of the list. */
static bool
read_length(struct cp_bytes *b, struct cp_bytes *entry, bool *wide)
{
	uint64_t n = cp_bytes_u32(b);

	*wide = n == UINT32_MAX;
	if (*wide)
		n = cp_bytes_u64(b);
	if (n == 0 || n > cp_bytes_left(b))
		return false;
	*entry = cp_bytes_of(cp_bytes_take(b, (size_t)n), (size_t)n, b->swap);
	return true;
}

static struct cp_bytes
section_at(const struct cp_cfi_section *s, uint64_t at)
{
	struct cp_bytes b = s->bytes;

	if (at > cp_bytes_left(&b))
		b.failed = true;
	else
		cp_bytes_take(&b, (size_t)at);
	return b;
}

/* Reads the augmentation letters after "z", and their data. */
static bool
read_augmentation(const struct cp_cfi_section *s, struct cp_bytes *b,
    const char *letters, struct cp_cfi_cie *c)
{
	struct cp_bytes data;
	uint64_t n = cp_bytes_uleb(b);
	const uint8_t *p =
	    n <= cp_bytes_left(b) ? cp_bytes_take(b, (size_t)n) : NULL;

	if (p == NULL)
		return false;
	data = cp_bytes_of(p, (size_t)n, b->swap);
	c->has_augmentation = true;
	for (; *letters != '\0'; letters++) {
		uint8_t encoding;

		switch (*letters) {
		case 'R': c->encoding = cp_bytes_u8(&data); break;
		case 'S': c->signal = true; break;
		case 'L': (void)cp_bytes_u8(&data); break;
		case 'P':
			encoding = cp_bytes_u8(&data);
			(void)cp_cfi_pointer(
			    s, &data, encoding, c->address_size);
			break;
		case 'B':                     /* arm64: signed with key B */
		case 'G': break;              /* arm64: tagged stack memory */
		default: return !data.failed; /* "z" told where it ends */
		}
	}
	return !data.failed;
}

/* Reads a CIE from after its id. */
static bool
read_cie(struct cp_cfi_section *s, struct cp_bytes b, struct cp_cfi_cie *c)
{
	uint8_t version = cp_bytes_u8(&b);
	const char *letters = cp_bytes_str(&b);
	uint64_t ra;

	c->address_size = s->wide ? 8 : 4;
	if (letters == NULL || (version != 1 && version != 3 && version != 4))
		return false;
	if (letters[0] == 'e' && letters[1] == 'h') { /* "eh" of gcc 2 */
		(void)cp_bytes_take(&b, c->address_size);
		letters += 2;
	}
	if (version == 4) {
		c->address_size = cp_bytes_u8(&b);
		if (cp_bytes_u8(&b) != 0) /* size of a segment selector */
			return false;
	}
	c->code_align = cp_bytes_uleb(&b);
	c->data_align = cp_bytes_sleb(&b);
	ra = version == 1 ? cp_bytes_u8(&b) : cp_bytes_uleb(&b);
	c->ra = (uint8_t)CP_MIN(ra, 255);
	if (b.failed || c->code_align == 0 ||
	    (c->address_size != 4 && c->address_size != 8))
		return false;
	if (letters[0] == 'z') {
		if (!read_augmentation(s, &b, letters + 1, c))
			return false;
	} else if (letters[0] != '\0') {
		return false;
	}
	c->program = b;
	return !b.failed;
}

static bool
cie_at(struct cp_cfi_section *s, uint64_t at, struct cp_cfi_cie *c)
{
	struct cp_bytes b, entry;
	uint64_t id;
	bool wide;

	if (s->last.code_align != 0 && s->last.at == at) {
		*c = s->last;
		return true;
	}
	b = section_at(s, at);
	*c = (struct cp_cfi_cie){ .at = at };
	if (!read_length(&b, &entry, &wide))
		return false;
	id = wide ? cp_bytes_u64(&entry) : cp_bytes_u32(&entry);
	if (s->debug ? id != (wide ? UINT64_MAX : UINT32_MAX) : id != 0)
		return false;
	if (!read_cie(s, entry, c))
		return false;
	s->last = *c;
	return true;
}

/* Reads the id: the CIE's position.  False if the entry is itself a CIE. */
static bool
read_id(const struct cp_cfi_section *s, struct cp_bytes *entry, bool wide,
    uint64_t *cie)
{
	uint64_t here = (uint64_t)(entry->at - s->bytes.at);
	uint64_t id;

	if (s->debug) {
		id = wide ? cp_bytes_u64(entry) : cp_bytes_u32(entry);
		*cie = id;
		return id != (wide ? UINT64_MAX : UINT32_MAX);
	}
	id = wide ? cp_bytes_u64(entry) : cp_bytes_u32(entry);
	*cie = here - id;
	return id != 0;
}

bool
cp_cfi_fde_at(struct cp_cfi_section *s, uint64_t at, struct cp_cfi_fde *f)
{
	struct cp_bytes b = section_at(s, at), entry;
	uint64_t cie, n;
	bool wide;

	if (!read_length(&b, &entry, &wide) ||
	    !read_id(s, &entry, wide, &cie) || !cie_at(s, cie, &f->cie))
		return false;
	f->at = s->bytes.at + at;
	f->start =
	    cp_cfi_pointer(s, &entry, f->cie.encoding, f->cie.address_size);
	n = read_format(&entry, f->cie.encoding, f->cie.address_size);
	if (f->cie.address_size == 4)
		n = (uint32_t)n;
	f->end = n > UINT64_MAX - f->start ? UINT64_MAX : f->start + n;
	if (f->cie.has_augmentation) {
		n = cp_bytes_uleb(&entry);
		if (n > cp_bytes_left(&entry))
			return false;
		cp_bytes_take(&entry, (size_t)n);
	}
	f->program = entry;
	f->limit = s->bytes.end;
	return !entry.failed;
}

bool
cp_cfi_next(struct cp_cfi_section *s, uint64_t *at, bool *is_cie)
{
	struct cp_bytes b = section_at(s, *at), entry;
	uint64_t cie;
	bool wide;

	if (!read_length(&b, &entry, &wide))
		return false;
	*is_cie = !read_id(s, &entry, wide, &cie);
	*at = (uint64_t)(b.at - s->bytes.at);
	return !entry.failed;
}
