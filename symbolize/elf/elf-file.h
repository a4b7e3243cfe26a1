/* SPDX-License-Identifier: MIT */
/*
 * symbolize/elf/elf-file.h: an ELF file as far as naming needs it: sections,
 * load segments, notes, build ID.
 *
 * Files of any class and byte order.  Their tables are copied at once, so the
 * result is not bound to a thread.  Section data is bounded by the file.
 *
 * This room reads ELF files: sections, symbols, PLT, relocations.  It may use
 * symtab/; it knows neither where a file is from nor its object.  Begin here,
 * then symbols.h.
 */
#ifndef CP_SYMBOLIZE_ELF_ELF_FILE_H
#define CP_SYMBOLIZE_ELF_ELF_FILE_H

#include "base/bytes.h"
#include "base/vec.h"
#include "base/safe-file.h"

struct cp_elf_section {
	const char *name; /* never NULL */
	uint64_t addr, offset, size, entsize, flags;
	uint32_t type, link, info;
	bool broken;   /* state of section-data.c */
	bool over;     /* broken: it inflates to more than is allowed */
	uint8_t *copy; /* inflated or relocated copy; or NULL */
	size_t copy_size;
	struct cp_inflated inflated;
};

struct cp_elf_segment {
	uint64_t vaddr, offset;
	/* load: where it begins in the addresses of frames, see cp_elf_place */
	uint64_t mapped;
	/* load: in memory or file, the larger; note: in the file */
	uint64_t size;
	uint64_t align;
	uint64_t file_size;
	bool exec;   /* load segment with code */
	bool hollow; /* load segment of code, whose bytes are in another file */
	bool writable;
};

struct cp_elf {
	struct cp_content content;
	bool swap;     /* other byte order than ours */
	bool wide;     /* 64 bit */
	bool cut;      /* shorter than its headers tell */
	bool unnamed;  /* the names of its sections cannot be read */
	bool unplaced; /* its program headers cannot be read */
	uint16_t machine, type;
	uint8_t build_id_size; /* 0: none */
	uint8_t build_id[20];
	CP_VEC(struct cp_elf_section) sections; /* [0] is the null section */
	CP_VEC(struct cp_elf_segment) loads;
	CP_VEC(struct cp_elf_segment) notes;
};

/* Takes over the content, even on failure.  False if it is no ELF file. */
bool cp_elf_init(struct cp_elf *, struct cp_content);
/* Maps and closes the descriptor, which may be -1. */
bool cp_elf_open(struct cp_elf *, int fd);
void cp_elf_free(struct cp_elf *);
/* Frees inflated sections; pointers to their data become invalid. */
void cp_elf_release(const struct cp_elf *);

/* What of its tables is damaged, as a sentence; NULL: nothing known. */
const char *cp_elf_damage(const struct cp_elf *);
/* The limit that a section of it has hit, or NULL. */
const char *cp_elf_limit(const struct cp_elf *);

const struct cp_elf_section *cp_elf_section(
    const struct cp_elf *, const char *name);
const struct cp_elf_section *cp_elf_section_of_type(
    const struct cp_elf *, uint32_t type);
/* Bytes of a section; failed if the file has none of it. */
struct cp_bytes cp_elf_bytes(
    const struct cp_elf *, const struct cp_elf_section *);

/* Finds the build ID in a note segment.  Returns its size, 0: none. */
uint8_t cp_notes_build_id(struct cp_bytes, uint64_t align, uint8_t out[20]);

/* Converts an address of the image to the offset of its bytes in the file. */
bool cp_elf_offset(const struct cp_elf *, uint64_t vaddr, uint64_t *offset);
/*
 * Converts between the addresses of frames, which are offsets in the mapped
 * file, and those of the image.
 */
bool cp_elf_vaddr(const struct cp_elf *, uint64_t addr, uint64_t *vaddr);
bool cp_elf_frame(const struct cp_elf *, uint64_t vaddr, uint64_t *addr);
/*
 * Tells that the mapped file has everything `by` bytes further on than this
 * file (modulo 2^64): patchelf and others move code within a file.
 */
void cp_elf_place(struct cp_elf *, uint64_t by);

/*
 * Returns by how much the image's code lies above that of its debug file,
 * modulo 2^64: prelink moves a library, and leaves its debug file as it was.
 */
uint64_t cp_elf_moved(const struct cp_elf *, const struct cp_elf *debug);

/*
 * Restores the runtime file's offsets in a debug file, which has lost them.
 * False if the linker's layout does not allow it.
 */
bool cp_elf_restore_offsets(struct cp_elf *);

#endif
