libcoldperf_a_SOURCES += \
	%D%/blockio.h %D%/accounts.c %D%/count.c %D%/device-times.c %D%/tables.c
