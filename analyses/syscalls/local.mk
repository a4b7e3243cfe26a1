libcoldperf_a_SOURCES += \
	%D%/brief.c %D%/brief.h %D%/count.c %D%/syscalls.h %D%/tables.c
