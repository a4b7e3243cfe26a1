libcoldperf_a_SOURCES += \
	%D%/count.c %D%/count.h %D%/lock-events.c %D%/lock-events.h \
	%D%/tables.c %D%/tables.h
