libcoldperf_a_SOURCES += \
	%D%/tables.h %D%/cpu-load.c %D%/cpu-load.h %D%/cpus.c \
	%D%/delay-bins.c %D%/delays.c \
	%D%/delays.h %D%/gather.c %D%/gather.h %D%/latency.c \
	%D%/longest-waits.c %D%/longest-waits.h %D%/switch-rows.c \
	%D%/switch-rows.h %D%/threads.c %D%/timehist.c \
	%D%/timehist.h %D%/wait-account.c %D%/wait-account.h \
	%D%/worst-table.c
