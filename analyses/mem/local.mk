libcoldperf_a_SOURCES += \
	%D%/accounts.c %D%/count.c %D%/mem.h \
	%D%/tables.c
