libcoldperf_a_SOURCES += \
	%D%/each.c %D%/each.h %D%/profile.c %D%/profile.h %D%/statistics.c \
	%D%/statistics.h %D%/tree.c %D%/tree.h
