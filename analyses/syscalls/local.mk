libcoldperf_a_SOURCES += \
	%D%/accounts.c %D%/count.c %D%/syscalls.h %D%/tables.c
