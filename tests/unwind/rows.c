/* SPDX-License-Identifier: MIT */
/*
 * rows FILE < ADDRESSES: the unwind rule at each address, in the words of
 * readelf --debug-dump=frames-interp: the CFA, then NAME=RULE of the registers
 * that have one.  "differs" behind a row: the brief way makes
 * another packed rule than the row does.
 */
#define _GNU_SOURCE /* getline */
#include <fcntl.h>

#include "symbolize/unwind/function-rules.h"

static const char *const names[] = { "rax", "rdx", "rcx", "rbx", "rsi", "rdi",
	"rbp", "rsp", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15",
	"ra" };

static void
show_rule(const char *name, const struct cp_cfi_rule *r)
{
	switch (r->kind) {
	case CP_CFI_UNDEFINED: printf(" %s=u", name); break;
	case CP_CFI_OFFSET: printf(" %s=c%+" PRId64, name, r->u.offset); break;
	case CP_CFI_VAL_OFFSET:
		printf(" %s=v%+" PRId64, name, r->u.offset);
		break;
	case CP_CFI_REGISTER: printf(" %s=r%" PRId64, name, r->u.offset); break;
	case CP_CFI_EXPRESSION: printf(" %s=exp", name); break;
	case CP_CFI_VAL_EXPRESSION: printf(" %s=vexp", name); break;
	default: break;
	}
}

static void
show(const struct cp_cfi_row *row, bool differs)
{
	if (row->cfa.kind == CP_CFI_EXPRESSION)
		printf("exp");
	else
		printf(
		    "%s%+" PRId64, names[row->cfa.reg % 17], row->cfa.u.offset);
	for (unsigned i = 0; i < 17; i++)
		show_rule(names[i], &row->reg[i]);
	printf("%s\n", differs ? " differs" : "");
}

int
main(int argc, char **argv)
{
	struct cp_elf elf;
	struct cp_cfi c;
	struct cp_function_rules rules = { 0 };
	char *line = NULL;
	size_t room = 0;

	if (argc != 2 || !cp_elf_open(&elf, open(argv[1], O_RDONLY))) {
		fprintf(stderr, "usage: rows FILE < ADDRESSES\n");
		return 2;
	}
	cp_cfi_init(&c, cp_arch_find("x86_64", 2), &elf);
	while (getline(&line, &room, stdin) > 0) {
		uint32_t steps = 100000;
		uint64_t addr = strtoull(line, NULL, 16);
		uint32_t brief = cp_function_rule(&rules, &c, addr);
		struct cp_cfi_row row;

		if (cp_cfi_row_at(&c, addr, &row, &steps))
			show(&row,
			    brief != CP_RULE_NONE &&
				brief != cp_rule_pack(c.arch, &row, addr));
		else if (brief != CP_RULE_NONE)
			printf("none differs\n");
		else
			printf("none\n");
	}
	free(line);
	cp_function_rules_free(&rules);
	cp_cfi_free(&c);
	cp_elf_free(&elf);
	return 0;
}
