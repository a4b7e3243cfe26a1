libcoldperf_a_SOURCES += \
	%D%/brief.c %D%/brief.h %D%/cpu-load.c %D%/cpu-load.h %D%/cpus.c \
	%D%/delays.c %D%/delays.h %D%/gather.h %D%/latency.c \
	%D%/longest-waits.c %D%/longest-waits.h %D%/runqueue.c \
	%D%/runqueue.h %D%/switch-rows.c %D%/switch-rows.h %D%/threads.c \
	%D%/timehist.c %D%/worst-table.c
