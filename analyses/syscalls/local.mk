libcoldperf_a_SOURCES += \
	%D%/count.c %D%/count.h %D%/tables.c %D%/tables.h
