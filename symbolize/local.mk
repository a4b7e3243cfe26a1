# %D%: see docs/ARCHITECTURE.md
libcoldperf_a_SOURCES += \
	%D%/symbolize.h %D%/symbolize.c \
	%D%/list.def %D%/chain.h %D%/chain.c \
	%D%/objfile.h %D%/objfile.c \
	%D%/elf.h %D%/elf.c %D%/buildid.c \
	%D%/elfsym.h %D%/elfsym.c %D%/elfplt.c %D%/elfpltgot.c \
	%D%/debugdata.c \
	%D%/symtab.h %D%/symtab.c %D%/alias.c \
	%D%/kallsyms.h %D%/kallsyms.c \
	%D%/demangle.h %D%/demangle.c %D%/simplename.h %D%/simplename.c \
	%D%/loadelf.c %D%/debugfile.c %D%/debugonly.c %D%/kernel.c \
	%D%/walkdirs.h %D%/walkdirs.c \
	%D%/capture.c %D%/buildidcache.c %D%/symdirs.c %D%/recorded.c \
	%D%/vdso.c
