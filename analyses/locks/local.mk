libcoldperf_a_SOURCES += \
	%D%/accounts.c %D%/count.c %D%/lock-events.c %D%/locks.h \
	%D%/tables.c
