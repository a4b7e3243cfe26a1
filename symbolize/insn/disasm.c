/* SPDX-License-Identifier: MIT */
#include "symbolize/insn/disasm.h"

#include "base/elf.h"
#include "base/mem.h"
#include "symbolize/insn/libcapstone.h"
#include "symbolize/insn/x86-length.h"

#define NOT_INSTALLED CP_CAPSTONE_SONAME " is not installed"

struct cp_disasm {
	const struct cp_libcapstone *lib;
	struct cp_machine machine;
	csh handle;
	cs_mode mode;
	cs_insn *insn;
	uint32_t step; /* size of the shortest instruction */
	bool relative; /* Capstone reports targets as distances */
};

struct mode {
	cs_arch arch;
	cs_mode mode;
	uint32_t step;
};

static bool
mode_of(const struct cp_machine *m, struct mode *out)
{
	/* cs_mode is signed, and its highest bit means big-endian. */
	cs_mode big = m->big ? CS_MODE_BIG_ENDIAN : CS_MODE_LITTLE_ENDIAN;

	switch (m->machine) {
	/* x32 is x86-64 code in 32-bit files. */
	case EM_X86_64:
		*out = (struct mode){ CS_ARCH_X86, CS_MODE_64, 1 };
		break;
	case EM_386: *out = (struct mode){ CS_ARCH_X86, CS_MODE_32, 1 }; break;
	case EM_AARCH64:
		*out = (struct mode){ CS_ARCH_ARM64, CS_MODE_ARM, 4 };
		break;
	case EM_ARM:
		*out = (struct mode){ CS_ARCH_ARM, CS_MODE_V8 | big, 4 };
		break;
	case EM_PPC64:
		*out = (struct mode){ CS_ARCH_PPC, CS_MODE_64 | big, 4 };
		break;
	case EM_PPC:
		*out = (struct mode){ CS_ARCH_PPC, CS_MODE_32 | big, 4 };
		break;
	case EM_S390:
		*out = (struct mode){ CS_ARCH_SYSZ, CS_MODE_BIG_ENDIAN, 2 };
		break;
#if CS_API_MAJOR >= 5
	case EM_RISCV:
		*out = (struct mode){ CS_ARCH_RISCV,
			(m->wide ? CS_MODE_RISCV64 : CS_MODE_RISCV32) |
			    CS_MODE_RISCVC,
			2 };
		break;
#endif
	default: return false;
	}
	return true;
}

static const char *
why_not(const struct cp_machine *m)
{
	if (m->machine == EM_RISCV)
		return "RISC-V takes Capstone 5, this is built "
		       "with " CP_CAPSTONE_SONAME;
	return "Capstone does not know this kind of machine";
}

struct cp_disasm *
cp_disasm_open(const struct cp_machine *m, bool intel, const char **why)
{
	const struct cp_libcapstone *lib = cp_libcapstone();
	struct cp_disasm *d;
	struct mode how;

	*why = NOT_INSTALLED;
	if (lib == NULL)
		return NULL;
	*why = why_not(m);
	if (!mode_of(m, &how) || !lib->cs_support((int)how.arch) ||
	    lib->cs_support(CS_SUPPORT_DIET))
		return NULL;
	d = cp_xcalloc(1, sizeof(*d));
	*d = (struct cp_disasm){ .lib = lib,
		.machine = *m,
		.mode = how.mode,
		.step = how.step,
		.relative = m->machine == EM_RISCV };
	if (lib->cs_open(how.arch, how.mode, &d->handle) != CS_ERR_OK) {
		free(d);
		return NULL;
	}
	lib->cs_option(d->handle, CS_OPT_DETAIL, CS_OPT_ON);
	if (how.arch == CS_ARCH_X86 && !intel)
		lib->cs_option(d->handle, CS_OPT_SYNTAX, CS_OPT_SYNTAX_ATT);
	d->insn = lib->cs_malloc(d->handle);
	if (d->insn == NULL) {
		cp_disasm_free(d);
		return NULL;
	}
	*why = NULL;
	return d;
}

bool
cp_disasm_installed(void)
{
	return cp_libcapstone() != NULL;
}

void
cp_disasm_free(struct cp_disasm *d)
{
	if (d == NULL)
		return;
	if (d->insn != NULL)
		d->lib->cs_free(d->insn, 1);
	d->lib->cs_close(&d->handle);
	free(d);
}

void
cp_disasm_thumb(struct cp_disasm *d, bool thumb)
{
	if (d->machine.machine != EM_ARM)
		return;
	d->step = thumb ? 2 : 4;
	d->lib->cs_option(d->handle, CS_OPT_MODE,
	    (size_t)(d->mode | (thumb ? CS_MODE_THUMB : CS_MODE_ARM)));
}

/* --------------------------------------------------------------- targets */

/*
 * Finds the last operand if it is a number, as the target of a direct branch is
 * on all machines: "0x1234", "#0x1234", "w0, #3, #0x1234".
 */
