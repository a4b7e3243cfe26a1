libcoldperf_a_SOURCES += \
	%D%/list.c %D%/list.h %D%/symbolize.c %D%/symbolize.h
include symbolize/bounds/local.mk
include symbolize/callers/local.mk
include symbolize/cfi/local.mk
include symbolize/code/local.mk
include symbolize/debuginfod/local.mk
include symbolize/demangle/local.mk
include symbolize/dwarf/local.mk
include symbolize/elf/local.mk
include symbolize/file-index/local.mk
include symbolize/golang/local.mk
include symbolize/inlines/local.mk
include symbolize/insn/local.mk
include symbolize/kernel/local.mk
include symbolize/object/local.mk
include symbolize/opinion/local.mk
include symbolize/symbolizers/local.mk
include symbolize/symtab/local.mk
include symbolize/unwind/local.mk
