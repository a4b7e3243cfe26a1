# Names: the tables, the files, the chain.
symbolize_tests = %D%/symtab %D%/names %D%/kallsyms %D%/elf \
	%D%/chain %D%/separate %D%/maptext %D%/bundle
check_PROGRAMS += $(symbolize_tests)
TESTS += $(symbolize_tests)
EXTRA_DIST += %D%/makeelf.h %D%/symbol-at.h

# Every symbol of whole libraries, as perf shows it.
dist_check_SCRIPTS += %D%/perf-names.t %D%/stubs.t %D%/kernel.t %D%/recorded.t %D%/forms.t %D%/lambda.t %D%/lines.t %D%/machines.t %D%/mapping.t %D%/simpleperf.t %D%/altlink.t %D%/prelink.t %D%/identity.t %D%/bounds.t %D%/perfmaps.t %D%/memfd.t %D%/data.t %D%/same-path.t %D%/kallsyms-damaged.t %D%/zeros.t %D%/script-text.t
TESTS += %D%/forms.t %D%/altlink.t %D%/bounds.t %D%/kallsyms-damaged.t %D%/memfd.t %D%/recorded.t %D%/zeros.t %D%/simpleperf.t %D%/prelink.t
plain_tests += %D%/perf-names.t %D%/stubs.t %D%/kernel.t %D%/lambda.t %D%/lines.t %D%/machines.t %D%/mapping.t %D%/identity.t %D%/perfmaps.t %D%/data.t %D%/same-path.t %D%/script-text.t

# Section data, packed and relocated.
check_PROGRAMS += %D%/debug-sections %D%/inlines
dist_check_SCRIPTS += %D%/kinds.t %D%/relocated.t %D%/sections.t
TESTS += %D%/kinds.t %D%/relocated.t %D%/sections.t

# Inlined functions and lines, as others find them.
dist_check_SCRIPTS += %D%/inlines.t %D%/unneeded.t %D%/deep.t %D%/bombs.t
thorough_tests += %D%/inlines.t %D%/gotab.t
TESTS += %D%/deep.t %D%/bombs.t
plain_tests += %D%/inlines.t %D%/unneeded.t
dist_check_SCRIPTS += %D%/overlap.t
nightly_tests += %D%/overlap.t
EXTRA_DIST += %D%/inlined.cc %D%/inlined2.cc
check_PROGRAMS += %D%/inlcache
TESTS += %D%/inlcache

# Lengths of instructions, as objdump has them.
check_PROGRAMS += %D%/x86-lengths
dist_check_SCRIPTS += %D%/x86-lengths.t
nightly_tests += %D%/x86-lengths.t

# Instructions, as llvm-objdump has them.
check_PROGRAMS += %D%/disasm
dist_check_SCRIPTS += %D%/disasm.t
TESTS += %D%/disasm.t

# What Go programs keep of themselves, as their symbols and DWARF have it.
check_PROGRAMS += %D%/gotab
dist_check_SCRIPTS += %D%/gotab.t
TESTS += %D%/gotab.t
EXTRA_DIST += %D%/makego.py %D%/madedwarf.py %D%/madeelf.py

check_PROGRAMS += %D%/test-opinion-rules
TESTS += %D%/test-opinion-rules