static char *
last_number(char *operands, uint64_t *value)
{
	char *s = strrchr(operands, ','), *end, *number;
	bool minus;

	s = s != NULL ? s + 1 : operands;
	s += strspn(s, " ");
	number = s + (*s == '#');
	minus = *number == '-';
	number += minus;
	if (*number < '0' || *number > '9')
		return NULL;
	*value = strtoull(number, &end, 0);
	if (minus)
		*value = 0 - *value;
	return *end == '\0' ? s : NULL;
}

static bool
in_group(const struct cp_disasm *d, uint8_t group)
{
	return d->lib->cs_insn_group(d->handle, d->insn, group);
}

/* Uses the mnemonic: Capstone lacks branch groups for some machines. */
static bool
is_call(const struct cp_disasm *d)
{
	const char *name = d->insn->mnemonic;

	switch (d->machine.machine) {
	case EM_386:
	case EM_X86_64: return in_group(d, CS_GRP_CALL);
	case EM_S390: return strncmp(name, "bras", 4) == 0;
	case EM_RISCV: return strncmp(name, "jal", 3) == 0;
	case EM_PPC:
	case EM_PPC64:
		return strcmp(name, "bl") == 0 || strcmp(name, "bla") == 0;
	default:
		return in_group(d, CS_GRP_CALL) || strcmp(name, "bl") == 0 ||
		       strcmp(name, "blx") == 0;
	}
}

/* "jhe", "brct", "clgijne" */
static bool
is_s390_branch(const char *name)
{
	return name[0] == 'j' || strncmp(name, "br", 2) == 0 ||
	       (name[0] == 'c' && strchr(name, 'j') != NULL);
}

static bool
is_branch(const struct cp_disasm *d)
{
	const char *name = d->insn->mnemonic;

	switch (d->machine.machine) {
	case EM_S390: return is_s390_branch(name);
	case EM_PPC:
	case EM_PPC64: return name[0] == 'b';
	default:
		return in_group(d, CS_GRP_JUMP) ||
		       in_group(d, CS_GRP_BRANCH_RELATIVE);
	}
}

static void
find_target(struct cp_disasm *d, struct cp_insn *out)
{
	char *at;

	out->is_call = is_call(d);
	if (!out->is_call && !is_branch(d))
		return;
	at = last_number(d->insn->op_str, &out->target);
	if (at == NULL)
		return;
	if (d->relative)
		out->target += out->addr;
	if (!d->machine.wide)
		out->target &= UINT32_MAX;
	out->has_target = true;
	*at = '\0';
}

/* ---------------------------------------------------------- instructions */

static void
bytes_text(const uint8_t *code, size_t n, struct cp_insn *out)
{
	size_t at = (size_t)snprintf(
	    out->text, sizeof(out->text), n == 1 ? ".byte" : ".bytes");

	for (size_t i = 0; i < n; i++)
		at += (size_t)snprintf(
		    out->text + at, sizeof(out->text) - at, " %02x", code[i]);
	out->size = (uint32_t)n;
}

void
cp_disasm_data(struct cp_disasm *d, const uint8_t *code, size_t n,
    uint64_t addr, struct cp_insn *out)
{
	*out = (struct cp_insn){ .addr = addr };
	bytes_text(code, CP_MIN(n, 4), out);
}

/* The length by the first bytes; 0: unknown. */
static uint32_t
known_length(const struct cp_disasm *d, const uint8_t *code, size_t n)
{
	uint8_t high = n < 2 ? 0 : code[d->machine.big ? 0 : 1];

	switch (d->machine.machine) {
	case EM_X86_64: return cp_x86_length(code, n);
	case EM_S390: return code[0] < 0x40 ? 2 : code[0] < 0xc0 ? 4 : 6;
	case EM_RISCV: return (code[0] & 3) == 3 ? 4 : 2;
	case EM_ARM: /* Thumb: of the top 5 bits 3 patterns mean "four bytes" */
		return d->step == 2 && high >= 0xe8 ? 4 : d->step;
	default: return d->step == 4 ? 4 : 0;
	}
}

void
cp_disasm_next(struct cp_disasm *d, const uint8_t *code, size_t n,
    uint64_t addr, struct cp_insn *out)
{
	uint32_t length = known_length(d, code, n);
	const uint8_t *p = code;
	uint64_t at = addr;
	size_t left = n;
	cs_insn *in = d->insn;

	*out = (struct cp_insn){ .addr = addr };
	if (!d->lib->cs_disasm_iter(d->handle, &p, &left, &at, in) ||
	    in->size == 0) {
		bytes_text(
		    code, CP_MIN(n, length != 0 ? length : d->step), out);
		return;
	}
	out->size = in->size;
	find_target(d, out);
	snprintf(out->text, sizeof(out->text), "%s%s%s", in->mnemonic,
	    in->op_str[0] != '\0' || out->has_target ? " " : "", in->op_str);
}
