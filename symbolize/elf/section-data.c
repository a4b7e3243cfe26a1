/* SPDX-License-Identifier: MIT */
#include "symbolize/elf/section-data.h"

#include <libdeflate.h>
#include <pthread.h>
#include <zstd.h>

#include "base/elf.h"
#include "base/limits.h"
#include "symbolize/elf/relocation.h"

/* Deflate's maximum ratio; a larger claim is a lie. */
#define DEFLATE_RATIO 1032

enum packing { PACKED_NOT, PACKED_ZLIB, PACKED_ZSTD, PACKED_UNKNOWN };

struct packed {
	enum packing how;
	uint64_t size; /* size after inflating */
	struct cp_bytes in;
};

static bool
is_zdebug(const struct cp_elf_section *s)
{
	return strncmp(s->name, ".zdebug_", 8) == 0;
}

static struct cp_bytes
raw_bytes(const struct cp_elf *elf, const struct cp_elf_section *s)
{
	struct cp_elf_section plain;

	if (s == NULL)
		return (struct cp_bytes){ .failed = true };
	plain = *s;
	plain.flags &= ~(uint64_t)SHF_COMPRESSED;
	return cp_elf_bytes(elf, &plain);
}

/* Reads an Elf32_Chdr or Elf64_Chdr. */
static void
read_header(const struct cp_elf *elf, struct packed *p)
{
	uint32_t type = cp_bytes_u32(&p->in);

	if (elf->wide)
		cp_bytes_u32(&p->in);
	p->size = elf->wide ? cp_bytes_u64(&p->in) : cp_bytes_u32(&p->in);
	cp_bytes_take(&p->in, elf->wide ? 8 : 4);
	p->how = type == ELFCOMPRESS_ZLIB   ? PACKED_ZLIB
		 : type == ELFCOMPRESS_ZSTD ? PACKED_ZSTD
					    : PACKED_UNKNOWN;
}

static struct packed
examine(const struct cp_elf *elf, const struct cp_elf_section *s)
{
	struct packed p = { .in = raw_bytes(elf, s) };
	const uint8_t *magic;

	if (p.in.failed)
		return p;
	if ((s->flags & SHF_COMPRESSED) != 0) {
		read_header(elf, &p);
	} else if (is_zdebug(s)) {
		magic = cp_bytes_take(&p.in, 4);
		p.in.swap = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
		p.size = cp_bytes_u64(&p.in);
		p.how = magic != NULL && memcmp(magic, "ZLIB", 4) == 0
			    ? PACKED_ZLIB
			    : PACKED_UNKNOWN;
	}
	return p;
}

static bool
inflate_zlib(const struct packed *p, uint8_t *out)
{
	struct libdeflate_decompressor *z = libdeflate_alloc_decompressor();
	enum libdeflate_result r;

	if (z == NULL)
		return false;
	/* The output must have exactly that size. */
	r = libdeflate_zlib_decompress(
	    z, p->in.at, cp_bytes_left(&p->in), out, (size_t)p->size, NULL);
	libdeflate_free_decompressor(z);
	return r == LIBDEFLATE_SUCCESS;
}

static bool
inflate_zstd(const struct packed *p, uint8_t *out)
{
	size_t n = ZSTD_decompress(
	    out, (size_t)p->size, p->in.at, cp_bytes_left(&p->in));

	return !ZSTD_isError(n) && n == p->size;
}

static bool
is_plausible(const struct packed *p)
{
	if (p->in.failed || p->how == PACKED_UNKNOWN ||
	    p->size > CP_MAX_SECTION)
		return false;
	return p->how != PACKED_ZLIB ||
	       p->size / DEFLATE_RATIO <= cp_bytes_left(&p->in);
}

static bool
is_allowed(struct cp_elf_section *s, const struct packed *p)
{
	if (p->how == PACKED_NOT)
		return true;
	s->inflated.from = cp_bytes_left(&p->in);
	s->over = !cp_inflated_claim(&s->inflated, p->size);
	return !s->over;
}

static uint8_t *
copy_out(const struct packed *p)
{
	uint8_t *out = cp_xmalloc(p->size != 0 ? (size_t)p->size : 1);
	bool ok = true;

	if (p->how == PACKED_ZLIB)
		ok = inflate_zlib(p, out);
	else if (p->how == PACKED_ZSTD)
		ok = inflate_zstd(p, out);
	else
		memcpy(out, p->in.at, (size_t)p->size);
	if (ok)
		return out;
	free(out);
	return NULL;
}

static struct cp_bytes
data_of(const struct cp_elf *elf, const struct cp_elf_section *s)
{
	struct cp_elf_section *mine;
	struct packed p;

	if (s->broken)
		return (struct cp_bytes){ .failed = true };
	if (s->copy != NULL)
		return cp_bytes_of(s->copy, s->copy_size, elf->swap);
	p = examine(elf, s);
	if (p.how == PACKED_NOT) {
		if (p.in.failed || !cp_elf_is_relocated(elf, s))
			return p.in;
		p.size = cp_bytes_left(&p.in);
	}
	mine = &elf->sections.data[s - elf->sections.data];
	if (!is_plausible(&p) || !is_allowed(mine, &p) ||
	    (mine->copy = copy_out(&p)) == NULL) {
		cp_inflated_release(&mine->inflated);
		mine->broken = true;
		return (struct cp_bytes){ .failed = true };
	}
	mine->copy_size = (size_t)p.size;
	cp_elf_relocate(elf, mine, mine->copy, mine->copy_size);
	return cp_bytes_of(mine->copy, mine->copy_size, elf->swap);
}

/* One lock per section: other sections can be inflated in parallel. */
static struct cp_bytes
section_data(const struct cp_elf *elf, const struct cp_elf_section *s)
{
	static pthread_mutex_t locks[] = { PTHREAD_MUTEX_INITIALIZER,
		PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
		PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
		PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };
	pthread_mutex_t *lock;
	struct cp_bytes b;

	if (s == NULL)
		return (struct cp_bytes){ .failed = true };
	lock = &locks[(uintptr_t)s / sizeof(*s) % CP_ARRAY_LEN(locks)];
	pthread_mutex_lock(lock);
	b = data_of(elf, s);
	pthread_mutex_unlock(lock);
	return b;
}

/* Finds ".debug_x" or ".zdebug_x". */
static const struct cp_elf_section *
find(const struct cp_elf *elf, const char *name)
{
	const struct cp_elf_section *s = cp_elf_section(elf, name);

	if (s != NULL || strncmp(name, ".debug_", 7) != 0)
		return s;
	for (size_t i = 1; i < elf->sections.len; i++)
		if (is_zdebug(&elf->sections.data[i]) &&
		    strcmp(elf->sections.data[i].name + 2, name + 1) == 0)
			return &elf->sections.data[i];
	return NULL;
}

struct cp_bytes
cp_elf_data_of(const struct cp_elf *elf, const char *name)
{
	return section_data(elf, find(elf, name));
}

bool
cp_elf_has_data(const struct cp_elf *elf, const char *name)
{
	struct cp_bytes b = raw_bytes(elf, find(elf, name));

	return !b.failed && cp_bytes_left(&b) != 0;
}

uint64_t
cp_elf_inflated(const struct cp_elf *elf)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < elf->sections.len; i++)
		sum += elf->sections.data[i].copy_size;
	return sum;
}
