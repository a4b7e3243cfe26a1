libcoldperf_a_SOURCES += \
	%D%/alias.c %D%/alias.h %D%/entry.h %D%/overlap.c %D%/symtab.c %D%/symtab.h
