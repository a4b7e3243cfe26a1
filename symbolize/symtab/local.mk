libcoldperf_a_SOURCES += \
	%D%/alias.c %D%/overlap.c %D%/symtab.c %D%/symtab.h
