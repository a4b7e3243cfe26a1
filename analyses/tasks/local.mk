libcoldperf_a_SOURCES += \
	%D%/notes.c %D%/notes.h %D%/pools.c %D%/pools.h %D%/task-groups.c %D%/task-groups.h
