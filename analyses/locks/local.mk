libcoldperf_a_SOURCES += \
	%D%/brief.c %D%/brief.h %D%/count.c %D%/lock-events.c %D%/locks.h \
	%D%/tables.c
