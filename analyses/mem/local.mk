libcoldperf_a_SOURCES += \
	%D%/accounts.c %D%/count.c %D%/data-source.c %D%/mem.h \
	%D%/tables.c
