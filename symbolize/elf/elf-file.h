/* SPDX-License-Identifier: MIT */
/*
 * symbolize/elf/elf-file.h: an ELF file as far as names need it: sections, load
 * segments, notes, build ID.
 *
 * This room reads ELF files and nothing else: sections, symbols, stubs,
 * relocations.  It may use symtab/; it does not know where a file is from or
 * whose it is.  Begin here, then symbols.h.
 *
 * libelf reads the container (any class, any byte order); the tables are
 * copied out at once and libelf is closed, so nothing here is bound to a
 * thread.  Section data is handed out bounded by the file.
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
	bool broken;   /* what follows is section-data.c's */
	uint8_t *copy; /* inflated, relocated; or NULL */
	size_t copy_size;
};

struct cp_elf_segment {
	uint64_t vaddr, offset;
	uint64_t size; /* load: in memory or file, the larger; note: in file */
	uint64_t align;
	uint64_t file_size;
	bool exec;   /* load: code */
	bool hollow; /* load: code whose bytes are in another file */
	bool writable;
};

struct cp_elf {
	struct cp_content content;
	bool swap; /* foreign byte order */
	bool wide; /* 64 bit */
	bool cut;  /* it ends before what its headers describe */
	uint16_t machine, type;
	uint8_t build_id_size; /* 0: none */
	uint8_t build_id[20];
	CP_VEC(struct cp_elf_section) sections; /* [0] is the null section */
	CP_VEC(struct cp_elf_segment) loads;
	CP_VEC(struct cp_elf_segment) notes;
};

/* Takes the content over in any case; false if it is no ELF file. */
bool cp_elf_init(struct cp_elf *, struct cp_content);
/* The same from a descriptor, which it closes; -1 is allowed. */
bool cp_elf_open(struct cp_elf *, int fd);
void cp_elf_free(struct cp_elf *);
/* Gives back what section-data.c inflated; its earlier answers are void. */
void cp_elf_release(const struct cp_elf *);

const struct cp_elf_section *cp_elf_section(
    const struct cp_elf *, const char *name);
const struct cp_elf_section *cp_elf_section_of_type(
    const struct cp_elf *, uint32_t type);
/* Bytes of a section; all failed if it has none in this file. */
struct cp_bytes cp_elf_bytes(
    const struct cp_elf *, const struct cp_elf_section *);

/* The build ID in a note segment; its size, 0 if there is none. */
uint8_t cp_notes_build_id(struct cp_bytes, uint64_t align, uint8_t out[20]);

/* Moves an address of the image to the offset of its byte in the file. */
bool cp_elf_offset(const struct cp_elf *, uint64_t vaddr, uint64_t *offset);
/* And back. */
bool cp_elf_vaddr(const struct cp_elf *, uint64_t offset, uint64_t *vaddr);

/*
 * In a debug file the offsets of the file it was made from are lost.  Finds
 * them again where the linker's layout lets it; false if it does not.
 */
bool cp_elf_restore_offsets(struct cp_elf *);

#endif
