/* SPDX-License-Identifier: MIT */
/*
 * base/elf.h: the numbers of ELF that are used here, from the specification and
 * the supplements of its processors.  Not every system has <elf.h>; where both
 * are included, that one comes first, and the compiler compares them.
 */
#ifndef CP_BASE_ELF_H
#define CP_BASE_ELF_H

/* Sizes of what tables consist of, for 32 and 64 bits. */
enum {
	CP_ELF32_SHDR = 40,
	CP_ELF64_SHDR = 64,
	CP_ELF32_PHDR = 32,
	CP_ELF64_PHDR = 56,
	CP_ELF32_SYM = 16,
	CP_ELF64_SYM = 24,
	CP_ELF64_RELA = 24,
};

/* The identification at the begin of a file. */
/* Word by word as <elf.h> has them. */
/* clang-format off */
#define EI_NIDENT (16)
#define ELFMAG "\177ELF"
#define SELFMAG 4
#define EI_CLASS 4
#define ELFCLASS32 1
#define ELFCLASS64 2
#define EI_DATA 5
#define ELFDATA2LSB 1
#define ELFDATA2MSB 2
#define EI_VERSION 6
#define EV_CURRENT 1

/* Kinds of files, machines. */
#define ET_REL 1
#define ET_EXEC 2
#define ET_DYN 3
#define EM_NONE 0
#define EM_386 3
#define EM_MIPS 8
#define EM_PPC 20
#define EM_PPC64 21
#define EM_S390 22
#define EM_ARM 40
#define EM_X86_64 62
#define EM_AARCH64 183
#define EM_RISCV 243
#define EM_LOONGARCH 258

/* Sections. */
#define SHN_UNDEF 0
#define SHN_ABS 0xfff1
#define SHN_XINDEX 0xffff
#define SHT_NULL 0
#define SHT_PROGBITS 1
#define SHT_SYMTAB 2
#define SHT_STRTAB 3
#define SHT_RELA 4
#define SHT_NOTE 7
#define SHT_NOBITS 8
#define SHT_REL 9
#define SHT_DYNSYM 11
#define SHT_GNU_HASH 0x6ffffff6
#define SHT_LOPROC 0x70000000
#define SHT_ARM_EXIDX (SHT_LOPROC + 1)
#define SHF_WRITE (1 << 0)
#define SHF_ALLOC (1 << 1)
#define SHF_EXECINSTR (1 << 2)
#define SHF_COMPRESSED (1 << 11)
#define ELFCOMPRESS_ZLIB 1
#define ELFCOMPRESS_ZSTD 2

/* Symbols. */
#define STB_LOCAL 0
#define STB_GLOBAL 1
#define STB_WEAK 2
#define STT_NOTYPE 0
#define STT_OBJECT 1
#define STT_FUNC 2
#define STT_GNU_IFUNC 10
#define STV_INTERNAL 1
#define STV_HIDDEN 2
#define ELF32_ST_TYPE(val) ((val) & 0xf)
#define ELF32_ST_VISIBILITY(o) ((o) & 0x03)

/* Segments, notes. */
#define PN_XNUM 0xffff
#define PT_LOAD 1
#define PT_NOTE 4
#define PF_X (1 << 0)
#define PF_W (1 << 1)
#define PF_R (1 << 2)
#define NT_GNU_BUILD_ID 3

/* The two parts of a relocation's info. */
#define ELF32_R_SYM(val) ((val) >> 8)
#define ELF32_R_TYPE(val) ((val) & 0xff)
#define ELF64_R_SYM(i) ((i) >> 32)
#define ELF64_R_TYPE(i) ((i) & 0xffffffff)

/*
 * Relocations: those that compilers leave in debug information, and those of
 * the dynamic linker that need no symbol.
 */
#define R_386_32 1
#define R_X86_64_64 1
#define R_X86_64_RELATIVE 8
#define R_X86_64_32 10
#define R_X86_64_32S 11
#define R_ARM_ABS32 2
#define R_AARCH64_ABS64 257
#define R_AARCH64_ABS32 258
#define R_AARCH64_RELATIVE 1027
#define R_MIPS_32 2
#define R_MIPS_64 18
#define R_PPC_ADDR32 1
#define R_PPC_RELATIVE 22
#define R_PPC64_ADDR32 R_PPC_ADDR32
#define R_PPC64_ADDR64 38
#define R_PPC64_RELATIVE R_PPC_RELATIVE
#define R_390_32 4
#define R_390_RELATIVE 12
#define R_390_64 22
#define R_RISCV_32 1
#define R_RISCV_64 2
#define R_RISCV_RELATIVE 3
#define R_RISCV_ADD8 33
#define R_RISCV_ADD16 34
#define R_RISCV_ADD32 35
#define R_RISCV_ADD64 36
#define R_RISCV_SUB8 37
#define R_RISCV_SUB16 38
#define R_RISCV_SUB32 39
#define R_RISCV_SUB64 40
#define R_RISCV_SET8 54
#define R_RISCV_SET16 55
#define R_RISCV_SET32 56
#define R_LARCH_RELATIVE 3

/* clang-format on */
#endif
