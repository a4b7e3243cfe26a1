libcoldperf_a_SOURCES += \
	%D%/brief.c %D%/brief.h %D%/count.c %D%/data-source.c %D%/mem.h \
	%D%/tables.c
