# Names: the tables, the files, the chain.
symbolize_tests = %D%/symtab %D%/names %D%/kallsyms %D%/elf %D%/chain \
	%D%/separate
check_PROGRAMS += $(symbolize_tests)
TESTS += $(symbolize_tests)
EXTRA_DIST += %D%/makeelf.h

# Every symbol of whole libraries, as perf shows it.
dist_check_SCRIPTS += %D%/perf-names.t
TESTS += %D%/perf-names.t
