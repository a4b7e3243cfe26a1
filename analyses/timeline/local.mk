libcoldperf_a_SOURCES += \
	%D%/changepoints.c %D%/changepoints.h %D%/changes.c %D%/heat.c \
	%D%/lanes.c %D%/series.c %D%/timeline.h
