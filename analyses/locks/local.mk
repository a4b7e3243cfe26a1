libcoldperf_a_SOURCES += \
	%D%/brief.c %D%/brief.h %D%/count.c %D%/count.h \
	%D%/lock-events.c %D%/lock-events.h %D%/tables.c %D%/tables.h
