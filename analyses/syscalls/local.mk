libcoldperf_a_SOURCES += \
	%D%/accounts.c %D%/count.c %D%/off-cpu.c %D%/syscalls.h %D%/tables.c
